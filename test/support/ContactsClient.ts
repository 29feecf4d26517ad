/** A tenant of a test's own, and a client of its contacts. */
import { Effect } from "effect"
import * as RecordsClient from "./RecordsClient.ts"
import * as Tenant from "./Tenant.ts"
import { TestService } from "./TestService.ts"

/** Where contacts are. */
export const path = RecordsClient.pathOf("contacts")

/** The client. `request` sends anything else. */
export const make = Effect.fn("ContactsClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  return { ...tenant, request, ...(yield* RecordsClient.of("contacts", tenant.token)) }
})
