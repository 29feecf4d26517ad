import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import * as SchemaDump from "./schemaDump.ts"

describe("sql/schema.sql", () => {
  it.live("is the schema that the migrations lead to: `npm run schema` updates it", () =>
    Effect.gen(function* () {
      const committed = yield* Effect.promise(() => readFile(SchemaDump.file, "utf8"))
      assert.strictEqual(committed.replaceAll("\r\n", "\n"), yield* SchemaDump.make)
    })
  )
})
