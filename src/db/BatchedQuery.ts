/**
 * Questions that many ask at the same moment, asked of the database as one. What comes within one turn of the event loop
 * goes together, so nobody waits for others to come: a busy process needs fewer statements for each request, an idle one
 * answers as fast as ever.
 */
import { Context, Effect, Exit, Request, RequestResolver } from "effect"
import { Database } from "./Database.ts"

interface Question<Key, A> extends Request.Request<A> {
  readonly key: Key
}

/** How many go together at the most. */
const maxBatch = 100

/**
 * Asks, and lets go of who asked as soon as there is an answer: `effect` keeps its batches for others to use again, and each
 * holds for ever whom it was made for, with all that came of it. A fiber holds its answer, which may be a page of megabytes.
 */
const ask = <Key, A>(
  question: Question<Key, A>,
  resolver: RequestResolver.RequestResolver<Question<Key, A>>,
  context: Context.Context<never>
) =>
  Effect.callback<A>((resume) => {
    let waiting: typeof resume | undefined = resume
    const cancel = Effect.requestUnsafe(question, {
      resolver,
      context,
      onExit: (exit) => {
        const tell = waiting
        waiting = undefined
        tell?.(exit)
      }
    })
    return Effect.sync(cancel)
  })

/**
 * Makes a question about one key of one that `answer` answers about many, in their order. Asked inside a transaction it goes
 * alone, on that transaction's connection.
 *
 * What goes together runs in the context of who came first: `answer` must not depend on who calls.
 */
export const make = <Key, A>(
  answer: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A>>
): Effect.Effect<(key: Key) => Effect.Effect<A>, never, Database> => {
  const Question = Request.of<Question<Key, A>>()
  const resolver = RequestResolver.make<Question<Key, A>>((entries) =>
    Effect.map(answer(entries.map(({ request }) => request.key)), (answers) => {
      for (const [index, entry] of entries.entries()) entry.completeUnsafe(Exit.succeed(answers[index] as A))
    })
  ).pipe(RequestResolver.batchN(maxBatch))
  return Effect.map(
    Database,
    (sql) => (key) =>
      Effect.contextWith((context: Context.Context<never>) =>
        Context.getOrUndefined(context, sql.transactionService) === undefined
          ? ask(Question({ key }), resolver, context)
          : Effect.map(answer([key]), ([one]) => one as A)
      )
  )
}
