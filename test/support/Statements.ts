/** The service with a record of its SQL statements and their plans, on a separate Postgres for tests with many rows. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import { repositories } from "./repositories.ts"
import * as App from "../../src/App.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import * as OwnPostgres from "./OwnPostgres.ts"
import { TestDatabase } from "./TestDatabase.ts"
import { query } from "./query.ts"
import { options, TestService } from "./TestService.ts"

/** A statement as the client sent it. */
export interface SentStatement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

const sent: Array<SentStatement> = []

/** Appends each statement to an array and does not change it. */
const recordIn =
  (statements: Array<SentStatement>): typeof CurrentTransformer.Service =>
  (statement) =>
    Effect.sync(() => {
      const [text, parameters] = statement.compile()
      statements.push({ text, parameters })
      return statement
    })

// Settings for fast bulk loads.
const settings = {
  full_page_writes: "off",
  shared_buffers: "256MB",
  maintenance_work_mem: "256MB",
  max_wal_size: "4GB",
  autovacuum: "off"
}

// A separate server, because the open transaction of a bulk load would hold back the deltas of other test files.
const database = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* OwnPostgres.start(settings)
    return Database.layer({ url: Redacted.make(url) })
  })
)

const recordedService = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(Layer.merge(App.layer(options), repositories)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provide(Layer.succeed(CurrentTransformer, recordIn(sent))),
  Layer.provide(Logger.layer([]))
)

/** The service on a separate Postgres. */
export const service = recordedService.pipe(Layer.provideMerge(database))

/** The service on a new database of the shared server, for tests that count statements and need few rows. */
export const serviceOnSharedServer = recordedService.pipe(Layer.provideMerge(TestDatabase.layer))

/**
 * Runs `load`, which inserts rows by SQL, and then vacuums and analyzes the tables. For speed, it does not check foreign keys
 * and creates the indexes after the load.
 */
export const bulkLoad = Effect.fnUntraced(function* <A, E, R>(
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
  yield* Effect.scoped(vacuumAnalyze(tables))
  return loaded
}, Effect.orDie)

// On one connection without the service's statement timeout: statistics of expression indexes take seconds.
const vacuumAnalyze = Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
  const connection = yield* (yield* Database).reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  yield* Effect.acquireRelease(run("set statement_timeout = 0"), () => Effect.orDie(run("reset statement_timeout")))
  for (const table of tables) yield* run(`vacuum analyze ${table}`)
})

/** The reply to a request, and the statements that the service sent for it. */
export const statementsOf = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    sent.length = 0
    const reply = yield* request
    return { reply, statements: [...sent] }
  })

/** The result of an effect, and the statements that it sent itself. */
export const statementsSentBy = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const statements: Array<SentStatement> = []
    return Effect.map(Effect.provideService(effect, CurrentTransformer, recordIn(statements)), (reply) => ({
      reply,
      statements
    }))
  })

/** Runs read-only statements as often as a busy connection does, and returns those that Postgres plans each time. */
export const plannedEachTime = Effect.fnUntraced(function* (statements: ReadonlyArray<SentStatement>) {
  const connection = yield* (yield* Database).reserve
  const always: Array<string> = []
  for (const { parameters, text } of statements) {
    // The first five are planned for their values, to compare what that saves.
    for (let time = 0; time < 7; time++) yield* connection.executeValues(text, parameters)
    const [row] = yield* connection.executeValuesUnprepared(
      "select generic_plans::int from pg_prepared_statements where statement = $1 order by prepare_time desc",
      [text]
    )
    if (row?.[0] === 0) always.push(text)
    else assert.isAtLeast(Number(row?.[0]), 1)
  }
  return always
}, Effect.scoped)

/** A node of a query plan. The actual numbers are present if the statement was analyzed. */
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

/** The nodes of the plan of a statement. `explain analyze` runs a read-only statement again. */
export const planOf = Effect.fnUntraced(function* ({ parameters, text }: SentStatement) {
  const sql = yield* Database
  const analyze = /^\s*(?:select|with\s+(?:planned|boxes|placed))/.test(text) ? "analyze, timing off, " : ""
  const [row] = yield* Effect.orDie(
    sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
      `explain (${analyze}format json) ${text}`,
      parameters
    ).unprepared
  )
  return (row?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
})

/** The nodes of the plan that a statement has for any values. */
export const planForAnyValues = Effect.fnUntraced(function* ({ text }: SentStatement) {
  const { config } = yield* Database
  const url = Redacted.value(yield* Effect.orDie(Effect.fromNullishOr(config.url)))
  // A driver that sends parameters apart would have to send some.
  const [row] = yield* Effect.promise(() =>
    query<{ "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(url, `explain (generic_plan, format json) ${text}`)
  )
  return (row?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => nodesOf(Plan))
})

/** How many rows a node read, including those that its filter removed. */
export const rowsOf = (node: Plan): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
  (node["Actual Loops"] ?? 1)

/** How a plan reads a table: the node with its index, and the number of rows, 0 if the statement was not analyzed. */
export interface Read {
  readonly by: string
  readonly rows: number
}

/** How Postgres reads these tables for a statement. */
export const readsOf = Effect.fnUntraced(function* (statement: SentStatement, tables: ReadonlyArray<string>) {
  if (!tables.some((table) => statement.text.includes(table))) return []
  return (yield* planOf(statement))
    .filter((node) => tables.includes(node["Relation Name"] ?? "") && node["Node Type"] !== "ModifyTable")
    .map((node): Read => ({
      by: `${node["Node Type"]} of ${node["Relation Name"]}${node["Index Name"] === undefined ? "" : ` by ${node["Index Name"]}`}`,
      rows: rowsOf(node)
    }))
})
