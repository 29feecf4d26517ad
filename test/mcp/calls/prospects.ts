import { Effect } from "effect"
import type { Calls, World } from "./Call.ts"
import { aContact } from "./contacts.ts"
import { aProject } from "./projects.ts"

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
  get_prospect: (world) => Effect.map(aProspect(world), ({ prospect }) => ({ prospect })),
  add_prospects: (world) =>
    Effect.map(Effect.all([aProject(world), aContact(world)]), ([project, contact]) => ({
      project,
      contacts: [contact]
    })),
  update_prospect: (world) =>
    Effect.map(aProspect(world), ({ prospect }) => ({
      prospect,
      addProjectTags: ["first-round"],
      tags: ["logistics"],
      classification: "contacted"
    })),
  classify_prospects: (world) =>
    Effect.map(aProspect(world), ({ project, prospect }) => ({
      project,
      prospects: [prospect],
      classification: "contacted",
      note: "Called."
    })),
  set_prospect_interest: (world) => Effect.map(aProspect(world), ({ prospect }) => ({ prospect, interest: "maybe" })),
  override_prospect_stage: (world) =>
    Effect.map(aProspect(world), ({ prospect }) => ({ prospect, stage: "im", reason: "Met at the fair" })),
  add_prospect_task: (world) =>
    Effect.map(aProspect(world), ({ prospect }) => ({ prospect, type: "call", dueDate: "7d" })),
  complete_prospect_task: (world) =>
    Effect.gen(function* () {
      const { project, prospect } = yield* aProspect(world)
      const { body } = yield* world.rest<{ readonly id: string }>(
        "POST",
        `/api/v1/projects/${project}/prospects/${prospect}/tasks`,
        { json: { type: "call", dueDate: "7d" } }
      )
      return { task: body.id }
    })
}
