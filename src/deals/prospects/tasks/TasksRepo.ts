/** The SQL of follow-up tasks, scoped by team. */
import * as Id from "../../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql/Statement"
import { type AuditColumns, auditOf } from "../../../core/mutation/Audit.ts"
import type { Change } from "../../../core/mutation/Changes.ts"
import type { Range } from "../../../core/mutation/DeltaList.ts"
import { makeDeltaPage } from "../../../core/mutation/Delta.ts"
import { makeUserNames } from "../../../core/mutation/Timelines.ts"
import { daysAfter, type DueDates } from "../projection.ts"
import { arrayParameter, averageTeamId } from "../../../platform/db/SetStatements.ts"
import { Database } from "../../../platform/db/Database.ts"
import { orDie } from "../../../platform/db/DatabaseUnavailable.ts"
import type { ProspectRef, StoredNextTask } from "../Prospect.ts"
import { nextVersionColumns } from "../../../core/records/RecordTable.ts"
import type { TaskContent } from "./rules.ts"
import type { TaskState, TaskType } from "./Task.ts"

/** A user by id and name. */
interface NamedUser {
  readonly id: string
  readonly name: string
}

/** A task as it is stored: `uuid` is its own, other ids are public ones; `due` is `YYYY-MM-DD` in UTC. */
export interface StoredTask {
  readonly uuid: string
  readonly prospect: ProspectRef
  readonly type: string
  readonly due: string
  readonly assignee: NamedUser
  readonly note: string | null
  readonly state: TaskState
  readonly createdBy: NamedUser | null
  /** When it was completed or canceled, and by whom; null while it is open. */
  readonly endedUtc: string | null
  readonly endedBy: NamedUser | null
  readonly activityId: string
  readonly audit: ReturnType<typeof auditOf>
}

/** A task to insert. Ids are UUIDs. */
export interface NewTask {
  readonly uuid: string
  readonly prospect: ProspectRef
  readonly type: TaskType
  readonly due: string
  readonly assigneeUuid: string
  readonly note: string | null
  /** The UUID of its row on the timeline. */
  readonly actionUuid: string
}

/** A reference to a task: its own UUID, or that of its row on the timeline. */
export type TaskRef = { readonly task: string } | { readonly action: string }

/** The filters of a list across projects; null is an id that nothing has. */
export interface TaskFilters {
  readonly state: TaskState | undefined
  readonly assigneeUuid: string | null | undefined
  readonly projectUuid: string | null | undefined
  /** Of open tasks. */
  readonly due: DueDates | undefined
}

/** The members of a prospect about its tasks. */
export interface TaskSummary {
  readonly openTaskCount: number
  readonly nextTask: StoredNextTask | null
}

/** The summary without open tasks. */
export const noTasks: TaskSummary = { openTaskCount: 0, nextTask: null }

interface Row extends AuditColumns {
  readonly id: string
  readonly project_id: string
  readonly prospect_id: string
  readonly type: string
  /** The day, from 1970-01-01: its text depends on a setting, which Citus does not take in an insert. */
  readonly due_day: number
  readonly assignee_id: string
  readonly assignee_name: string
  readonly note: string | null
  readonly state: TaskState
  readonly created_by: string | null
  readonly creator_name: string | null
  readonly ended_at: Date | null
  readonly ended_by: string | null
  readonly ender_name: string | null
  readonly added_action_id: string
}

const columnNames: ReadonlyArray<keyof Row> = [
  "id",
  "version",
  "created_at",
  "updated_at",
  "deleted_at",
  "change_type",
  "change_origin",
  "project_id",
  "prospect_id",
  "type",
  "due_day",
  "assignee_id",
  "assignee_name",
  "note",
  "state",
  "created_by",
  "creator_name",
  "ended_at",
  "ended_by",
  "ender_name",
  "added_action_id"
]

/** The users that a row refers to, each with the member of the name. */
const userMembers = [
  ["assignee_id", "assignee_name"],
  ["created_by", "creator_name"],
  ["ended_by", "ender_name"]
] as const

/** {@link userMembers} in the values of a row. */
const userIndexes = userMembers.map(([user, name]) => [columnNames.indexOf(user), columnNames.indexOf(name)] as const)

/** A row of its values, in the order of its columns. */
const rowOf = (values: ReadonlyArray<unknown>): Row =>
  Object.fromEntries(columnNames.map((name, index) => [name, values[index]])) as { [Name in keyof Row]: Row[Name] }

const personOf = (id: string | null, name: string | null): NamedUser | null =>
  id === null || name === null ? null : { id: Id.fromUuid("user", id), name }

const toStored = (row: Row): StoredTask => ({
  uuid: row.id,
  prospect: { uuid: row.prospect_id, projectUuid: row.project_id },
  type: row.type,
  due: daysAfter("1970-01-01", row.due_day),
  assignee: { id: Id.fromUuid("user", row.assignee_id), name: row.assignee_name },
  note: row.note,
  state: row.state,
  createdBy: personOf(row.created_by, row.creator_name),
  endedUtc: row.ended_at?.toISOString() ?? null,
  endedBy: personOf(row.ended_by, row.ender_name),
  activityId: Id.fromUuid("act", row.added_action_id),
  audit: auditOf(row)
})

const make = Effect.gen(function* () {
  const sql = yield* Database
  const readPage = yield* makeDeltaPage
  const names = yield* makeUserNames

  /** The columns of a row, in the order of `columnNames`, with the names of its users. */
  const columns = sql`
    id, version::text, created_at, updated_at, deleted_at, change_type, change_origin, project_id, prospect_id, type,
    due_date - date '1970-01-01' as due_day, assignee_id, ${names.of("tasks.assignee_id")} as assignee_name, note, state, created_by,
    ${names.of("tasks.created_by")} as creator_name, ended_at, ended_by, ${names.of("tasks.ended_by")} as ender_name,
    added_action_id`

  /** Runs a statement that returns `columns`. */
  const rowsOf = (statement: Statement<Row>) =>
    Effect.flatMap(orDie(statement), (rows) => names.complete(rows, userMembers))

  const isNamed = (teamId: string, prospectUuid: string, named: TaskRef) => sql`
    team_id = ${teamId} and prospect_id = ${prospectUuid}
      and ${"task" in named ? sql`id = ${named.task}` : sql`added_action_id = ${named.action}`}`

  /** A task of this prospect. */
  const find = Effect.fn("TasksRepo.find")(function* (teamId: string, prospectUuid: string, named: TaskRef) {
    const [row] = yield* rowsOf(sql<Row>`select ${columns} from tasks where ${isNamed(teamId, prospectUuid, named)}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** A task of any prospect, by its UUID. */
  const findAnywhere = Effect.fn("TasksRepo.findAnywhere")(function* (teamId: string, uuid: string) {
    const [row] = yield* rowsOf(sql<Row>`
      select ${columns} from tasks where id = ${uuid} and team_id = ${teamId} and deleted_at is null`)
    return row === undefined ? undefined : toStored(row)
  })

  /** As `find`, and locks the task until the transaction ends. */
  const lock = Effect.fn("TasksRepo.lock")(function* (teamId: string, prospectUuid: string, named: TaskRef) {
    const [row] = yield* rowsOf(
      sql<Row>`select ${columns} from tasks where ${isNamed(teamId, prospectUuid, named)} for update`
    )
    return row === undefined ? undefined : toStored(row)
  })

  /** The number of tasks of a prospect, deleted ones included, up to `atMost`. */
  const countOf = Effect.fn("TasksRepo.countOf")(function* (teamId: string, prospectUuid: string, atMost: number) {
    const [row] = yield* orDie(sql<{ readonly count: number }>`
      select count(*)::int as count from (
        select from tasks where team_id = ${teamId} and prospect_id = ${prospectUuid} limit ${atMost}
      ) counted`)
    return row?.count ?? 0
  })

  /** The tasks of a prospect by creation, after a position. */
  const list = Effect.fn("TasksRepo.list")(function* (
    teamId: string,
    prospectUuid: string,
    {
      after,
      limit,
      state
    }: {
      readonly state: TaskState | undefined
      readonly after: { readonly at: string; readonly id: string } | undefined
      readonly limit: number
    }
  ) {
    const conditions = [sql`team_id = ${teamId}`, sql`prospect_id = ${prospectUuid}`]
    if (state !== undefined) conditions.push(sql`state = ${state}`)
    if (after !== undefined) {
      conditions.push(sql`(created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
    }
    const rows = yield* rowsOf(sql<Row>`
      select ${columns} from tasks where ${sql.and(conditions)} order by created_at, id limit ${limit}`)
    return rows.map(toStored)
  })

  const filtersOf = ({ assigneeUuid, due, state }: TaskFilters) => [
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(assigneeUuid === undefined ? [] : [sql`assignee_id = ${assigneeUuid}::uuid`]),
    ...(due === undefined ? [] : [sql`state = 'open' and due_date between ${due.from}::date and ${due.to}::date`])
  ]

  /** A range of the tasks of a team. */
  const listAll = Effect.fn("TasksRepo.listAll")((teamId: string, range: Range, filters: TaskFilters) => {
    const { projectUuid } = filters
    const wanted = filtersOf(filters)
    return readPage({
      from: {
        name: "tasks",
        type: "task",
        teamId,
        within: typeof projectUuid === "string" ? { column: "project_id", uuid: projectUuid } : undefined
      },
      range,
      selected: columns,
      conditions: [
        // An id that no project has.
        ...(projectUuid === null ? [sql`false`] : []),
        // Tombstones have no members to filter by, and clients that keep a filtered copy need them.
        ...(!range.includeDeleted
          ? [sql`deleted_at is null`, ...wanted]
          : wanted.length === 0
            ? []
            : [sql`(${sql.and(wanted)} or deleted_at is not null)`])
      ],
      toRow: (values) => toStored(rowOf(values)),
      ...(sql.cells === undefined ? {} : { complete: (found) => names.complete(found, userIndexes) }),
      // Planned for its values: the best index depends on how common they are.
      unprepared: wanted.length > 0
    })
  })

  /** Adds an open task. */
  const insert = Effect.fn("TasksRepo.insert")(function* (change: Change, task: NewTask) {
    const { actor, at, transactionId } = change
    const [row] = yield* rowsOf(sql<Row>`
      insert into tasks (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id,
        prospect_id, type, due_date, assignee_id, note, created_by, added_action_id
      ) values (
        ${task.uuid}, ${actor.teamId}, 1, ${transactionId}::xid8, ${at}, ${at}, 'created', ${actor.origin},
        ${task.prospect.projectUuid}, ${task.prospect.uuid}, ${task.type}, ${task.due}::date, ${task.assigneeUuid},
        ${task.note}, ${actor.userId}, ${task.actionUuid}
      ) returning ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("the task was not inserted")) : toStored(row)
  })

  /** Writes the members of a locked task. */
  const update = Effect.fn("TasksRepo.update")(function* (change: Change, uuid: string, content: TaskContent) {
    const [row] = yield* rowsOf(sql<Row>`
      update tasks set
        type = ${content.type}, due_date = ${content.due}::date, assignee_id = ${content.assigneeUuid},
        note = ${content.note}, ${nextVersionColumns(sql, "tasks", change, "updated")}
      where id = ${uuid} and team_id = ${change.actor.teamId} returning ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("the task was not updated")) : toStored(row)
  })

  /** Changes the state of a locked task. */
  const move = Effect.fn("TasksRepo.move")(function* (change: Change, uuid: string, state: TaskState) {
    const { actor, at } = change
    const ended = state === "open" ? { at: null, by: null } : { at, by: actor.userId }
    const [row] = yield* rowsOf(sql<Row>`
      update tasks set
        state = ${state}, ended_at = ${ended.at}, ended_by = ${ended.by},
        ${nextVersionColumns(sql, "tasks", change, "updated")}
      where id = ${uuid} and team_id = ${actor.teamId} returning ${columns}`)
    return row === undefined ? yield* Effect.die(new Error("the task was not moved")) : toStored(row)
  })

  /** The summaries of these prospects; those without open tasks are left out. */
  const summaryOf = Effect.fn("TasksRepo.summaryOf")(function* (
    teamId: string,
    prospectUuids: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlyMap<string, TaskSummary>> {
    if (prospectUuids.length === 0) return new Map()
    const rows = yield* orDie(sql<{
      readonly prospect_id: string
      readonly id: string
      readonly type: string
      readonly due: string
      readonly assignee_id: string
      readonly open: number
    }>`
      select wanted.prospect_id, next.*, counted.open
      from unnest(${arrayParameter(sql, "uuid", prospectUuids)}) as wanted (prospect_id), lateral (
        select id, type, due_date::text as due, assignee_id from tasks
        where team_id = ${averageTeamId(sql, teamId)} and prospect_id = wanted.prospect_id and state = 'open'
        order by due_date, created_at, id limit 1
      ) as next, lateral (
        select count(*)::int as open from tasks
        where team_id = ${averageTeamId(sql, teamId)} and prospect_id = wanted.prospect_id and state = 'open'
      ) as counted`)
    return new Map(
      rows.map(({ assignee_id, due, id, open, prospect_id, type }): [string, TaskSummary] => [
        prospect_id,
        {
          openTaskCount: open,
          nextTask: { id: Id.fromUuid("task", id), type, due, assigneeId: Id.fromUuid("user", assignee_id) }
        }
      ])
    )
  })

  return { find, findAnywhere, lock, countOf, list, listAll, insert, update, move, summaryOf }
})

/** The tasks of teams. */
export class TasksRepo extends Context.Service<TasksRepo, Effect.Success<typeof make>>()(
  "deals/prospects/tasks/TasksRepo"
) {
  static readonly layer = Layer.effect(TasksRepo, make)
}
