import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isLong } from "../../support/campaign.ts"
import { faultsOf } from "../../support/faults.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import * as SearchClient from "./SearchClient.ts"

const anna = { firstName: "Anna", lastName: "Müller", email: "a.mueller@rossi.example", phone: "+49 (0)30 123-45 67" }
const bengt = { firstName: "Bengt", lastName: "Ström", email: "Bengt@Castellum.Example", tags: ["core", "office"] }
const carl = { lastName: "Weiß_100%", phone: "0049 40 5550199", tags: ["core"] }
const dana = { email: "dana@ørsted.example".replace("ø", "o"), primaryLanguage: "de-DE", strategy: "Büros in München" }

/** A tenant with these four, in the order of their names. */
const four = Effect.gen(function* () {
  const tenant = yield* SearchClient.make()
  for (const contact of [anna, bengt, carl, dana]) yield* tenant.addContact(contact)
  /** The found contacts, by the first letters of their names. */
  const found = (json: unknown) =>
    Effect.map(tenant.searchContacts(json), (reply) => {
      assert.strictEqual(reply.status, 200, reply.text)
      return reply.body.data.map(({ name }) => (name ?? "")[0]).join("")
    })
  return { ...tenant, found }
})

layer(TestService.layer, { excludeTestServices: true })("A search of contacts", (it) => {
  it.effect("finds words in names, e-mail addresses and phone numbers, without case and accents", () =>
    Effect.gen(function* () {
      const { found } = yield* four
      const expected = {
        muller: "A",
        MÜLLER: "A",
        ller: "A",
        "anna müll": "A",
        "müller anna": "A",
        "anna strom": "",
        "rossi.example": "A",
        example: "ABd",
        weiss: "W",
        ß: "AW",
        WEISS: "W",
        castellum: "B",
        an: "A",
        b: "B",
        nn: "",
        büros: "",
        core: ""
      }
      for (const [query, names] of Object.entries(expected)) {
        assert.strictEqual(yield* found({ query }), names, query)
      }
    })
  )

  it.effect("finds a phone number by its digits", () =>
    Effect.gen(function* () {
      const { found } = yield* four
      const queries = [
        "4930",
        "+49 (0)30 123-45 67",
        "1234567",
        "123 45 67",
        "123-4567",
        "30/1234567",
        "0123 4567",
        "anna 123 45 67"
      ]
      for (const query of queries.filter((one) => one !== "4930"))
        assert.strictEqual(yield* found({ query }), "A", query)
      for (const query of ["0049 40 555 0199", "040/5550199", "40 5550199"])
        assert.strictEqual(yield* found({ query }), "W", query)
      for (const query of ["99999", "bengt 123 45 67"]) assert.strictEqual(yield* found({ query }), "", query)
    })
  )

  it.effect("treats %, _ and \\ as ordinary characters", () =>
    Effect.gen(function* () {
      const { found } = yield* four
      const expected = { "%": "W", _: "W", "100%": "W", ss_1: "W", "\\": "", "a%a": "", A_na: "", "％": "W", "\\%": "" }
      for (const [query, names] of Object.entries(expected)) {
        assert.strictEqual(yield* found({ query }), names, query)
        assert.strictEqual(yield* found({ filter: { lastName: { contains: query } } }), names, query)
      }
      assert.strictEqual(yield* found({ filter: { lastName: { prefix: "W%" } } }), "")
      assert.strictEqual(yield* found({ filter: { lastName: { prefix: "weiß_" } } }), "W")
    })
  )

  it.effect("compares every kind of member", () =>
    Effect.gen(function* () {
      const tenant = yield* four
      const { data } = (yield* tenant.searchContacts({})).body
      const [a, b, c, d] = data
      assert.lengthOf(data, 4)
      const filters: ReadonlyArray<readonly [object, string]> = [
        [{ email: { eq: "bengt@castellum.example" } }, "B"],
        [{ email: { eq: "bengt@castellum" } }, ""],
        [{ email: { in: ["nobody", "DANA@orsted.example", "bengt@castellum.example"] } }, "Bd"],
        [{ email: { prefix: "b" } }, "B"],
        [{ email: { contains: "ROSSI" } }, "A"],
        [{ email: { contains: "t@" } }, "B"],
        [{ email: { exists: false } }, "W"],
        [{ email: { exists: true } }, "ABd"],
        [{ name: { prefix: "anna m" } }, "A"],
        [{ name: { eq: "weiss_100%" } }, "W"],
        [{ name: { gt: "anna muller" } }, "BWd"],
        [{ name: { gte: "anna muller", lt: "c" } }, "AB"],
        [{ lastName: { gt: "a" } }, "ABW"],
        [{ lastName: { lte: "strom" } }, "AB"],
        [{ phone: { eq: "0049 40 5550199" } }, "W"],
        [{ phone: { contains: "5550199" } }, "W"],
        [{ primaryLanguage: { eq: "DE-de" } }, "d"],
        [{ primaryLanguage: { prefix: "de" } }, "d"],
        [{ primaryLanguage: { in: ["en", "de-de"] } }, "d"],
        [{ primaryLanguage: { contains: "e-" } }, "d"],
        [{ primaryLanguage: { gt: "de" } }, "d"],
        [{ strategy: { contains: "munchen" } }, "d"],
        [{ strategy: { eq: "buros in munchen" } }, "d"],
        [{ tags: { eq: "core" } }, "BW"],
        [{ tags: { contains: "office" } }, "B"],
        [{ tags: { contains: "Office" } }, ""],
        [{ tags: { in: ["office", "nothing"] } }, "B"],
        [{ tags: { exists: true } }, "BW"],
        [{ tags: { exists: false } }, "Ad"],
        [{ tags: { contains: "core", eq: "office" } }, "B"],
        [{ id: { eq: b?.id } }, "B"],
        [{ id: { in: [a?.id, d?.id] } }, "Ad"],
        [{ id: { gt: b?.id } }, "Wd"],
        [{ createdUtc: { gte: c?.createdUtc } }, "Wd"],
        [{ createdUtc: { eq: c?.createdUtc } }, "W"],
        [{ updatedUtc: { gt: "2020-01-01", lt: d?.updatedUtc } }, "ABW"],
        [{ updatedUtc: { lt: "2020-01-01T00:00:00+01:00" } }, ""],
        [{ updatedUtc: { gte: "0001-01-01", lt: "9999-12-31T23:59:59.999Z" } }, "ABWd"],
        [{ etag: { eq: '"v1"' } }, "ABWd"],
        [{ etag: { in: ['"v2"', "v1"] } }, ""],
        [{ changeType: { eq: "created" } }, "ABWd"],
        [{ changeOrigin: { in: ["mcp", "app"] } }, ""],
        [{ deletedUtc: { exists: true } }, ""],
        [{ deletedUtc: { exists: false }, email: { exists: true }, tags: { exists: true } }, "B"],
        [{ primaryCompanyId: { exists: true } }, ""],
        [{ linkedInUrl: { exists: false } }, "ABWd"]
      ]
      for (const [filter, names] of filters) {
        assert.strictEqual(yield* tenant.found({ filter }), names, JSON.stringify(filter))
      }
    })
  )

  it.effect("finds external references, as they are written, combined with other conditions", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const other = yield* SearchClient.make()
      const refs = (...texts: ReadonlyArray<string>) => ({
        externalRefs: texts.map((text) => ({ namespace: text.split(":")[0], externalId: text.replace(/^[^:]+:/, "") }))
      })
      const made = [
        { firstName: "A", tags: ["core"], ...refs("crm:1", "erp:a:1") },
        { firstName: "B", tags: ["core"], ...refs("crm:12") },
        { firstName: "C", ...refs("CRM:1", "erp:%1") },
        { firstName: "D" }
      ]
      for (const contact of made) yield* tenant.addContact(contact)
      yield* other.addContact({ firstName: "X", ...refs("crm:1", "crm:x") })
      yield* tenant.addCompany({ name: "K", ...refs("crm:1", "crm:k") })
      const filters: ReadonlyArray<readonly [object, string]> = [
        [{ eq: "crm:1" }, "A"],
        [{ eq: "CRM:1" }, "C"],
        [{ eq: "erp:a:1" }, "A"],
        [{ eq: "erp:a" }, ""],
        [{ eq: "crm:x" }, ""],
        [{ in: ["crm:12", "CRM:1", "crm:12", "none:1"] }, "BC"],
        [{ prefix: "crm:" }, "AB"],
        [{ prefix: "CRM:" }, "C"],
        [{ prefix: "cr:" }, ""],
        [{ exists: true }, "ABC"],
        [{ exists: false }, "D"],
        [{ eq: "crm:1", prefix: "erp:" }, "A"]
      ]
      for (const [externalRefs, expected] of filters) {
        for (const also of [{}, { filter: { tags: { eq: "core" } } }]) {
          const { body, status, text } = yield* tenant.searchContacts({
            ...also,
            filter: { ...also.filter, externalRefs },
            sort: [{ field: "firstName" }]
          })
          assert.strictEqual(status, 200, text)
          const names = also.filter === undefined ? expected : expected.replace(/[CD]/g, "")
          assert.strictEqual(body.data.map(({ firstName }) => firstName).join(""), names, JSON.stringify(externalRefs))
        }
      }
      const companies = yield* tenant.searchCompanies({ filter: { externalRefs: { prefix: "crm:" } } })
      assert.deepStrictEqual(
        companies.body.data.map(({ name }) => name),
        ["K"]
      )
      // A deleted contact has released its references.
      const [a] = (yield* tenant.searchContacts({ filter: { externalRefs: { eq: "crm:1" } } })).body.data
      yield* tenant.request("DELETE", `${SearchClient.contacts}/${a?.id}`, { token: tenant.token })
      assert.deepStrictEqual(
        (yield* tenant.searchContacts({ filter: { externalRefs: { in: ["crm:1", "erp:a:1"] } } })).body.data,
        []
      )
    })
  )

  it.effect("sorts by one member or several, nulls after all values, ties by id", () =>
    Effect.gen(function* () {
      const { found } = yield* four
      assert.strictEqual(yield* found({}), "ABWd")
      assert.strictEqual(yield* found({ sort: [] }), "ABWd")
      assert.strictEqual(yield* found({ sort: [{ field: "createdUtc", direction: "desc" }] }), "dWBA")
      assert.strictEqual(yield* found({ sort: [{ field: "name" }] }), "ABdW")
      assert.strictEqual(yield* found({ sort: [{ field: "lastName", direction: "asc" }] }), "ABWd")
      assert.strictEqual(yield* found({ sort: [{ field: "email", direction: "desc" }] }), "WdBA")
      assert.strictEqual(
        yield* found({ sort: [{ field: "changeType" }, { field: "email", direction: "desc" }] }),
        "WdBA"
      )
      assert.strictEqual(yield* found({ sort: [{ field: "changeType", direction: "desc" }] }), "dWBA")
      assert.strictEqual(
        yield* found({ query: "example", sort: [{ field: "email" }], filter: { phone: { exists: false } } }),
        "Bd"
      )
    })
  )

  it.effect("answers full contacts of the caller's team, in pages", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const other = yield* four
      const externalRefs = [
        { namespace: "crm", externalId: "1" },
        { namespace: "erp", externalId: "2" }
      ]
      const one = yield* tenant.addContact({ ...bengt, externalRefs })
      const two = yield* tenant.addContact(anna)
      const gone = yield* tenant.addContact(carl)
      yield* tenant.request("DELETE", `${SearchClient.contacts}/${gone.id}`, { token: tenant.token })
      const search = {
        query: "example",
        filter: { name: { exists: true } },
        sort: [{ field: "name", direction: "desc" }]
      }
      const first = yield* tenant.searchContacts({ ...search, page_size: 1 })
      assert.deepStrictEqual(first.body.data, [one])
      const { nextCursor } = first.body.page
      assert.deepStrictEqual(first.body.page, { nextCursor, pageSize: 1, hasMore: true })
      assert.isNull(first.headers.get("link"))
      // The order of members and the page size do not matter.
      const second = yield* tenant.searchContacts({
        cursor: nextCursor,
        page_size: 2,
        sort: search.sort,
        filter: search.filter,
        query: "example"
      })
      assert.deepStrictEqual(second.body, { data: [two], page: { nextCursor: null, pageSize: 2, hasMore: false } })
      const misused = [
        { ...search, query: "rossi" },
        { ...search, filter: { name: { exists: false } } },
        { ...search, filter: {} },
        { ...search, sort: [{ field: "name" }] },
        { ...search, sort: [] }
      ]
      for (const json of misused) {
        const reply = yield* tenant.searchContacts({ ...json, cursor: nextCursor })
        assert.deepStrictEqual([reply.status, JSON.parse(reply.text).code], [400, "invalid_cursor"])
      }
      const asks: ReadonlyArray<Effect.Effect<Reply<unknown>>> = [
        other.searchContacts({ ...search, cursor: nextCursor }),
        tenant.searchCompanies({ ...search, cursor: nextCursor }),
        tenant.searchContacts({ ...search, cursor: "" }),
        tenant.searchContacts({ ...search, cursor: `${nextCursor}A` }),
        tenant.request("GET", `${SearchClient.contacts}?cursor=${nextCursor}`, { token: tenant.token })
      ]
      const refused = yield* Effect.forEach(asks, (ask) => ask)
      assert.deepStrictEqual(
        refused.map(({ status }) => status),
        [400, 400, 400, 400, 400]
      )
    })
  )

  it.effect("reports all faults at once, with suggestions", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const filtered = yield* tenant.searchContacts({
        filter: {
          emial: { eq: "x" },
          email: { contians: "x", eq: 5, in: ["x", null], exists: "yes" },
          name: "Anna",
          phone: {},
          lastName: { eq: null, in: [] },
          tags: { prefix: "x", gt: "y" },
          createdUtc: { gt: "yesterday", contains: "2020" },
          primaryCompanyId: { eq: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" },
          externalRefs: { eq: "crm", in: ["crm:1", ":2"], prefix: "crm:1", contains: "1" }
        }
      })
      const ordered = yield* tenant.searchContacts({
        qurey: "x",
        query: " ",
        sort: [
          { field: "nmae" },
          { field: "tags" },
          { field: "email", direction: "up" },
          { direction: "asc" },
          { field: "externalRefs" }
        ],
        page_size: 501,
        cursor: 5
      })
      const replies = [filtered, ordered]
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        [400, 400]
      )
      assert.deepStrictEqual(replies.flatMap(faultsOf).sort(), [
        "body /cursor wrong_type",
        "body /filter/createdUtc/contains unknown_member",
        "body /filter/createdUtc/gt invalid_timestamp",
        "body /filter/email/contians unknown_member",
        "body /filter/email/eq wrong_type",
        "body /filter/email/exists wrong_type",
        "body /filter/email/in/1 wrong_type",
        "body /filter/emial unknown_member",
        "body /filter/externalRefs/contains unknown_member",
        "body /filter/externalRefs/eq invalid_format",
        "body /filter/externalRefs/in/1 invalid_format",
        "body /filter/externalRefs/prefix invalid_format",
        "body /filter/lastName/eq wrong_type",
        "body /filter/lastName/in too_few",
        "body /filter/name wrong_type",
        "body /filter/phone too_few",
        "body /filter/primaryCompanyId/eq invalid_id",
        "body /filter/tags/gt unknown_member",
        "body /filter/tags/prefix unknown_member",
        "body /page_size out_of_range",
        "body /query blank",
        "body /qurey unknown_member",
        "body /sort/0/field unknown_field",
        "body /sort/1/field unknown_field",
        "body /sort/2/direction not_allowed",
        "body /sort/3/field required",
        "body /sort/4/field unknown_field"
      ])
      for (const meant of ["email", "contains", "query", "name"])
        assert.include(filtered.text + ordered.text, `Did you mean \\"${meant}\\"?`)
    })
  )

  it.effect("refuses dates that do not exist, that of the year 0 included", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      for (const date of ["0000-12-31", "2026-02-30", "infinity", "10000-01-01", "-0001-01-01T00:00:00Z"]) {
        const reply = yield* tenant.searchContacts({ filter: { createdUtc: { lt: date } } })
        assert.deepStrictEqual(faultsOf(reply), ["body /filter/createdUtc/lt invalid_timestamp"], date)
      }
    })
  )

  it.effect("limits everything that a client can make large", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const many = (count: number) => Array.from({ length: count }, (_, n) => String(n))
      const filter = Object.fromEntries(
        ["name", "firstName", "lastName"].map((member) => [
          member,
          Object.fromEntries(["eq", "contains", "prefix", "gt", "gte", "lt", "lte"].map((operator) => [operator, "x"]))
        ])
      )
      const bodies: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
        [{ query: "x".repeat(201) }, ["body /query too_long"]],
        [{ query: many(11).join(" ") }, ["body /query too_many"]],
        [{ filter: { name: { in: many(101) } } }, ["body /filter/name/in too_many"]],
        [{ filter: { name: { eq: "x".repeat(2049) } } }, ["body /filter/name/eq too_long"]],
        [{ filter }, ["body /filter too_many"]],
        [{ sort: [{ field: "name" }, { field: "name", direction: "desc" }] }, ["body /sort not_unique"]],
        [
          {
            sort: [
              "name",
              "firstName",
              "lastName",
              "email",
              "phone",
              "id",
              "etag",
              "createdUtc",
              "updatedUtc",
              "changeType",
              "changeOrigin"
            ].map((field) => ({ field }))
          },
          ["body /sort too_many"]
        ],
        [{ page_size: 0 }, ["body /page_size out_of_range"]],
        [{ page_size: "50" }, ["body /page_size wrong_type"]],
        [{ query: "a\0b" }, ["body /query invalid_characters"]],
        [[], ["body  wrong_type"]],
        ["x", ["body  wrong_type"]]
      ]
      for (const [body, faults] of bodies) {
        const reply = yield* tenant.searchContacts(body)
        assert.strictEqual(reply.status, 400, reply.text)
        assert.deepStrictEqual(faultsOf(reply), faults, JSON.stringify(body).slice(0, 100))
      }
      const large = yield* tenant.searchContacts({
        query: many(10).join(" "),
        filter: { name: { in: many(100) }, strategy: { eq: "\u{10FFFF}".repeat(2048) } },
        sort: [
          "name",
          "firstName",
          "lastName",
          "email",
          "phone",
          "primaryCompanyId",
          "etag",
          "deletedUtc",
          "strategy",
          "changeOrigin"
        ].map((field) => ({ field }))
      })
      assert.strictEqual(large.status, 200, large.text)
    })
  )

  it.effect("accepts POST only, on its own path", () =>
    Effect.gen(function* () {
      const tenant = yield* four
      const { request, token } = tenant
      for (const path of [
        "contacts/search",
        "contacts:seach",
        "contacts:",
        "contacts:search/",
        "contacts%3Asearc",
        "links:search",
        "contactsXsearch"
      ]) {
        const reply = yield* request("POST", `/api/v1/network/${path}`, { token, json: {} })
        assert.strictEqual(reply.status, path === "contacts/search" ? 405 : 404, path)
      }
      // Valid ids are searched as ids.
      assert.strictEqual((yield* request("GET", `${SearchClient.contacts}/search`, { token })).status, 404)
      for (const method of ["GET", "HEAD", "PATCH", "DELETE"]) {
        const reply = yield* request(method, `${SearchClient.contacts}:search`, { token })
        assert.deepStrictEqual([reply.status, reply.headers.get("allow")], [405, "POST"], method)
      }
      const wrong = yield* request("POST", `${SearchClient.contacts}:search`, {
        token,
        text: "{}",
        headers: { "content-type": "text/plain" }
      })
      assert.strictEqual(wrong.status, 415)
      const asked = yield* request("POST", `${SearchClient.contacts}:search?page_size=1`, { token, json: {} })
      assert.deepStrictEqual(faultsOf(asked), ["query /page_size unknown_parameter"])
    })
  )
})

/** Texts that mean the same: each finds all. */
const alike: ReadonlyArray<ReadonlyArray<string>> = [
  ["Müller", "Mueller", "MÜLLER", "Mu\u0308ller", "mueller"],
  ["Søren", "Soeren", "SØREN", "soeren"],
  ["Jörg", "Joerg"],
  ["Bäuerle", "Baeuerle"],
  ["Åse", "Aase"],
  ["Ålborg", "Aalborg", "aalborg"],
  ["Malmö", "Malmoe"],
  ["Bø", "Boe"],
  ["Weiß", "Weiss", "WEISS"],
  ["O’Brien", "O'Brien", "o`brien", "O\u02bcBrien"],
  ["Anna-Lena", "Anna\u2011Lena", "anna–lena"],
  ["Ro\u00adsen\u200bthal", "Rosenthal"],
  ["Ｂｅｒｇ", "Berg"],
  ["أحمد", "احمد", "أَحْمَد", "احـمد"],
  ["فاطمة", "فاطمه"],
  ["علی", "علي"],
  ["Turm ٤٢", "Turm 42", "Turm ۴۲"],
  ["ἀθήνα", "ΑΘΗΝΑ"],
  ["Щёлково", "щелково"],
  ["三井 不動産", "三井不動産", "三井　不動産"]
]

/** The conditions that a member has one text, or what means the same. */
const operatorsOf = (text: string) => [
  { eq: text },
  { in: ["nobody", text] },
  { contains: text },
  { prefix: text },
  { gte: text, lte: text }
]

/** All of the conditions in `npm run test:long`; else two of five by turns, because all compare texts in one form. */
const someOf = <A>(conditions: ReadonlyArray<A>, place: number) =>
  conditions.filter((_, index) => isLong || [0, 2].includes((place + index) % conditions.length))

layer(TestService.layer, { excludeTestServices: true })("A search of texts that are written in several ways", (it) => {
  it.effect("finds each by each, in the query and by every operator", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      for (const [n, texts] of alike.entries()) {
        for (const lastName of texts) yield* tenant.addContact({ firstName: `n${n}x`, lastName })
      }
      const missed: Array<string> = []
      for (const [n, texts] of alike.entries()) {
        for (const [m, text] of texts.entries()) {
          const searches = [
            { query: `n${n}x ${text}` },
            ...someOf(operatorsOf(text), n + m).map((lastName) => ({
              filter: { firstName: { eq: `n${n}x` }, lastName }
            }))
          ]
          for (const search of searches) {
            const { body } = yield* tenant.searchContacts({ ...search, page_size: 100 })
            if (body.data.length !== texts.length) missed.push(`${JSON.stringify(search)}: ${body.data.length}`)
          }
        }
      }
      assert.deepStrictEqual(missed, [])
    })
  )

  it.effect("finds parts of words as they are, and no more", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      for (const lastName of [
        "Bauer",
        "Büroeinrichtung",
        "Müller",
        "Mueller",
        "Muller",
        "John",
        "Joe",
        "O'Brien",
        "Kurt"
      ]) {
        yield* tenant.addContact({ lastName })
      }
      const found = (search: object) =>
        Effect.map(tenant.searchContacts({ ...search, sort: [{ field: "createdUtc" }] }), ({ body }) =>
          body.data.map(({ lastName }) => lastName)
        )
      const mullers = ["Müller", "Mueller", "Muller"]
      const expected: ReadonlyArray<readonly [text: string, anywhere: Array<string>, first: Array<string>]> = [
        ["mueller", mullers, mullers],
        ["muller", mullers, mullers],
        ["Müller", mullers, mullers],
        ["mül", mullers, mullers],
        ["mue", ["Müller", "Mueller"], ["Müller", "Mueller"]],
        ["ueller", mullers, []],
        ["eller", ["Müller", "Mueller"], []],
        ["einrichtung", ["Büroeinrichtung"], []],
        ["bueroein", ["Büroeinrichtung"], ["Büroeinrichtung"]],
        ["uer", ["Bauer", "Büroeinrichtung"], []],
        ["baur", [], []],
        ["joe", ["Joe"], ["Joe"]],
        ["obrien", ["O'Brien"], ["O'Brien"]]
      ]
      for (const [text, anywhere, first] of expected) {
        assert.deepStrictEqual(yield* found({ query: text }), anywhere, `query ${text}`)
        assert.deepStrictEqual(yield* found({ filter: { lastName: { contains: text } } }), anywhere, `contains ${text}`)
        assert.deepStrictEqual(yield* found({ filter: { lastName: { prefix: text } } }), first, `prefix ${text}`)
      }
      assert.deepStrictEqual(yield* found({ filter: { lastName: { eq: "Jo" } } }), [])
      assert.deepStrictEqual(yield* found({ filter: { lastName: { eq: "mueller" } } }), ["Müller", "Mueller"])
      const inOrder = yield* tenant.searchContacts({
        filter: { lastName: { gte: "b", lt: "n" } },
        sort: [{ field: "lastName" }]
      })
      assert.deepStrictEqual(
        inOrder.body.data.map(({ lastName }) => lastName),
        ["Bauer", "Büroeinrichtung", "Joe", "John", "Kurt", ...mullers]
      )
    })
  )

  it.effect("finds names of two members that are written together, in either order", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      yield* tenant.addContact({ firstName: "太郎", lastName: "山田" })
      yield* tenant.addContact({ firstName: "민수", lastName: "김", email: "kim@seoul.example" })
      const searches = {
        山田太郎: 1,
        太郎山田: 1,
        "山田 太郎": 1,
        "山田　太郎": 1,
        田太: 1,
        김민수: 1,
        "민수 kim": 1,
        山太: 0
      }
      for (const [query, count] of Object.entries(searches)) {
        assert.lengthOf((yield* tenant.searchContacts({ query })).body.data, count, query)
      }
    })
  )

  it.effect("compares phone numbers as they are dialled within their country", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      const berlin = [
        "+49 30 5550199",
        "+49 (0)30 5550199",
        "030/5550199",
        "0049 30 5550199",
        "(030) 555 01-99",
        "+49\u00a030\u20115550199",
        "٠٣٠ ٥٥٥٠١٩٩"
      ]
      const york = ["+1 212 555 0100", "1-212-555-0100", "(212) 555-0100"]
      const moscow = ["+7 495 123-45-67", "8 (495) 123-45-67"]
      const rome = ["+39 06 1234567", "06 1234567"]
      const groups = [berlin, york, moscow, rome]
      for (const [n, phones] of groups.entries()) {
        for (const phone of phones) yield* tenant.addContact({ firstName: `${n}`, phone })
      }
      yield* tenant.addContact({ firstName: "x", phone: "n/a" })
      const found = (search: object) =>
        Effect.map(tenant.searchContacts({ ...search, page_size: 100 }), ({ body }) =>
          body.data.map(({ firstName }) => firstName).join("")
        )
      for (const [n, phones] of groups.entries()) {
        const all = `${n}`.repeat(phones.length)
        for (const [m, phone] of phones.entries()) {
          assert.strictEqual(yield* found({ query: phone }), all, `query ${phone}`)
          for (const condition of someOf(operatorsOf(phone), n + m)) {
            assert.strictEqual(yield* found({ filter: { phone: condition } }), all, JSON.stringify(condition))
          }
        }
      }
      assert.strictEqual(yield* found({ filter: { phone: { eq: "+49 30 5550190" } } }), "")
      assert.strictEqual(yield* found({ filter: { phone: { contains: "555019" } } }), "0000000")
      assert.strictEqual(yield* found({ filter: { phone: { prefix: "+49" } } }), "000")
      assert.strictEqual(yield* found({ filter: { phone: { eq: "N/A" } } }), "x")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A search of companies", (it) => {
  it.effect("finds words in names, domain and homepage, and compares their members", () =>
    Effect.gen(function* () {
      const tenant = yield* SearchClient.make()
      yield* tenant.addCompany({
        name: "Ørsted Ejendomme",
        legalName: "Ørsted Ejendomme A/S",
        country: "DK",
        homepageUrl: "https://www.oersted.example/da"
      })
      yield* tenant.addCompany({ name: "Rossi", country: "IT", domain: "rossi.example", tags: ["core"] })
      yield* tenant.addCompany({
        name: "Łódź Invest",
        linkedInUrl: "https://www.linkedin.com/company/lodz",
        strategy: "rossi"
      })
      const found = (json: unknown) =>
        Effect.map(tenant.searchCompanies(json), (reply) => {
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.body.data.map(({ name }) => (name ?? "")[0]).join("")
        })
      const searches: ReadonlyArray<readonly [object, string]> = [
        [{ query: "orsted" }, "Ø"],
        [{ query: "oersted ejendomme" }, "Ø"],
        [{ filter: { legalName: { eq: "Oersted Ejendomme a/s" } } }, "Ø"],
        [{ filter: { homepageUrl: { eq: "HTTPS://www.Oersted.example:443/da" } } }, "Ø"],
        [{ query: "a/s" }, "Ø"],
        [{ query: "oersted.example" }, "Ø"],
        [{ query: "example/da" }, "Ø"],
        [{ query: "rossi" }, "R"],
        [{ query: "lodz invest" }, "Ł"],
        [{ filter: { domain: { eq: "Rossi.example" } } }, "R"],
        [{ filter: { domain: { prefix: "o" } } }, "Ø"],
        [{ filter: { homepageUrl: { contains: "oersted" } } }, "Ø"],
        [{ filter: { country: { in: ["it", "SE"] } } }, "R"],
        [{ filter: { legalName: { contains: "ejendomme a/s" } } }, "Ø"],
        [{ filter: { linkedInUrl: { eq: "https://www.linkedin.com/company/lodz" } } }, "Ł"],
        [{ filter: { linkedInUrl: { prefix: "https://www.linkedin.com/" } } }, "Ł"],
        [{ sort: [{ field: "name" }] }, "ŁØR"],
        [{ sort: [{ field: "domain", direction: "desc" }] }, "ŁRØ"],
        [{ sort: [{ field: "homepageUrl" }, { field: "country", direction: "desc" }] }, "ØŁR"],
        [{ sort: [{ field: "country" }] }, "ØRŁ"]
      ]
      for (const [search, names] of searches) assert.strictEqual(yield* found(search), names, JSON.stringify(search))
    })
  )
})
