/** A question as it is stored, from which its answers follow. */
import type { auditOf } from "../../../core/mutation/Audit.ts"
import type { Audience, DraftFormat, QuestionCategory, QuestionPriority, QuestionState } from "./Question.ts"

/** A user by public id and name. */
export interface NamedUser {
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
  readonly assignee: NamedUser | null
  /** Null once the prospect was purged. */
  readonly asker: { readonly prospectUuid: string; readonly name: string | null } | null
  readonly document: { readonly fileUuid: string; readonly name: string; readonly page: number | null } | null
  readonly asked: Date
  readonly due: Date
  readonly draft: {
    readonly text: string
    readonly format: DraftFormat
    readonly author: NamedUser | null
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
