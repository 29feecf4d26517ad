/** Writes what happened: rows of timelines, events, and the promise to fan these out. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Id from "../Id.ts"
import { Jobs } from "../jobs/Jobs.ts"
import type { AuditTimelineRow, ChangeRecord, NoteTimelineRow } from "./ChangeRecord.ts"
import { payloadOf } from "./Event.ts"
import { fanOut } from "./jobs.ts"
import { partitionKey } from "./Timeline.ts"

/** The running transaction, as `begin_change` has it. */
export interface OpenTransaction {
  readonly actor: Actor
  readonly at: Date
  readonly transactionId: string
  /** Numbers of actions that were drawn and not given yet. */
  readonly numbers: Array<number>
}

/** The columns of a row, but for those that all rows of a change share; and its partition, which is that of a new row. */
const columnsOf = (row: AuditTimelineRow | NoteTimelineRow, newId: string) =>
  "type" in row
    ? {
        id: row.id,
        type: row.type,
        partition: row.type,
        event: null,
        details: { kind: row.type, message: row.message },
        content_format: row.contentFormat,
        supersedes: row.supersedes
      }
    : {
        id: row.id ?? newId,
        type: "audit",
        partition: row.partition ?? "audit",
        event: row.event,
        details: row.details,
        content_format: null,
        supersedes: null
      }

const messageIdOf = (eventId: string) => `msg_${createHash("sha256").update(eventId).digest("base64url").slice(0, 27)}`

/**
 * Makes the writer: it writes happenings in one statement, however many they are. Who `promises` says that nothing
 * follows, and that events were recorded, now or before: then they are fanned out after the commit.
 */
export const make = Effect.gen(function* () {
  const sql = yield* Database
  const jobs = yield* Jobs
  const random = yield* SecureRandom.SecureRandom

  const draw = Effect.fnUntraced(function* ({ numbers }: OpenTransaction, count: number) {
    const missing = count - numbers.length
    if (missing > 0) {
      const drawn = yield* orDie(sql<{ readonly number: string }>`
        select nextval('action_numbers')::text as number from generate_series(1, ${missing}::int)`)
      for (const { number } of drawn) numbers.push(Number(number))
    }
    return numbers.splice(0, count)
  })

  const write = Effect.fnUntraced(function* (
    transaction: OpenTransaction,
    changeRecords: ReadonlyArray<ChangeRecord>,
    promises: boolean
  ) {
    if (changeRecords.length === 0 && !promises) return
    const { actor } = transaction
    const numbers = yield* draw(transaction, changeRecords.length)
    const actions: Array<object> = []
    const subjects: Array<object> = []
    const events: Array<object> = []
    for (const [index, record] of changeRecords.entries()) {
      const number = numbers[index] ?? 0
      const { actor: { clientId, userId } = actor, event, timeline } = record
      if (timeline !== undefined && record.subjects.length > 0) {
        const { partition, ...row } = columnsOf(timeline, yield* random.uuidV7())
        actions.push({ ...row, number, actor_user_id: userId, client_id: clientId })
        for (const subject of record.subjects) {
          subjects.push({
            subject_type: subject.type,
            subject_id: subject.id,
            action_id: row.id,
            partition: partitionKey(partition, subject.rollUp)
          })
        }
      }
      if (event !== undefined) {
        const id = yield* random.uuidV7()
        events.push({
          id,
          message_id: messageIdOf(id),
          type: event.type,
          resource_type: event.resource,
          resource_id: record.resource.id,
          body: payloadOf({
            type: event.type,
            resourceType: event.resource,
            resourceId: Id.fromUuid(record.resource.type, record.resource.id),
            at: transaction.at,
            actionId: number,
            actorUserId: Id.fromUuidOrNull("user", userId),
            clientId: Id.fromUuidOrNull("client", clientId),
            extras: event.extras
          })
        })
      }
    }
    if (actions.length + events.length > 0 || promises) {
      yield* orDie(sql`
        with recorded_actions as (
          insert into actions (
            id, number, team_id, type, event, occurred_at, actor_user_id, client_id, origin, details,
            content_format, supersedes
          )
          select id, number, ${actor.teamId}::uuid, type, event, ${transaction.at}::timestamptz,
            actor_user_id, client_id, ${actor.origin}::text, details, content_format, supersedes
          from jsonb_to_recordset(${sql.json(actions)}) as row (
            id uuid, number bigint, type text, event text, actor_user_id uuid, client_id uuid, details jsonb,
            content_format text, supersedes uuid
          )
        ), recorded_subjects as (
          insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
          select subject_type, subject_id, action_id, ${actor.teamId}::uuid, ${transaction.at}::timestamptz, partition
          from jsonb_to_recordset(${sql.json(subjects)})
            as row (subject_type text, subject_id uuid, action_id uuid, partition text)
        ), promised as (
          insert into fan_outs (team_id, transaction_id, at)
          select ${actor.teamId}::uuid, ${transaction.transactionId}::xid8, ${transaction.at}::timestamptz
          where ${promises}
        )
        insert into events (id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
        select id, ${actor.teamId}::uuid, message_id, type, resource_type, resource_id,
          ${transaction.at}::timestamptz, body
        from jsonb_to_recordset(${sql.json(events)})
          as row (id uuid, message_id text, type text, resource_type text, resource_id uuid, body text)`)
    }
    if (promises) {
      yield* jobs.enqueue(fanOut, {
        teamId: actor.teamId,
        transactionId: transaction.transactionId,
        at: transaction.at.toISOString()
      })
    }
  })

  return write
})
