/**
 * Questions that many ask at the same moment, asked of the database as one. What comes within one turn of the event loop
 * goes together, so nobody waits for others to come: a busy process needs fewer statements for each request, an idle one
 * answers as fast as ever.
 */
import { Effect, Exit, Request, RequestResolver } from "effect"
import { Database } from "./Database.ts"

interface Question<Key, A> extends Request.Request<A> {
  readonly key: Key
}

/** How many go together at the most. */
const most = 100

/**
 * Makes a question about one key of one that `ask` answers about many, in their order. Asked inside a transaction it goes
 * alone, on that transaction's connection.
 *
 * What goes together runs in the context of who came first: `ask` must not depend on who calls.
 */
export const make = <Key, A>(
  ask: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A>>
): Effect.Effect<(key: Key) => Effect.Effect<A>, never, Database> => {
  const Question = Request.of<Question<Key, A>>()
  const resolver = RequestResolver.make<Question<Key, A>>((entries) =>
    Effect.map(ask(entries.map(({ request }) => request.key)), (answers) => {
      for (const [index, entry] of entries.entries()) entry.completeUnsafe(Exit.succeed(answers[index] as A))
    })
  ).pipe(RequestResolver.batchN(most))
  return Effect.map(Database, (sql) => (key) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
      transaction._tag === "Some"
        ? Effect.map(ask([key]), ([answer]) => answer as A)
        : Effect.request(Question({ key }), resolver)))
}
