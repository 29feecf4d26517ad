/** Every statement of an erasure finds its rows by an index, however large the tables are. */
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Erasures } from "../../src/privacy/Erasures.ts"
import { serviceOnSharedServer, statementsOf } from "../support/Statements.ts"
import { testUrl } from "../support/TestDatabase.ts"
import { converse, newMarker, plant } from "./planted.ts"

// A handful of rows, whatever there is of teams; and what has a row for each erasure.
const small = new Set(["file_space", "teams"])

interface Plan {
  readonly "Node Type": string
  readonly "Index Cond"?: string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

// With sequential scans off, a whole index is read where none has the condition.
const isScan = ({ "Index Cond": condition, "Node Type": type }: Plan) =>
  type === "Seq Scan" || (/^Index (?:Only )?Scan$/.test(type) && condition === undefined)

const scanned = (plan: Plan): ReadonlyArray<string> => [
  ...(isScan(plan) ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scanned)
]

layer(serviceOnSharedServer, { excludeTestServices: true })("The statements of an erasure", (it) => {
  it.effect("scan no table", () =>
    Effect.gen(function* () {
      const marker = newMarker()
      const planted = yield* plant(marker)
      yield* converse(marker, planted)
      const { erase } = yield* Erasures
      const { statements } = yield* statementsOf(asOperator(erase(planted.email, { all: true })))
      const url = Redacted.value(yield* testUrl)
      const scans = yield* Effect.promise(async () => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        // A scan that is left has no index to go by.
        await client.query("set enable_seqscan = off")
        const found: Array<string> = []
        for (const text of new Set(statements.map((one) => one.text))) {
          if (!/^\s*(?:with|select|insert|update|delete)\b/.test(text)) continue
          const { rows } = await client.query<{ "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
            `explain (generic_plan, format json) ${text}`
          )
          for (const row of rows) {
            for (const table of scanned(row["QUERY PLAN"][0].Plan)) {
              if (!small.has(table)) found.push(`${table}: ${text.replaceAll(/\s+/g, " ").trim().slice(0, 200)}`)
            }
          }
        }
        await client.end()
        return found
      })
      assert.deepStrictEqual(scans, [])
    })
  )
})
