import fc from "fast-check"
import * as SearchClient from "./SearchClient.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { fold, foldLoosely } from "../../../src/core/fields/spelling.ts"
import { TestService } from "../../support/TestService.ts"

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
  "東京 王": "東京王",
  "山田　太郎 Tokyo": "山田太郎 tokyo",
  "김 민수": "김민수".normalize("NFKD"),
  "O’Brien O´Brien O\u02bcBrien O`Brien": "o'brien o'brien o'brien o'brien",
  "a\u2011b\u2013c\u2212d": "a-b-c-d",
  "so\u00adft\u200b \u2060\ufeffx": "soft x",
  "أحمد إبراهيم آدم مُحَمَّـد": "احمد ابراهيم ادم محمد",
  "علی کریم فاطمة": "علي كريم فاطمه",
  "٠١٢ ۳۴۵": "012 345",
  "Զvartnots ԵՐԵՎԱՆ": "զvartnots երեվան"
}

layer(TestService.layer, { excludeTestServices: true })("Text as search compares it", (it) => {
  it.effect("is in lower case and without accents", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      for (const [text, expected] of Object.entries(folded)) {
        const [row] = yield* sql<{ once: string; twice: string; key: string }>`
          select search_fold(${text}::text) as once, search_fold(search_fold(${text}::text)) as twice,
            search_key(${text}::text) as key`
        assert.deepStrictEqual(row, { once: expected, twice: expected, key: foldLoosely(expected) })
        assert.strictEqual(fold(text), expected)
      }
    })
  )

  it.effect("is the same in SQL and in TypeScript, for the characters of all alphabets", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const blocks = [
        [0x1, 0x3400],
        [0xa000, 0xac80],
        [0xd750, 0xd800],
        [0xf900, 0x10200],
        [0x10400, 0x10500],
        [0x1d000, 0x1d800],
        [0x1f100, 0x1f300],
        [0xe0000, 0xe0200]
      ] as const
      // Within a word: what is removed joins its neighbours, and spaces stay.
      const texts = blocks.flatMap(([from, to]) =>
        Array.from({ length: to - from }, (_, n) => `é${String.fromCodePoint(from + n)}ue 東`)
      )
      const rows = yield* sql<{ decomposed: string; folded: string; loose: string }>`
        select normalize(text, nfkd) as decomposed, search_fold(text) as folded, search_loose(search_fold(text)) as loose
        from unnest(${texts}::text[]) with ordinality as given (text, n) order by n`
      const different = texts.filter((text, at) => {
        const { decomposed, folded: inSql, loose } = rows[at] ?? { decomposed: "", folded: "", loose: "" }
        // Versions of Unicode differ in their newest characters.
        if (decomposed !== text.normalize("NFKD")) return false
        return inSql !== fold(text) || loose !== foldLoosely(fold(text)) || fold(inSql) !== inSql
      })
      assert.deepStrictEqual(different, [])
      const letter = fc.oneof(
        fc.constantFrom(..."aoueAOUEäöüøåÄÖÜØÅæœß'’´- \u0308\u030a\u00ad山太\u3000".split("")),
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((one) => one !== "\0")
      )
      const words = fc.sample(fc.string({ unit: letter, maxLength: 12 }), { numRuns: 2000, seed: 1 })
      const wordRows = yield* sql<{ decomposed: string; folded: string; loose: string; twice: string }>`
        select normalize(text, nfkd) as decomposed, search_fold(text) as folded, search_loose(search_fold(text)) as loose,
          search_loose(search_loose(search_fold(text))) as twice
        from unnest(${words}::text[]) with ordinality as given (text, n) order by n`
      for (const [at, word] of words.entries()) {
        const { decomposed, folded: inSql, loose, twice } = wordRows[at] ?? assert.fail("a row")
        if (decomposed !== word.normalize("NFKD")) continue
        assert.deepStrictEqual(
          [inSql, loose, twice],
          [fold(word), foldLoosely(fold(word)), loose],
          JSON.stringify(word)
        )
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
      const url = (rest: string) => `https://example.com/${encodeURI(rest).repeat(2048)}`.slice(0, 2048)
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
      const tenant = yield* SearchClient.make()
      const long = (word: string) => `${"Wohnen für alle. ".repeat(40)}${word}`
      const searched = (word: string) =>
        Effect.map(tenant.searchContacts({ filter: { strategy: { contains: word } } }), ({ body }) =>
          body.data.map(({ id }) => id)
        )
      const stored = inTeam(tenant.teamId)(sql`
        select search_long_fold(strategy) = strategy_folded as is_folded from contacts where team_id = ${tenant.teamId}`)
      const { id } = yield* tenant.addContact({ firstName: "Anna", strategy: long("Büros") })
      assert.deepStrictEqual(yield* stored, [{ is_folded: true }])
      assert.deepStrictEqual(yield* searched("buros"), [id])
      yield* sql`update contacts set strategy = ${long("Hallen")} where team_id = ${tenant.teamId}`
      assert.deepStrictEqual([yield* searched("büros"), yield* searched("hallen")], [[], [id]])
      assert.deepStrictEqual(yield* searched("ür"), [id])
      yield* sql`update contacts set strategy = 'Hallen' where team_id = ${tenant.teamId}`
      assert.deepStrictEqual(yield* stored, [{ is_folded: null }])
      assert.deepStrictEqual(yield* searched("HALLEN"), [id])
    })
  )

  it.effect("refuses what all texts would contain, because nothing of it is compared", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      yield* tenant.addContact({ firstName: "Anna", phone: "030 5550199" })
      for (const nothing of ["ء", "\u0301", "ـ ء", "\u0301\u0308"]) {
        for (const [pointer, json] of [
          ["/query", { query: nothing }],
          ["/filter/name/contains", { filter: { name: { contains: nothing } } }],
          ["/filter/name/prefix", { filter: { name: { prefix: nothing } } }],
          ["/filter/phone/contains", { filter: { phone: { contains: nothing } } }],
          ["/filter/email/in/1", { filter: { email: { in: ["x", nothing] } } }]
        ] as const) {
          const { body, status } = yield* tenant.searchContacts(json)
          assert.strictEqual(status, 400, pointer)
          assert.include(JSON.stringify(body), `"pointer":"${pointer}","code":"blank"`)
        }
      }
    })
  )

  it.effect("finds domains that are stored in ASCII as they are typed", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const contact = yield* tenant.addContact({ email: "jörg@müller-köln.de" })
      const company = yield* tenant.addCompany({ name: "Hall", homepageUrl: "https://www.müller-köln.de/" })
      for (const json of [
        { query: "JÖRG@müller-köln.de" },
        { query: "müller-köln.de" },
        { filter: { email: { contains: "@mu\u0308ller-köln.de" } } },
        { filter: { email: { prefix: "jörg@müller-köln.de" } } }
      ]) {
        const { body } = yield* tenant.searchContacts(json)
        assert.deepStrictEqual(
          body.data.map(({ id }) => id),
          [contact.id],
          JSON.stringify(json)
        )
      }
      for (const json of [{ query: "www.müller-köln.de" }, { filter: { domain: { contains: "müller-köln.de" } } }]) {
        const { body } = yield* tenant.searchCompanies(json)
        assert.deepStrictEqual(
          body.data.map(({ id }) => id),
          [company.id],
          JSON.stringify(json)
        )
      }
    })
  )
})
