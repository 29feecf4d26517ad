import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../../support/TestService.ts"
import * as PropertiesClient from "./PropertiesClient.ts"

const together = { concurrency: "unbounded" } as const

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

layer(TestService.layer, { excludeTestServices: true })("Properties, in races", (it) => {
  it.effect("are either deleted or linked, and both sides agree", () =>
    Effect.gen(function* () {
      const { delete: remove, get, made, projects } = yield* PropertiesClient.make()
      for (const round of times(10)) {
        const property = yield* made()
        const project = yield* projects.made()
        const [deletion, linking] = yield* Effect.all(
          [
            remove(property.id, round % 2 === 0 ? "" : "?force=true"),
            round % 3 === 0
              ? projects.create({ name: "Berg", propertyIds: [property.id] })
              : projects.patch(project.id, { propertyIds: [property.id] })
          ],
          together
        )
        const { propertyIds = [] } = (yield* projects.get(linking.status < 300 ? linking.body.id : project.id)).body
        const found = yield* get(property.id)
        if (deletion.status === 204) {
          assert.deepStrictEqual([found.status, propertyIds], [404, []])
        } else {
          assert.deepStrictEqual([deletion.status, linking.status < 300], [409, true])
          assert.deepStrictEqual([propertyIds, found.body.projectIds], [[property.id], [linking.body.id]])
        }
      }
    })
  )

  it.effect("are linked by projects that are written at the same time, in any order", () =>
    Effect.gen(function* () {
      const { get, made, projects } = yield* PropertiesClient.make()
      const ids = yield* Effect.forEach(times(3), () => Effect.map(made(), ({ id }) => id))
      const written = yield* Effect.all(
        times(8).map((n) => projects.made({ propertyIds: n % 2 === 0 ? ids : ids.toReversed() })),
        together
      )
      for (const id of ids) {
        assert.sameMembers(
          [...(yield* get(id)).body.projectIds],
          written.map((project) => project.id)
        )
      }
      yield* Effect.all(
        written.map(({ id }, n) => projects.patch(id, { propertyIds: n % 2 === 0 ? [] : [ids[0]] })),
        together
      )
      assert.lengthOf((yield* get(ids[0] ?? "")).body.projectIds, 4)
      assert.deepStrictEqual((yield* get(ids[1] ?? "")).body.projectIds, [])
    })
  )

  it.effect("keep what parallel patches write into one object", () =>
    Effect.gen(function* () {
      const { get, made, patch } = yield* PropertiesClient.make()
      const { id } = yield* made({ zoning: { status: "zoned" } })
      const sent = { useClass: "MK", planReference: "1926a", floorAreaRatio: 2.4, planningPermission: "pending" }
      yield* Effect.all(
        Object.entries(sent).map(([name, value]) => patch(id, { zoning: { [name]: value } })),
        together
      )
      assert.deepInclude((yield* get(id)).body.zoning, { status: "zoned", ...sent })
    })
  )

  it.effect("name the caller who linked them, when creates of several are committed together", () =>
    Effect.gen(function* () {
      const { events, made, projects, user } = yield* PropertiesClient.make()
      const properties = yield* Effect.forEach(times(6), () => made())
      yield* Effect.all(
        properties.map(({ id }) => projects.made({ propertyIds: [id] })),
        together
      )
      const linked = (yield* events).filter(({ event }) => event === "property.updated")
      assert.deepStrictEqual(
        linked.map(({ actor_user_id }) => actor_user_id),
        times(6).map(() => user)
      )
      assert.lengthOf(new Set(linked.map(({ caused_by }) => JSON.stringify(caused_by))), 6)
    })
  )
})
