/** What prospects are classified as, one or many at once (specification, Prospects; decisions §6). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { check, LongText } from "../fields/Text.ts"
import { IdOf } from "../Id.ts"

/** How many prospects are classified at once. */
export const maxClassified = 100

/** A classification: known ones and any other word. */
export const Classification = Schema.String.check(
  check(
    "invalid_classification",
    "Must be 1 to 64 of the characters a to z, 0 to 9 and _.",
    (value: string) => /^[a-z0-9_]{1,64}$/.test(value),
    { pattern: "^[a-z0-9_]{1,64}$" }
  )
).annotate({
  description:
    "`not_contacted`, `contacted`, `interested`, `bidder` or another word of 1 to 64 of the characters a to z, 0 to 9 and _; read back as written, in any order.",
  examples: ["contacted"]
})

/** What bulk classification is asked for. */
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
      description: `The ids of 1 to ${maxClassified} prospects of the project; one that is named twice counts once.`,
      examples: [["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"]]
    }),
  classification: Classification,
  note: Schema.optionalKey(LongText).annotate({
    description: "A comment, which becomes a note on each prospect.",
    examples: ["Called: wants the numbers of 2025 first."]
  })
}).annotate({
  identifier: "ProspectClassify",
  description: "Prospects, and what they are classified as.",
  examples: [
    {
      prospectIds: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"],
      classification: "contacted",
      note: "Called: wants the numbers of 2025 first."
    }
  ]
})

export type ProspectClassify = typeof ProspectClassify.Type

/** What became of prospects that were to be classified. */
export const Classified = Schema.Struct({
  classified: Schema.Array(
    Schema.Struct({
      id: IdOf("prospect"),
      classification: Schema.String.annotate({ examples: ["contacted"] }),
      noteId: Schema.NullOr(IdOf("act")).annotate({ description: "The note with the comment; null without one." })
    })
  ),
  failed: Schema.Array(
    Schema.Struct({
      id: Schema.String.annotate({ description: "As it was sent.", examples: ["prospect_01kb3n7x2ferwt5z8q4j6m9d0c"] }),
      code: OpenEnum(["not_found", "prospect_removed", "note_failed", "internal_error"], "Why, for programs."),
      detail: Schema.String.annotate({
        description: "Why, for people.",
        examples: ["There is no prospect with this id on the project."]
      })
    })
  ).annotate({
    description:
      "Those that could not be classified; of `note_failed`, the classification stays and the note is missing."
  })
}).annotate({ identifier: "ProspectsClassified", description: "What became of each prospect." })
export type Classified = typeof Classified.Type
