/** A tenant with a contact and a company. */
import { Effect } from "effect"
import * as RecordsClient from "../../support/RecordsClient.ts"

/** The client of a tenant, and the two ids as a link has them. */
export const aPair = Effect.gen(function* () {
  const client = yield* RecordsClient.make()
  const contact = yield* client.contacts.create({ firstName: "Anna" })
  const company = yield* client.companies.create({ name: "Berg" })
  return { ...client, ends: { contactId: contact.body.id, companyId: company.body.id } }
})
