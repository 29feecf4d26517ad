/** All SQL of webhooks, their subscriptions and their secrets. Ids are UUIDs. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { auditAfter, type AuditColumns, auditOf } from "../core/mutation/Audit.ts"
import type { Change } from "../core/mutation/Changes.ts"
import type { DueRows } from "../core/mutation/Delta.ts"
import { inEach } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { ConcurrencyConflict } from "../core/usecase/Problem.ts"
import {
  type DisabledReason,
  lastExpiry,
  newWebhookStatus,
  type PreviousSecret,
  type WebhookFields,
  type WebhookState,
  type WebhookStatus
} from "./rules.ts"
import type { Webhook } from "./Webhook.ts"

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

/** The columns of the status. */
interface StatusRow {
  readonly status: WebhookState
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly consecutive_exhausted: number
}

/** The status in a row. */
const statusOf = (row: StatusRow): WebhookStatus => ({
  state: row.status,
  disabledReason: row.disabled_reason,
  disabledUtc: row.disabled_at?.toISOString() ?? null,
  consecutiveExhausted: row.consecutive_exhausted
})

/** The value of the column `disabled_at`. */
const disabledAt = ({ disabledUtc }: WebhookStatus): Date | null =>
  disabledUtc === null ? null : new Date(disabledUtc)

interface Row extends AuditColumns, StatusRow {
  readonly id: string
  readonly name: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly secret_sealed: Uint8Array
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

/** A webhook whose state is locked. */
export interface LockedWebhook {
  readonly state: WebhookState
  readonly isDeleted: boolean
  /** Whether it is active and not deleted. */
  readonly isSending: boolean
  /** When a client last made it active again. */
  readonly activatedAt: Date | null
}

/** The sealed secrets of one webhook. */
export interface SealedSecretsRow {
  readonly id: string
  readonly sealed: Uint8Array
  readonly previous: ReadonlyArray<PreviousSecret>
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

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`
    id, version::text, created_at, updated_at, change_type, change_origin, deleted_at, name, url, events, status,
    secret_sealed, previous_secrets, disabled_reason, disabled_at, consecutive_exhausted`

  const find = Effect.fn("WebhooksRepo.find")(function* (teamId: string, id: string) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from webhooks where id = ${id} and team_id = ${teamId} and deleted_at is null`)
    return row === undefined ? undefined : toStored(row)
  })

  /** Locks a live webhook until the transaction ends. */
  const lock = Effect.fn("WebhooksRepo.lock")(function* (teamId: string, id: string) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from webhooks
      where id = ${id} and team_id = ${teamId} and deleted_at is null for no key update`)
    return row === undefined ? undefined : toStored(row)
  })

  /** Webhooks in the order of their creation, after a position. */
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

  /** The webhooks of a team that a client (UUID) made, the oldest first. */
  const madeBy = Effect.fn("WebhooksRepo.madeBy")(function* (teamId: string, clientId: string) {
    const rows = yield* orDie(sql<Row>`
      select ${columns} from webhooks
      where team_id = ${teamId} and created_by_client = ${clientId} and deleted_at is null order by created_at, id`)
    return rows.map(toStored)
  })

  /** Counts the webhooks of the team, and locks the count until the transaction ends. */
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

  /** Inserts an active webhook and its subscriptions. */
  const insert = Effect.fn("WebhooksRepo.insert")(function* (
    change: Change,
    id: string,
    fields: WebhookFields,
    secretSealed: Uint8Array
  ) {
    yield* orDie(sql`
      insert into webhooks (
        id, team_id, version, created_at, updated_at, change_type, change_origin, name, url, events, status,
        secret_sealed, created_by_client, created_by_user
      ) values (
        ${id}, ${change.actor.teamId}, 1, ${change.at}, ${change.at}, 'created', ${change.actor.origin},
        ${fields.name}, ${fields.url}, ${fields.events}::text[], ${newWebhookStatus.state}, ${secretSealed},
        ${change.actor.clientId}::uuid, ${change.actor.userId}::uuid
      )`)
    yield* subscribe(change, id, fields.events)
    return toWebhook(id, fields, newWebhookStatus, [], auditAfter(change, { version: 1, changeType: "created" }))
  })

  /** Writes the fields and the status, and starts and ends subscriptions. */
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

  /** Replaces the secret. `previous` are the secrets that continue to sign. */
  const rotate = Effect.fn("WebhooksRepo.rotate")(function* (
    change: Change,
    stored: StoredWebhook,
    secrets: { readonly sealed: Uint8Array; readonly previous: ReadonlyArray<PreviousSecret> },
    status: WebhookStatus
  ) {
    const updated = yield* orDie(sql`
      update webhooks set
        version = version + 1, updated_at = ${change.at}, change_type = 'updated',
        change_origin = ${change.actor.origin}, secret_sealed = ${secrets.sealed},
        previous_secrets = ${sql.json(secrets.previous)}, status = ${status.state},
        disabled_reason = ${status.disabledReason}, disabled_at = ${disabledAt(status)}::timestamptz,
        activated_at = case
          when status <> 'active' and ${status.state} = 'active' then ${change.at}::timestamptz
          else activated_at
        end
      where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
        and deleted_at is null
      returning id`)
    if (updated.length === 0) return yield* conflict
    return toWebhook(stored.uuid, stored.webhook, status, secrets.previous, updatedAudit(change, stored))
  })

  /** Deletes a webhook. A tombstone without secrets remains. */
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

  /**
   * Locks the status of live webhooks of a team until the transaction ends, and returns it by id: all of `all`, and those of `counting`
   * whose count of exhausted deliveries is not 0. So the usual success waits for no lock.
   */
  const lockStatuses = Effect.fn("WebhooksRepo.lockStatuses")(function* (
    teamId: string,
    { all, counting }: { readonly all: ReadonlyArray<string>; readonly counting: ReadonlyArray<string> }
  ) {
    const rows = yield* orDie(sql<StatusRow & { readonly id: string }>`
      select id, status, disabled_reason, disabled_at, consecutive_exhausted from webhooks
      where team_id = ${teamId} and deleted_at is null
        and (id = any(${all}::uuid[]) or (id = any(${counting}::uuid[]) and consecutive_exhausted > 0))
      order by id for no key update`)
    return new Map(rows.map((row) => [row.id, statusOf(row)] as const))
  })

  /** Writes the new status of a locked webhook. */
  const setStatus = Effect.fn("WebhooksRepo.setStatus")(function* (
    teamId: string,
    id: string,
    status: WebhookStatus,
    at: Date
  ) {
    yield* orDie(sql`
      update webhooks set
        version = version + 1, updated_at = greatest(updated_at, ${at}::timestamptz), change_type = 'updated',
        change_origin = 'system', status = ${status.state}, disabled_reason = ${status.disabledReason},
        disabled_at = ${disabledAt(status)}::timestamptz, consecutive_exhausted = ${status.consecutiveExhausted}
      where team_id = ${teamId} and id = ${id}`)
  })

  /** Disables the active webhooks of a team that is deleted; returns how many. */
  const disableAll = Effect.fn("WebhooksRepo.disableAll")(function* (teamId: string, reason: DisabledReason, at: Date) {
    const disabled = yield* orDie(sql`
      update webhooks set
        version = version + 1, updated_at = greatest(updated_at, ${at}::timestamptz), change_type = 'updated',
        change_origin = 'system', status = 'disabled', disabled_reason = ${reason}, disabled_at = ${at}
      where team_id = ${teamId} and status = 'active' and deleted_at is null
      returning id`)
    return disabled.length
  })

  /** The ids of the webhooks of a team. */
  const idsOf = Effect.fn("WebhooksRepo.idsOf")(function* (teamId: string) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from webhooks where team_id = ${teamId} and deleted_at is null`)
    return rows.map(({ id }) => id)
  })

  /** Gives a webhook another secret, in whose stead no former one signs, and disables it for this reason. */
  const replaceSecret = Effect.fn("WebhooksRepo.replaceSecret")(function* (
    teamId: string,
    id: string,
    { at, reason, sealed }: { readonly sealed: Uint8Array; readonly reason: DisabledReason; readonly at: Date }
  ) {
    yield* orDie(sql`
      update webhooks set secret_sealed = ${sealed}, previous_secrets = '[]', status = 'disabled',
        disabled_reason = ${reason}, disabled_at = ${at}
      where team_id = ${teamId} and id = ${id}`)
  })

  /** Activates the webhooks of a team that were disabled for this reason; returns their ids. */
  const enableAll = Effect.fn("WebhooksRepo.enableAll")(function* (teamId: string, reason: DisabledReason, at: Date) {
    const enabled = yield* orDie(sql<{ readonly id: string }>`
      update webhooks set
        version = version + 1, updated_at = greatest(updated_at, ${at}::timestamptz), change_type = 'updated',
        change_origin = 'system', status = 'active', disabled_reason = null, disabled_at = null,
        activated_at = ${at}
      where team_id = ${teamId} and status = 'disabled' and disabled_reason = ${reason} and deleted_at is null
      returning id`)
    return enabled.map(({ id }) => id)
  })

  /**
   * Locks the state of a webhook of a team, deleted or not, until the transaction ends.
   *
   * No condition on the status, because Postgres does not lock a row that does not meet the conditions.
   */
  const lockState = Effect.fn("WebhooksRepo.lockState")(function* (teamId: string, id: string) {
    const [row] = yield* orDie(sql<LockedWebhook>`
      select status as state, deleted_at is not null as "isDeleted",
        status = 'active' and deleted_at is null as "isSending",
        activated_at as "activatedAt"
      from webhooks where id = ${id} and team_id = ${teamId} for share`)
    return row
  })

  const isPurgeable = (until: Date) => sql`
    deleted_at < ${until}
    and not exists (select from deliveries where webhook_id = w.id and deliveries.team_id = w.team_id)
    and not exists (select from webhook_subscriptions s where s.webhook_id = w.id and s.team_id = w.team_id)`

  /** The teams of the `limit` subscriptions that ended first, before `until`. */
  const teamsWithEndedSubscriptions = Effect.fn("WebhooksRepo.teamsWithEndedSubscriptions")(function* (
    until: Date,
    { failed, limit }: DueRows
  ) {
    const rows = yield* orDie(sql<{ team_id: string }>`
      select distinct team_id from (
        select team_id from webhook_subscriptions
        where until_at < ${until} and team_id <> all(${failed}::uuid[])
        order by until_at limit ${limit}
      ) ended`)
    return rows.map(({ team_id }) => team_id)
  })

  /** Purges up to `limit` subscriptions of a team that ended before `until`. Returns how many. */
  const purgeSubscriptions = Effect.fn("WebhooksRepo.purgeSubscriptions")(function* (
    teamId: string,
    until: Date,
    limit: number
  ) {
    const purged = yield* orDie(sql`
      delete from webhook_subscriptions
      where team_id = ${teamId} and (webhook_id, event_type, from_at, from_transaction) in (
        select webhook_id, event_type, from_at, from_transaction from webhook_subscriptions
        where team_id = ${teamId} and until_at < ${until} order by until_at limit ${limit}
      ) returning webhook_id`)
    return purged.length
  })

  /** Webhooks that were deleted before `until` and have no deliveries and subscriptions, at most `limit`. */
  const findPurgeable = Effect.fn("WebhooksRepo.findPurgeable")(function* (until: Date, { failed, limit }: DueRows) {
    return yield* orDie(sql<{ id: string; teamId: string }>`
      select id, team_id as "teamId" from webhooks w
      where ${isPurgeable(until)} and team_id <> all(${failed}::uuid[])
      order by deleted_at limit ${limit}`)
  })

  /**
   * Purges those of a team's webhooks (UUIDs) to which this still applies. Returns how many.
   *
   * Checked again: a late fan-out may have added a delivery.
   */
  const purge = Effect.fn("WebhooksRepo.purge")(function* (teamId: string, uuids: ReadonlyArray<string>, until: Date) {
    const purged = yield* orDie(sql`
      with purged as (
        delete from webhooks w
        where team_id = ${teamId} and id = any(${uuids}::uuid[]) and ${isPurgeable(until)}
        returning id
      ), failures as (
        delete from webhook_failures where team_id = ${teamId} and webhook_id in (select id from purged)
      )
      select id from purged`)
    return purged.length
  })

  const isSealedOtherwise = (prefix: Uint8Array) => sql`
    deleted_at is null and (
      substring(secret_sealed for 5) <> ${prefix}::bytea
      or exists (
        select from jsonb_array_elements(previous_secrets) as previous
        where substring(decode(previous->>'sealed', 'base64') for 5) <> ${prefix}::bytea
      )
    )`

  /** Live webhooks of all teams with a secret that does not begin with `prefix`, in the order of their ids and after `after`. */
  const findSealedOtherwise = Effect.fn("WebhooksRepo.findSealedOtherwise")(function* (
    prefix: Uint8Array,
    after: string,
    limit: number
  ) {
    return yield* orDie(sql<{ id: string; teamId: string }>`
      select id, team_id as "teamId" from webhooks where id > ${after}::uuid and ${isSealedOtherwise(prefix)}
      order by id limit ${limit}`)
  })

  /** Those of these webhooks of a team that are live and have such a secret, locked until the transaction ends. */
  const lockSealedOtherwise = Effect.fn("WebhooksRepo.lockSealedOtherwise")(function* (
    teamId: string,
    ids: ReadonlyArray<string>,
    prefix: Uint8Array
  ) {
    return yield* orDie(sql<SealedSecretsRow>`
      select id, secret_sealed as sealed, previous_secrets as previous from webhooks
      where team_id = ${teamId} and id = any(${ids}::uuid[]) and ${isSealedOtherwise(prefix)}
      order by id for no key update`)
  })

  /** Writes the same secrets of webhooks of a team, sealed again. The version and the times of the webhooks do not change. */
  const writeResealed = Effect.fn("WebhooksRepo.writeResealed")(function* (
    teamId: string,
    rows: ReadonlyArray<SealedSecretsRow>
  ) {
    yield* orDie(sql`
      update webhooks w set secret_sealed = resealed.secret, previous_secrets = resealed.previous::jsonb
      from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ sealed }) => sealed)}::bytea[],
        ${rows.map(({ previous }) => JSON.stringify(previous))}::text[]
      ) as resealed (id, secret, previous)
      where w.team_id = ${teamId} and w.id = resealed.id`)
  })

  /** The number of secrets by the five bytes that tell their key (`SecretBox.sealedUnder`). */
  const countSecretsByPrefix = inEach(
    sql,
    orDie(sql<{ prefix: Uint8Array; count: number }>`
    select substring(sealed for 5) as prefix, count(*)::int as count
    from (
      select secret_sealed from webhooks where deleted_at is null
      union all
      select decode(previous->>'sealed', 'base64')
      from webhooks, jsonb_array_elements(previous_secrets) as previous
      where deleted_at is null
    ) as secrets (sealed)
    group by 1`)
  ).pipe(Effect.withSpan("WebhooksRepo.countSecretsByPrefix"))

  return {
    find,
    lock,
    list,
    madeBy,
    lockCount,
    insert,
    update,
    rotate,
    delete: deleteWebhook,
    lockStatuses,
    setStatus,
    disableAll,
    enableAll,
    idsOf,
    replaceSecret,
    lockState,
    teamsWithEndedSubscriptions,
    purgeSubscriptions,
    findPurgeable,
    purge,
    findSealedOtherwise,
    lockSealedOtherwise,
    writeResealed,
    countSecretsByPrefix
  }
})

/** The webhooks of teams. */
export class WebhooksRepo extends Context.Service<WebhooksRepo, Effect.Success<typeof make>>()(
  "webhooks/WebhooksRepo"
) {
  static readonly layer = Layer.effect(WebhooksRepo, make)
}
