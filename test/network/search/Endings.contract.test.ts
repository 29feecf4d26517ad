/** What the endings of words find, beside a look into every text (sql/0032_search_endings.sql). */
import fc from "fast-check"
import * as SearchClient from "./SearchClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestService } from "../../support/TestService.ts"

// Few letters, so that parts are found at the beginning, in the middle and at the end of words, and often.
const letter = fc.constantFrom(..."aabbéßüщ東".split(""))
const word = fc.string({ unit: letter, minLength: 1, maxLength: 14 })
const between = fc.constantFrom(" ", " ", "-", "'", ".", "@", "1", "&", "\u00a0", "`", "’")
const text = fc
  .array(fc.tuple(word, between), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join("").slice(0, 100))

layer(TestService.layer, { excludeTestServices: true })("The endings of words", (it) => {
  it.effect("find every text that contains a part, and no other one", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { teamId } = yield* SearchClient.make()
      const texts = fc.sample(text, { numRuns: 300, seed: 36 })
      const parts = texts.flatMap((one, at) => {
        const letters = [...one]
        const from = (at * 7) % letters.length
        return [letters.slice(from, from + 3 + (at % 9)).join("")]
      })
      const compared = yield* sql<{ readonly found: boolean; readonly contained: boolean; readonly pairs: number }>`
        with texts as materialized (
          select text, search_endings(${teamId}::uuid, text) as endings
          from (select search_text(text) as text from unnest(${texts}::text[]) as text) as searched
        ), parts as materialized (
          select part, search_pattern(part) as pattern, search_beginning(${teamId}::uuid, word) as beginning
          from (
            select search_fold(part) as part, substring(search_fold(part) from '[^\\x01-@\\[-\`{-\\x7f]{3,}') as word
            from unnest(${parts}::text[]) as part
          ) as folded where word is not null
        )
        select endings @@ beginning and strpos(text, part) > 0 as found, text like pattern as contained, count(*)::int as pairs
        from texts, parts group by found, contained`
      assert.isEmpty(compared.filter(({ contained, found }) => contained !== found))
      for (const is of [true, false]) {
        assert.isAbove(compared.find(({ found }) => found === is)?.pairs ?? 0, 500)
      }
    })
  )

  it.effect("are of no other team", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const [one, other] = [yield* SearchClient.make(), yield* SearchClient.make()]
      const [row] = yield* sql<{ readonly own: boolean; readonly others: boolean }>`
        select search_endings(${one.teamId}::uuid, 'klixhofer') @@ search_beginning(${one.teamId}::uuid, 'Hofer') as own,
          search_endings(${one.teamId}::uuid, 'klixhofer') @@ search_beginning(${other.teamId}::uuid, 'Hofer') as others`
      assert.deepStrictEqual(row, { own: true, others: false })
    })
  )
})
