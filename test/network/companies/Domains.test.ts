import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const client = RecordsClient.make()

layer(TestService.layer, { excludeTestServices: true })("The domain of a company", (it) => {
  it.effect("is derived from the homepage: lower case, ASCII, without www. and port", () =>
    Effect.gen(function* () {
      const {
        companies: { create }
      } = yield* client
      const homepages = {
        "https://WWW.Berg.Example:8443/x?y#z": "berg.example",
        "http://shop.tal.example": "shop.tal.example",
        "https://www.bücher.example/": "xn--bcher-kva.example",
        "https://dot.example./": "dot.example",
        "https://www.www.twice.example": "twice.example",
        "https://www.example/": "www.example",
        "https://user:secret@with-user.example/": "with-user.example"
      }
      for (const [homepageUrl, domain] of Object.entries(homepages)) {
        const { body } = yield* create({ name: domain, homepageUrl })
        assert.deepStrictEqual([body.homepageUrl, body.domain], [new URL(homepageUrl).href, domain])
      }
    })
  )

  it.effect("is null if the host of the homepage is not a domain", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const hosts = [
        "http://localhost/",
        "https://192.168.0.1/",
        "https://[::1]/",
        "https://in_tranet.example/",
        "https://1.2.3/"
      ]
      for (const [index, homepageUrl] of hosts.entries()) {
        const { body } = yield* create({ name: `Berg ${index}`, homepageUrl })
        assert.deepStrictEqual([body.homepageUrl, body.domain], [new URL(homepageUrl).href, null])
        const same = yield* patch(body.id, body)
        assert.deepStrictEqual([same.status, same.body], [200, body], same.text)
      }
    })
  )

  it.effect("can be sent alone, in any case and with www., and is stored in canonical form", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const { body } = yield* create({ name: "Berg", domain: "WWW.Berg.Example" })
      assert.strictEqual(body.domain, "berg.example")
      const same = yield* patch(body.id, { domain: "Berg.example." })
      assert.deepStrictEqual([same.status, same.body.etag], [200, body.etag])
      const other = yield* patch(body.id, { domain: "www.www.Tal.example" })
      assert.strictEqual(other.body.domain, "tal.example")
      assert.strictEqual((yield* patch(body.id, { domain: null })).body.domain, null)
    })
  )

  it.effect("is rejected if it is not a domain", () =>
    Effect.gen(function* () {
      const {
        companies: { create }
      } = yield* client
      const none = [
        "https://example.com",
        "example",
        "a b.example",
        "example.com/x",
        "a@example.com",
        "example.com:80",
        "-a.example",
        "a..example",
        ".example",
        "192.168.0.1",
        "a_b.example",
        `${"x".repeat(64)}.example`
      ]
      for (const domain of none) {
        const refused = yield* create({ name: "Berg", domain })
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["body /domain invalid_domain"]], domain)
      }
    })
  )

  it.effect("is that of the homepage if both are sent", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const created = yield* create({ name: "Berg", homepageUrl: "https://berg.example/", domain: "tal.example" })
      assert.strictEqual(created.body.domain, "berg.example")
      const { id } = created.body
      const both = yield* patch(id, { homepageUrl: "https://see.example", domain: "tal.example" })
      assert.strictEqual(both.body.domain, "see.example")
      const unsaid = yield* create({ name: "Wald", homepageUrl: "http://localhost", domain: "wald.example" })
      assert.strictEqual(unsaid.body.domain, "wald.example")
    })
  )

  it.effect("stays when the homepage is cleared, and is patched alone at any time", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const {
        body: { id }
      } = yield* create({ name: "Berg", homepageUrl: "https://berg.example/" })
      const alone = yield* patch(id, { domain: "tal.example" })
      assert.deepInclude(alone.body, { homepageUrl: "https://berg.example/", domain: "tal.example" })
      // The homepage as it is says nothing new.
      const sentBack = yield* patch(id, alone.body)
      assert.deepStrictEqual([sentBack.status, sentBack.body], [200, alone.body])
      const changed = yield* patch(id, { ...alone.body, domain: "see.example" })
      assert.strictEqual(changed.body.domain, "see.example")
      const cleared = yield* patch(id, { homepageUrl: null })
      assert.deepInclude(cleared.body, { homepageUrl: null, domain: "see.example" })
      assert.strictEqual((yield* patch(id, { domain: "wald.example" })).body.domain, "wald.example")
      assert.strictEqual((yield* patch(id, { homepageUrl: "https://www.berg.example" })).body.domain, "berg.example")
    })
  )

  it.effect("is not derived from a host that many share, and none that is sent identifies a company there", () =>
    Effect.gen(function* () {
      const {
        companies: { create, patch }
      } = yield* client
      const domains = {
        "https://www.facebook.com/berg": null,
        "https://sites.google.com/view/berg": null,
        "https://www.gelbeseiten.de/gsbiz/berg": null,
        "https://github.io/berg": null,
        "https://berg.github.io/": "berg.github.io",
        "https://www.berg.wixsite.com/start": "berg.wixsite.com"
      }
      for (const [homepageUrl, domain] of Object.entries(domains)) {
        const { body } = yield* create({ name: `Berg at ${homepageUrl}`, homepageUrl })
        assert.deepStrictEqual([body.homepageUrl, body.domain], [homepageUrl, domain])
      }
      const one = yield* create({ name: "Tal", homepageUrl: "https://facebook.com/tal", domain: "Facebook.com" })
      assert.deepStrictEqual([one.status, one.body.domain], [201, "facebook.com"], one.text)
      const other = yield* create({ name: "See", domain: "facebook.com" })
      assert.deepStrictEqual([other.status, other.body.domain], [201, "facebook.com"], other.text)
      const { body } = yield* create({ name: "Wald", domain: "wald.example" })
      assert.strictEqual((yield* patch(body.id, { domain: "facebook.com" })).status, 200)
      // The domain of before stays: it is not that of the new homepage, but a page elsewhere does not take it away.
      const { body: moved } = yield* create({ name: "Moor", homepageUrl: "https://moor.example" })
      const page = yield* patch(moved.id, { homepageUrl: "https://www.facebook.com/moor" })
      assert.strictEqual(page.body.domain, "moor.example")
      assert.strictEqual((yield* create({ name: "Berg Nord", homepageUrl: "https://berg.github.io" })).status, 409)
    })
  )
})
