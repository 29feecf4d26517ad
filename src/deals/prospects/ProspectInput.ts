/** The bodies and parameters of requests about prospects: additions, patches, filters (docs/behaviour/projects-and-prospects.md#prospects). */
import { Schema } from "effect"
import { ItemEtag } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { check, LongText, OpenEnum, Tag, Tags, Text } from "../../core/fields/Text.ts"
import { Interest, interests, Stage } from "./Prospect.ts"
import { IdOf } from "../../core/Id.ts"
import { Currency, Decimal, maxAmount } from "../../core/fields/Measure.ts"

/** A classification: a known one or any other word. */
export const Classification = Schema.String.check(
  check(
    "invalid_classification",
    "Must be 1 to 64 of the characters a to z, 0 to 9 and _.",
    (value: string) => /^[a-z0-9_]{1,64}$/.test(value),
    { pattern: "^[a-z0-9_]{1,64}$" }
  )
).annotate({
  description:
    "`not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _. It is stored as it is sent and can change in any direction.",
  examples: ["contacted"]
})

const projectTags = Tags.annotate({
  description:
    "The labels of the prospect on this project, each once, in their case; the whole list. Investors do not see them.",
  examples: [["first-round"]]
})

const externalRefs = ExternalRefs.annotate({
  description: "The names of the prospect in other systems; the whole list."
})

const investor = {
  contactId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The id of the contact that is the investor. Send exactly one of `contactId` and `companyId`.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  companyId: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The id of the company that is the investor.",
    examples: [null]
  })
}

/** The body of an addition. */
export const ProspectAdd = Schema.Struct({
  ...investor,
  classification: Schema.optionalKey(Classification),
  projectTags: Schema.optionalKey(projectTags),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectAdd",
  description: "A contact or company to add to the list.",
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

/** The body of a patch. */
export const ProspectPatch = Schema.Struct({
  classification: Schema.optionalKey(Classification),
  interest: Schema.optionalKey(Schema.NullOr(Interest)).annotate({ description: "Null clears it." }),
  stage: Schema.optionalKey(Stage).annotate({
    description:
      "Overrides the stage; later milestones can still raise it. Without a reason, sending the present stage or that of the present override changes nothing."
  }),
  stageReason: Schema.optionalKey(LongText).annotate({
    description: "The reason for the override; only with `stage`.",
    examples: ["Met at the fair"]
  }),
  projectTags: Schema.optionalKey(projectTags),
  owner: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The responsible user: the id of an active member of the team, or `me`; null for none.",
    examples: ["me"]
  }),
  accessExpiry: Schema.optionalKey(Schema.NullOr(Text(64))).annotate({
    description:
      "When the access to the room ends: a number of days, weeks or months (`3d`, `2w`, `1m`), `tomorrow`, `next_week` or `next_month` (as `1d`, `1w`, `1m`), or an ISO 8601 date or date and time, which must be in the future. Only for a prospect that has access to a room. Null clears it.",
    examples: ["2w"]
  }),
  externalRefs: Schema.optionalKey(externalRefs)
}).annotate({
  identifier: "ProspectPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays replace. Read-only members may be sent with their present value.",
  examples: [{ classification: "interested", interest: "interested", owner: "me" }]
})
export type ProspectPatch = typeof ProspectPatch.Type

const names = {
  id: Schema.optionalKey(Schema.String).annotate({
    description:
      "The id of a prospect on the project. Without it, the item means the one with one of its references, or else with its contact or company.",
    examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  ...investor
}

/** The members of an item of an upsert that say which prospect it means. */
export const ProspectNames = Schema.Struct(names)
export type ProspectNames = typeof ProspectNames.Type

/** An item of an upsert. */
export const ProspectUpsert = Schema.Struct({
  ...names,
  etag: ItemEtag,
  ...ProspectPatch.fields,
  contactId: investor.contactId.annotate({
    description:
      "The id of the contact that is the investor. A new prospect needs exactly one of `contactId` and `companyId`; those of one that exists cannot change."
  }),
  externalRefs: Schema.optionalKey(ExternalRefs).annotate({
    description:
      "The names of the prospect in other systems. They replace those of the same namespaces, and leave the others."
  })
}).annotate({
  identifier: "ProspectUpsert",
  description:
    "A prospect to update, to restore or to add. Members as in a patch; read-only members may be sent with their present value.",
  examples: [
    {
      contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      classification: "interested",
      externalRefs: [{ namespace: "hubspot", externalId: "deal-71" }]
    }
  ]
})

/** The parameters of the list; all of them combine. */
export const ProspectListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  capability: Schema.optionalKey(Schema.Literals(["communicated", "accepted", "chat", "invitation"])).annotate({
    description: "List only prospects with this flag."
  }),
  classification: Schema.optionalKey(Classification).annotate({
    description: "List only prospects with this classification."
  }),
  tags: Schema.optionalKey(Schema.Array(Tag)).annotate({
    description: "List only prospects whose contact or company has one of these labels; may be repeated."
  }),
  project_tags: Schema.optionalKey(Schema.Array(Tag)).annotate({
    description: "List only prospects with one of these labels on the project, in any case; may be repeated."
  }),
  interest: Schema.optionalKey(Schema.Literals([...interests, "none"])).annotate({
    description: "List only prospects with this interest; `none` lists those without any."
  }),
  stage: Schema.optionalKey(Stage).annotate({ description: "List only prospects at this stage." }),
  task_due: Schema.optionalKey(Schema.Literals(["overdue", "today", "this_week"])).annotate({
    description:
      "Only those with an open task that is due so, by the calendar in UTC: `overdue` before today, `this_week` from today to Sunday."
  })
})
export type ProspectListQuery = typeof ProspectListQuery.Type

/** The parameters of the list across projects; all of them combine. */
export const AllProspectsQuery = Schema.Struct({
  ...ProspectListQuery.fields,
  project_id: Schema.optionalKey(
    Text(64).annotate({
      description: "List only prospects of this project. An unknown id lists none.",
      examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  )
})
export type AllProspectsQuery = typeof AllProspectsQuery.Type

// Bulk classification (docs/behaviour/projects-and-prospects.md#bulk-classification).

/** The maximum number of prospects to classify at once. */
export const maxClassified = 100

/** The body of a bulk classification. */
export const ProspectClassify = Schema.Struct({
  prospectIds: Schema.Array(Schema.String)
    .check(
      check("too_few", "Must have at least one id.", (ids: ReadonlyArray<string>) => ids.length > 0, { minItems: 1 }),
      check(
        "too_many",
        `Must have at most ${maxClassified} ids.`,
        (ids: ReadonlyArray<string>) => ids.length <= maxClassified,
        {
          maxItems: maxClassified
        }
      )
    )
    .annotate({
      description: `The ids of 1 to ${maxClassified} prospects of the project. Repeated ids are ignored.`,
      examples: [["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]]
    }),
  classification: Classification,
  note: Schema.optionalKey(LongText).annotate({
    description: "A comment, which is added as a note to each prospect.",
    examples: ["Called: wants the numbers of 2025 first."]
  })
}).annotate({
  identifier: "ProspectClassify",
  description: "Prospects and their new classification.",
  examples: [
    {
      prospectIds: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"],
      classification: "contacted",
      note: "Called: wants the numbers of 2025 first."
    }
  ]
})

export type ProspectClassify = typeof ProspectClassify.Type

/** The outcome of a bulk classification. */
export const Classified = Schema.Struct({
  classified: Schema.Array(
    Schema.Struct({
      id: IdOf("prospect"),
      classification: Schema.String.annotate({ examples: ["contacted"] }),
      noteId: Schema.NullOr(IdOf("act")).annotate({
        description: "The id of the note with the comment; null without a comment."
      })
    })
  ),
  failed: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({
        description: "The id as it was sent.",
        examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]
      }),
      code: OpenEnum(["not_found", "prospect_removed", "note_failed", "internal_error"], "The reason, for programs."),
      detail: Schema.String.annotate({
        description: "The reason, for people.",
        examples: ["There is no prospect with this id on the project."]
      })
    })
  ).annotate({
    description:
      "The prospects that were not classified. On `note_failed`, the classification was written, but the note was not."
  })
}).annotate({ identifier: "ProspectsClassified", description: "The outcome for each prospect." })
export type Classified = typeof Classified.Type

// Bids of investors (docs/behaviour/messages.md#moves).

/** A bid to record. */
export const Bid = Schema.Struct({ amount: Decimal({ minimum: 0.01, maximum: maxAmount }), currency: Currency })
export type Bid = typeof Bid.Type

/** The amount for people, as the timeline shows it to the broker. */
export const amountOf = ({ amount, currency }: Bid): string => `${amount} ${currency}`
