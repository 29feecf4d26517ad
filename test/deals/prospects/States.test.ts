/**
 * The state tables of prospects over HTTP (docs/behaviour/projects-and-prospects.md#classification-interest-and-stage): every state with every
 * event in `npm run test:long`, and in `npm test` each state with a third of the events, because rules.test.ts has all of them.
 */
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { interests, milestones, milestoneStages, stages } from "../../../src/deals/prospects/Prospect.ts"
import { isLong } from "../../support/campaign.ts"
import { faultsOf } from "../../support/faults.ts"
import { reach } from "../../support/milestones.ts"
import { TestService } from "../../support/TestService.ts"

const rank = (stage: string | null) => stages.findIndex((one) => one === stage)

/** Every third of some events, by the place of the state, so that each event meets each value of a state; all in `npm run test:long`. */
const someOf = <A>(events: ReadonlyArray<A>, place: number) =>
  events.filter((_, index) => isLong || (place + index) % 3 === 0)

layer(TestService.layer, { excludeTestServices: true })("The states of prospects", (it) => {
  /** The actions of the prospects' events, in their order, by their ids. */
  const actionsOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    Map.groupBy(
      events.filter(({ event }) => event === "prospect.updated"),
      ({ resource_id }) => String(resource_id)
    )

  it.effect("classification and interest: each write of each from each state, and nothing else changes", () =>
    Effect.gen(function* () {
      const { eventsOf, prospects, several } = yield* fixture.make()
      const classifications = ["not_contacted", "contacted", "bidder", "told_no"]
      const writes = [
        ...classifications.map((classification) => ({ classification })),
        ...[null, ...interests].map((next) => ({ interest: next })),
        { classification: "bidder", interest: null },
        { classification: "contacted", interest: "maybe" }
      ]
      const cases = classifications.flatMap((from, one) =>
        [null, ...interests].flatMap((interest, other) =>
          someOf(writes, one + other).map((write) => ({ from, interest, write }))
        )
      )
      const ids = yield* several(cases.length, (index) => ({ classification: cases[index]?.from }))
      const etags = yield* Effect.forEach(cases, ({ from, interest }, index) =>
        // A bidder is interested already.
        interest === (from === "bidder" ? "interested" : null)
          ? Effect.succeed('"v1"')
          : Effect.map(prospects.patch(ids[index] ?? "", { interest }), ({ body }) => body.etag)
      )
      const { events, reply } = yield* eventsOf(
        Effect.forEach(cases, ({ write }, index) =>
          Effect.map(prospects.patch(ids[index] ?? "", write), ({ body }) => body)
        )
      )
      const emitted = actionsOf(events)
      for (const [index, { from, interest, write }] of cases.entries()) {
        const after = reply[index]
        const classification = "classification" in write ? write.classification : from
        const next =
          "interest" in write
            ? write.interest
            : "classification" in write && write.classification === "bidder"
              ? "interested"
              : interest
        assert.deepStrictEqual(
          { classification: after?.classification, interest: after?.interest, stage: after?.stage },
          { classification, interest: next, stage: "not_contacted" }
        )
        const changed = [
          ...(classification === from ? [] : [{ type: "classified", from, to: classification }]),
          ...(next === interest
            ? []
            : [
                {
                  type: "interest_changed",
                  ...(interest === null ? {} : { from: interest }),
                  ...(next === null ? {} : { to: next })
                }
              ])
        ]
        const own = emitted.get(ids[index] ?? "") ?? []
        assert.deepStrictEqual(
          own.map(({ action }) => action),
          changed
        )
        assert.isTrue(own.every(({ changed_fields }) => changed_fields === null))
        assert.strictEqual(after?.etag === etags[index], changed.length === 0)
      }
    })
  )

  it.effect(
    "stage: milestones raise it from each stage, overridden or not; an override sets it, and can be withdrawn",
    () =>
      Effect.gen(function* () {
        const { eventsOf, projectId, prospects, several } = yield* fixture.make()
        const cases = [undefined, ...milestones].flatMap((reached, one) =>
          [undefined, ...stages].flatMap((correction, other) =>
            someOf(milestones, one + other).map((kind) => ({ reached, correction, kind }))
          )
        )
        const ids = yield* several(cases.length)
        const idOf = (index: number) => ids[index] ?? ""
        yield* Effect.forEach(
          cases,
          Effect.fnUntraced(function* ({ correction, reached }, index) {
            if (reached !== undefined) yield* reach(projectId, idOf(index), reached)
            if (correction === undefined) return
            const corrected = (yield* prospects.patch(idOf(index), {
              stage: correction,
              stageReason: "Met at the fair"
            })).body
            assert.strictEqual(corrected.stage, correction)
            assert.strictEqual(corrected.stageOverride?.stage, correction)
            assert.strictEqual(corrected.stageOverride?.reason, "Met at the fair")
            assert.strictEqual(corrected.stageOverride?.setBy?.name, "Anna Berg")
          })
        )
        const { events, reply } = yield* eventsOf(
          Effect.forEach(cases, ({ kind }, index) => reach(projectId, idOf(index), kind))
        )
        const emitted = actionsOf(events)
        const derived = (reached: (typeof milestones)[number] | undefined) =>
          reached === undefined ? "not_contacted" : milestoneStages[reached]
        for (const [index, { correction, kind, reached }] of cases.entries()) {
          const before = correction ?? derived(reached)
          const raised = rank(milestoneStages[kind]) > rank(before)
          assert.strictEqual(reply[index]?.stage, raised ? milestoneStages[kind] : before)
          assert.strictEqual(reply[index]?.stageOverride?.stage, correction)
          assert.deepStrictEqual(
            (emitted.get(idOf(index)) ?? []).map(({ action }) => action),
            raised ? [{ type: "stage_raised", from: before, to: milestoneStages[kind] }] : []
          )
        }
        for (const id of ids) assert.strictEqual((yield* prospects.withdraw(id)).status, 204)
        const after = (yield* prospects.list("?page_size=500")).body.data
        for (const [index, { kind, reached }] of cases.entries()) {
          const withdrawn = after.find(({ id }) => id === idOf(index))
          assert.isUndefined(withdrawn?.stageOverride)
          assert.strictEqual(
            rank(withdrawn?.stage ?? null),
            Math.max(rank(derived(reached)), rank(milestoneStages[kind]))
          )
        }
        const [first] = after
        assert.strictEqual((yield* prospects.withdraw(first?.id ?? "")).status, 204)
        assert.strictEqual((yield* prospects.get(first?.id ?? "")).body.etag, first?.etag)
      })
  )

  it.effect("removal: on the list, removed and deleted, by every operation", () =>
    Effect.gen(function* () {
      const { contact, eventsOf, prospects } = yield* fixture.make()
      const { id: contactId } = yield* contact()
      const { add, get, list, patch, delete: remove, restore, removeFromList, withdraw } = prospects
      const { id } = (yield* add({ contactId, classification: "contacted", projectTags: ["a"] })).body
      const statusOf = <A extends { readonly status: number }, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.map(effect, ({ status }) => status)
      const codeOf = <A extends { readonly status: number; readonly body: object }, E, R>(
        effect: Effect.Effect<A, E, R>
      ) => Effect.map(effect, ({ body, status }) => [status, "code" in body ? body.code : undefined])

      // On the list.
      assert.deepStrictEqual(yield* codeOf(restore(id)), [409, "prospect_not_removed"])
      const again = yield* add({ contactId })
      assert.deepStrictEqual([again.status, "prospectId" in again.body && again.body.prospectId], [409, id])
      const whole = (yield* get(id)).body
      const gone = yield* eventsOf(removeFromList(id))
      assert.strictEqual(gone.reply.status, 204)
      assert.deepStrictEqual(
        gone.events.map(({ action, changed_fields, event }) => ({ action, changed_fields, event })),
        [{ event: "prospect.updated", action: { type: "removed" }, changed_fields: ["deleted_at"] }]
      )

      // Removed.
      assert.deepStrictEqual((yield* list()).body.data, [])
      const removed = (yield* get(id)).body
      assert.isNotNull(removed.removedUtc)
      assert.isNull(removed.deletedUtc)
      const twice = yield* eventsOf(removeFromList(id))
      assert.deepStrictEqual([twice.reply.status, twice.events.length], [204, 0])
      assert.deepStrictEqual(yield* codeOf(patch(id, { interest: "maybe" })), [409, "prospect_removed"])
      assert.deepStrictEqual(yield* codeOf(withdraw(id)), [409, "prospect_removed"])
      assert.deepStrictEqual(yield* codeOf(prospects.note(id, { message: "x" })), [409, "prospect_removed"])
      assert.deepStrictEqual(yield* codeOf(prospects.task(id, { type: "call", dueDate: "today" })), [
        409,
        "prospect_removed"
      ])
      assert.deepStrictEqual(
        (yield* prospects.classify({ prospectIds: [id], classification: "x" })).body.failed.map(({ code }) => code),
        ["prospect_removed"]
      )
      const back = yield* eventsOf(restore(id))
      assert.deepStrictEqual(
        back.events.map(({ action }) => action),
        [{ type: "restored" }]
      )
      const { changeType, etag, updatedUtc, ...others } = back.reply.body
      const { changeType: _type, etag: _etag, updatedUtc: _updated, ...before } = whole
      assert.deepStrictEqual(others, before)
      assert.deepStrictEqual([changeType, etag], ["restored", '"v3"'])
      assert.isAbove(Date.parse(updatedUtc), Date.parse(removed.createdUtc) - 1)

      // A removed prospect that is added again keeps its members, except those that are sent.
      yield* removeFromList(id)
      const added = yield* eventsOf(add({ contactId, classification: "bidder" }))
      assert.deepStrictEqual([added.reply.status, added.reply.body.id], [201, id])
      assert.deepStrictEqual(added.reply.body.projectTags, ["a"])
      assert.strictEqual(added.reply.body.classification, "bidder")
      assert.deepStrictEqual(
        added.events.map(({ action }) => (action as { type: string }).type),
        ["restored", "classified", "interest_changed"]
      )

      // Deleted, from the list and from the removed.
      const { events } = yield* eventsOf(remove(id))
      assert.deepStrictEqual(
        events.map(({ event, external_refs }) => [event, external_refs]),
        [["prospect.deleted", []]]
      )
      for (const one of [get(id), remove(id), removeFromList(id), restore(id), patch(id, {})]) {
        assert.strictEqual(yield* statusOf<{ readonly status: number }, never, never>(one as never), 404)
      }
      const addedAgain = (yield* add({ contactId })).body
      assert.notStrictEqual(addedAgain.id, id)
      yield* removeFromList(addedAgain.id)
      assert.strictEqual((yield* remove(addedAgain.id)).status, 204)
      assert.strictEqual((yield* get(addedAgain.id)).status, 404)
    })
  )

  it.effect("an expiry needs a room and is in the future; an owner is an active member", () =>
    Effect.gen(function* () {
      const { ask, eventsOf, projectId, prospect, prospects, user } = yield* fixture.make()
      const stranger = yield* fixture.make()
      const { id } = yield* prospect()
      const patch = (json: unknown) => prospects.patch(id, json)
      assert.deepStrictEqual(faultsOf(yield* patch({ accessExpiry: "3d", owner: stranger.user, stageReason: "r" })), [
        "body /stageReason not_allowed",
        "body /owner invalid_reference",
        "body /accessExpiry no_room"
      ])
      yield* reach(projectId, id, "room_access_granted")
      assert.strictEqual(
        (yield* ask<{ readonly status: string }>("GET", `/api/v1/projects/${projectId}`)).body.status,
        "open"
      )
      assert.deepStrictEqual(faultsOf(yield* patch({ accessExpiry: "2020-01-01" })), [
        "body /accessExpiry not_in_future"
      ])
      const { events, reply } = yield* eventsOf(patch({ accessExpiry: "2099-01-01T12:00:00+02:00", owner: "me" }))
      assert.deepStrictEqual(events, [])
      assert.strictEqual(reply.body.accessExpiryUtc, "2099-01-01T10:00:00.000Z")
      assert.deepStrictEqual(reply.body.owner, { id: user, name: "Anna Berg" })
      // A client can send back what it read, and null for missing members.
      const whole = { ...reply.body, nextTask: null, stageOverride: null }
      assert.strictEqual((yield* patch(whole)).body.etag, reply.body.etag)
      assert.deepStrictEqual(faultsOf(yield* patch({ nextTask: { id: "task_1" } })), ["body /nextTask read_only"])
      const cleared = yield* patch({ accessExpiry: null, owner: null })
      assert.isNull(cleared.body.accessExpiryUtc)
      assert.isUndefined(cleared.body.owner)
      const rows = (yield* prospects.actions(id, "?type=audit&include_rollups=false")).body.data.map(
        ({ event }) => event
      )
      assert.includeMembers(rows, [
        "prospect.owner_changed",
        "prospect.access_expiry_changed",
        "prospect.room_access_granted"
      ])
    })
  )

  it.effect("only the operator records milestones, and the first teaser shares the project", () =>
    Effect.gen(function* () {
      const { ask, eventsOf, projectId, prospect } = yield* fixture.make()
      const first = yield* prospect()
      const { events } = yield* eventsOf(reach(projectId, first.id, "teaser_communicated"))
      assert.deepStrictEqual(
        events.map(({ action, changed_fields, event }) => ({ action, changed_fields, event })),
        [
          { event: "project.updated", action: undefined, changed_fields: ["communicated_at"] },
          {
            event: "prospect.updated",
            action: { type: "stage_raised", from: "not_contacted", to: "teaser" },
            changed_fields: null
          }
        ]
      )
      assert.deepStrictEqual(
        events.map(({ actor_user_id, change_initiator }) => [actor_user_id, change_initiator]),
        [
          [null, null],
          [null, null]
        ]
      )
      const project = (yield* ask<Record<string, unknown>>("GET", `/api/v1/projects/${projectId}`)).body
      assert.strictEqual(project["status"], "open")
      assert.isNotNull(project["communicatedUtc"])
      assert.strictEqual((yield* ask("DELETE", `/api/v1/projects/${projectId}`)).status, 409)
    })
  )
})
