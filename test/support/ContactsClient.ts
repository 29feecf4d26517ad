/** A tenant of a test's own, and a client of its contacts. */
import { Effect } from "effect"
import type { Page } from "../../src/http/Page.ts"
import type { Contact } from "../../src/network/contacts/Contact.ts"
import * as Tenant from "./Tenant.ts"
import { TestService } from "./TestService.ts"

/** Where contacts are. */
export const path = "/api/v1/network/contacts"

/** The client. `request` sends anything else. */
export const make = Effect.fn("ContactsClient.make")(function*(options: Tenant.TenantOptions = {}) {
  const service = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  return {
    ...tenant,
    request: service.request,
    list: (query = "", headers = {}) => service.request<Page<Contact>>("GET", `${path}${query}`, { token, headers }),
    get: (id: string, headers = {}) => service.request<Contact>("GET", `${path}/${id}`, { token, headers }),
    create: (json: unknown, headers = {}, query = "") =>
      service.request<Contact>("POST", `${path}${query}`, { token, json, headers }),
    patch: (id: string, json: unknown, headers = {}, query = "") =>
      service.request<Contact>("PATCH", `${path}/${id}${query}`, { token, json, headers }),
    remove: (id: string, headers = {}) => service.request("DELETE", `${path}/${id}`, { token, headers })
  }
})
