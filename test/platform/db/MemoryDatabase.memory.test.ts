import * as MemoryDatabase from "../../../src/platform/db/MemoryDatabase.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { mkdir, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { imagePathOf } from "../../../src/platform/db/MemoryDatabase.ts"
import { folderOf } from "./folder.ts"

describe("The image of the in-memory database", () => {
  it.live("is rebuilt when the cached file is broken, cached, and has no database but its own", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({
        "0001_a.sql": `create table steps (n text); insert into steps values (${Date.now()})`
      })
      const path = yield* imagePathOf(folder)
      yield* Effect.addFinalizer(() => Effect.promise(() => rm(path, { force: true })))
      const count = Effect.scoped(
        Effect.flatMap(
          MemoryDatabase.make(folder),
          (sql) => sql`
            select (select count(*)::int from steps) as n, (select count(*)::int from pg_database) as databases`
        )
      ).pipe(Effect.provide(Reactivity.layer))
      yield* Effect.promise(() => mkdir(dirname(path), { recursive: true }))
      yield* Effect.promise(() => writeFile(path, "half of it"))
      assert.deepStrictEqual(yield* count, [{ n: 1, databases: 1 }])
      const rebuilt = yield* Effect.promise(() => stat(path))
      assert.isAbove(rebuilt.size, 1_000_000)
      assert.deepStrictEqual(yield* count, [{ n: 1, databases: 1 }])
      assert.strictEqual((yield* Effect.promise(() => stat(path))).mtimeMs, rebuilt.mtimeMs)
    })
  )
})
