/** What requests ask of a database with many rows: the service on a Postgres of its own, which tells its statements. */
import { Effect, Layer, Logger, Redacted } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import * as App from "../../src/App.ts"
import { Database } from "../../src/db/Database.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as OwnPostgres from "./OwnPostgres.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { options, TestService } from "./TestService.ts"

/** A statement, as it was sent. */
export interface Asked {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

const asked: Array<Asked> = []

/** Notes each statement that is sent, and leaves it as it is. */
const notingIn =
  (statements: Array<Asked>): typeof CurrentTransformer.Service =>
  (statement) =>
    Effect.sync(() => {
      const [text, parameters] = statement.compile()
      statements.push({ text, parameters })
      return statement
    })

// Its rows are loaded in seconds.
const settings = {
  full_page_writes: "off",
  shared_buffers: "256MB",
  maintenance_work_mem: "256MB",
  max_wal_size: "4GB",
  autovacuum: "off"
}

// While its rows are loaded, an open writer would hold back the deltas of other test files.
const database = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* OwnPostgres.start(settings)
    return Database.layer({ url: Redacted.make(url) })
  })
)

const eventMapper = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provide(Layer.succeed(CurrentTransformer, notingIn(asked))),
  Layer.provide(Logger.layer([]))
)

/** The service, on a Postgres of its own. */
export const service = eventMapper.pipe(Layer.provideMerge(database))

/** The service on a fresh database of the run's store, for tests that count statements and need few rows. */
export const serviceOfRun = eventMapper.pipe(Layer.provideMerge(TestDatabase.layer))

/**
 * Fills tables below the service. What is loaded refers to what is there, and indexes are made when the rows are:
 * asking about each row, and keeping the indexes meanwhile, would take many times as long.
 */
export const filling = Effect.fnUntraced(function* <A, E, R>(
  tables: ReadonlyArray<string>,
  load: Effect.Effect<A, E, R>
) {
  const sql = yield* Database
  const loaded = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local session_replication_role = replica`
      yield* sql`set local statement_timeout = 0`
      const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any(${tables}::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`
      for (const { name } of indexes) yield* sql`drop index ${sql.literal(name)}`
      const loaded = yield* load
      for (const { definition } of indexes) yield* sql`${sql.literal(definition)}`
      return loaded
    })
  )
  for (const table of tables) yield* sql`vacuum analyze ${sql.literal(table)}`
  return loaded
}, Effect.orDie)

/** What the service asks the database to answer a request. */
export const statementsOf = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    asked.length = 0
    const reply = yield* request
    return { reply, statements: [...asked] }
  })

/** What an effect asks the database by itself, wherever that is. */
export const askedBy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const statements: Array<Asked> = []
    return Effect.map(Effect.provideService(effect, CurrentTransformer, notingIn(statements)), (reply) => ({
      reply,
      statements
    }))
  })

/** A step of how Postgres answers a statement; what it counts is there when it was made to do it. */
export interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The steps of a statement. One that only reads is made to do it once more. */
export const planOf = Effect.fnUntraced(function* ({ parameters, text }: Asked) {
  const sql = yield* Database
  const analyze = /^\s*(?:select|with planned)/.test(text) ? "analyze, timing off, " : ""
  const [row] = yield* Effect.orDie(
    sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
      `explain (${analyze}format json) ${text}`,
      parameters
    ).unprepared
  )
  return (row?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
})

/** How many rows a step looked at. */
export const rowsOf = (node: Plan): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 1)

/** How a statement reads a table: by what, and, if it only reads, how many rows it looked at. */
export interface Read {
  readonly by: string
  readonly rows: number
}

/** How Postgres reads tables of these names to answer a statement. */
export const readsOf = Effect.fnUntraced(function* (statement: Asked, tables: ReadonlyArray<string>) {
  if (!tables.some((table) => statement.text.includes(table))) return []
  return (yield* planOf(statement))
    .filter((node) => tables.includes(node["Relation Name"] ?? "") && node["Node Type"] !== "ModifyTable")
    .map((node): Read => ({
      by: `${node["Node Type"]} of ${node["Relation Name"]}${node["Index Name"] === undefined ? "" : ` by ${node["Index Name"]}`}`,
      rows: rowsOf(node)
    }))
})
