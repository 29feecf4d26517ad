/** The commands `teaser …`. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Move, transitions } from "../../src/deals/teasers/rules.ts"
import type { Teaser } from "../../src/deals/teasers/Teaser.ts"
import { runToEnd } from "../support/Admin.ts"
import { TestService } from "../support/TestService.ts"
import * as TeasersClient from "../deals/teasers/TeasersClient.ts"

const teaser = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { err, ok, out } = yield* runToEnd(["teaser", ...args, "--json"])
  return { ok, err, answer: JSON.parse(out) as Teaser & { readonly error?: { readonly code: string } } }
})

layer(TestService.layerOwn, { excludeTestServices: true })("teaser", (it) => {
  it.effect("publishes in the name of a person, and verifies as the operator, whatever the team", () =>
    Effect.gen(function* () {
      const { get, project, projects, property } = yield* TeasersClient.make()
      const id = yield* project(yield* property())
      const as = ["--as", projects.email]
      const early = yield* teaser("verify", id)
      assert.deepStrictEqual([early.ok, early.answer.error?.code], [false, "teaser_not_published"])
      assert.strictEqual((yield* teaser("publish", id, ...as)).answer.stage, "published")
      assert.strictEqual((yield* teaser("verify", id, ...as)).answer.stage, "verified")
      assert.strictEqual((yield* get(id)).body.changeOrigin, "app")
      assert.strictEqual((yield* teaser("unverify", id)).answer.stage, "published")
      assert.strictEqual((yield* teaser("unpublish", id, ...as)).answer.stage, "drafting")
      const [row] = (yield* projects.actions(id)).body.data
      assert.deepInclude(row, { event: "project.updated", actor: { id: projects.user, name: "Anna Berg" } })
    })
  )

  // Those of all stages are in test/deals/teasers/Moves.contract.test.ts. From these two, each command succeeds or is refused.
  for (const stage of ["published", "communicated"] as const) {
    it.effect(`leads from ${stage} by each command to where the table says`, () =>
      Effect.gen(function* () {
        const { get, project, projects, property, reach, request, token } = yield* TeasersClient.make()
        const office = yield* property()
        const contactId = (yield* projects.contacts.create({ lastName: "Lind" })).body.id
        for (const [name, to] of Object.entries(transitions[stage]) as ReadonlyArray<[Move, string]>) {
          const id = yield* project(office)
          yield* request("POST", `/api/v1/projects/${id}/prospects`, { token, json: { contactId } })
          yield* reach(id, stage)
          const all = name === "communicate" ? ["--all"] : []
          const { answer, ok } = yield* teaser(name, id, ...all, "--as", projects.email)
          assert.deepStrictEqual([name, ok ? undefined : answer.error?.code], [name, TeasersClient.codes[to]])
          assert.strictEqual((yield* get(id)).body.stage, to in TeasersClient.codes ? stage : to, name)
        }
      })
    )
  }

  it.effect("shows with --dry-run what would happen, and does nothing", () =>
    Effect.gen(function* () {
      const { get, move, project, projects, property } = yield* TeasersClient.make()
      const id = yield* project(yield* property())
      const shown = yield* runToEnd(["teaser", "publish", id, "--as", projects.email, "--dry-run", "--json"])
      const report = JSON.parse(shown.out) as { readonly result: Teaser; readonly events: unknown }
      assert.strictEqual(report.result.stage, "published")
      assert.deepStrictEqual(report.events, [
        { event: "teaser.published", resource_id: id },
        { event: "project.updated", resource_id: id }
      ])
      assert.strictEqual((yield* get(id)).body.stage, "property_added")
      yield* move(id, "publish")
      assert.isTrue((yield* runToEnd(["teaser", "verify", id, "--dry-run"])).ok)
      assert.strictEqual((yield* get(id)).body.stage, "published")
    })
  )

  it.effect("communicates only teasers of projects: one of a room or a property has no offers", () =>
    Effect.gen(function* () {
      const { get, move, patch, project, projects, property, room } = yield* TeasersClient.make()
      const office = yield* property()
      const id = yield* project(office)
      const dataRoom = yield* room(id)
      const path = TeasersClient.roomTeaserPath(id, dataRoom)
      yield* patch(path, { title: "Core" })
      for (const [subject, of] of [
        [dataRoom, path],
        [office, office]
      ] as const) {
        assert.strictEqual((yield* move(subject, "publish")).stage, "published")
        const before = (yield* get(of)).body
        const { answer, ok } = yield* teaser("communicate", subject, "--all", "--as", projects.email)
        assert.deepStrictEqual([subject, ok, answer.error?.code], [subject, false, "not_found"])
        assert.deepStrictEqual((yield* get(of)).body, before)
      }
      assert.isNull((yield* get(id)).body.communicatedUtc)
    })
  )

  it.effect("refuses persons without the capability, those of other teams, and ids of nothing", () =>
    Effect.gen(function* () {
      const { project, property } = yield* TeasersClient.make()
      const id = yield* project(yield* property())
      const other = yield* TeasersClient.make()
      const investor = yield* TeasersClient.make({ broker: null, investor: "active" })
      const foreign = yield* teaser("publish", id, "--as", other.projects.email)
      assert.strictEqual(foreign.answer.error?.code, "not_found")
      const incapable = yield* teaser("publish", id, "--as", investor.projects.email)
      assert.strictEqual(incapable.answer.error?.code, "capability_required")
      assert.strictEqual((yield* teaser("verify", "nothing")).answer.error?.code, "not_found")
    })
  )
})
