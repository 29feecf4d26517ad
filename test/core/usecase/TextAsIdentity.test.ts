/** Texts that distinguish things, over HTTP: one thing has one spelling, whatever the client's normalization. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const nfd = "Gra\u0308fe"
const nfc = "Gr\u00e4fe"
const inUrl = encodeURIComponent

layer(TestService.layer, { excludeTestServices: true })("Texts as identity", (it) => {
  it.effect("make one external reference of two normalizations", () =>
    Effect.gen(function* () {
      const { companies, contacts, mandates } = yield* RecordsClient.make({ investor: "active" })
      for (const [collection, members] of [
        [contacts, { lastName: "Berg" }],
        [companies, { name: "Berg" }],
        [mandates, { name: "Berg" }]
      ] as const) {
        const created = yield* collection.create({ ...members, externalRefs: [{ namespace: nfd, externalId: nfd }] })
        assert.strictEqual(created.status, 201)
        assert.deepStrictEqual(created.body.externalRefs, [{ namespace: nfc, externalId: nfc }])
        const { id } = created.body
        const taken = yield* collection.create(
          {
            ...members,
            externalRefs: [{ namespace: nfc, externalId: nfc }]
          },
          {},
          collection === mandates ? "" : "?force=true"
        )
        assert.deepInclude(taken.body as object, { code: "external_reference_taken", holderId: id })
        for (const spelling of [nfd, nfc]) {
          const listed = yield* collection.list(`?external_ref=${inUrl(`${spelling}:${spelling}`)}`)
          assert.deepStrictEqual(
            listed.body.data.map((one) => one.id),
            [id]
          )
          const upserted = yield* collection.upsert([
            { ...members, externalRefs: [{ namespace: spelling, externalId: spelling }] }
          ])
          assert.deepInclude(upserted.body.results[0], { status: "unchanged", id })
        }
        const both = yield* collection.patch(id, {
          externalRefs: [
            { namespace: nfd, externalId: "1" },
            { namespace: nfc, externalId: "1" }
          ]
        })
        assert.deepStrictEqual(faultsOf(both), ["body /externalRefs not_unique"])
      }
    })
  )

  it.effect("make one tag of two normalizations, also in lists and searches", () =>
    Effect.gen(function* () {
      const { companies, contacts } = yield* RecordsClient.make()
      for (const [collection, members] of [
        [contacts, { lastName: "Berg" }],
        [companies, { name: "Berg" }]
      ] as const) {
        const { body } = yield* collection.create({ ...members, tags: [nfd, nfc, nfd] })
        assert.deepStrictEqual(body.tags, [nfc])
        const again = yield* collection.patch(body.id, { tags: [nfd] })
        assert.deepStrictEqual([again.status, again.body.etag], [200, body.etag])
        const listed = yield* collection.list(`?tags=${inUrl(nfd)}`)
        assert.deepStrictEqual(
          listed.body.data.map(({ id }) => id),
          [body.id]
        )
      }
    })
  )

  it.effect("are refused where they show nothing", () =>
    Effect.gen(function* () {
      const { companies, contacts, mandates, request, token } = yield* RecordsClient.make({ investor: "active" })
      const post = (path: string, json: object) => request("POST", `/api/v1/${path}`, { token, json })
      for (const invisible of ["\u200b", "\u3164", "\u2060\u00ad", " \ufeff ", "\u2800"]) {
        for (const [answer, pointer] of [
          [yield* contacts.create({ lastName: invisible }), "/lastName"],
          [yield* companies.create({ name: invisible }), "/name"],
          [yield* mandates.create({ name: invisible }), "/name"],
          [yield* post("projects", { name: invisible }), "/name"],
          [yield* post("properties", { name: invisible }), "/name"],
          [yield* companies.create({ name: "Berg", tags: [invisible] }), "/tags/0"],
          [
            yield* companies.create({ name: "Berg", externalRefs: [{ namespace: invisible, externalId: "1" }] }),
            "/externalRefs/0/namespace"
          ]
        ] as const) {
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(faultsOf(answer), [`body ${pointer} blank`])
        }
      }
    })
  )

  it.effect("find an e-mail address by either form of its domain", () =>
    Effect.gen(function* () {
      const { contacts, request, token } = yield* RecordsClient.make()
      const created = yield* contacts.create({ lastName: "Berg", email: "Ju\u0308rgen@München.example" })
      assert.strictEqual(created.body.email, "Jürgen@xn--mnchen-3ya.example")
      const same = yield* contacts.create({ email: "jürgen@xn--mnchen-3ya.example" })
      assert.strictEqual(same.status, 409)
      const listed = yield* contacts.list(`?email=${inUrl("jürgen@münchen.example")}`)
      assert.deepStrictEqual(
        listed.body.data.map(({ id }) => id),
        [created.body.id]
      )
      const searched = yield* request<{ data: ReadonlyArray<{ id: string }> }>(
        "POST",
        "/api/v1/network/contacts:search",
        {
          token,
          json: { filter: { email: { eq: "jürgen@münchen.example" } } }
        }
      )
      assert.deepStrictEqual(
        searched.body.data.map(({ id }) => id),
        [created.body.id]
      )
      const unchanged = yield* contacts.patch(created.body.id, { email: "Jürgen@münchen.example" })
      assert.strictEqual(unchanged.body.etag, created.body.etag)
    })
  )

  it.effect("store a web address as the parser writes it, and refuse one that it has to mend", () =>
    Effect.gen(function* () {
      const { companies, request, token } = yield* RecordsClient.make()
      const created = yield* companies.create({ name: "Berg", homepageUrl: "https://Berg.example/ü" })
      assert.strictEqual(created.body.homepageUrl, "https://berg.example/%C3%BC")
      const again = yield* companies.patch(created.body.id, { homepageUrl: "https://berg.example:443/ü" })
      assert.strictEqual(again.body.etag, created.body.etag)
      for (const mended of [
        "ht\ntps://berg.example",
        "https:berg.example",
        "https:///berg.example",
        "https://berg.example\\a"
      ]) {
        const refused = yield* companies.patch(created.body.id, { homepageUrl: mended })
        assert.deepStrictEqual(faultsOf(refused), ["body /homepageUrl invalid_url"])
        const hook = yield* request("POST", "/api/v1/webhooks", { token, json: { url: mended, events: ["*"] } })
        assert.strictEqual(hook.status, 400)
        assert.deepStrictEqual(faultsOf(hook), ["body /url malformed"])
      }
    })
  )
})
