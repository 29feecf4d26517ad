/** The questions that investors ask in data rooms, and their answers (docs/behaviour/questions.md). */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { auditFields, type auditOf } from "../../../core/mutation/Audit.ts"
import { LongText, OpenEnum, Text } from "../../../core/fields/Text.ts"
import { Timestamp } from "../../../core/fields/Timestamp.ts"
import { IdOf } from "../../../core/Id.ts"
import { NamedUser } from "../../prospects/Prospect.ts"
import { declare, members } from "../../../core/usecase/Problem.ts"
import { questionCategories } from "../Room.ts"
import { deltaQuery } from "../../../core/mutation/DeltaList.ts"
import { Flag } from "../../../core/usecase/Page.ts"

/** What a question is about. */
export const QuestionCategory = Schema.Literals(questionCategories)
export type QuestionCategory = typeof QuestionCategory.Type

/** How soon a question is to be answered. */
export const questionPriorities = ["low", "normal", "high", "urgent"] as const
export const QuestionPriority = Schema.Literals(questionPriorities)
export type QuestionPriority = typeof QuestionPriority.Type

/** The states of a question. */
export const questionStates = ["open", "drafted", "answered", "closed"] as const
export const QuestionState = Schema.Literals(questionStates)
export type QuestionState = typeof QuestionState.Type

/** What is done with a question. */
export const questionMoves = ["update", "draft", "answer", "close"] as const
export const QuestionMove = Schema.Literals(questionMoves)
export type QuestionMove = typeof QuestionMove.Type

/** Whom a published answer reaches. */
export const audiences = ["asker", "all"] as const
export const Audience = Schema.Literals(audiences)
export type Audience = typeof Audience.Type

/** The formats of a draft. */
export const draftFormats = ["plaintext", "markdown"] as const
export const DraftFormat = Schema.Literals(draftFormats)
export type DraftFormat = typeof DraftFormat.Type

/** Members that an investor sees as the broker does. */
const published = {
  id: IdOf("question"),
  roomId: IdOf("room"),
  number: Schema.Int.annotate({
    description: "Its number in the room, counted from 1 without gaps.",
    examples: [12]
  }),
  text: Schema.String.annotate({ examples: ["Which tenants have a right to terminate before 2028?"] }),
  category: OpenEnum(questionCategories, "What it is about."),
  document: Schema.NullOr(
    Schema.Struct({
      fileId: IdOf("file"),
      name: Schema.String.annotate({ examples: ["Rent roll 2026.pdf"] }),
      page: Schema.NullOr(Schema.Int.annotate({ examples: [3] }))
    })
  ).annotate({ description: "The document of the room that it is about; null if it names none." }),
  askedUtc: Timestamp.annotate({ description: "When it was asked." })
}

const Answer = Schema.Struct({
  text: Schema.String.annotate({ examples: ["Only the tenant of the ground floor, in 2027."] }),
  audience: OpenEnum(audiences, "Whom it reaches: the asker, or all investors with access to the room."),
  publishedUtc: Timestamp
}).annotate({ identifier: "Answer", description: "The published answer to a question." })

/** A question. */
export const Question = Schema.Struct({
  ...published,
  priority: OpenEnum(questionPriorities, "How soon it is to be answered."),
  status: OpenEnum(questionStates, "The state of the question."),
  assignee: Schema.NullOr(NamedUser).annotate({ description: "Who answers it; null if nobody is assigned." }),
  askedBy: Schema.NullOr(
    Schema.Struct({
      prospectId: IdOf("prospect"),
      name: Schema.NullOr(Schema.String.annotate({ examples: ["Maria Rossi"] }))
    })
  ).annotate({
    description: "The prospect who asked, by the name of then. No investor sees it. Null once the prospect was purged."
  }),
  dueUtc: Timestamp.annotate({
    description:
      "When it is to be answered: 1 day after it was asked if `urgent`, 3 if `high`, 7 if `normal`, 14 if `low`."
  }),
  draftAnswer: Schema.NullOr(
    Schema.Struct({
      text: Schema.String.annotate({ examples: ["To be confirmed by the property manager."] }),
      contentFormat: OpenEnum(draftFormats, "The format of the text."),
      author: Schema.NullOr(NamedUser).annotate({ description: "Who wrote it last; null if the operator did." }),
      updatedUtc: Timestamp
    }).annotate({ identifier: "DraftAnswer" })
  ).annotate({
    description:
      "The draft of an answer. It is internal: it is never sent, and no investor sees it. Null without one, and once an answer was published."
  }),
  answer: Schema.NullOr(Answer).annotate({ description: "The published answer; null before." }),
  ...auditFields
}).annotate({ identifier: "Question", description: "A question in a data room." })
export type Question = typeof Question.Type

/** A question as the investor sees who asked it. What is not listed here stays with the broker. */
export const AskedQuestion = Schema.Struct({
  ...published,
  status: OpenEnum(["open", "answered", "closed"], "The state of the question. Drafts of answers do not show.")
})
export type AskedQuestion = typeof AskedQuestion.Type

/** 409: the question's state does not allow the move. */
export class QuestionMoveRefused extends HttpApiError.Problem<QuestionMoveRefused>()(
  "QuestionMoveRefused",
  declare("question_move_refused", 409, "The question's state does not allow this."),
  {
    ...members("question_move_refused"),
    from: QuestionState.annotate({ description: "The question's present state." }),
    move: QuestionMove.annotate({ description: "The refused move." })
  }
) {}

/** 409: the room takes no questions. */
export class QuestionsNotTaken extends HttpApiError.Problem<QuestionsNotTaken>()(
  "QuestionsNotTaken",
  declare("questions_not_taken", 409, "The room takes no questions."),
  members("questions_not_taken")
) {}

/** 409: the prospect has asked as many questions as the room allows. */
export class QuestionLimitReached extends HttpApiError.Problem<QuestionLimitReached>()(
  "QuestionLimitReached",
  declare("question_limit_reached", 409, "The prospect has asked as many questions as the room allows."),
  { ...members("question_limit_reached"), limit: Schema.Int.annotate({ description: "The number per prospect." }) }
) {}

/** 409: the prospect for whom the broker asks has no access to the room. */
export class NoRoomAccess extends HttpApiError.Problem<NoRoomAccess>()(
  "NoRoomAccess",
  declare("no_room_access", 409, "The prospect has no access to the room."),
  members("no_room_access")
) {}

/** 409: the asker has no access to the room any more, so that the answer would reach nobody. */
export class AskerWithoutAccess extends HttpApiError.Problem<AskerWithoutAccess>()(
  "AskerWithoutAccess",
  declare("asker_without_access", 409, "The asker has no access to the room."),
  members("asker_without_access")
) {}

// The requests about questions (docs/behaviour/questions.md).

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

// A question as it is stored, from which its answers follow.

/** A user by public id and name. */
export interface UserOfQuestion {
  readonly id: string
  readonly name: string
}

/** A question as it is stored. Ids are UUIDs, except those of users. */
export interface StoredQuestion {
  readonly uuid: string
  readonly roomUuid: string
  readonly number: number
  readonly text: string
  readonly category: QuestionCategory
  readonly priority: QuestionPriority
  readonly state: QuestionState
  readonly assignee: UserOfQuestion | null
  /** Null once the prospect was purged. */
  readonly asker: { readonly prospectUuid: string; readonly name: string | null } | null
  readonly document: { readonly fileUuid: string; readonly name: string; readonly page: number | null } | null
  readonly asked: Date
  readonly due: Date
  readonly draft: {
    readonly text: string
    readonly format: DraftFormat
    readonly author: UserOfQuestion | null
    readonly updated: Date
  } | null
  readonly answer: { readonly text: string; readonly audience: Audience; readonly published: Date } | null
  readonly audit: ReturnType<typeof auditOf>
}

/** How many questions of a room are in which state. */
export interface QuestionCounts {
  readonly open: number
  readonly drafted: number
  readonly answered: number
  readonly overdue: number
}
