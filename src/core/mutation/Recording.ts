/**
 * The SQL of a change: what begins it, with its id and time in each team that it reaches (docs/adr/0029-changes-begin-by-team.md), and what
 * it records: timeline rows, events, and the transaction's outbox row.
 */
import * as Id from "../Id.ts"
import { Effect } from "effect"
import { byCell } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { SecureRandom } from "effect/crypto"
import type { Fragment } from "effect/sql/Statement"
import { createHash } from "node:crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { type ChangeRecord, eventsOf, type TimelineRow } from "./ChangeRecord.ts"
import { fanOut, payloadOf, resourceOf } from "./Event.ts"
import { partitionKey } from "./Timeline.ts"

/** What `begin_change` gave a transaction for a team. */
export interface Begun {
  readonly at: Date
  readonly transactionId: string
}

/** Begins changes on a database. */
export const makeBeginChange = (sql: Database["Service"]) => {
  // In a cell, the function must run on the server that has the rows of the cell, whose transactions its ids are of. A statement runs
  // there that reads a table of the cell: this one has a single row.
  const ofCell = sql.cells === undefined ? sql.literal("") : sql.literal("this_cell cross join lateral")

  /** Draws numbers for change records. */
  const drawNumbers = Effect.fnUntraced(function* (count: number) {
    const drawn = yield* orDie(sql<{ readonly number: string }>`
      select nextval('action_numbers')::text as number from generate_series(1, ${count}::int)`)
    return drawn.map(({ number }) => Number(number))
  })

  /** Fails while the rows of a team are moved to another cell. */
  const admit = (teamId: string) => (sql.cells === undefined ? Effect.void : orDie(sql.cells.takesChanges(teamId)))

  /** Begins the change of a team (UUID), and draws its first number. `time` is null for the clock of the database. */
  const begin = Effect.fnUntraced(function* (teamId: string, time: Date | null) {
    yield* admit(teamId)
    // What the operator does for no team begins in no cell.
    const isInCell = sql.cells !== undefined && (yield* orDie(sql.cells.of(teamId))) !== undefined
    const number = sql.literal(sql.cells === undefined ? `nextval('action_numbers')::text` : "null::text")
    const [row] = yield* orDie(
      sql<Begun & { readonly number: string | null }>`
        select changed_at as at, transaction_id::text as "transactionId", ${number} as number
        from ${isInCell ? ofCell : sql.literal("")} begin_change(${teamId}::uuid, ${time}::timestamptz)`
    )
    if (row === undefined) return yield* Effect.die(new Error("begin_change returned no row"))
    const { number: first, ...begun } = row
    const numbers = first === null ? yield* drawNumbers(1) : [Number(first)]
    return { begun, numbers }
  })

  /** Begins the change in further teams (UUIDs), at this time or, where a later one was given before, at that. */
  const beginIn = (teamIds: ReadonlyArray<string>, at: Date) =>
    byCell(
      sql,
      teamIds,
      (teamId) => teamId,
      (ofOneCell) =>
        Effect.andThen(
          Effect.forEach(ofOneCell, admit, { discard: true }),
          orDie(sql<Begun & { readonly teamId: string }>`
          select team_id as "teamId", changed_at as at, transaction_id::text as "transactionId"
          from unnest(${ofOneCell}::uuid[]) as further (team_id),
            ${ofCell} begin_change(team_id, ${at}::timestamptz)`)
        )
    )

  return { begin, beginIn, drawNumbers }
}

// Writes change records: timeline rows, events, and the transaction's outbox row.

/** The open transaction of a change: its actor, what it was given for each team (UUIDs) that it writes in, and the numbers drawn ahead. */
export interface OpenTransaction {
  readonly actor: Actor
  readonly begun: Map<string, Begun>
  /** Numbers for change records, drawn from the sequence `action_numbers` and not used yet. */
  readonly numbers: Array<number>
}

/** The columns in which timeline rows of one change differ, with the row's partition. An audit row has no `type`. */
const columnsOf = (row: TimelineRow, newId: string) => {
  if (!("type" in row) || row.type === "chat") {
    const { details, event, id = newId } = row
    const kind =
      "type" in row
        ? { type: "chat", partition: "chat" as const }
        : { type: "audit", partition: row.partition ?? "audit" }
    return { id, ...kind, event, details, content_format: null, supersedes: null }
  }
  return {
    id: row.id,
    type: row.type,
    partition: row.type,
    event: null,
    details: { kind: row.type, message: row.message },
    content_format: row.contentFormat,
    supersedes: row.supersedes
  }
}

/** The `webhook-id`: derived from the event, so that it is the same on every attempt and for every webhook. */
const messageIdOf = (eventId: string) => `msg_${createHash("sha256").update(eventId).digest("base64url").slice(0, 27)}`

/** The rows of change records, by table. */
interface Rows {
  readonly actions: ReadonlyArray<RowOfTeam>
  readonly subjects: ReadonlyArray<RowOfTeam>
  readonly events: ReadonlyArray<RowOfTeam>
}

interface RowOfTeam {
  readonly team_id: string
  readonly [column: string]: unknown
}

/** What a transaction was given for a team, whose change records have come from `inTeams`. */
const begunIn = ({ begun }: OpenTransaction, teamId: string): Effect.Effect<Begun> => {
  const found = begun.get(teamId)
  return found === undefined ? Effect.die(new Error("the change was not begun in the team")) : Effect.succeed(found)
}

/** The change records of a change, or of a part of it: those that are written, and those that are not yet. */
export interface Recorded {
  readonly saved: Array<ChangeRecord>
  readonly unsaved: Array<ChangeRecord>
}

/** Whether a change record makes a timeline row or an event. Others only show in dry runs. */
const isWritten = ({ event, subjects, timeline }: ChangeRecord): boolean =>
  event !== undefined || (timeline !== undefined && subjects.length > 0)

/** The outbox row of a transaction for a team, which is the payload of its job as well. */
type Outbox = typeof fanOut.payload.Type

/** How many numbers change records need: each one for itself and its first event, and one for each further event. */
const countNumbers = (changeRecords: ReadonlyArray<ChangeRecord>): number =>
  changeRecords.reduce((count, changeRecord) => count + Math.max(1, eventsOf(changeRecord).length), 0)

/** Makes the rows of change records, and uses up `numbers`. */
const rowsOf = Effect.fnUntraced(function* (
  transaction: OpenTransaction,
  changeRecords: ReadonlyArray<ChangeRecord>,
  numbers: ReadonlyArray<number>,
  newId: Effect.Effect<string>
) {
  const { actor } = transaction
  const actions: Array<RowOfTeam> = []
  const subjects: Array<RowOfTeam> = []
  const events: Array<RowOfTeam> = []
  const remaining = numbers.values()
  for (const changeRecord of changeRecords) {
    const number = remaining.next().value ?? 0
    // In a group commit, each change record has its own actor.
    const { actor: { clientId, userId } = actor, teamId: team_id = actor.teamId, timeline } = changeRecord
    const { at, transactionId } = yield* begunIn(transaction, team_id)
    if (timeline !== undefined && changeRecord.subjects.length > 0) {
      const { partition, ...row } = columnsOf(timeline, yield* newId)
      actions.push({ ...row, number, team_id, occurred_at: at, actor_user_id: userId, client_id: clientId })
      for (const subject of changeRecord.subjects) {
        subjects.push({
          subject_type: subject.type,
          subject_id: subject.id,
          action_id: row.id,
          team_id,
          occurred_at: at,
          partition: partitionKey(partition, subject.rollUp)
        })
      }
    }
    for (const [index, { extras, type }] of eventsOf(changeRecord).entries()) {
      const id = yield* newId
      events.push({
        id,
        transaction_id: transactionId,
        team_id,
        occurred_at: at,
        message_id: messageIdOf(id),
        type,
        resource_type: resourceOf(type),
        resource_id: changeRecord.resource.id,
        body: payloadOf({
          type,
          resourceId: Id.fromUuid(changeRecord.resource.type, changeRecord.resource.id),
          at,
          actionId: index === 0 ? number : (remaining.next().value ?? 0),
          actorUserId: Id.fromUuidOrNull("user", userId),
          clientId: Id.fromUuidOrNull("client", clientId),
          extras
        })
      })
    }
  }
  const rows: Rows = { actions, subjects, events }
  return rows
})

/**
 * Makes the function that inserts the unsaved change records: in one statement, however many there are, plus one that draws
 * numbers if too few are left. For each team in `outboxes` (UUIDs), it also inserts the outbox row of the transaction (`fan_outs`) and
 * enqueues the fan-out job, for one team in the same statement: pass them in the last call only.
 */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const jobs = yield* Jobs
  const beginChange = makeBeginChange(sql)
  const random = yield* SecureRandom.SecureRandom

  const drawNumbers = Effect.fnUntraced(function* ({ numbers }: OpenTransaction, count: number) {
    const missing = count - numbers.length
    if (missing > 0) for (const number of yield* beginChange.drawNumbers(missing)) numbers.push(number)
    return numbers.splice(0, count)
  })

  /** Inserts rows, and calls a function if there is one. */
  const insert = ({ actor }: OpenTransaction, rows: Rows, outboxes: ReadonlyArray<Outbox>, call?: Fragment) =>
    orDie(sql`
        with recorded_actions as (
          insert into actions (
            id, number, team_id, type, event, occurred_at, actor_user_id, client_id, origin, details,
            content_format, supersedes
          )
          select id, number, team_id, type, event, occurred_at, actor_user_id, client_id,
            ${actor.origin}::text, details, content_format, supersedes
          from jsonb_to_recordset(${sql.json(rows.actions)}) as row (
            id uuid, number bigint, team_id uuid, type text, event text, occurred_at timestamptz, actor_user_id uuid,
            client_id uuid, details jsonb, content_format text, supersedes uuid
          )
        ), recorded_subjects as (
          insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
          select subject_type, subject_id, action_id, team_id, occurred_at, partition
          from jsonb_to_recordset(${sql.json(rows.subjects)}) as row (
            subject_type text, subject_id uuid, action_id uuid, team_id uuid, occurred_at timestamptz, partition text
          )
        ), outbox as (
          insert into fan_outs (team_id, transaction_id, at)
          select "teamId", "transactionId", at
          from jsonb_to_recordset(${sql.json(outboxes)}) as outbox ("teamId" uuid, "transactionId" xid8, at timestamptz)
        ), recorded_events as (
          insert into events (
            id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body
          )
          select id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body
          from jsonb_to_recordset(${sql.json(rows.events)}) as row (
            id uuid, transaction_id xid8, team_id uuid, message_id text, type text, resource_type text,
            resource_id uuid, occurred_at timestamptz, body text
          )
        )
        select 1 ${call === undefined ? sql`` : sql`from ${call}`}`)

  /** Inserts the rows of each cell with a statement of its own. */
  const insertAll = (transaction: OpenTransaction, rows: Rows, outboxes: ReadonlyArray<Outbox>) =>
    Effect.asVoid(
      byCell(
        sql,
        [...transaction.begun.keys()],
        (teamId) => teamId,
        (teamIds) => {
          const isOfCell = ({ team_id }: RowOfTeam) => teamIds.includes(team_id)
          const { actions, events, subjects } = rows
          const ofCell: Rows = {
            actions: actions.filter(isOfCell),
            subjects: subjects.filter(isOfCell),
            events: events.filter(isOfCell)
          }
          const outboxesOfCell = outboxes.filter(({ teamId }) => teamIds.includes(teamId))
          return ofCell.actions.length + ofCell.events.length + outboxesOfCell.length === 0
            ? Effect.succeed([])
            : insert(transaction, ofCell, outboxesOfCell)
        }
      )
    )

  return Effect.fnUntraced(function* (
    transaction: OpenTransaction,
    { saved, unsaved }: Recorded,
    outboxes: ReadonlyArray<string> = []
  ) {
    const recorded = unsaved.splice(0)
    for (const record of recorded) saved.push(record)
    const changeRecords = recorded.filter(isWritten)
    if (changeRecords.length === 0 && outboxes.length === 0) return
    const numbers = yield* drawNumbers(transaction, countNumbers(changeRecords))
    const rows = yield* rowsOf(transaction, changeRecords, numbers, random.uuidV7())
    const payloads = yield* Effect.forEach(outboxes, (teamId) =>
      Effect.map(begunIn(transaction, teamId), ({ at, transactionId }): Outbox => ({
        teamId,
        transactionId,
        at: at.toISOString()
      }))
    )
    const [only, ...others] = payloads
    // Jobs are in no cell: there, a statement cannot write both.
    if (only !== undefined && others.length === 0 && sql.cells === undefined) {
      return yield* jobs.enqueueWithin(fanOut, only, (call) => insert(transaction, rows, payloads, call))
    }
    if (rows.actions.length + rows.events.length + outboxes.length > 0) yield* insertAll(transaction, rows, payloads)
    if (only === undefined) return
    // One job is cheaper by the function for one.
    if (others.length === 0) yield* jobs.enqueue(fanOut, only)
    else
      yield* jobs.enqueueAll(
        fanOut,
        payloads.map((payload) => ({ payload }))
      )
  })
})
