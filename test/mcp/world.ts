/** A new team with an agent that acts for its user. */
import { Effect } from "effect"
import * as Agent from "../support/Agent.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import type { World } from "./calls/Call.ts"

/** The world of a user who is a broker and an investor, and their agent. */
export const aWorld = Effect.gen(function* () {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make({ broker: "active", investor: "active" })
  const rest: World["rest"] = (method, path, options) => request(method, path, { token: tenant.token, ...options })
  return { ...tenant, rest, agent: yield* Agent.make(tenant.token) }
})
