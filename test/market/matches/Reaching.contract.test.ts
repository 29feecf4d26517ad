/** Which matches can have a score by SQL, beside the score that each has. */
import fc from "fast-check"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { columnName } from "../../../src/core/records/Table.ts"
import { makeReaching } from "../../../src/market/matches/ReachingRepo.ts"
import {
  comparedOfMandate,
  comparedOfProperty,
  isIndexed,
  match,
  unknownLocation
} from "../../../src/market/matches/rules.ts"
import { blank as blankMandate } from "../../../src/market/mandates/rules.ts"
import { TestService } from "../../support/TestService.ts"
import { widerPairs } from "./arbitraries.ts"

const rowsOf = <Compared extends object>(
  members: ReadonlyArray<keyof Compared & string>,
  all: ReadonlyArray<Compared>
) => all.map((one) => Object.fromEntries(members.map((member) => [columnName(member), one[member]])))

const unindexed = {
  subcategories: [],
  wault: null,
  vacancyRate: null,
  zoningGfa: null,
  worstEnergyClass: null,
  conversions: []
}

const scores = [100, 90, 85, 70, 50, 0]

layer(TestService.layer, { excludeTestServices: true })("The matches that can have a score", (it) => {
  it.effect(
    "are all that have it, and are known by it from either side: mandates with the highest, properties before they are read",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const reaching = makeReaching(sql)
        const pairs = fc.sample(widerPairs, { seed: 36, numRuns: 28 })
        const properties = pairs.map(({ property }) => property)
        // Some of each mandate's criteria, so that many scores are high.
        const mandates = pairs.flatMap(({ mandate, wider }, n) =>
          [mandate, wider].map((one, side) => ({
            ...one,
            ...Object.fromEntries(
              comparedOfMandate.flatMap((member, at) =>
                (at * 7 + n * 3 + side) % 6 < 2 ? [] : [[member, blankMandate[member]] as const]
              )
            )
          }))
        )
        const seen = { highest: 0, left: 0, leftOut: 0 }
        const compare = (
          said: ReadonlyArray<readonly [minScore: number, can: boolean]>,
          { excluded, score }: ReturnType<typeof match>,
          pair: unknown
        ) => {
          if (excluded) return
          for (const [minScore, can] of said) {
            if (minScore === 100) assert.strictEqual(can, score === 100, JSON.stringify(pair))
            else if (score >= minScore) assert.isTrue(can, `${minScore} of ${score}: ${JSON.stringify(pair)}`)
            seen[score === 100 ? "highest" : can ? "left" : "leftOut"] += 1
          }
        }
        const saidOf = (values: ReadonlyArray<unknown>) =>
          scores.map((minScore, at) => [minScore, values[at] === true] as const)
        const mandateRows = JSON.stringify(rowsOf(comparedOfMandate, mandates))
        for (const property of properties) {
          const found = yield* sql`
          select ${sql.csv(scores.map((minScore) => sql`${sql.and(reaching.mandates(property, minScore))}`))}
          from jsonb_populate_recordset(null::mandates, ${mandateRows}::jsonb)`.valuesUnprepared
          for (const [at, mandate] of mandates.entries()) {
            compare(saidOf(found[at] ?? []), match(property, mandate, unknownLocation), { property, mandate })
          }
        }
        const bounds = { exact: 0, higher: 0, none: 0 }
        const propertyRows = JSON.stringify(rowsOf(comparedOfProperty, properties))
        for (const mandate of mandates) {
          // What no index of candidates has: it can only make a score lower.
          const rough = { ...mandate, ...unindexed }
          assert.isTrue(isIndexed(rough))
          assert.strictEqual(isIndexed(mandate), JSON.stringify(rough) === JSON.stringify(mandate))
          const said = scores.map((minScore) => {
            const { conditions, lost } = reaching.properties(mandate, minScore)
            return sql`case when ${sql.and(conditions)} then ${lost} end`
          })
          const found = yield* sql`
          select ${sql.csv(said)}
          from jsonb_populate_recordset(null::properties, ${propertyRows}::jsonb)`.valuesUnprepared
          for (const [at, property] of properties.entries()) {
            const { excluded, score } = match(property, mandate, unknownLocation)
            const highest = match(property, rough, unknownLocation).score
            if (excluded) continue
            for (const [index, minScore] of scores.entries()) {
              const lost = found[at]?.[index]
              const pair = JSON.stringify({ property, mandate, minScore })
              // Below 0, a score is 0.
              if (typeof lost === "number") assert.strictEqual(Math.max(0, 100 - lost), highest, pair)
              else assert.isBelow(score, minScore, pair)
              bounds[lost === null ? "none" : highest === score ? "exact" : "higher"] += 1
            }
          }
        }
        for (const [kind, count] of Object.entries({ ...seen, ...bounds })) assert.isAbove(count, 500, kind)
      })
  )
})
