/** A tenant with projects, and the events of their prospects. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../../src/platform/db/Database.ts"
import * as Id from "../../../../src/core/Id.ts"
import type { Payload } from "../../../support/RecordsClient.ts"
import { make } from "../fixture.ts"

/** In the order of their resources. */
export const byResource = <A extends { readonly resource_id: unknown }>(events: ReadonlyArray<A>): ReadonlyArray<A> =>
  events.toSorted((a, b) => (String(a.resource_id) < String(b.resource_id) ? -1 : 1))

/** The extra members of the events of prospects without those that name their subjects, in the order of the prospects. */
export const emitted = (events: ReadonlyArray<Payload>) =>
  byResource(
    events
      .filter(({ event }) => String(event).startsWith("prospect."))
      .map((payload) => {
        const {
          action_id: _number,
          actor_user_id: _user,
          change_initiator: _client,
          timestamp: _time,
          project_id: _project,
          contact_id: _contact,
          company_id: _company,
          // The model (test/deals/prospects/model) tells which causes are expected.
          caused_by: _cause,
          ...special
        } = payload
        return { ...special, resource_id: payload["resource_id"] }
      })
  )

/** The event of a removal from the list. */
export const removal = (id: string) => ({
  event: "prospect.updated",
  resource_type: "prospect",
  resource_id: id,
  changed_fields: ["deleted_at"],
  action: { type: "removed" }
})

/** The event of a deletion. */
export const deletion = (
  id: string,
  options: {
    readonly refs?: ReadonlyArray<{ readonly namespace: string; readonly id: string }>
    readonly into?: string
  } = {}
) => ({
  event: "prospect.deleted",
  resource_type: "prospect",
  resource_id: id,
  external_refs: options.refs ?? [],
  ...(options.into === undefined ? {} : { action: { type: "merged", to: options.into } })
})

/** The tenant. */
export const fixture = Effect.fn("cascades/fixture")(function* () {
  const sql = yield* Database
  const made = yield* make()
  const { ask, prospectsOf } = made
  return {
    ...made,
    /** A new project; its id. */
    project: (name = "Tal") =>
      Effect.map(ask<{ readonly id: string }>("POST", "/api/v1/projects", { name }), ({ body }) => body.id),
    /** Closes a project, opens it again, or undoes its deletion. */
    act: (id: string, what: "close" | "reopen" | "restore") => ask("POST", `/api/v1/projects/${id}/${what}`),
    deleteProject: (id: string) => ask("DELETE", `/api/v1/projects/${id}`),
    /** A new prospect of a project, with a client of it. */
    on: (projectId: string, json: object) =>
      Effect.map(prospectsOf(projectId).add(json), (reply) => {
        assert.strictEqual(reply.status, 201, reply.text)
        const { id } = reply.body
        const prospects = prospectsOf(projectId)
        return { ...prospects, id, now: Effect.map(prospects.get(id), ({ body }) => body) }
      }),
    /** Sets columns of a prospect that no request can. */
    set: (id: string, assignments: string) =>
      Effect.orDie(sql`update prospects set ${sql.literal(assignments)} where id = ${Id.toUuid("prospect", id) ?? ""}`),
    merge: (collection: "contacts" | "companies", id: string, from: ReadonlyArray<string>) =>
      ask("POST", `/api/v1/network/${collection}/${id}/merge`, { from })
  }
})
