/**
 * The one way to change something: the rows, the timeline, the events and the jobs commit in one transaction, or not
 * at all (ARCHITECTURE.md, One change, one transaction).
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import * as Transaction from "../db/Transaction.ts"
import * as Id from "../Id.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { fanOut } from "../webhooks/deliveries/jobs.ts"
import type { ActionDetails, ActionEvent } from "./Action.ts"
import { DryRun } from "./DryRun.ts"
import { type EventExtras, type EventResource, type EventType, payloadOf } from "./Event.ts"

/** A row that says what happened. */
export interface AuditRow {
  readonly event: ActionEvent
  readonly details: ActionDetails
}

/** A row that is the resource itself, so that its id is known before it is written. */
export interface NoteRow {
  readonly type: "note"
  readonly id: string
  readonly message: string
  readonly contentFormat: "markdown" | null
  /** The note that this one replaces. */
  readonly supersedes: string | null
}

/** What happened to one resource. Ids are UUIDs. */
export interface Happening {
  readonly change: "created" | "updated" | "deleted" | "restored"
  readonly resource: { readonly type: Id.Prefix; readonly id: string }
  /** The timelines that the row stands on, the resource's own included. None: the change is on no timeline. */
  readonly subjects: ReadonlyArray<{ readonly type: Id.Prefix; readonly id: string }>
  readonly timeline?: AuditRow | NoteRow
  readonly event?: { readonly type: EventType; readonly resource: EventResource; readonly extras: EventExtras }
}

/** A running change: its time, which every row of it gets, and what happened so far. */
export interface Change {
  /** Later changes never have an earlier time; see `begin_change` in sql/. */
  readonly at: Date
  readonly actor: Actor
  readonly newId: Effect.Effect<string>
  readonly record: (happening: Happening) => void
}

/**
 * Where the time of changes comes from. The database's clock in production: it is one clock, whichever host writes.
 * Tests set `"application"`, so that their clock rules.
 */
export const ChangeClock = Context.Reference<"database" | "application">("changes/ChangeClock", {
  defaultValue: () => "database"
})

interface RolledBack {
  readonly _tag: "RolledBack"
}

/** The columns of a row, but for those that all rows of a change share. */
const columnsOf = (row: AuditRow | NoteRow, newId: string) =>
  "type" in row
    ? {
      id: row.id,
      type: row.type,
      event: null,
      details: { kind: row.type, message: row.message },
      content_format: row.contentFormat,
      supersedes: row.supersedes
    }
    : { id: newId, type: "audit", event: row.event, details: row.details, content_format: null, supersedes: null }

const messageIdOf = (eventId: string) => `msg_${createHash("sha256").update(eventId).digest("base64url").slice(0, 27)}`

/** Commits changes. */
export class Changes extends Context.Service<Changes, {
  /**
   * Runs `write` in a transaction and records what it says happened. With `Prefer: dry-run` everything is done but
   * the commit.
   */
  readonly commit: <A, E, R>(
    actor: Actor,
    write: (change: Change) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}>()("changes/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function*() {
      const sql = yield* Database
      const jobs = yield* Jobs
      const random = yield* SecureRandom.SecureRandom

      const begin = Effect.gen(function*() {
        const source = yield* ChangeClock
        const now = source === "database" ? null : new Date(yield* Clock.currentTimeMillis)
        const [begun] = yield* orDie(
          sql<{ at: Date; transaction_id: string; number: string }>`
            select changed_at as at, transaction_id::text, nextval('action_numbers')::text as number
            from begin_change(${now}::timestamptz)`
        )
        return begun ?? (yield* Effect.die(new Error("begin_change answered nothing")))
      })

      const numbersOf = (first: string, count: number) =>
        count <= 1
          ? Effect.succeed([Number(first)])
          : Effect.map(
            orDie(sql<{ number: string }>`
              select nextval('action_numbers')::text as number from generate_series(2, ${count}::int)`),
            (rows) => [Number(first), ...rows.map((row) => Number(row.number))]
          )

      const record = Effect.fnUntraced(function*(
        actor: Actor,
        begun: { readonly at: Date; readonly transaction_id: string; readonly number: string },
        happenings: ReadonlyArray<Happening>
      ) {
        if (happenings.length === 0) return
        const numbers = yield* numbersOf(begun.number, happenings.length)
        const actions: Array<object> = []
        const subjects: Array<object> = []
        const events: Array<object> = []
        for (const [index, happening] of happenings.entries()) {
          const number = numbers[index] ?? 0
          const { event, timeline } = happening
          if (timeline !== undefined && happening.subjects.length > 0) {
            const row = columnsOf(timeline, yield* random.uuidV7())
            actions.push({ ...row, number })
            for (const subject of happening.subjects) {
              // A new row is unmarked, and stands on the shelf of its type.
              subjects.push({ subject_type: subject.type, subject_id: subject.id, action_id: row.id, shelf: row.type })
            }
          }
          if (event !== undefined) {
            const id = yield* random.uuidV7()
            events.push({
              id,
              message_id: messageIdOf(id),
              type: event.type,
              resource_type: event.resource,
              resource_id: happening.resource.id,
              body: payloadOf({
                type: event.type,
                resourceType: event.resource,
                resourceId: Id.fromUuid(happening.resource.type, happening.resource.id),
                at: begun.at,
                actionId: number,
                actorUserId: Id.fromUuidOrNull("user", actor.userId),
                clientId: Id.fromUuidOrNull("client", actor.clientId),
                extras: event.extras
              })
            })
          }
        }
        if (actions.length + events.length > 0) {
          yield* orDie(sql`
            with recorded_actions as (
              insert into actions (
                id, number, team_id, type, event, occurred_at, actor_user_id, client_id, origin, details,
                content_format, supersedes
              )
              select id, number, ${actor.teamId}::uuid, type, event, ${begun.at}::timestamptz,
                ${actor.userId}::uuid, ${actor.clientId}::uuid, ${actor.origin}::text, details,
                content_format, supersedes
              from jsonb_to_recordset(${sql.json(actions)}) as row (
                id uuid, number bigint, type text, event text, details jsonb, content_format text, supersedes uuid
              )
            ), recorded_subjects as (
              insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, shelf)
              select subject_type, subject_id, action_id, ${actor.teamId}::uuid, ${begun.at}::timestamptz, shelf
              from jsonb_to_recordset(${sql.json(subjects)})
                as row (subject_type text, subject_id uuid, action_id uuid, shelf text)
            ), promised as (
              insert into fan_outs (team_id, transaction_id, at)
              select ${actor.teamId}::uuid, ${begun.transaction_id}::xid8, ${begun.at}::timestamptz
              where ${events.length > 0}
            )
            insert into events (id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
            select id, ${actor.teamId}::uuid, message_id, type, resource_type, resource_id,
              ${begun.at}::timestamptz, body
            from jsonb_to_recordset(${sql.json(events)})
              as row (id uuid, message_id text, type text, resource_type text, resource_id uuid, body text)`)
        }
        if (events.length > 0) {
          yield* jobs.enqueue(fanOut, {
            teamId: actor.teamId,
            transactionId: begun.transaction_id,
            at: begun.at.toISOString()
          })
        }
      })

      const commit = <A, E, R>(actor: Actor, write: (change: Change) => Effect.Effect<A, E, R>) =>
        Effect.gen(function*() {
          const dryRun = yield* DryRun
          let rehearsed: A | undefined
          const transaction = Effect.gen(function*() {
            const begun = yield* begin
            const happenings: Array<Happening> = []
            const value = yield* write({
              at: begun.at,
              actor,
              newId: random.uuidV7(),
              record: (happening) => {
                happenings.push(happening)
              }
            })
            yield* record(actor, begun, happenings)
            if (dryRun === undefined) return value
            for (const { change, event, resource } of happenings) {
              const id = Id.fromUuid(resource.type, resource.id)
              dryRun.affected.push({ type: Id.nounOf(resource.type), id, change })
              if (event !== undefined) dryRun.events.push({ event: event.type, resource_id: id })
            }
            rehearsed = value
            return yield* Effect.fail<RolledBack>({ _tag: "RolledBack" })
          })
          return yield* Transaction.run(transaction).pipe(
            Effect.provideService(Database, sql),
            Effect.catchIf(
              (error): error is RolledBack & typeof error =>
                typeof error === "object" && error !== null && "_tag" in error && error._tag === "RolledBack",
              () => Effect.succeed(rehearsed as A)
            )
          ) as Effect.Effect<A, E, R>
        })

      return Changes.of({ commit })
    })
  )
}
