import { Context, Effect, Layer, Redacted, Scope } from "effect"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { inject } from "vitest"
import { Database } from "../../src/db/Database.ts"
import * as MemoryDatabase from "../../src/db/memory/MemoryDatabase.ts"

/** Which store the tests of this run use. */
export const store: "memory" | "postgres" = process.env["TEST_STORE"] === "memory" ? "memory" : "postgres"

const urlOf = (database: string): string => {
  const url = new URL(inject("templateUrl"))
  url.pathname = database
  return url.href
}

const administer = (statement: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: urlOf("postgres") })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  })

let shared: Promise<Context.Context<TestDatabase | Database>> | undefined

/**
 * A fresh, migrated database for whoever builds the layer, gone when they are done. As with any layer, those who build
 * it together share it.
 */
export class TestDatabase extends Context.Service<
  TestDatabase,
  {
    /** Where other clients reach the same database; undefined for the in-memory store. */
    readonly url: Redacted.Redacted<string> | undefined
  }
>()("test/support/TestDatabase") {
  /** A database of its own on the run's Postgres, empty of rows. */
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

  /** The database in the run's store, and the way into it. */
  static readonly layer: Layer.Layer<TestDatabase | Database> =
    store === "memory"
      ? Layer.merge(Layer.succeed(TestDatabase, { url: undefined }), MemoryDatabase.layer)
      : Layer.unwrap(
          Effect.map(TestDatabase, ({ url }) =>
            url === undefined ? MemoryDatabase.layer : Database.layer({ url, maxConnections: 5 })
          )
        ).pipe(Layer.provideMerge(TestDatabase.layerPostgres))

  /**
   * The same for all files that this process runs, one after the other; for tests that look at rows of their own only.
   */
  static readonly layerShared: typeof TestDatabase.layer = Layer.effectContext(
    Effect.promise(() => (shared ??= Effect.runPromise(Layer.buildWithScope(TestDatabase.layer, Scope.makeUnsafe()))))
  )
}

/** The url of the test's database; for tests that only make sense on a server. */
export const testUrl: Effect.Effect<Redacted.Redacted<string>, never, TestDatabase> = Effect.flatMap(
  TestDatabase,
  ({ url }) => (url === undefined ? Effect.die("The in-memory store has no url") : Effect.succeed(url))
)
