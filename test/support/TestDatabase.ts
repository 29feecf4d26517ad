import * as Citus from "../citus/template.ts"
import * as MemoryDatabase from "../../src/platform/db/MemoryDatabase.ts"
import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import { Database } from "../../src/platform/db/Database.ts"
import { query } from "./query.ts"

/** The store of this run. */
export const store: "citus" | "memory" | "postgres" =
  process.env["TEST_STORE"] === "memory" ? "memory" : process.env["TEST_STORE"] === "citus" ? "citus" : "postgres"

const urlOf = (database: string): string => {
  const url = new URL(inject("templateUrl"))
  url.pathname = database
  return url.href
}

/** The same database through the server's socket, if it has one: a statement takes a quarter less work than through TCP. */
const throughSocket = (url: Redacted.Redacted<string>): Redacted.Redacted<string> => {
  const folder = inject("socketFolder")
  if (folder === undefined) return url
  return Redacted.make(Redacted.value(url).replace(/@[^/]+:/, `@${encodeURIComponent(folder)}:`))
}

const administer = (statement: string) =>
  Effect.promise(async () => {
    if (store === "citus") await Citus.administer(inject("templateUrl"), statement)
    else await query(urlOf("postgres"), statement)
  })

let shared: Promise<Context.Context<TestDatabase | Database>> | undefined

/** A new, migrated database for each build of the layer, dropped at the end of its scope. */
export class TestDatabase extends Context.Service<
  TestDatabase,
  {
    /** The URL for other clients of the database; undefined for the in-memory store. */
    readonly url: Redacted.Redacted<string> | undefined
  }
>()("test/support/TestDatabase") {
  /** A new, empty database on the shared Postgres of the run. */
  static readonly layerPostgres: Layer.Layer<TestDatabase> = Layer.effect(
    TestDatabase,
    Effect.gen(function* () {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      const template = new URL(inject("templateUrl")).pathname.slice(1)
      yield* Effect.acquireRelease(administer(`create database ${name} template ${template} strategy file_copy`), () =>
        administer(`drop database ${name} with (force)`)
      )
      return { url: Redacted.make(urlOf(name)) }
    })
  )

  /** A new database in the store of the run, with the `Database` service. */
  static readonly layer: Layer.Layer<TestDatabase | Database> =
    store === "memory"
      ? Layer.merge(Layer.succeed(TestDatabase, { url: undefined }), MemoryDatabase.layer)
      : Layer.unwrap(
          Effect.map(TestDatabase, ({ url }) =>
            url === undefined
              ? MemoryDatabase.layer
              : Database.layer({ url: throughSocket(url), maxConnections: 5, citus: store === "citus" }).pipe(
                  Layer.merge(Citus.cell)
                )
          )
        ).pipe(Layer.provideMerge(TestDatabase.layerPostgres))

  /**
   * One database for all test files of this process, which run one after the other. For tests that read only rows of their own
   * tenants.
   */
  static readonly layerShared: typeof TestDatabase.layer = Layer.effectContext(
    Effect.promise(() => (shared ??= Effect.runPromise(Layer.buildWithScope(TestDatabase.layer, Scope.makeUnsafe()))))
  )
}

/** The URL of the test's database. Dies on the in-memory store. */
export const testUrl: Effect.Effect<Redacted.Redacted<string>, never, TestDatabase> = Effect.flatMap(
  TestDatabase,
  ({ url }) => (url === undefined ? Effect.die("The in-memory store has no url") : Effect.succeed(url))
)
