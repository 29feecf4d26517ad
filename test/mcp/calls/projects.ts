import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { Calls, World } from "./Call.ts"

/** A new project of the world. */
export const aProject = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/projects", { json: { name: `Portfolio ${randomUUID()}` } }),
    ({ body }) => body.id
  )

export const projects: Calls = {
  list_projects: () => Effect.succeed({}),
  get_project: (world) => Effect.map(aProject(world), (project) => ({ project })),
  create_project: () => Effect.succeed({ name: `Portfolio ${randomUUID()}` }),
  update_project: (world) => Effect.map(aProject(world), (project) => ({ project, exclusivity: "exclusive" }))
}
