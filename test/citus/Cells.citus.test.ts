/** Creating cells: what an operator may have forgotten before. */
import * as CellSchema from "../../src/platform/db/CellSchema.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { Database } from "../../src/platform/db/Database.ts"
import { query } from "../support/query.ts"

/** A database of its own on the coordinator, with these statements run in it. */
const aDatabase = (name: string, ...statements: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = inject("templateUrl")
      const url = Object.assign(new URL(server), { pathname: name }).href
      await query(server, `create database ${name}`)
      for (const statement of statements) await query(url, statement)
      return url
    }),
    () => Effect.promise(() => query(inject("templateUrl"), `drop database ${name} with (force)`))
  )

const refusalIn = (url: string, cell: string) =>
  Effect.flatMap(Database, (sql) => Effect.flip(CellSchema.create(sql, cell))).pipe(
    Effect.provide(Database.layer({ url: Redacted.make(url), citus: true })),
    Effect.map(({ message }) => message)
  )

describe("A cell is refused, with what to do,", () => {
  it.live("where there is no Citus", () =>
    Effect.gen(function* () {
      const url = yield* aDatabase(`cells_none_${process.pid}`)
      assert.match(yield* refusalIn(url, "cell_a"), /has no Citus/)
    })
  )

  it.live("where Citus has no workers", () =>
    Effect.gen(function* () {
      const url = yield* aDatabase(`cells_alone_${process.pid}`, "create extension citus")
      assert.match(yield* refusalIn(url, "cell_a"), /citus_add_node adds one/)
    })
  )

  it.live("where its name is none for a schema of cells, or taken", () =>
    Effect.gen(function* () {
      const url = inject("templateUrl")
      assert.match(yield* refusalIn(url, "Munich"), /lower-case letters/)
      assert.match(yield* refusalIn(url, "cell_a"), /already/)
    })
  )
})
