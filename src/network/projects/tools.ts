/** The tools that delete contacts and companies: they name the projects that lose them. */
import { Effect, Schema } from "effect"
import { reference, References } from "../../mcp/References.ts"
import * as Tool from "../../mcp/Tool.ts"
import { type AffectedProjects, Deletions } from "./Deletions.ts"

const output = {
  id: Schema.String,
  affected_projects: Schema.Array(Schema.Struct({ id: Schema.String })),
  moreAffectedProjects: Schema.optionalKey(Schema.Boolean)
}

const answerOf = (id: string, { more, projects }: AffectedProjects) => ({
  id,
  affected_projects: projects.map(({ id, name, prospectClassification, prospectId }) => ({
    id,
    name,
    prospectId,
    prospectClassification
  })),
  ...(more ? { moreAffectedProjects: true } : {})
})

const description = (noun: string) =>
  `Deletes a ${noun}, its links, and its entries on the lists of open projects, which affected_projects names (at most 50). Look at them with preview true first.`

/** The tools that delete investors. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const deletions = yield* Deletions
  const { resolve } = yield* References
  return [
    Tool.remove({
      name: "delete_contact",
      title: "Delete a contact",
      description: description("contact"),
      toolset: "network",
      input: { contact: reference("contact") },
      output,
      write: ({ contact }, given) =>
        Effect.flatMap(resolve("contact", "contact", contact), (id) =>
          Effect.map(deletions.ofContact(id, given.request({ about: [id] })), (affected) => answerOf(id, affected))
        )
    }),
    Tool.remove({
      name: "delete_company",
      title: "Delete a company",
      description: description("company"),
      toolset: "network",
      input: { company: reference("company") },
      output,
      write: ({ company }, given) =>
        Effect.flatMap(resolve("company", "company", company), (id) =>
          Effect.map(deletions.ofCompany(id, given.request({ about: [id] })), (affected) => answerOf(id, affected))
        )
    })
  ]
})
