/** A new tenant with a client of its contacts. */
import { Effect } from "effect"
import * as RecordsClient from "./RecordsClient.ts"
import * as Tenant from "./Tenant.ts"
import { TestService } from "./TestService.ts"

/** The path of contacts. */
export const path = RecordsClient.pathOf("contacts")

/** Creates the tenant and its client. `request` sends other requests. */
export const make = Effect.fn("ContactsClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  return { ...tenant, request, ...(yield* RecordsClient.of("contacts", tenant.token)) }
})
