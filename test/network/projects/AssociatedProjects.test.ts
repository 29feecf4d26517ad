import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { AssociatedProject } from "../../../src/network/projects/AssociatedProject.ts"
import { fixture } from "../../deals/prospects/cascades/fixture.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"

const nothing = { contacts: "contact_01kb3n7x2ferwt5z8q4j6m9d0c", companies: "company_01kb3n7x2ferwt5z8q4j6m9d0c" }

layer(TestService.layer, { excludeTestServices: true })("The projects of an investor", (it) => {
  for (const [collection, member] of [
    ["contacts", "contactId"],
    ["companies", "companyId"]
  ] as const) {
    const make = Effect.gen(function* () {
      const made = yield* fixture()
      const investor = collection === "contacts" ? yield* made.contact() : yield* made.company()
      return {
        ...made,
        investor,
        records: made[collection],
        on: (projectId: string, json: object = {}) => made.on(projectId, { [member]: investor.id, ...json }),
        projectsOf: (id: string, query = "", token = made.token) =>
          made.request<Page<AssociatedProject>>("GET", `/api/v1/network/${collection}/${id}/projects${query}`, {
            token
          })
      }
    })

    it.effect(`are those with the investor on their list, each with its classification (${collection})`, () =>
      Effect.gen(function* () {
        const { act, ask, contact, deleteProject, investor, on, project, projectsOf, prospectsOf, records } =
          yield* make
        const ids = [
          yield* project("A"),
          yield* project("B"),
          yield* project("C"),
          yield* project("D"),
          yield* project("E")
        ] as const
        // In another order than that of the projects.
        const c = yield* on(ids[2], { classification: "bidder" })
        const a = yield* on(ids[0])
        const removed = yield* on(ids[1])
        yield* on(ids[3])
        const deleted = yield* on(ids[4])
        yield* prospectsOf(ids[4]).add({ contactId: (yield* contact({ firstName: "Ben" })).id })
        yield* removed.removeFromList(removed.id)
        yield* deleted.delete(deleted.id)
        yield* deleteProject(ids[3])
        const now = (id: string) =>
          Effect.map(ask<AssociatedProject>("GET", `/api/v1/projects/${id}`), ({ body }) => body)
        const inA = { ...(yield* now(ids[0])), prospectId: a.id, prospectClassification: "not_contacted" }
        yield* act(ids[2], "close")
        const inC = { ...(yield* now(ids[2])), prospectId: c.id, prospectClassification: "bidder" }
        const { body, headers, status } = yield* projectsOf(investor.id)
        assert.strictEqual(status, 200)
        assert.match(headers.get("deprecation") ?? "", /^@\d+$/)
        assert.include(headers.get("link"), 'rel="deprecation"')
        assert.deepStrictEqual(body, { data: [inA, inC], page: { nextCursor: null, pageSize: 50, hasMore: false } })
        const namesOf = (query: string) =>
          Effect.map(projectsOf(investor.id, query), (reply) => reply.body.data.map(({ name }) => name))
        assert.deepStrictEqual(yield* namesOf("?status=open"), ["A"])
        assert.deepStrictEqual(yield* namesOf("?status=closed"), ["C"])
        assert.deepStrictEqual(yield* namesOf("?classification=bidder"), ["C"])
        assert.deepStrictEqual(yield* namesOf("?classification=not_contacted&status=closed"), [])
        yield* act(ids[3], "restore")
        yield* removed.restore(removed.id)
        assert.deepStrictEqual(yield* namesOf(""), ["A", "B", "C", "D"])
        // Closed projects keep their list, but a deleted investor has none.
        yield* records.delete(investor.id)
        assert.strictEqual((yield* projectsOf(investor.id)).status, 404)
      })
    )

    it.effect(`are paged, for their own team only (${collection})`, () =>
      Effect.gen(function* () {
        const { investor, on, project, projectsOf } = yield* make
        const stranger = yield* make
        const ids = yield* Effect.forEach(["A", "B", "C", "D", "E"], (name) =>
          Effect.tap(project(name), (id) => on(id))
        )
        const read: Array<string> = []
        let query = "?page_size=2&status=open"
        for (;;) {
          const { body, headers } = yield* projectsOf(investor.id, query)
          read.push(...body.data.map(({ id }) => id))
          assert.isAtMost(body.data.length, 2)
          const { nextCursor } = body.page
          assert.strictEqual(body.page.hasMore, nextCursor !== null)
          assert.strictEqual(headers.get("link")?.includes('rel="next"') ?? false, body.page.hasMore)
          if (nextCursor === null) break
          assert.strictEqual((yield* projectsOf(investor.id, `?page_size=2&cursor=${nextCursor}`)).status, 400)
          query = `?page_size=2&status=open&cursor=${nextCursor}`
        }
        assert.deepStrictEqual(read, ids)
        assert.strictEqual((yield* projectsOf(investor.id, "", stranger.token)).status, 404)
        assert.deepStrictEqual((yield* stranger.projectsOf(stranger.investor.id)).body.data, [])
      })
    )

    it.effect(`redirect from a merged investor to the survivor (${collection})`, () =>
      Effect.gen(function* () {
        const { company, contact, investor, merge, on, project, projectsOf } = yield* make
        const other = collection === "contacts" ? yield* contact({ firstName: "M." }) : yield* company({ name: "M." })
        const id = yield* project()
        const place = yield* on(id)
        yield* merge(collection, other.id, [investor.id])
        const { headers, status } = yield* projectsOf(investor.id, "?status=open")
        assert.deepStrictEqual(
          [status, headers.get("location")],
          [301, `/api/v1/network/${collection}/${other.id}/projects?status=open`]
        )
        assert.deepStrictEqual(
          (yield* projectsOf(other.id)).body.data.map(({ prospectId }) => prospectId),
          [place.id]
        )
      })
    )

    it.effect(`are rejected with unknown parameters (${collection})`, () =>
      Effect.gen(function* () {
        const { investor, projectsOf } = yield* make
        for (const [query, fault] of [
          ["?status=draft", "query /status not_allowed"],
          ["?classification=Bad", "query /classification invalid_classification"],
          ["?page_size=0", "query /page_size out_of_range"],
          ["?state=open", "query /state unknown_parameter"]
        ] as const) {
          const refused = yield* projectsOf(investor.id, query)
          assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, [fault]], query)
        }
        assert.strictEqual((yield* projectsOf(nothing[collection])).status, 404)
      })
    )
  }
})
