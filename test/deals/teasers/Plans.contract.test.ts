/** What the free plan makes of teasers, over HTTP: docs/behaviour/teasers.md. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import * as TeasersClient from "./TeasersClient.ts"

const client = TeasersClient.make()

const { roomTeaserPath } = TeasersClient

layer(TestService.layer, { excludeTestServices: true })("Teasers of a team on the free plan", (it) => {
  it.effect("are clamped, and come back with another plan", () =>
    Effect.gen(function* () {
      const { get, move, patch, project, property, setPlan } = yield* client
      const id = yield* project(yield* property())
      const full = yield* patch(id, { options: { location: "address", price: "exact", tenants: "named" } })
      yield* setPlan("free")
      const clamped = (yield* get(id)).body
      assert.isTrue(clamped.clamped)
      const { location, price, tenants, categories } = clamped.options
      assert.deepStrictEqual([location, price, tenants, categories], ["country", "range", "hidden", "hidden"])
      assert.deepStrictEqual(clamped.template.price, ["hidden", "range"])
      assert.strictEqual(clamped.projection.price?.min, 20_000_000)
      assert.isNull(clamped.projection.locality)
      assert.notStrictEqual(clamped.etag, full.body.etag)
      const refused = yield* patch(id, { options: { price: "exact" } })
      assert.deepStrictEqual(faultsOf(refused), ["body /options/price unavailable_mode"])
      assert.strictEqual((yield* patch(id, clamped)).body.etag, clamped.etag)
      assert.strictEqual((yield* move(id, "publish")).stage, "published")
      yield* setPlan("plus")
      const again = (yield* get(id)).body
      assert.deepStrictEqual([again.options, again.projection], [full.body.options, full.body.projection])
      assert.isUndefined(again.clamped)
    })
  )

  it.effect("of rooms and properties are clamped, too, and come back with another plan", () =>
    Effect.gen(function* () {
      const { get, patch, project, property, room, setPlan } = yield* client
      const office = yield* property()
      const id = yield* project(office)
      const [own, borrowed] = [roomTeaserPath(id, yield* room(id)), roomTeaserPath(id, yield* room(id))]
      const revealing = { options: { location: "address", price: "exact", tenants: "named" } }
      for (const subject of [id, own, office]) {
        const { body } = yield* patch(subject, revealing)
        assert.strictEqual(body.projection.price?.min, 46_500_000)
      }
      // The last one shows what the project's own does.
      const subjects = [own, office, borrowed]
      const before = yield* Effect.forEach(subjects, (subject) => get(subject))
      yield* setPlan("free")
      for (const subject of subjects) {
        const { body } = yield* get(subject)
        const { categories, location, price, tenants } = body.options
        assert.isTrue(body.clamped)
        assert.deepStrictEqual([location, price, tenants, categories], ["country", "range", "hidden", "hidden"])
        assert.deepStrictEqual(body.template.price, ["hidden", "range"])
        const { address, locality, region, title } = body.projection
        assert.deepStrictEqual([address, locality, region, body.projection.categories], [null, null, null, []])
        assert.deepStrictEqual([body.projection.price?.min, body.projection.tenants], [20_000_000, []])
        assert.isNull(title)
        const refused = yield* patch(subject, { options: { price: "exact" } })
        assert.deepStrictEqual(faultsOf(refused), ["body /options/price unavailable_mode"])
      }
      yield* setPlan("plus")
      const after = yield* Effect.forEach(subjects, (subject) => get(subject))
      assert.deepStrictEqual(
        after.map(({ body }) => body),
        before.map(({ body }) => body)
      )
    })
  )
})
