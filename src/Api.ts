/** The REST surface: one line per room. */
import { HttpApi } from "effect/http-api"
import { oauth } from "./auth/clients/api.ts"
import { changes } from "./changes/journal/api.ts"
import { companyFiles, contactFiles, files } from "./files/api.ts"
import { DryRunReport } from "./http/Contract.ts"
import { teams } from "./identity/teams/api.ts"
import { identity } from "./identity/users/api.ts"
import { companies } from "./network/companies/api.ts"
import { contacts } from "./network/contacts/api.ts"
import { duplicates } from "./network/duplicates/api.ts"
import { companyNotes, contactNotes } from "./notes/api.ts"
import { merges } from "./network/merges/api.ts"
import { links } from "./network/links/api.ts"
import { deliveries } from "./webhooks/deliveries/api.ts"
import { webhooks } from "./webhooks/endpoints/api.ts"

/** Every operation that the service has. */
export const Api = HttpApi.make("property-network")
  .annotate(HttpApi.AdditionalSchemas, [DryRunReport])
  .add(identity)
  .add(teams)
  .add(contacts)
  .add(companies)
  .add(links)
  .add(duplicates)
  .add(merges)
  .add(contactNotes)
  .add(companyNotes)
  .add(contactFiles)
  .add(companyFiles)
  .add(files)
  .add(webhooks)
  .add(deliveries)
  .add(changes)
  .add(oauth)
