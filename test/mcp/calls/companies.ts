import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Calls, World } from "./Call.ts"

/** A new company of the world. */
export const aCompany = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/network/companies", { json: { name: `Rossi ${randomUUID()}` } }),
    ({ body }) => body.id
  )

export const companies: Calls = {
  list_companies: () => Effect.succeed({}),
  get_company: (world) => Effect.map(aCompany(world), (company) => ({ company })),
  create_company: () => Effect.succeed({ name: `Rossi ${randomUUID()}` }),
  update_company: (world) => Effect.map(aCompany(world), (company) => ({ company, strategy: "Logistics" }))
}
