/** The REST surface: one line per room. */
import { HttpApi } from "effect/http-api"
import { oauth } from "./auth/clients/api.ts"
import { DryRunReport } from "./http/Contract.ts"
import { teams } from "./identity/teams/api.ts"
import { identity } from "./identity/users/api.ts"
import { contacts } from "./network/contacts/api.ts"
import { deliveries } from "./webhooks/deliveries/api.ts"
import { webhooks } from "./webhooks/endpoints/api.ts"

/** Every operation that the service has. */
export const Api = HttpApi.make("property-network")
  .annotate(HttpApi.AdditionalSchemas, [DryRunReport])
  .add(identity)
  .add(teams)
  .add(contacts)
  .add(webhooks)
  .add(deliveries)
  .add(oauth)
