import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Calls, World } from "./Call.ts"
import { aContact } from "./contacts.ts"

/** A new project of the world. */
const aProject = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/projects", { json: { name: `Quartier ${randomUUID()}` } }),
    ({ body }) => body.id
  )

/** A new prospect on a new project of the world. */
export const aProspect = (world: World) =>
  Effect.gen(function* () {
    const [project, contactId] = [yield* aProject(world), yield* aContact(world)]
    const { body } = yield* world.rest<{ readonly id: string }>("POST", `/api/v1/projects/${project}/prospects`, {
      json: { contactId }
    })
    return { project, prospect: body.id }
  })

export const prospects: Calls = {
  list_prospects: (world) => Effect.map(aProspect(world), ({ project }) => ({ project })),
  get_prospect: (world) => Effect.map(aProspect(world), ({ prospect }) => ({ prospect }))
}
