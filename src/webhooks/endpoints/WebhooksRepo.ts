/** All SQL of webhooks and their subscriptions, scoped by team. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { auditAfter, type AuditColumns, auditOf } from "../../core/mutation/Audit.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import { lastExpiry, newWebhookStatus, type PreviousSecret, type WebhookFields, type WebhookStatus } from "./rules.ts"
import type { Webhook } from "./Webhook.ts"
import { disabledAt, statusOf, type StatusRow } from "./WebhookStatusRepo.ts"

/** A webhook without its health, which is read elsewhere. */
export type WebhookMembers = Omit<Webhook, "health">

/** A webhook with the columns that clients do not see. */
export interface StoredWebhook {
  readonly uuid: string
  readonly version: number
  readonly status: WebhookStatus
  readonly secretSealed: Uint8Array
  /** The secrets that were replaced with an overlap, the newest first. The overlap may have ended. */
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  readonly webhook: WebhookMembers
}

interface Row extends AuditColumns, StatusRow {
  readonly id: string
  readonly name: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly secret_sealed: Uint8Array
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

const toWebhook = (
  uuid: string,
  fields: WebhookFields,
  { state, ...status }: WebhookStatus,
  previousSecrets: ReadonlyArray<PreviousSecret>,
  audit: ReturnType<typeof auditOf>
): WebhookMembers => ({
  id: Id.fromUuid("webhook", uuid),
  url: fields.url,
  events: fields.events,
  name: fields.name,
  previousSecretsExpireUtc: lastExpiry(previousSecrets),
  status: state,
  ...status,
  ...audit
})

const toStored = (row: Row): StoredWebhook => {
  const status = statusOf(row)
  return {
    uuid: row.id,
    version: Number(row.version),
    status,
    secretSealed: row.secret_sealed,
    previousSecrets: row.previous_secrets,
    webhook: toWebhook(row.id, row, status, row.previous_secrets, auditOf(row))
  }
}

const updatedAudit = (change: Change, stored: StoredWebhook) =>
  auditAfter(change, {
    version: stored.version + 1,
    createdUtc: stored.webhook.createdUtc,
    changeType: "updated"
  })

const conflict = ConcurrencyConflict.of("webhook")

/** The webhooks of teams. */
export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    readonly find: (teamId: string, id: string) => Effect.Effect<StoredWebhook | undefined>
    /** Locks a live webhook until the transaction ends. */
    readonly lock: (teamId: string, id: string) => Effect.Effect<StoredWebhook | undefined>
    /** Webhooks in the order of their creation, after a position. */
    readonly list: (
      teamId: string,
      after: { readonly at: string; readonly id: string } | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhook>>
    /** Counts the webhooks of the team, and locks the count until the transaction ends. */
    readonly lockCount: (teamId: string) => Effect.Effect<number>
    /** Inserts an active webhook and its subscriptions. */
    readonly insert: (
      change: Change,
      id: string,
      fields: WebhookFields,
      secretSealed: Uint8Array
    ) => Effect.Effect<WebhookMembers>
    /** Writes the fields and the status, and starts and ends subscriptions. */
    readonly update: (
      change: Change,
      stored: StoredWebhook,
      fields: WebhookFields,
      status: WebhookStatus
    ) => Effect.Effect<WebhookMembers, ConcurrencyConflict>
    /** Replaces the secret. `previous` are the secrets that continue to sign. */
    readonly rotate: (
      change: Change,
      stored: StoredWebhook,
      secrets: { readonly sealed: Uint8Array; readonly previous: ReadonlyArray<PreviousSecret> }
    ) => Effect.Effect<WebhookMembers, ConcurrencyConflict>
    /** Deletes a webhook. A tombstone without secrets remains. */
    readonly delete: (change: Change, stored: StoredWebhook) => Effect.Effect<void, ConcurrencyConflict>
  }
>()("webhooks/endpoints/WebhooksRepo") {
  static readonly layer = Layer.effect(
    WebhooksRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`
        id, version::text, created_at, updated_at, change_type, change_origin, deleted_at, name, url, events, status,
        secret_sealed, previous_secrets, disabled_reason, disabled_at, consecutive_exhausted`

      const find = Effect.fn("WebhooksRepo.find")(function* (teamId: string, id: string) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from webhooks where id = ${id} and team_id = ${teamId} and deleted_at is null`)
        return row === undefined ? undefined : toStored(row)
      })

      const lock = Effect.fn("WebhooksRepo.lock")(function* (teamId: string, id: string) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from webhooks
          where id = ${id} and team_id = ${teamId} and deleted_at is null for no key update`)
        return row === undefined ? undefined : toStored(row)
      })

      const list = Effect.fn("WebhooksRepo.list")(function* (
        teamId: string,
        after: { readonly at: string; readonly id: string } | undefined,
        limit: number
      ) {
        const conditions = [sql`team_id = ${teamId}`, sql`deleted_at is null`]
        if (after !== undefined) {
          conditions.push(sql`(created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`)
        }
        const rows = yield* orDie(sql<Row>`
          select ${columns} from webhooks where ${sql.and(conditions)} order by created_at, id limit ${limit}`)
        return rows.map(toStored)
      })

      const lockCount = Effect.fn("WebhooksRepo.lockCount")(function* (teamId: string) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${teamId}`}, 0))`)
        // A separate statement, so that it sees the commit of the previous lock holder.
        const [row] = yield* orDie(sql<{ count: number }>`
          select count(*)::int as count from webhooks where team_id = ${teamId} and deleted_at is null`)
        return row?.count ?? 0
      })

      const subscribe = (change: Change, id: string, events: ReadonlyArray<string>) =>
        orDie(sql`
          insert into webhook_subscriptions (webhook_id, team_id, event_type, from_at, from_transaction)
          select ${id}::uuid, ${change.actor.teamId}::uuid, type, ${change.at}::timestamptz,
            ${change.transactionId}::xid8
          from unnest(${events}::text[]) as type
          where not exists (
            select from webhook_subscriptions
            where webhook_id = ${id} and team_id = ${change.actor.teamId} and event_type = type and until_at is null
          )`)

      const unsubscribe = (change: Change, id: string, except: ReadonlyArray<string>) =>
        orDie(sql`
          update webhook_subscriptions set until_at = ${change.at}, until_transaction = ${change.transactionId}::xid8
          where webhook_id = ${id} and team_id = ${change.actor.teamId} and until_at is null
            and event_type <> all(${except}::text[])`)

      const insert = Effect.fn("WebhooksRepo.insert")(function* (
        change: Change,
        id: string,
        fields: WebhookFields,
        secretSealed: Uint8Array
      ) {
        yield* orDie(sql`
          insert into webhooks (
            id, team_id, version, created_at, updated_at, change_type, change_origin, name, url, events, status,
            secret_sealed
          ) values (
            ${id}, ${change.actor.teamId}, 1, ${change.at}, ${change.at}, 'created', ${change.actor.origin},
            ${fields.name}, ${fields.url}, ${fields.events}::text[], ${newWebhookStatus.state}, ${secretSealed}
          )`)
        yield* subscribe(change, id, fields.events)
        return toWebhook(id, fields, newWebhookStatus, [], auditAfter(change, { version: 1, changeType: "created" }))
      })

      const update = Effect.fn("WebhooksRepo.update")(function* (
        change: Change,
        stored: StoredWebhook,
        fields: WebhookFields,
        status: WebhookStatus
      ) {
        const updated = yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = ${change.at}, change_type = 'updated',
            change_origin = ${change.actor.origin}, name = ${fields.name}, url = ${fields.url},
            events = ${fields.events}::text[], status = ${status.state}, disabled_reason = ${status.disabledReason},
            disabled_at = ${disabledAt(status)}::timestamptz, consecutive_exhausted = ${status.consecutiveExhausted},
            activated_at = case
              when status <> 'active' and ${status.state} = 'active' then ${change.at}::timestamptz
              else activated_at
            end
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (updated.length === 0) return yield* conflict
        yield* unsubscribe(change, stored.uuid, fields.events)
        yield* subscribe(change, stored.uuid, fields.events)
        return toWebhook(stored.uuid, fields, status, stored.previousSecrets, updatedAudit(change, stored))
      })

      const rotate = Effect.fn("WebhooksRepo.rotate")(function* (
        change: Change,
        stored: StoredWebhook,
        secrets: { readonly sealed: Uint8Array; readonly previous: ReadonlyArray<PreviousSecret> }
      ) {
        const updated = yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = ${change.at}, change_type = 'updated',
            change_origin = ${change.actor.origin}, secret_sealed = ${secrets.sealed},
            previous_secrets = ${sql.json(secrets.previous)}
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (updated.length === 0) return yield* conflict
        return toWebhook(stored.uuid, stored.webhook, stored.status, secrets.previous, updatedAudit(change, stored))
      })

      const deleteWebhook = Effect.fn("WebhooksRepo.delete")(function* (change: Change, stored: StoredWebhook) {
        const deleted = yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = ${change.at}, deleted_at = ${change.at}, change_type = 'deleted',
            change_origin = ${change.actor.origin}, name = null, url = '', secret_sealed = ''::bytea,
            previous_secrets = '[]'
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (deleted.length === 0) return yield* conflict
        yield* unsubscribe(change, stored.uuid, [])
      })

      return WebhooksRepo.of({ find, lock, list, lockCount, insert, update, rotate, delete: deleteWebhook })
    })
  )
}
