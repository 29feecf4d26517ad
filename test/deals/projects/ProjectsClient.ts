/** A tenant, and a client of its projects. */
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Project } from "../../../src/deals/projects/Project.ts"
import type { Property } from "../../../src/market/properties/Property.ts"
import { type Row, untilSettled } from "../../support/RecordsClient.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import type * as Tenant from "../../support/Tenant.ts"
import { TestService } from "../../support/TestService.ts"

/** Where projects are. */
export const path = "/api/v1/projects"

type Headers = Record<string, string>

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

/** The UUID of a project. */
export const uuidOf = (id: string) => Id.toUuid("project", id) ?? ""

/** The client. `request` sends anything else; `events` are all payloads of the tenant so far. */
export const make = Effect.fn("ProjectsClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const { baseUrl, request } = yield* TestService
  const tenant = yield* RecordsClient.make(options)
  const { token } = tenant
  const move =
    (name: string) =>
    (id: string, headers: Headers = {}, query = "") =>
      request<Project>("POST", `${path}/${id}/${name}${query}`, { token, headers })
  const create = (json: unknown, headers: Headers = {}, query = "") =>
    request<Project>("POST", `${path}${query}`, { token, json, headers })
  const list = (query = "") => request<Page<Project>>("GET", `${path}${query}`, { token })
  const set = (id: string, column: string) =>
    Effect.asVoid(Effect.orDie(sql`update projects set ${sql.literal(column)} = now() where id = ${uuidOf(id)}`))
  return {
    ...tenant,
    baseUrl,
    list,
    /** The latest writes, tombstones included, once a delta shows all of them. */
    delta: (query = `?updated_since=${yesterday()}&include_deleted=true`) =>
      Effect.andThen(untilSettled("projects"), list(query)),
    get: (id: string, headers: Headers = {}) => request<Project>("GET", `${path}/${id}`, { token, headers }),
    create,
    /** A project of a name, ready to be used. */
    made: (json: object = {}) => Effect.map(create({ name: "Tal", ...json }), ({ body }) => body),
    patch: (id: string, json: unknown, headers: Headers = {}, query = "") =>
      request<Project>("PATCH", `${path}/${id}${query}`, { token, json, headers }),
    delete: (id: string, headers: Headers = {}, query = "") =>
      request("DELETE", `${path}/${id}${query}`, { token, headers }),
    restore: move("restore"),
    close: move("close"),
    reopen: move("reopen"),
    properties: (id: string, query = "") =>
      request<Page<Property>>("GET", `${path}/${id}/properties${query}`, { token }),
    actions: (id: string, query = "") => request<Page<Row>>("GET", `${path}/${id}/actions${query}`, { token }),
    /** Sets the time directly in the database, as if the teaser had been communicated or the project published. */
    markCommunicated: (id: string) => set(id, "communicated_at"),
    markPublished: (id: string) => set(id, "published_at")
  }
})
