import * as Migrations from "../../../src/platform/db/Migrations.ts"
import { migrationsFolder, readMigrations } from "../../../src/platform/db/Migrations.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"
import { folderOf, write } from "./folder.ts"

// A database that knows nothing yet: the tests' own has the real migrations.
const empty = Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url }))).pipe(
  Layer.tap((context) =>
    Effect.provideContext(Effect.orDie(Effect.flatMap(Database, (sql) => sql`drop table schema_migrations`)), context)
  ),
  Layer.provideMerge(TestDatabase.layerPostgres)
)

const migrate = (folder: URL) => Effect.flatMap(testUrl, (url) => Migrations.run(url, folder))

const failure = (folder: URL) => Effect.map(Effect.flip(migrate(folder)), (error) => [error.reason, error.file])

const applied = Effect.flatMap(Database, (sql) =>
  Effect.map(sql<{ file: string }>`select file from schema_migrations order by file`, (rows) =>
    rows.map((row) => row.file)
  )
)

describe.concurrent("Migrations", () => {
  it.live("apply each file once, in order, and report whether one is pending", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const folder = yield* folderOf({
        "0002_b.sql": "insert into steps values (2); insert into steps values (3)",
        "0001_a.sql": "create table steps (n int); insert into steps values (1)",
        "README.md": "not a migration"
      })
      const pending = yield* Migrations.makePending(folder)
      assert.isTrue(yield* pending(sql))
      const first = yield* migrate(folder)
      assert.deepStrictEqual([first.known, first.applied.map(({ file }) => file)], [0, ["0001_a.sql", "0002_b.sql"]])
      assert.match(first.postgres, /^\d+\.\d+/)
      for (const { milliseconds } of first.applied) assert.isAtLeast(milliseconds, 0)
      const { applied: none, known, queue } = yield* migrate(folder)
      assert.deepStrictEqual([known, none, queue.applied], [2, [], 0])
      assert.deepStrictEqual(yield* sql`select n from steps`, [{ n: 1 }, { n: 2 }, { n: 3 }])
      assert.isFalse(yield* pending(sql))
      yield* write(folder, { "0003_c.sql": "insert into steps values (4)" })
      assert.isTrue(yield* (yield* Migrations.makePending(folder))(sql))
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("are applied once when several processes start together", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const folder = yield* folderOf({ "0001_a.sql": "create table steps (n int); insert into steps values (1)" })
      yield* Effect.all(
        Array.from({ length: 4 }, () => migrate(folder)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* sql`select n from steps`, [{ n: 1 }])
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("refuse a file that was edited after it was applied", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "0001_a.sql": "select 1" })
      yield* migrate(folder)
      yield* write(folder, { "0001_a.sql": "select 2" })
      assert.deepStrictEqual(yield* failure(folder), ["Changed", "0001_a.sql"])
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("ignore the line endings of Windows", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "0001_a.sql": "select 1;\nselect 2;\n" })
      yield* migrate(folder)
      yield* write(folder, { "0001_a.sql": "select 1;\r\nselect 2;\r\n" })
      yield* migrate(folder)
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("fail when an applied file is missing, or when a new file has a lower number", () =>
    Effect.gen(function* () {
      yield* migrate(yield* folderOf({ "0002_b.sql": "select 1" }))
      assert.deepStrictEqual(yield* failure(yield* folderOf({ "0003_c.sql": "select 1" })), ["Missing", "0002_b.sql"])
      assert.deepStrictEqual(yield* failure(yield* folderOf({ "0001_a.sql": "select 1", "0002_b.sql": "select 1" })), [
        "OutOfOrder",
        "0001_a.sql"
      ])
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("refuse file names without a unique number", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* failure(yield* folderOf({ "1_a.sql": "" })), ["Misnamed", "1_a.sql"])
      assert.deepStrictEqual(yield* failure(yield* folderOf({ "0001_a.sql": "", "0001_b.sql": "" })), [
        "Misnamed",
        "0001_b.sql"
      ])
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("roll back a failing file as a whole, and keep the files before it", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const folder = yield* folderOf({
        "0001_a.sql": "create table steps (n int)",
        "0002_b.sql": "insert into steps values (1); select 1 / 0"
      })
      assert.deepStrictEqual(yield* failure(folder), ["Failed", "0002_b.sql"])
      assert.deepStrictEqual(yield* sql`select n from steps`, [])
      assert.deepStrictEqual(yield* applied, ["0001_a.sql"])
    }).pipe(Effect.scoped, Effect.provide(empty))
  )

  it.live("are all applied to the database of a test", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      assert.isFalse(yield* Migrations.pending(sql))
    }).pipe(
      Effect.provide(
        Layer.provide(Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url }))), TestDatabase.layerPostgres)
      )
    )
  )

  it.live("are the files of the folder sql/", () =>
    Effect.gen(function* () {
      assert.isTrue(fileURLToPath(migrationsFolder).endsWith("sql/"))
      assert.isNotEmpty(yield* readMigrations(migrationsFolder))
    })
  )
})
