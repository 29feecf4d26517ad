import * as MigrationFiles from "../../../src/platform/db/MigrationFiles.ts"
import * as Migrations from "../../../src/platform/db/Migrations.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Database } from "../../../src/platform/db/Database.ts"
import { scratch } from "../../support/scratch.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"

// A database without any table.
const empty = Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url }))).pipe(
  Layer.tap((context) =>
    Effect.provideContext(
      Effect.orDie(
        Effect.flatMap(Database, (sql) => Effect.andThen(sql`drop schema public cascade`, sql`create schema public`))
      ),
      context
    )
  ),
  Layer.provideMerge(TestDatabase.layerPostgres)
)

describe("The migration to notes", () => {
  it.live(
    "assigns existing rows to timeline partitions, and rows of a running older process to the audit partition",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const url = yield* testUrl
        const folder = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(scratch, "property-network-notes-"))),
          (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
        )
        const directory = pathToFileURL(`${folder}/`)
        const files = yield* Effect.promise(() => readdir(MigrationFiles.directory))
        const migrate = Effect.fnUntraced(function* (wanted: (file: string) => boolean) {
          for (const file of files.filter(wanted)) {
            yield* Effect.promise(() =>
              symlink(fileURLToPath(new URL(file, MigrationFiles.directory)), join(folder, file))
            )
          }
          yield* Migrations.run(url, directory)
        })
        const record = (type: string) =>
          sql`
          with made as (
            insert into actions (id, team_id, type, occurred_at, origin, details)
            values (gen_random_uuid(), gen_random_uuid(), ${type}, now(), 'api', '{}')
            returning id, team_id, occurred_at
          )
          insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at)
          select 'contact', gen_random_uuid(), id, team_id, occurred_at from made`
        yield* migrate((file) => /^000[1-6]_/.test(file))
        for (const type of ["audit", "note", "chat"]) yield* record(type)
        yield* migrate((file) => file.startsWith("0007_"))
        // An older process still runs after the migration, and inserts rows as before.
        yield* record("audit")
        const rows = yield* sql`
        select type, shelf, version::int, archived_at, superseded_by, count(*)::int
        from actions join action_subjects on action_id = id
        group by 1, 2, 3, 4, 5 order by type`
        const unmarked = { version: 1, archived_at: null, superseded_by: null }
        assert.deepStrictEqual(
          rows.map((row) => ({ ...row })),
          [
            { type: "audit", shelf: "audit", ...unmarked, count: 2 },
            { type: "chat", shelf: "chat", ...unmarked, count: 1 },
            { type: "note", shelf: "note", ...unmarked, count: 1 }
          ]
        )
      }).pipe(Effect.scoped, Effect.provide(empty))
  )
})
