import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

const client = RecordsClient.make()

const candidatesOf = (reply: Reply<unknown>) => {
  const body = reply.body as { readonly code?: string; readonly candidates?: ReadonlyArray<{ readonly id: string }> }
  return [reply.status, body.code, body.candidates?.map(({ id }) => id)]
}

layer(TestService.layer, { excludeTestServices: true })("A company that the network has already", (it) => {
  it.effect("is rejected for its domain, with candidates, unless forced", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch, delete: remove }
      } = yield* client
      const { body } = yield* create({ name: "Berg", country: "DE", homepageUrl: "https://www.berg.example" })
      const second = yield* create({ name: "Tal", homepageUrl: "http://BERG.example/about" })
      assert.strictEqual(second.status, 409)
      assert.deepInclude(second.body, {
        code: "duplicate",
        candidates: [{ id: body.id, name: "Berg", domain: "berg.example", country: "DE" }]
      } as never)
      assert.deepStrictEqual(candidatesOf(yield* create({ name: "Tal", domain: "www.berg.example" })), [
        409,
        "duplicate",
        [body.id]
      ])
      const tal = yield* create({ name: "Tal" })
      assert.deepStrictEqual(candidatesOf(yield* patch(tal.body.id, { domain: "berg.example" })), [
        409,
        "duplicate",
        [body.id]
      ])
      assert.strictEqual((yield* patch(tal.body.id, { domain: "berg.example" }, {}, "?force=true")).status, 200)
      assert.strictEqual((yield* create({ name: "See", domain: "berg.example" }, {}, "?force=true")).status, 201)
      // It already has its own domain, so a patch of another member has no conflict.
      assert.strictEqual((yield* patch(tal.body.id, { strategy: "Core" })).status, 200)
      yield* remove(body.id)
      assert.strictEqual((yield* create({ name: "Wald", domain: "berg.example" })).status, 409)
    })
  )

  it.effect("is rejected for its name and country, without case, accents and legal forms", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const { body } = yield* create({ name: "Müller & Söhne GmbH", country: "DE" })
      for (const name of ["müller & söhne", "MULLER & SOHNE AG", "Mueller und Soehne GmbH & Co. KG"]) {
        assert.deepStrictEqual(
          candidatesOf(yield* create({ name, country: "DE" })),
          [409, "duplicate", [body.id]],
          name
        )
      }
      assert.strictEqual((yield* create({ name: "Müller & Söhne", country: "AT" })).status, 201)
      const nowhere = yield* create({ name: "Müller & Söhne" })
      assert.strictEqual(nowhere.status, 201)
      assert.deepStrictEqual(candidatesOf(yield* patch(nowhere.body.id, { country: "DE" })), [
        409,
        "duplicate",
        [body.id]
      ])
      assert.strictEqual((yield* patch(body.id, { name: "Müller & Söhne AG" })).status, 200)
      assert.strictEqual((yield* create({ name: "Müller & Töchter", country: "DE" })).status, 201)
    })
  )

  it.effect("is no deleted company, nor one of another team", () =>
    Effect.gen(function* () {
      const {
        companies: { create, delete: remove }
      } = yield* client
      const other = yield* client
      const { body } = yield* create({ name: "Berg", country: "DE", domain: "berg.example" })
      assert.strictEqual(
        (yield* other.companies.create({ name: "Berg", country: "DE", domain: "berg.example" })).status,
        201
      )
      yield* remove(body.id)
      assert.strictEqual((yield* create({ name: "Berg", country: "DE", domain: "berg.example" })).status, 201)
    })
  )

  it.effect("shows at most ten candidates, the oldest first", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const ids: Array<string> = []
      for (let n = 0; n < 12; n++) {
        ids.push((yield* create({ name: `Berg ${n}`, domain: "berg.example" }, {}, "?force=true")).body.id)
      }
      const refused = yield* create({ name: "Tal", domain: "berg.example" })
      assert.deepStrictEqual(candidatesOf(refused), [409, "duplicate", ids.slice(0, 10)])
      // Its own place among them is another's.
      yield* patch(ids[0] ?? "", { domain: null })
      const patched = yield* patch(ids[0] ?? "", { domain: "berg.example" })
      assert.deepStrictEqual(candidatesOf(patched), [409, "duplicate", ids.slice(1, 11)])
    })
  )

  it.effect("is created once by twenty parallel creates of one domain, and of one name", () =>
    Effect.gen(function* () {
      const {
        companies: { create, list }
      } = yield* client
      const bodies = [
        (n: number) => ({ name: `Berg ${n}`, homepageUrl: `https://www.berg.example/${n}` }),
        (n: number) => ({ name: n % 2 === 0 ? "Täl GmbH" : "TAL AG", country: "DE" })
      ]
      for (const [index, body] of bodies.entries()) {
        const replies = yield* Effect.all(
          Array.from({ length: 20 }, (_, n) => create(body(n))),
          {
            concurrency: "unbounded"
          }
        )
        assert.lengthOf(
          replies.filter(({ status }) => status === 201),
          1
        )
        assert.lengthOf(
          replies.filter(({ status }) => status === 409),
          19
        )
        assert.lengthOf((yield* list()).body.data, index + 1)
      }
    })
  )
})
