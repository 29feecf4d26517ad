import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Calls, World } from "./Call.ts"
import { aCompany } from "./companies.ts"

/** A new contact of the world. */
export const aContact = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
      json: { firstName: "Anna", email: `${randomUUID()}@example.com` }
    }),
    ({ body }) => body.id
  )

export const contacts: Calls = {
  list_contacts: () => Effect.succeed({}),
  get_contact: (world) => Effect.map(aContact(world), (contact) => ({ contact })),
  create_contact: () => Effect.succeed({ lastName: "Berg", email: `${randomUUID()}@example.com` }),
  update_contact: (world) => Effect.map(aContact(world), (contact) => ({ contact, strategy: "Logistics" })),
  delete_contact: (world) => Effect.map(aContact(world), (contact) => ({ contact })),
  delete_company: (world) => Effect.map(aCompany(world), (company) => ({ company }))
}
