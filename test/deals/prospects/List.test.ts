import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import { dayOf, daysAfter } from "../../../src/deals/prospects/projection.ts"
import { faultsOf } from "../../support/faults.ts"
import { reach } from "../../support/milestones.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("The list of prospects", (it) => {
  it.effect("is filtered by each parameter, alone and combined, in pages", () =>
    Effect.gen(function* () {
      const { company, contacts, projectId, prospects } = yield* fixture.make()
      const today = dayOf(new Date())
      const tags = ["core", "logistics", "Core"]
      const due = ["today", daysAfter(today, -3), daysAfter(today, 30)]
      const made = yield* contacts.upsert(
        Array.from({ length: 23 }, (_, index) => ({
          lastName: `No ${index}`,
          tags: index % 4 === 0 ? [] : [tags[index % 3]]
        }))
      )
      const investor = yield* company({ name: "Rossi Immobiliare", tags: ["core"] })
      yield* prospects.batch([
        ...made.body.results.map(({ id, index }) => ({
          contactId: id,
          classification: ["not_contacted", "contacted", "bidder"][index % 3],
          projectTags: index % 2 === 0 ? [["First Round", "vip", "FIRST ROUND"][index % 3]] : []
        })),
        { companyId: investor.id, externalRefs: [{ namespace: "crm", externalId: "a:b" }] }
      ])
      const ids = (yield* prospects.list("?page_size=500")).body.data.map(({ id }) => id)
      for (const [index, id] of ids.entries()) {
        if (index % 5 === 1) yield* prospects.patch(id, { interest: "maybe" })
        if (index % 3 === 0) yield* prospects.task(id, { type: "call", dueDate: due[(index / 3) % 3] })
        // An open task is due so, even if another one is due before it.
        if (index % 6 === 0) yield* prospects.task(id, { type: "email", dueDate: "today" })
        if (index % 7 === 0) yield* reach(projectId, id, "teaser_communicated")
        if (index % 7 === 1) yield* reach(projectId, id, "bid_recorded")
      }
      const openTasks = new Map<string, ReadonlyArray<string>>(
        ids.map((id, index) => [
          id,
          [
            ...(index % 3 === 0 ? [(due[(index / 3) % 3] ?? "").replace("today", today)] : []),
            ...(index % 6 === 0 ? [today] : [])
          ]
        ])
      )
      const sunday = daysAfter(today, (7 - new Date(`${today}T00:00:00Z`).getUTCDay()) % 7)
      const isDue =
        (accepts: (day: string) => boolean) =>
        ({ id }: Prospect) =>
          (openTasks.get(id) ?? []).some(accepts)
      const filters: ReadonlyArray<readonly [string, (one: Prospect) => boolean]> = [
        ["capability=communicated", ({ communicated }) => communicated === true],
        ["capability=accepted", () => false],
        ["classification=bidder", ({ classification }) => classification === "bidder"],
        ["tags=core&tags=logistics", ({ tags }) => tags.includes("core") || tags.includes("logistics")],
        ["tags=Core", ({ tags }) => tags.includes("Core")],
        [
          "project_tags=first%20round",
          ({ projectTags }) => projectTags.some((tag) => tag.toLowerCase() === "first round")
        ],
        ["project_tags=VIP&project_tags=none", ({ projectTags }) => projectTags.includes("vip")],
        ["interest=maybe", ({ interest }) => interest === "maybe"],
        ["interest=none", ({ interest }) => interest === null],
        ["stage=teaser", ({ stage }) => stage === "teaser"],
        ["stage=not_contacted", ({ stage }) => stage === "not_contacted"],
        ["task_due=overdue", isDue((day) => day < today)],
        ["task_due=today", isDue((day) => day === today)],
        ["task_due=this_week", isDue((day) => day >= today && day <= sunday)],
        ["external_ref=crm:a:b", ({ externalRefs }) => externalRefs.length > 0]
      ]
      const all = (yield* prospects.list("?page_size=500")).body.data
      const pairs = filters.flatMap((one, index) => filters.slice(index + 1).map((other) => [one, other] as const))
      // Two of one name are one parameter that is repeated.
      const together = pairs.filter(([[a], [b]]) => a.split("=", 1)[0] !== b.split("=", 1)[0])
      const asked: ReadonlyArray<readonly [string, (one: Prospect) => boolean]> = [
        ...filters,
        ...together
          .filter((_, index) => index % 4 === 0)
          .map(([[a, isA], [b, isB]]) => [`${a}&${b}`, (one: Prospect) => isA(one) && isB(one)] as const)
      ]
      for (const [query, accepts] of asked) {
        const expected = all.filter(accepts).map(({ id }) => id)
        const { body } = yield* prospects.list(`?page_size=500&${query}`)
        assert.deepStrictEqual(
          body.data.map(({ id }) => id),
          expected,
          query
        )
      }
      const paged: Array<string> = []
      let query = "?page_size=3&interest=none&task_due=today"
      while (query !== "") {
        const { body } = yield* prospects.list(query)
        paged.push(...body.data.map(({ id }) => id))
        const { nextCursor } = body.page
        query = nextCursor === null ? "" : `?page_size=3&interest=none&task_due=today&cursor=${nextCursor}`
      }
      assert.deepStrictEqual(
        paged,
        all.filter((one) => one.interest === null && isDue((day) => day === today)(one)).map(({ id }) => id)
      )
      assert.isAbove(paged.length, 3)
    })
  )

  it.effect("rejects unknown filters, and cursors of other lists", () =>
    Effect.gen(function* () {
      const { ask, prospects, prospectsOf, several } = yield* fixture.make()
      yield* several(2)
      assert.deepStrictEqual(
        faultsOf(
          yield* prospects.list("?stage=won&interest=&task_due=soon&clasification=x&classification=A%20B")
        ).toSorted(),
        [
          "query /clasification unknown_parameter",
          "query /classification invalid_classification",
          "query /interest blank",
          "query /stage not_allowed",
          "query /task_due not_allowed"
        ]
      )
      const cursor = (yield* prospects.list("?page_size=1")).body.page.nextCursor
      const other = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Other" })
      for (const list of [prospectsOf(other.body.id).list, (query: string) => prospects.list(`${query}&stage=bid`)]) {
        const reply = yield* list(`?page_size=1&cursor=${cursor}`)
        assert.strictEqual("code" in reply.body && reply.body.code, "invalid_cursor")
      }
    })
  )

  it.effect("as a delta lists changed and restored prospects, and tombstones of removed and deleted ones", () =>
    Effect.gen(function* () {
      const { contact, prospects } = yield* fixture.make()
      const refs = [{ namespace: "crm", externalId: "1" }]
      const one = (yield* prospects.add({ contactId: (yield* contact()).id, externalRefs: refs })).body
      const two = (yield* prospects.add({ contactId: (yield* contact({ lastName: "Two" })).id })).body
      const since = one.createdUtc
      const delta = (query: string) =>
        Effect.andThen(
          untilSettled("prospects"),
          Effect.map(prospects.list(`?updated_since=${since}${query}`), ({ body }) => body.data)
        )
      yield* prospects.removeFromList(one.id)
      yield* prospects.delete(two.id)
      assert.deepStrictEqual(yield* delta(""), [])
      const tombstones = yield* delta("&include_deleted=true")
      assert.deepStrictEqual(yield* delta("&include_deleted=true&classification=bidder"), tombstones)
      assert.deepStrictEqual(
        tombstones.map(({ changeType, externalRefs, id }) => ({ id, changeType, externalRefs })),
        [
          { id: one.id, changeType: "deleted", externalRefs: refs },
          { id: two.id, changeType: "deleted", externalRefs: [] }
        ]
      )
      for (const tombstone of tombstones) {
        const {
          changeOrigin,
          changeType,
          createdUtc,
          deletedUtc,
          etag,
          externalRefs,
          id,
          removedUtc,
          updatedUtc,
          ...others
        } = tombstone
        assert.isNotNull(deletedUtc)
        assert.strictEqual(updatedUtc, deletedUtc)
        assert.isTrue(
          Object.values(others).every((value) => value === null || (Array.isArray(value) && value.length === 0))
        )
        assert.deepStrictEqual(
          [changeOrigin, changeType, etag, externalRefs.length, id.length, createdUtc >= since],
          ["api", "deleted", '"v2"', id === one.id ? 1 : 0, one.id.length, true]
        )
        assert.strictEqual(removedUtc, id === one.id ? deletedUtc : null)
      }
      yield* prospects.restore(one.id)
      assert.deepStrictEqual(
        (yield* delta("")).map(({ changeType, id }) => [id, changeType]),
        [[one.id, "restored"]]
      )
    })
  )

  it.effect("answers 404 for the project of another team, a deleted one and an unknown one", () =>
    Effect.gen(function* () {
      const { ask, prospects, projectId } = yield* fixture.make()
      const stranger = yield* fixture.make()
      assert.strictEqual((yield* stranger.prospectsOf(projectId).list()).status, 404)
      assert.strictEqual((yield* ask("DELETE", `/api/v1/projects/${projectId}`)).status, 204)
      assert.strictEqual((yield* prospects.list()).status, 404)
      assert.strictEqual((yield* stranger.prospectsOf("nothing").list()).status, 404)
    })
  )
})
