/** The tool that updates a prospect and the labels of its contact or company. The others of prospects are in `prospects/tools.ts`. */
import * as Arguments from "../../mcp/arguments.ts"
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { Tags } from "../../core/fields/Text.ts"
import { reference, References } from "../../mcp/References.ts"
import { ProspectPatch } from "../../deals/prospects/ProspectInput.ts"
import { ProspectUpdates } from "./ProspectUpdates.ts"

const labels = (description: string) => Schema.optionalKey(Tags.annotate({ description }))

const { accessExpiry, classification, owner } = ProspectPatch.fields

/** The tool. It needs the `broker` capability. */
export const tools = Effect.gen(function* () {
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
        externalRefs: Arguments.externalRefs
      },
      renamed: { projectTags: "addProjectTags" },
      hints: {
        investor_deleted: "Its contact or company is gone: omit tags."
      },
      output: { id: Schema.String, etag: Schema.String },
      write: Effect.fnUntraced(function* ({ externalRefs, prospect, ...members }, given) {
        const id = yield* resolve("prospect", "prospect", prospect)
        const body = { ...members, ...Arguments.refsOf(externalRefs) }
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
          externalRefs: Arguments.refTexts(updated.externalRefs)
        }
      })
    })
  ]
})
