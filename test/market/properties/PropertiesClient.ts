/** A tenant, and clients of its properties and projects. */
import { Effect } from "effect"
import type { Results } from "../../../src/core/records/Batch.ts"
import type { Property } from "../../../src/market/properties/Property.ts"
import type { DeltaPage, Page } from "../../../src/core/usecase/Page.ts"
import * as ProjectsClient from "../../deals/projects/ProjectsClient.ts"
import { type Row, untilSettled } from "../../support/RecordsClient.ts"
import type * as Tenant from "../../support/Tenant.ts"

/** Where properties are. */
export const path = "/api/v1/properties"

type Headers = Record<string, string>

/** The client. `projects` are those of the same tenant. */
export const make = Effect.fn("PropertiesClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const projects = yield* ProjectsClient.make(options)
  const { events, request, teamId, token, user } = projects
  const create = (json: unknown, headers: Headers = {}) => request<Property>("POST", path, { token, json, headers })
  const batch = (operation: string, json: unknown, query = "") =>
    request<Results<Property>>("POST", `${path}/batch/${operation}${query}`, { token, json })
  return {
    teamId,
    token,
    user,
    request,
    projects,
    /** The payloads of all events so far. */
    events,
    list: (query = "") => request<DeltaPage<Property>>("GET", `${path}${query}`, { token }),
    delta: (query: string) =>
      Effect.andThen(untilSettled("properties"), request<DeltaPage<Property>>("GET", `${path}${query}`, { token })),
    get: (id: string, headers: Headers = {}) => request<Property>("GET", `${path}/${id}`, { token, headers }),
    create,
    /** A property, ready to be used. */
    made: (json: object = {}) => Effect.map(create({ name: "Turm", ...json }), ({ body }) => body),
    patch: (id: string, json: unknown, headers: Headers = {}) =>
      request<Property>("PATCH", `${path}/${id}`, { token, json, headers }),
    delete: (id: string, query = "", headers: Headers = {}) =>
      request("DELETE", `${path}/${id}${query}`, { token, headers }),
    search: (json: unknown) => request<Page<Property>>("POST", `${path}:search`, { token, json }),
    actions: (id: string) => request<Page<Row>>("GET", `${path}/${id}/actions`, { token }),
    batchGet: (ids: unknown) => batch("get", { ids }),
    upsert: (items: unknown) => batch("upsert", { items }),
    batchDelete: (ids: unknown, query = "") => batch("delete", { ids }, query)
  }
})
