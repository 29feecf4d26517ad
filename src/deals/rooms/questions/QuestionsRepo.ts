/** The SQL of questions, scoped by team. */
import * as Id from "../../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment, Statement } from "effect/sql/Statement"
import { type AuditColumns, auditOf } from "../../../core/mutation/Audit.ts"
import type { Change } from "../../../core/mutation/Changes.ts"
import type { Range } from "../../../core/mutation/DeltaList.ts"
import { makeDeltaPage } from "../../../core/mutation/Delta.ts"
import { makeUserNames } from "../../../core/mutation/Timelines.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import { nextVersionColumns } from "../../../core/records/RecordTable.ts"
import type {
  Audience,
  DraftFormat,
  QuestionCategory,
  QuestionCounts,
  QuestionPriority,
  QuestionState,
  StoredQuestion,
  UserOfQuestion
} from "./Question.ts"
import type { QaSettings, Triage, WantedAnswer } from "./rules.ts"
import { questionCategories } from "../Room.ts"

/** A question to insert. Ids are UUIDs. */
export interface NewQuestion extends Pick<
  StoredQuestion,
  "uuid" | "roomUuid" | "text" | "category" | "priority" | "document" | "due"
> {
  readonly projectUuid: string
  readonly asker: { readonly prospectUuid: string; readonly name: string | null }
}

/** The filters of a list. */
export interface QuestionFilters {
  readonly state: QuestionState | undefined
  readonly category: QuestionCategory | undefined
  readonly priority: QuestionPriority | undefined
  /** A UUID, `none` for questions without one, or null for a user who does not exist. */
  readonly assignee: string | null | undefined
  /** Only what was due before this time, and still waits. */
  readonly overdueAt: Date | undefined
}

interface Row extends AuditColumns {
  readonly id: string
  readonly room_id: string
  readonly number: number
  readonly text: string
  readonly category: QuestionCategory
  readonly priority: QuestionPriority
  readonly state: QuestionState
  readonly assignee_id: string | null
  readonly assignee_name: string | null
  readonly prospect_id: string | null
  readonly asker_name: string | null
  readonly document_id: string | null
  readonly document_name: string | null
  readonly document_page: number | null
  readonly due_at: Date
  readonly draft_text: string | null
  readonly draft_format: DraftFormat | null
  readonly draft_author_id: string | null
  readonly draft_author_name: string | null
  readonly drafted_at: Date | null
  readonly answer_text: string | null
  readonly answer_audience: Audience | null
  readonly answered_at: Date | null
}

const columnNames: ReadonlyArray<keyof Row> = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "deleted_at",
  "change_type",
  "change_origin",
  "room_id",
  "number",
  "text",
  "category",
  "priority",
  "state",
  "assignee_id",
  "assignee_name",
  "prospect_id",
  "asker_name",
  "document_id",
  "document_name",
  "document_page",
  "due_at",
  "draft_text",
  "draft_format",
  "draft_author_id",
  "draft_author_name",
  "drafted_at",
  "answer_text",
  "answer_audience",
  "answered_at"
]

/** The users that a row refers to, each with the member of the name. */
const userMembers = [
  ["assignee_id", "assignee_name"],
  ["draft_author_id", "draft_author_name"]
] as const

/** {@link userMembers} in the values of a row. */
const userIndexes = userMembers.map(([user, name]) => [columnNames.indexOf(user), columnNames.indexOf(name)] as const)

/** A row of its values, in the order of its columns. */
const rowOf = (values: ReadonlyArray<unknown>): Row =>
  Object.fromEntries(columnNames.map((name, index) => [name, values[index]])) as { [Name in keyof Row]: Row[Name] }

const userOf = (id: string | null, name: string | null): UserOfQuestion | null =>
  id === null || name === null ? null : { id: Id.fromUuid("user", id), name }

const draftOf = ({ draft_author_id, draft_author_name, draft_format, draft_text, drafted_at }: Row) =>
  draft_text === null || draft_format === null || drafted_at === null
    ? null
    : {
        text: draft_text,
        format: draft_format,
        author: userOf(draft_author_id, draft_author_name),
        updated: drafted_at
      }

const answerOf = ({ answer_audience, answer_text, answered_at }: Row) =>
  answer_text === null || answer_audience === null || answered_at === null
    ? null
    : { text: answer_text, audience: answer_audience, published: answered_at }

const toStored = (row: Row): StoredQuestion => ({
  uuid: row.id,
  roomUuid: row.room_id,
  number: row.number,
  text: row.text,
  category: row.category,
  priority: row.priority,
  state: row.state,
  assignee: userOf(row.assignee_id, row.assignee_name),
  asker: row.prospect_id === null ? null : { prospectUuid: row.prospect_id, name: row.asker_name },
  document:
    row.document_id === null || row.document_name === null
      ? null
      : { fileUuid: row.document_id, name: row.document_name, page: row.document_page },
  asked: row.created_at,
  due: row.due_at,
  draft: draftOf(row),
  answer: answerOf(row),
  audit: auditOf(row)
})

/** How many questions of a prospect that wait are read. */
const maxWaiting = 100

const make = Effect.gen(function* () {
  const sql = yield* Database
  const readPage = yield* makeDeltaPage
  const names = yield* makeUserNames

  /** The columns of a row, in the order of `columnNames`, with the names of its users. */
  const columns = sql`
    id, version::text, created_at, updated_at, deleted_at, change_type, change_origin, room_id, number, text, category,
    priority, state, assignee_id, ${names.of("questions.assignee_id")} as assignee_name, prospect_id, asker_name, document_id,
    document_name, document_page, due_at, draft_text, draft_format, draft_author_id,
    ${names.of("questions.draft_author_id")} as draft_author_name, drafted_at, answer_text, answer_audience, answered_at`

  /** Runs a statement that returns `columns`. */
  const rowsOf = (statement: Statement<Row>) =>
    Effect.flatMap(orDie(statement), (rows) => names.complete(rows, userMembers))

  /** A living question of a team. */
  const find = Effect.fn("QuestionsRepo.find")(function* (teamId: string, uuid: string) {
    const [row] = yield* rowsOf(sql<Row>`
      select ${columns} from questions where team_id = ${teamId} and id = ${uuid} and deleted_at is null`)
    return row === undefined ? undefined : toStored(row)
  })

  /** As `find`, and locks the question until the transaction ends. */
  const lock = Effect.fn("QuestionsRepo.lock")(function* (teamId: string, uuid: string) {
    const [row] = yield* rowsOf(sql<Row>`
      select ${columns} from questions where team_id = ${teamId} and id = ${uuid} and deleted_at is null for update`)
    return row === undefined ? undefined : toStored(row)
  })

  const isWaiting = sql`state in ('open', 'drafted')`

  const filtersOf = ({ assignee, category, overdueAt, priority, state }: QuestionFilters): ReadonlyArray<Fragment> => [
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(category === undefined ? [] : [sql`category = ${category}`]),
    ...(priority === undefined ? [] : [sql`priority = ${priority}`]),
    ...(assignee === undefined
      ? []
      : [assignee === "none" ? sql`assignee_id is null` : sql`assignee_id = ${assignee}::uuid`]),
    ...(overdueAt === undefined ? [] : [sql`${isWaiting} and due_at < ${overdueAt}`])
  ]

  /** A range of the questions of a room. */
  const list = Effect.fn("QuestionsRepo.list")((
    teamId: string,
    roomUuid: string,
    range: Range,
    filters: QuestionFilters
  ) => {
    const wanted = filtersOf(filters)
    return readPage({
      from: { name: "questions", type: "question", teamId, within: { column: "room_id", uuid: roomUuid } },
      range,
      selected: columns,
      conditions: [sql`deleted_at is null`, ...wanted],
      toRow: (values) => toStored(rowOf(values)),
      ...(sql.cells === undefined ? {} : { complete: (found) => names.complete(found, userIndexes) }),
      // Planned for its values: the best index depends on how common they are.
      unprepared: wanted.length > 0
    })
  })

  /** Adds an open question with the next number of its room, which is locked. */
  const insert = Effect.fn("QuestionsRepo.insert")(function* (change: Change, question: NewQuestion) {
    const { actor, at, transactionId } = change
    const { asker, document } = question
    const [row] = yield* rowsOf(sql<Row>`
      insert into questions (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, room_id,
        number, text, category, priority, prospect_id, asker_name, document_id, document_name, document_page, due_at
      )
      select ${question.uuid}::uuid, ${actor.teamId}::uuid, 1, ${transactionId}::xid8, ${at}::timestamptz, ${at}::timestamptz, 'created',
        ${actor.origin}, ${question.projectUuid}::uuid, ${question.roomUuid}::uuid, coalesce(max(number), 0) + 1,
        ${question.text}, ${question.category}, ${question.priority}, ${asker.prospectUuid}::uuid, ${asker.name},
        ${document?.fileUuid ?? null}::uuid, ${document?.name ?? null}, ${document?.page ?? null}::int, ${question.due}::timestamptz
      from questions where room_id = ${question.roomUuid} and team_id = ${actor.teamId}
      returning ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("the question was not inserted")) : toStored(row)
  })

  /** Writes the next version of a locked question. */
  const write = Effect.fnUntraced(function* (change: Change, uuid: string, assignments: Fragment) {
    const [row] = yield* rowsOf(sql<Row>`
      update questions set ${assignments}, ${nextVersionColumns(sql, "questions", change, "updated")}
      where id = ${uuid} and team_id = ${change.actor.teamId} returning ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("the question was not written")) : toStored(row)
  })

  /** Writes the members of a locked question that patches change. */
  const update = Effect.fn("QuestionsRepo.update")(
    (change: Change, uuid: string, { assigneeUuid, category, due, priority }: Triage & { readonly due: Date }) =>
      write(
        change,
        uuid,
        sql`category = ${category}, priority = ${priority}, assignee_id = ${assigneeUuid}, due_at = ${due}`
      )
  )

  /** Writes the draft of the answer to a locked question. */
  const draft = Effect.fn("QuestionsRepo.draft")(
    (change: Change, uuid: string, { format, text }: { readonly text: string; readonly format: DraftFormat }) =>
      write(
        change,
        uuid,
        sql`state = 'drafted', draft_text = ${text}, draft_format = ${format},
          draft_author_id = ${change.actor.userId}, drafted_at = ${change.at}`
      )
  )

  /** Writes the answer to a locked question, which replaces its draft. */
  const answer = Effect.fn("QuestionsRepo.answer")((change: Change, uuid: string, { audience, text }: WantedAnswer) =>
    write(
      change,
      uuid,
      sql`state = 'answered', answer_text = ${text}, answer_audience = ${audience}, answered_at = ${change.at},
        draft_text = null, draft_format = null, draft_author_id = null, drafted_at = null`
    )
  )

  /** Closes a locked question. */
  const close = Effect.fn("QuestionsRepo.close")((change: Change, uuid: string) =>
    write(change, uuid, sql`state = 'closed'`)
  )

  /** How many questions of a room a prospect has asked. */
  const countOf = Effect.fn("QuestionsRepo.countOf")(function* (
    teamId: string,
    roomUuid: string,
    prospectUuid: string
  ): Effect.fn.Return<number> {
    const [row] = yield* orDie(sql<{ readonly count: number }>`
      select count(*)::int as count from questions
      where team_id = ${teamId} and room_id = ${roomUuid} and prospect_id = ${prospectUuid} and deleted_at is null`)
    return row?.count ?? 0
  })

  /** The numbers of a room's questions by state, and of those that are overdue at `now`. */
  const counts = Effect.fn("QuestionsRepo.counts")(function* (
    teamId: string,
    roomUuid: string,
    now: Date
  ): Effect.fn.Return<QuestionCounts> {
    const [row] = yield* orDie(sql<QuestionCounts>`
      select count(*) filter (where state = 'open')::int as open,
        count(*) filter (where state = 'drafted')::int as drafted,
        count(*) filter (where state = 'answered')::int as answered,
        count(*) filter (where ${isWaiting} and due_at < ${now})::int as overdue
      from questions where team_id = ${teamId} and room_id = ${roomUuid} and deleted_at is null`)
    return row ?? { open: 0, drafted: 0, answered: 0, overdue: 0 }
  })

  /** Deletes the questions of a project that is deleted. */
  const deleteAll = Effect.fn("QuestionsRepo.deleteAll")(function* (change: Change, projectUuid: string) {
    yield* orDie(sql`
      update questions set ${nextVersionColumns(sql, "questions", change, "deleted")}, deleted_at = ${change.at}
      where team_id = ${change.actor.teamId} and project_id = ${projectUuid} and deleted_at is null`)
  })

  /** Brings back the questions of a project that is restored. */
  const restoreAll = Effect.fn("QuestionsRepo.restoreAll")(function* (change: Change, projectUuid: string) {
    yield* orDie(sql`
      update questions set ${nextVersionColumns(sql, "questions", change, "restored")}, deleted_at = null
      where team_id = ${change.actor.teamId} and project_id = ${projectUuid} and deleted_at is not null`)
  })

  /** Moves the questions of merged prospects to those that they become (UUIDs). */
  const moveAsked = Effect.fn("QuestionsRepo.moveAsked")(function* (
    change: Change,
    moves: ReadonlyArray<{ readonly from: string; readonly to: string }>
  ) {
    if (moves.length === 0) return
    yield* orDie(sql`
      update questions set prospect_id = moving.goal, ${nextVersionColumns(sql, "questions", change, "updated")}
      from unnest(${moves.map(({ from }) => from)}::uuid[], ${moves.map(({ to }) => to)}::uuid[])
        as moving (origin, goal)
      where questions.team_id = ${change.actor.teamId} and questions.prospect_id = moving.origin`)
  })

  /** The questions of a prospect in a room that wait for an answer, the oldest first. */
  const waitingOf = Effect.fn("QuestionsRepo.waitingOf")(function* (
    teamId: string,
    roomUuid: string,
    prospectUuid: string
  ) {
    return yield* orDie(sql<{ readonly id: string; readonly text: string; readonly created_at: Date }>`
      select id, text, created_at from questions
      where team_id = ${teamId} and room_id = ${roomUuid} and prospect_id = ${prospectUuid} and deleted_at is null
        and state in ('open', 'drafted')
      order by created_at, id limit ${maxWaiting}`)
  })

  return {
    find,
    lock,
    list,
    insert,
    update,
    draft,
    answer,
    close,
    countOf,
    waitingOf,
    counts,
    deleteAll,
    restoreAll,
    moveAsked
  }
})

/** The questions of teams. */
export class QuestionsRepo extends Context.Service<QuestionsRepo, Effect.Success<typeof make>>()(
  "deals/rooms/questions/QuestionsRepo"
) {
  static readonly layer = Layer.effect(QuestionsRepo, make)
}

// The SQL of what a room keeps about its questions, scoped by team.

interface QaRow {
  readonly qa_enabled: boolean
  readonly qa_limit_per_prospect: number | null
  readonly qa_deadline: Date | null
  readonly qa_categories: ReadonlyArray<QuestionCategory> | null
}

const toSettings = (row: QaRow): QaSettings => ({
  enabled: row.qa_enabled,
  limitPerProspect: row.qa_limit_per_prospect,
  deadline: row.qa_deadline,
  categories: row.qa_categories ?? questionCategories
})

const makeQa = Effect.gen(function* () {
  const sql = yield* Database

  /** What was set for the questions of a room. */
  const settingsOf = Effect.fn("QaRepo.settingsOf")(function* (teamId: string, roomUuid: string) {
    const [row] = yield* orDie(sql<QaRow>`
      select qa_enabled, qa_limit_per_prospect, qa_deadline, qa_categories
      from rooms where team_id = ${teamId} and id = ${roomUuid}`)
    return row === undefined ? yield* Effect.die(new Error("the room is gone")) : toSettings(row)
  })

  /** Sets them on a locked room. */
  const write = Effect.fn("QaRepo.write")(function* (change: Change, roomUuid: string, settings: QaSettings) {
    const { categories, deadline, enabled, limitPerProspect } = settings
    const all = questionCategories.every((category) => categories.includes(category))
    yield* orDie(sql`
      update rooms set qa_enabled = ${enabled}, qa_limit_per_prospect = ${limitPerProspect}, qa_deadline = ${deadline},
        qa_categories = ${all ? null : categories}, ${nextVersionColumns(sql, "rooms", change, "updated")}
      where team_id = ${change.actor.teamId} and id = ${roomUuid}`)
  })

  /** Makes the next version of a locked room, whose questions changed; `opened` is the change of its open ones. */
  const follow = Effect.fn("QaRepo.follow")(function* (change: Change, roomUuid: string, opened: -1 | 0 | 1) {
    yield* orDie(sql`
      update rooms set open_question_count = open_question_count + ${opened},
        ${nextVersionColumns(sql, "rooms", change, "updated")}
      where team_id = ${change.actor.teamId} and id = ${roomUuid}`)
  })

  return { settingsOf, write, follow }
})

/** What rooms keep about their questions. */
export class QaRepo extends Context.Service<QaRepo, Effect.Success<typeof makeQa>>()("deals/rooms/questions/QaRepo") {
  static readonly layer = Layer.effect(QaRepo, makeQa)
}
