/** What is sent of prospects: new ones, changes, filters (specification, Prospects; decisions §6). */
import { Schema } from "effect"
import { deltaQuery } from "../changes/DeltaList.ts"
import { ExternalRefQuery, ExternalRefs } from "../externalRefs/ExternalRef.ts"
import { Tags } from "../fields/Tags.ts"
import { LongText, Text } from "../fields/Text.ts"
import { Classification } from "./Classification.ts"
import { Interest, interests, Stage } from "./Prospect.ts"

const projectTags = Tags.annotate({
  description: "The whole list of labels on this project, each once; case is kept. The investor never sees them.",
  examples: [["first-round"]]
})

const externalRefs = ExternalRefs.annotate({ description: "The prospect's names in other systems; the whole list." })

const investor = {
  contactId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The contact who is the investor. Exactly one of `contactId` and `companyId` is needed.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  companyId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The company that is the investor.",
    examples: [null]
  })
}

/** What a prospect is added with. */
export const ProspectAdd = Schema.Struct({
  ...investor,
  classification: Schema.optionalKey(Classification),
  projectTags: Schema.optionalKey(projectTags),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectAdd",
  description: "A contact or a company to be put on the list.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      classification: "contacted",
      projectTags: ["first-round"],
      externalRefs: [{ namespace: "hubspot", externalId: "deal-71" }]
    }
  ]
})
export type ProspectAdd = typeof ProspectAdd.Type

/** What of a prospect can be changed. */
export const ProspectPatch = Schema.Struct({
  classification: Schema.optionalKey(Classification),
  interest: Schema.optionalKey(Schema.NullOr(Interest)).annotate({ description: "Null clears it." }),
  stage: Schema.optionalKey(Stage).annotate({
    description:
      "Corrects the stage by hand; what happens later can still raise it. Without a reason, the present stage and that of the present correction change nothing."
  }),
  stageReason: Schema.optionalKey(LongText).annotate({
    description: "Why the stage is corrected; only with `stage`.",
    examples: ["Met at the fair"]
  }),
  projectTags: Schema.optionalKey(projectTags),
  owner: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "Who looks after it: the id of an active member of the team, or `me`; null for nobody.",
    examples: ["me"]
  }),
  accessExpiry: Schema.optionalKey(Schema.NullOr(Text(64))).annotate({
    description:
      "When access to the room ends: in so many days, weeks or months (`3d`, `2w`, `1m`), `tomorrow`, `next_week` or `next_month` (as `1d`, `1w`, `1m`), or an ISO 8601 date or date and time; in the future. Only for a prospect that has access to a room. Null clears it.",
    examples: ["2w"]
  }),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectPatch",
  description:
    "A merge patch (RFC 7396): omitted leaves, null clears, arrays replace. Read-only members may be sent back with their present value.",
  examples: [{ classification: "interested", interest: "interested", owner: "me" }]
})
export type ProspectPatch = typeof ProspectPatch.Type

/** The parameters of the list; all of them combine. */
export const ProspectListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  capability: Schema.optionalKey(Schema.Literals(["communicated", "accepted", "chat", "invitation"])).annotate({
    description: "Only those with this flag."
  }),
  classification: Schema.optionalKey(Classification).annotate({ description: "Only those classified as this." }),
  tags: Schema.optionalKey(Schema.Array(Text(64))).annotate({
    description: "Only those whose contact or company has one of these labels; may be repeated."
  }),
  project_tags: Schema.optionalKey(Schema.Array(Text(64))).annotate({
    description: "Only those with one of these labels on the project, whatever their case; may be repeated."
  }),
  interest: Schema.optionalKey(Schema.Literals([...interests, "none"])).annotate({
    description: "Only those of this interest; `none`: those without any."
  }),
  stage: Schema.optionalKey(Stage).annotate({ description: "Only those at this stage." }),
  task_due: Schema.optionalKey(Schema.Literals(["overdue", "today", "this_week"])).annotate({
    description:
      "Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday."
  })
})
export type ProspectListQuery = typeof ProspectListQuery.Type
