import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inCellOf } from "../../../src/db/CurrentCell.ts"
import { Database } from "../../../src/db/Database.ts"
import { FoldedTexts } from "../../../src/foldedTexts/FoldedTexts.ts"
import { TestService } from "../../support/TestService.ts"
import * as SearchClient from "./SearchClient.ts"

// Indexes store folded text, so folding must be the same on every server, version and locale.
const folded: { readonly [text: string]: string } = {
  "": "",
  "Anna BERG 1%_\\": "anna berg 1%_\\",
  Müller: "muller",
  "MU\u0308LLER": "muller",
  "Weiß STRAẞE": "weiss strasse",
  "Ærø Øresund Œuvre": "aero oresund oeuvre",
  "Łódź Đorđe Þór Ħal Ŧ": "lodz dorde thor hal t",
  "İstanbul ırmak": "istanbul irmak",
  "ﬁrma Ｂｅｒｌｉｎ １２ ％": "firma berlin 12 %",
  "Σίσυφος ΣΊΣΥΦΟΣ": "σισυφοσ σισυφοσ",
  "Щёлково ЙОД Їжак": "щелково иод іжак",
  "東京 王": "東京 王"
}

layer(TestService.layer, { excludeTestServices: true })("Text as search compares it", (it) => {
  it.effect("is in lower case and without accents", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      for (const [text, expected] of Object.entries(folded)) {
        const [row] = yield* sql<{ once: string; twice: string; key: string }>`
          select search_fold(${text}::text) as once, search_fold(search_fold(${text}::text)) as twice,
            search_key(${text}::text) as key`
        assert.deepStrictEqual(row, { once: expected, twice: expected, key: expected })
      }
    })
  )

  it.effect("folds any letter with a decomposition, in either case", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      // What is left of Latin, Greek and Cyrillic letters when accents go is the same for both cases; but for two that no
      // language in use has.
      const letters = Array.from({ length: 0x530 - 0xc0 }, (_, n) => String.fromCodePoint(0xc0 + n)).filter(
        (letter) => /^\p{L}$/u.test(letter) && letter.normalize("NFKD").length > 1 && !"ǮǯѶѷ".includes(letter)
      )
      const pairs = letters
        .map((letter) => [letter.toUpperCase(), letter.toLowerCase()])
        .filter(([upper = "", lower = ""]) => [...upper].length === 1 && [...lower].length === 1)
      assert.isAbove(pairs.length, 300)
      const rows = yield* sql<{ pair: string; upper: string; lower: string }>`
        select upper || lower as pair, search_fold(upper) as upper, search_fold(lower) as lower
        from jsonb_to_recordset(${sql.json(pairs.map(([upper, lower]) => ({ upper, lower })))}::jsonb) as row (upper text, lower text)`
      assert.deepStrictEqual(
        rows.filter(({ lower, upper }) => lower !== upper).map(({ pair }) => pair),
        []
      )
    })
  )

  it.effect("supports the longest members in filters and sorts", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      // One character that unfolds to eighteen, and one of four bytes.
      const [unfolding, wide] = ["\ufdfa", "\u{20000}"]
      const url = (rest: string) => `https://example.com/${rest.repeat(2048)}`.slice(0, 2048)
      const contact = {
        firstName: unfolding.repeat(200),
        lastName: wide.repeat(200),
        phone: wide.repeat(64),
        strategy: Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(""),
        linkedInUrl: url("Ä"),
        profilePictureUrl: url("x"),
        tags: Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(64, unfolding))
      }
      const company = {
        name: wide.repeat(200),
        legalName: unfolding.repeat(200),
        homepageUrl: url("é"),
        strategy: contact.strategy
      }
      const { id } = yield* tenant.addContact(contact)
      const { id: companyId } = yield* tenant.addCompany(company)
      assert.isString(id)
      assert.isString(companyId)
      const { profilePictureUrl, tags, ...texts } = contact
      for (const [member, value] of Object.entries(texts)) {
        const short = member === "strategy" ? value.slice(0, 2048) : value
        for (const operator of member === "strategy"
          ? ["contains", "prefix", "gte"]
          : ["eq", "contains", "prefix", "gte", "lte"]) {
          const json = { filter: { [member]: { [operator]: short } }, sort: [{ field: member }] }
          assert.deepStrictEqual(
            (yield* tenant.searchContacts(json)).body.data.map((found) => found.id),
            [id],
            `${member} ${operator}`
          )
        }
      }
      const byTag = { filter: { tags: { eq: tags[49] }, profilePictureUrl: { eq: profilePictureUrl } } }
      assert.lengthOf((yield* tenant.searchContacts(byTag)).body.data, 1)
      assert.lengthOf((yield* tenant.searchContacts({ query: wide.repeat(200) })).body.data, 1)
      const byName = {
        filter: { name: { eq: company.name }, homepageUrl: { eq: company.homepageUrl } },
        sort: [{ field: "homepageUrl" }]
      }
      assert.lengthOf((yield* tenant.searchCompanies(byName)).body.data, 1)
    })
  )

  it.effect("is stored where it is long, however it was written", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { fold } = yield* FoldedTexts
      const tenant = yield* SearchClient.make()
      const long = (word: string) => `${"Wohnen für alle. ".repeat(40)}${word}`
      const searched = (word: string) =>
        Effect.map(tenant.searchContacts({ filter: { strategy: { contains: word } } }), ({ body }) =>
          body.data.map(({ id }) => id)
        )
      const stored = inCellOf(tenant.teamId)(sql`
        select search_fold(strategy) = strategy_folded as is_folded from contacts where team_id = ${tenant.teamId}`)
      const { id } = yield* tenant.addContact({ firstName: "Anna", strategy: long("Büros") })
      assert.deepStrictEqual(yield* stored, [{ is_folded: true }])
      assert.deepStrictEqual(yield* searched("buros"), [id])
      // As the previous release wrote it.
      yield* inCellOf(tenant.teamId)(sql`update contacts set strategy_folded = null where team_id = ${tenant.teamId}`)
      assert.deepStrictEqual(yield* searched("BÜROS"), [id])
      assert.isAtLeast(yield* fold(), 1)
      assert.deepStrictEqual(yield* stored, [{ is_folded: true }])
      yield* sql`update contacts set strategy = ${long("Hallen")} where team_id = ${tenant.teamId}`
      assert.deepStrictEqual([yield* searched("büros"), yield* searched("hallen")], [[], [id]])
      assert.deepStrictEqual(yield* searched("ür"), [id])
      yield* sql`update contacts set strategy = 'Hallen' where team_id = ${tenant.teamId}`
      assert.deepStrictEqual(yield* stored, [{ is_folded: null }])
      assert.deepStrictEqual(yield* searched("HALLEN"), [id])
    })
  )
})
