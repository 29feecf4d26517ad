/** The requests about questions (docs/behaviour/questions.md). */
import { Schema } from "effect"
import { deltaQuery } from "../../../core/mutation/DeltaList.ts"
import { LongText, Text } from "../../../core/fields/Text.ts"
import { Flag } from "../../../core/usecase/Page.ts"
import { Audience, DraftFormat, QuestionCategory, QuestionPriority, QuestionState } from "./Question.ts"

/** The longest text of a question. */
const QuestionText = Text(4000)

const text = QuestionText.annotate({ description: "The question." })

const category = QuestionCategory.annotate({ description: "What it is about.", examples: ["leases"] })

/** A question of an investor who has access to the room. */
export const QuestionCreate = Schema.Struct({
  text,
  category: Schema.optionalKey(category).annotate({ description: "What it is about. Defaults to `other`." }),
  documentId: Schema.optionalKey(Schema.String).annotate({ description: "The document of the room that it is about." }),
  page: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))).annotate({
    description: "The page of the document."
  })
})
export type QuestionCreate = typeof QuestionCreate.Type

/** A question that the broker asks for a prospect. */
export const QuestionCreateFor = Schema.Struct({
  ...QuestionCreate.fields,
  prospectId: Schema.String.annotate({ description: "The prospect, who has access to the room." })
})
export type QuestionCreateFor = typeof QuestionCreateFor.Type

/** What the broker sets for the questions of a room. */
export const QaSettingsPatch = Schema.Struct({
  enabled: Schema.optionalKey(Schema.Boolean),
  limitPerProspect: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })))
  ),
  deadline: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Null: all of them. */
  categories: Schema.optionalKey(
    Schema.NullOr(Schema.Array(QuestionCategory).check(Schema.isMinLength(1), Schema.isUnique()))
  )
})
export type QaSettingsPatch = typeof QaSettingsPatch.Type

/** The body of a patch. */
export const QuestionPatch = Schema.Struct({
  category: Schema.optionalKey(category),
  priority: Schema.optionalKey(QuestionPriority).annotate({
    description: "How soon it is to be answered. Sets `dueUtc`.",
    examples: ["high"]
  }),
  assignee: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description:
      "Who answers it: the id of an active member of the team, or `me`; null for nobody. May be sent back as answered.",
    examples: ["me"]
  })
}).annotate({
  identifier: "QuestionPatch",
  description:
    "A merge patch (RFC 7396): omitted members stay. Read-only members may be sent with their present value.",
  examples: [{ priority: "high", assignee: "me" }]
})
export type QuestionPatch = typeof QuestionPatch.Type

/** The body of a draft. */
export const DraftAnswerInput = Schema.Struct({
  text: LongText.annotate({
    description: "The draft: 1 to 20,000 characters, without surrounding white space.",
    examples: ["To be confirmed by the property manager."]
  }),
  contentFormat: Schema.optionalKey(DraftFormat).annotate({
    description: "The format of the text. Defaults to `plaintext`.",
    examples: ["plaintext"]
  })
}).annotate({
  identifier: "DraftAnswerInput",
  description: "The draft of an answer, which replaces the one before.",
  examples: [{ text: "To be confirmed by the property manager.", contentFormat: "plaintext" }]
})
export type DraftAnswerInput = typeof DraftAnswerInput.Type

/** An answer to publish. */
export const AnswerInput = Schema.Struct({
  text: LongText,
  audience: Schema.optionalKey(Audience).annotate({ description: "Whom it reaches. Defaults to `asker`." })
})
export type AnswerInput = typeof AnswerInput.Type

/** The query of the list; all parameters combine. */
export const QuestionListQuery = Schema.Struct({
  ...deltaQuery,
  status: Schema.optionalKey(QuestionState).annotate({ description: "List only questions in this state." }),
  category: Schema.optionalKey(QuestionCategory).annotate({ description: "List only questions of this category." }),
  priority: Schema.optionalKey(QuestionPriority).annotate({ description: "List only questions of this priority." }),
  assignee: Schema.optionalKey(Text(64)).annotate({
    description:
      "List only questions assigned to this user: an id, `me`, or `none` for those without. An unknown id lists none.",
    examples: ["me"]
  }),
  overdue: Schema.optionalKey(Flag("List only open and drafted questions whose `dueUtc` has passed."))
})
export type QuestionListQuery = typeof QuestionListQuery.Type
