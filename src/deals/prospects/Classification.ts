/** Classifications of prospects, and bulk classification (docs/behaviour/projects-and-prospects.md#classification). */
import { Schema } from "effect"
import { check, LongText, OpenEnum } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"

/** The maximum number of prospects to classify at once. */
export const maxClassified = 100

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
