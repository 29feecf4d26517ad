/**
 * The tools about investors and their projects: those that delete contacts and companies name the projects that lose them; one updates a
 * prospect and the labels of its contact or company. The other tools of prospects are in `deals/prospects/tools.ts`.
 */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { reference, References } from "../../mcp/References.ts"
import { type AffectedProjects, Deletions } from "./AssociatedProjects.ts"
import { Tags } from "../../core/fields/Text.ts"
import { ProspectPatch } from "../../deals/prospects/Prospect.ts"
import { ProspectUpdates } from "./ProspectUpdates.ts"

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

const labels = (description: string) => Schema.optionalKey(Tags.annotate({ description }))

const { accessExpiry, classification, owner } = ProspectPatch.fields

/** The tool. It needs the `broker` capability. */
export const prospectTools = Effect.gen(function* () {
  const updates = yield* ProspectUpdates
  const { resolve } = yield* References
  return [
    Tool.update({
      name: "update_prospect",
      title: "Update a prospect",
      description: "Changes the members that are sent, all or none. Interest and stage have tools of their own.",
      toolset: "projects",
      input: {
        prospect: reference("prospect"),
        addProjectTags: labels("Labels on the project to add."),
        removeProjectTags: labels("Labels on the project to remove."),
        tags: labels("Labels of the contact or company in the network: the whole list."),
        classification: classification.annotate({
          description: "not_contacted, contacted, interested, bidder or another word."
        }),
        owner: owner.annotate({ description: "user id, or me." }),
        accessExpiry: accessExpiry.annotate({ description: "End of room access: 3d, 2w, 1m or ISO 8601." }),
        externalRefs: Tool.externalRefs
      },
      renamed: { projectTags: "addProjectTags" },
      hints: {
        investor_deleted: "Its contact or company is gone: omit tags."
      },
      output: { id: Schema.String, etag: Schema.String },
      write: Effect.fnUntraced(function* ({ externalRefs, prospect, ...members }, given) {
        const id = yield* resolve("prospect", "prospect", prospect)
        const body = { ...members, ...Tool.refsOf(externalRefs) }
        const updated = yield* updates.update(id, given.request({ about: [id], body }))
        return {
          ...Struct.pick(updated, [
            "id",
            "etag",
            "projectId",
            "classification",
            "interest",
            "projectTags",
            "tags",
            "accessExpiryUtc"
          ]),
          ...(updated.owner === undefined ? {} : { owner: updated.owner }),
          externalRefs: Tool.refTexts(updated.externalRefs)
        }
      })
    })
  ]
})
