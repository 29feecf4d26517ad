import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { findPackageJSON } from "node:module"
import { Database } from "../../../src/platform/db/Database.ts"
import { writtenFor } from "../../../src/platform/jobs/PrivateTables.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

layer(TestDatabase.layerShared)("The private tables of graphile-worker", (it) => {
  it.effect("are those of the version that src/platform/jobs/PrivateTables.ts was checked against", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const file = findPackageJSON("graphile-worker", import.meta.url)
      const { version } = JSON.parse(readFileSync(file ?? "", "utf8"))
      const [row] = yield* sql<{ id: number }>`select max(id) as id from graphile_worker.migrations`
      assert.deepStrictEqual(
        { version, migration: row?.id },
        writtenFor,
        "Compare src/platform/jobs/PrivateTables.ts with getJobs, completeJobs and failJobs of the new version, then raise `writtenFor`."
      )
    })
  )
})
