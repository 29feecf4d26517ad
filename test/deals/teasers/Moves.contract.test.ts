/** The stages of teasers, move by move. */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { type Move, transitions } from "../../../src/deals/teasers/rules.ts"
import { stages } from "../../../src/deals/teasers/Teaser.ts"
import type { Row } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import * as TeasersClient from "./TeasersClient.ts"

const { codes } = TeasersClient

const client = TeasersClient.make()

/** The code of a refusal. */
const codeOf = <A, E, R>(move: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(move), (error) => (error as { readonly code?: string }).code)

const typesOf = (rows: ReadonlyArray<Row>) => rows.map(({ event }) => event)

layer(TestService.layer, { excludeTestServices: true })("The stages of teasers", (it) => {
  for (const stage of stages) {
    it.effect(`lead from ${stage} by each move to where the table says, once`, () =>
      Effect.gen(function* () {
        const teasers = yield* client
        const property = yield* teasers.property()
        for (const [name, to] of Object.entries(transitions[stage]) as ReadonlyArray<[Move, string]>) {
          const id = yield* teasers.project(property)
          yield* teasers.reach(id, stage)
          const before = (yield* teasers.get(id)).body
          assert.strictEqual(before.stage, stage)
          if (to in codes) {
            assert.strictEqual(yield* codeOf(teasers.perform(id, name)), codes[to])
            assert.deepStrictEqual((yield* teasers.get(id)).body, before)
            continue
          }
          yield* teasers.perform(id, name)
          const after = (yield* teasers.get(id)).body
          assert.strictEqual(after.stage, to, `${stage} ${name}`)
          const rows = yield* teasers.projects.actions(id)
          yield* teasers.perform(id, name)
          assert.deepStrictEqual((yield* teasers.get(id)).body, after)
          assert.deepStrictEqual((yield* teasers.projects.actions(id)).body, rows.body)
        }
      })
    )
  }

  for (const stage of stages) {
    it.effect(`stay at ${stage} while the project is closed, and what the teaser shows, too`, () =>
      Effect.gen(function* () {
        const teasers = yield* client
        const id = yield* teasers.project(yield* teasers.property())
        const room = TeasersClient.roomTeaserPath(id, yield* teasers.room(id))
        yield* teasers.reach(id, stage)
        yield* teasers.projects.close(id)
        const before = (yield* teasers.get(id)).body
        for (const [name, to] of Object.entries(transitions[stage]) as ReadonlyArray<[Move, string]>) {
          const isVerification = stage === "communicated" && name === "verify"
          if (name === "communicate" || (to === stage && !isVerification)) continue
          const code = to in codes ? codes[to] : "project_closed"
          assert.strictEqual(yield* codeOf(teasers.perform(id, name)), code, name)
        }
        for (const subject of [id, room]) {
          const patched = yield* teasers.patch(subject, { title: "Core plus" })
          assert.deepStrictEqual(
            [patched.status, (patched.body as { readonly code?: string }).code],
            [409, "project_closed"]
          )
        }
        assert.deepStrictEqual((yield* teasers.get(id)).body, before)
        yield* teasers.projects.reopen(id)
        assert.strictEqual((yield* teasers.patch(id, { title: "Core plus" })).status, 200)
      })
    )
  }

  it.effect("begin with a category and the country in the projection, or publishing is refused", () =>
    Effect.gen(function* () {
      const { move, patch, project, property } = yield* client
      const nowhere = yield* project(yield* property({ country: null }))
      const useless = yield* project(yield* property({ categories: [] }))
      const hidden = yield* project(yield* property())
      yield* patch(hidden, { options: { location: "hidden" } })
      for (const id of [nowhere, useless, hidden, yield* project()]) {
        assert.strictEqual(yield* codeOf(move(id, "publish")), "teaser_incomplete")
      }
      yield* patch(hidden, { options: { location: "locality" } })
      assert.strictEqual((yield* move(hidden, "publish")).stage, "published")
    })
  )

  it.effect("need what publishing needs again when the teaser is communicated", () =>
    Effect.gen(function* () {
      const { communicate, move, patch, project, property } = yield* client
      const id = yield* project(yield* property())
      yield* move(id, "publish")
      yield* patch(id, { options: { categories: "hidden" } })
      assert.strictEqual(yield* codeOf(communicate(id)), "teaser_incomplete")
      yield* patch(id, { options: { categories: "shown" } })
      const { projection, stage } = yield* communicate(id)
      assert.strictEqual(stage, "communicated")
      assert.strictEqual(projection.title, "Office, Germany")
    })
  )

  it.effect("of a project's teaser set and clear the time of its publication", () =>
    Effect.gen(function* () {
      const { events, get, move, project, projects, property } = yield* client
      const id = yield* project(yield* property())
      const { publishedUtc } = yield* move(id, "publish")
      assert.isString(publishedUtc)
      assert.deepInclude((yield* projects.get(id)).body, { publishedUtc, status: "open" })
      const sent = (yield* events).slice(-2)
      assert.deepStrictEqual(
        sent.map(({ changed_fields, event, project_id, resource_id, resource_type, caused_by }) => ({
          changed_fields,
          event,
          project_id,
          resource_id,
          resource_type,
          caused_by
        })),
        [
          {
            changed_fields: undefined,
            event: "teaser.published",
            project_id: id,
            resource_id: id,
            resource_type: "teaser",
            caused_by: undefined
          },
          {
            changed_fields: ["published_at"],
            event: "project.updated",
            project_id: undefined,
            resource_id: id,
            resource_type: "project",
            caused_by: { event: "teaser.published", resource_id: id }
          }
        ]
      )
      yield* move(id, "unpublish")
      assert.deepInclude((yield* projects.get(id)).body, { publishedUtc: null, status: "draft" })
      assert.strictEqual((yield* get(id)).body.publishedUtc, null)
      const rows = (yield* projects.actions(id, "?include_rollups=false")).body.data
      assert.deepStrictEqual(typesOf(rows), [
        "project.updated",
        "teaser.unpublished",
        "project.updated",
        "teaser.published",
        "project.created"
      ])
    })
  )

  it.effect("of a property or a room leave projects alone", () =>
    Effect.gen(function* () {
      const { get, move, project, projects, property, review, room } = yield* client
      const office = yield* property()
      const id = yield* project(office)
      const dataRoom = yield* room(id)
      assert.strictEqual((yield* move(office, "publish")).stage, "published")
      assert.strictEqual((yield* review(office, "verify")).stage, "verified")
      const published = yield* move(dataRoom, "publish")
      assert.strictEqual(published.stage, "published")
      assert.isUndefined(published.nudge)
      assert.strictEqual((yield* projects.get(id)).body.publishedUtc, null)
      assert.strictEqual((yield* get(id)).body.stage, "property_added")
      const [row] = (yield* projects.actions(id)).body.data
      assert.deepInclude(row, { event: "teaser.published", subject: "room", subjectId: dataRoom })
    })
  )

  it.effect("are not found for ids of others, or of nothing", () =>
    Effect.gen(function* () {
      const { move, project, property, review, room } = yield* client
      const others = yield* TeasersClient.make()
      const id = yield* project(yield* property())
      const dataRoom = yield* room(id)
      for (const subject of [id, dataRoom, "project_01kb3n7x2ferwt5z8q4j6m9d0c", "nothing"]) {
        assert.strictEqual(yield* codeOf(others.move(subject, "publish")), "not_found")
      }
      assert.strictEqual(yield* codeOf(review("room_01kb3n7x2ferwt5z8q4j6m9d0c", "verify")), "not_found")
      assert.strictEqual(yield* codeOf(move("contact_01kb3n7x2ferwt5z8q4j6m9d0c", "publish")), "not_found")
    })
  )

  it.effect("have one winner when a teaser is communicated and withdrawn at once", () =>
    Effect.gen(function* () {
      const { communicate, get, move, project, property } = yield* client
      const id = yield* project(yield* property())
      yield* move(id, "publish")
      const [communicated, withdrawn] = yield* Effect.all(
        [Effect.exit(communicate(id)), Effect.exit(move(id, "unpublish"))] as const,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(Exit.isSuccess(communicated), Exit.isFailure(withdrawn))
      const { stage } = (yield* get(id)).body
      assert.strictEqual(stage, Exit.isSuccess(communicated) ? "communicated" : "drafting")
    })
  )

  it.effect("record the first communication only, also when two come at once", () =>
    Effect.gen(function* () {
      const { communicate, events, get, move, project, property } = yield* client
      const id = yield* project(yield* property())
      yield* move(id, "publish")
      yield* Effect.all([communicate(id), communicate(id)], { concurrency: "unbounded" })
      const { communicatedUtc } = (yield* get(id)).body
      yield* communicate(id)
      assert.strictEqual((yield* get(id)).body.communicatedUtc, communicatedUtc)
      assert.lengthOf(
        (yield* events).filter(({ event }) => event === "teaser.communicated"),
        1
      )
    })
  )
})
