/** A tenant of a test's own whose records are deleted and restored. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { NotRestored } from "../../../src/core/records/Restored.ts"
import type { Reply } from "../../support/TestService.ts"
import type { TenantOptions } from "../../support/Tenant.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"

/** The paths of the kinds of records that can be restored. */
export const paths = {
  contact: "/api/v1/network/contacts",
  company: "/api/v1/network/companies",
  link: "/api/v1/network/links",
  property: "/api/v1/properties",
  mandate: "/api/v1/mandates"
} as const

export type Kind = keyof typeof paths

export const kinds = Object.keys(paths) as ReadonlyArray<Kind>

/** Any record, as it is answered. */
export interface AnyRecord {
  readonly id: string
  readonly etag: string
  readonly [member: string]: unknown
}

/** A restored record. */
export interface AnyRestored extends AnyRecord {
  readonly notRestored: ReadonlyArray<NotRestored>
}

/** The client. It asserts the expected status. */
export const make = Effect.fn("restores/fixture.make")(function* (options: TenantOptions = {}) {
  const client = yield* RecordsClient.make(options)
  const { request, token } = client

  const send = <Body = AnyRecord>(method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
    request<Body>(method, path, { token, headers, ...(json === undefined ? {} : { json }) })

  const ok = <Body>(sent: Effect.Effect<Reply<Body>>, ...statuses: Array<number>) =>
    Effect.map(sent, ({ body, status, text }) => {
      assert.oneOf(status, statuses, text)
      return body
    })

  const post = (path: string, json: object) => ok(send("POST", path, json), 200, 201, 204, 207)
  const of = (kind: Kind, id: string) => `${paths[kind]}/${id}`

  const contact = (json: object = {}) => post(`${paths.contact}?force=true`, { firstName: "Anna", ...json })
  const company = (json: object = {}) => post(`${paths.company}?force=true`, { name: "Berg AB", ...json })

  return {
    ...client,
    send,
    post,
    contact,
    company,
    link: (contactId: string, companyId: string, json: object = {}) =>
      post(paths.link, { contactId, companyId, ...json }),
    project: (json: object = {}) => post("/api/v1/projects", { name: "Quartier", ...json }),
    /** Makes a record of any kind. */
    record: (kind: Kind, json: object = {}) =>
      kind === "contact"
        ? contact(json)
        : kind === "company"
          ? company(json)
          : kind === "link"
            ? Effect.gen(function* () {
                const ends = { contactId: (yield* contact()).id, companyId: (yield* company()).id }
                return yield* post(paths.link, { ...ends, jobTitle: "Partner", ...json })
              })
            : post(paths[kind], { name: "Tal", ...json }),
    read: (kind: Kind, id: string) => ok(send("GET", of(kind, id)), 200),
    get: (path: string) => ok(send("GET", path), 200),
    list: (path: string) =>
      Effect.map(ok(send<{ readonly data: ReadonlyArray<AnyRecord> }>("GET", path), 200), ({ data }) => data),
    status: (path: string) => Effect.map(send("GET", path), ({ status }) => status),
    remove: (kind: Kind, id: string, query = "") => ok(send("DELETE", `${of(kind, id)}${query}`), 204),
    patch: (path: string, json: object) => ok(send("PATCH", path, json), 200),
    tryRestore: (kind: Kind, id: string, query = "", headers: Record<string, string> = {}) =>
      send<AnyRestored>("POST", `${of(kind, id)}/restore${query}`, undefined, headers),
    restore: (kind: Kind, id: string, query = "") =>
      ok(send<AnyRestored>("POST", `${of(kind, id)}/restore${query}`), 200),
    batchRestore: (kind: Kind, ids: ReadonlyArray<string>, query = "") =>
      ok(
        send<{
          readonly results: ReadonlyArray<{
            readonly status: string
            readonly id: string
            readonly etag: string | null
            readonly notRestored?: ReadonlyArray<NotRestored>
            readonly problem?: { readonly code: string }
          }>
        }>("POST", `${paths[kind]}/batch/restore${query}`, { ids }),
        207
      ),
    eventTypes: Effect.map(client.events, (events) => events.map((event) => String(event["event"]))),
    /** The events after the first `count`, as `type resource cause`. */
    eventsSince: (count: number) =>
      Effect.map(client.events, (events) =>
        events.slice(count).map((event) => {
          const cause = event["caused_by"] as { readonly event: string } | undefined
          return `${String(event["event"])} ${String(event["resource_id"])}${cause === undefined ? "" : ` ${cause.event}`}`
        })
      ),
    countEvents: Effect.map(client.events, (events) => events.length)
  }
})

/** The code of a refusal. */
export const refusal = ({ body, status }: Reply<unknown>) => [status, (body as { readonly code?: string }).code]

/** A record without the members that a deletion and a restore change. */
export const withoutAudit = ({
  changeOrigin: _1,
  changeType: _2,
  etag: _3,
  notRestored: _4,
  updatedUtc: _5,
  ...members
}: AnyRecord) => members
