/**
 * Statements about many rows, or for many callers: arrays as parameters, rows by the chunk, and one statement for what many load at once.
 */
import * as Transaction from "./Transaction.ts"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "./Database.ts"
import { Array, Context, Effect, Exit, Request, RequestResolver } from "effect"
import { CurrentCell } from "./Cells.ts"
import { CurrentStandby, parseLsn, parseServer, serverName, type WalPosition } from "./Standbys.ts"
import { orDie } from "./DatabaseUnavailable.ts"

/**
 * An array of values for `unnest` and `any`, whose length the planner does not look at. Otherwise, it plans a statement again for each
 * call with one or two values, because a plan for any number of them looks dearer, and planning takes ten times as long as the statement.
 */
export const arrayParameter = (
  sql: Database["Service"],
  type: "text" | "uuid",
  values: ReadonlyArray<unknown>
): Fragment => sql`(select ${values}::${sql.literal(type)}[])::${sql.literal(type)}[]`

/**
 * A team in a `from`, as `(…) as team`, of which the planner expects what teams have on average. Of a team that statistics do not know, such
 * as one that an import fills, it expects no row: then any index that begins with the team looks as good as the one of the key, and each of
 * 500 lookups reads all of the team's rows.
 */
export const averageTeam = (sql: Database["Service"], teamId: string): Fragment =>
  sql`(select ${teamId}::uuid as team_id offset 0)`

/** The id of {@link averageTeam} as a value, for conditions. */
export const averageTeamId = (sql: Database["Service"], teamId: string): Fragment => sql`(select ${teamId}::uuid)`

/** The rows that one transaction takes of many. */
export interface Chunk<A> {
  readonly taken: ReadonlyArray<A>
  /** Whether there are more. */
  readonly left: "nothing" | "more"
}

/** The first `size` of these rows, of which one more was selected. */
export const chunkOf = <A>(found: ReadonlyArray<A>, size: number): Chunk<A> => ({
  taken: found.slice(0, size),
  left: found.length > size ? "more" : "nothing"
})

// Loads what many callers request at the same moment with one statement, as a dataloader does. A batch holds the
// requests of one turn of the event loop, so that nobody waits for others: a busy process needs fewer statements per
// request, an idle one answers as fast as ever.

interface Load<Key, A> extends Request.Request<A> {
  readonly key: Key
  readonly caller: {
    /** Called when the caller is interrupted. Its batch sets it when it runs. */
    onLeave?: () => void
  }
}

const maxBatch = 100

/**
 * Runs a request, and releases the caller as soon as it has a result. `effect` keeps its batches for reuse, and each
 * would hold on to the callbacks of its requests, and through them to fibers and results of megabytes.
 */
const runRequest = <Key, A>(
  request: Load<Key, A>,
  resolver: RequestResolver.RequestResolver<Load<Key, A>>,
  context: Context.Context<never>
) =>
  Effect.callback<A>((resume) => {
    let pending: typeof resume | undefined = resume
    const cancel = Effect.requestUnsafe(request, {
      resolver,
      context,
      onExit: (exit) => {
        const complete = pending
        pending = undefined
        complete?.(exit)
      }
    })
    return Effect.sync(() => {
      cancel()
      request.caller.onLeave?.()
    })
  })

/** Runs a batch. It is interrupted when all its callers are: nobody waits for its statement any more. */
const whileWaitedFor = <Key, A, B>(entries: ReadonlyArray<Request.Entry<Load<Key, A>>>, batch: Effect.Effect<B>) =>
  Effect.withFiber<B>((fiber) => {
    let waiting = entries.length
    for (const { request } of entries) {
      request.caller.onLeave = () => {
        waiting -= 1
        if (waiting === 0) fiber.interruptUnsafe()
      }
    }
    return batch
  })

/**
 * Returns a function that loads one key. `loadMany` loads many keys and returns their values in the same order: as many, or it is a
 * defect. A load inside a transaction is not batched, and uses that transaction's connection; nor is one that a standby answers, or one
 * in a cell.
 *
 * A batch runs in the context of its first caller: `loadMany` must not depend on the caller.
 */
export const makeBatchedQuery = <Key, A>(
  loadMany: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<A>>
): Effect.Effect<(key: Key) => Effect.Effect<A>, never, Database> => {
  const Load = Request.of<Load<Key, A>>()
  const load = (keys: ReadonlyArray<Key>) =>
    Effect.flatMap(loadMany(keys), (values) =>
      values.length === keys.length
        ? Effect.succeed(values)
        : Effect.die(new Error(`a batched query has ${values.length} values for ${keys.length} keys`))
    )
  const resolver = RequestResolver.make<Load<Key, A>>((entries) =>
    whileWaitedFor(
      entries,
      Effect.map(load(entries.map(({ request }) => request.key)), (values) => {
        for (const [index, value] of values.entries()) entries[index]?.completeUnsafe(Exit.succeed(value))
      })
    )
  ).pipe(RequestResolver.batchN(maxBatch))
  return Effect.map(
    Database,
    (sql) => (key) =>
      Effect.contextWith((context: Context.Context<never>) =>
        Context.getOrUndefined(context, sql.transactionService) === undefined &&
        Context.get(context, CurrentStandby) === undefined &&
        (sql.cells === undefined || Context.get(context, CurrentCell) === undefined)
          ? runRequest(Load({ key, caller: {} }), resolver, context)
          : Effect.map(Effect.filterOrElse(load([key]), Array.isReadonlyArrayNonEmpty, Effect.die), Array.headNonEmpty)
      )
  )
}

/**
 * Makes the effect that asks the primary for the place of its log. A server that has replayed it shows all that was committed before.
 * One statement answers all who ask at one moment.
 */
export const makePrimaryPosition = Effect.gen(function* () {
  const sql = yield* Database
  const position = sql.literal(`${serverName} as server, pg_current_wal_insert_lsn()::text as lsn`)
  const ask = yield* makeBatchedQuery((asked: ReadonlyArray<undefined>) =>
    Effect.flatMap(orDie(sql<{ readonly server: string; readonly lsn: string }>`select ${position}`), ([row]) => {
      if (row === undefined) return Effect.die(new Error("the primary did not say where its log is"))
      const found: WalPosition = { ...parseServer(row.server), lsn: parseLsn(row.lsn) }
      return Effect.succeed(asked.map(() => found))
    })
  )
  return Effect.suspend(() => ask(undefined))
})

/** How many rows a table had whose statistics do not say any more that it is empty. */
const known = 1000

/**
 * Updates the statistics of tables that an import fills faster than autovacuum analyzes them: a plan for an empty table
 * is a bad one for a full table. Those that have not doubled since, and those that had a thousand rows, are left to autovacuum: Postgres
 * scales their statistics, and an import would wait for seconds. One that is being analyzed is left alone, too: Postgres gives up its own
 * analysis for one that waits. A failure is ignored.
 */
export const refreshStatistics = Effect.fn("refreshStatistics")(function* (tables: ReadonlyArray<string>) {
  const sql = yield* Database
  // On Citus, the tables themselves are empty.
  const outgrown = yield* Effect.orElseSucceed(
    sql<{ readonly name: string }>`
      select relname as name from pg_class
      where oid in (select to_regclass(name) from unnest(${tables}::text[]) as wanted (name)) and (
        reltuples <= 0
        or reltuples < ${known} and pg_relation_size(oid) >= 2 * relpages::bigint * current_setting('block_size')::bigint
      )`,
    () => []
  )
  const analyze = (name: string) =>
    Effect.andThen(sql`set local statement_timeout to 0`.unprepared, sql`analyze (skip_locked) ${sql(name)}`)
  yield* Effect.forEach(outgrown, ({ name }) => Effect.ignoreCause(Transaction.run(analyze(name))), { discard: true })
})
