/** All SQL of webhooks and their subscriptions, scoped by team. */
import { Context, Effect, Layer } from "effect"
import { auditAfter, auditOf, type AuditColumns } from "../../changes/Audit.ts"
import type { Change } from "../../changes/Changes.ts"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { ConcurrencyConflict } from "../../usecase/Problem.ts"
import * as Id from "../../Id.ts"
import { fresh, lastEnd, type PreviousSecret, type Standing, type WebhookFields, type WebhookState } from "./rules.ts"
import type { Webhook } from "./Webhook.ts"

/** A webhook with what its answer does not show. */
export interface StoredWebhook {
  readonly uuid: string
  readonly version: number
  readonly standing: Standing
  readonly secretSealed: Uint8Array
  /** The secrets that were replaced with an overlap, the newest first; perhaps it has ended. */
  readonly previousSecrets: ReadonlyArray<PreviousSecret>
  readonly webhook: Webhook
}

/** A webhook whose state does not change. */
export interface HeldWebhook {
  readonly teamId: string
  readonly status: WebhookState
  readonly isDeleted: boolean
  readonly sends: boolean
  /** When a client last made it active again. */
  readonly activatedAt: Date | null
}

interface StandingRow {
  readonly status: WebhookState
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly consecutive_exhausted: number
}

interface Row extends AuditColumns, StandingRow {
  readonly id: string
  readonly name: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly secret_sealed: Uint8Array
  readonly previous_secrets: ReadonlyArray<PreviousSecret>
}

const standingOf = (row: StandingRow): Standing => ({
  status: row.status,
  disabledReason: row.disabled_reason,
  disabledUtc: row.disabled_at?.toISOString() ?? null,
  consecutiveExhausted: row.consecutive_exhausted
})

const disabledAt = (standing: Standing) => (standing.disabledUtc === null ? null : new Date(standing.disabledUtc))

const assembled = (
  uuid: string,
  fields: WebhookFields,
  standing: Standing,
  previousSecrets: ReadonlyArray<PreviousSecret>,
  audit: ReturnType<typeof auditOf>
): Webhook => ({
  id: Id.fromUuid("webhook", uuid),
  url: fields.url,
  events: fields.events,
  name: fields.name,
  previousSecretsExpireUtc: lastEnd(previousSecrets),
  ...standing,
  ...audit
})

const toStored = (row: Row): StoredWebhook => {
  const standing = standingOf(row)
  return {
    uuid: row.id,
    version: Number(row.version),
    standing,
    secretSealed: row.secret_sealed,
    previousSecrets: row.previous_secrets,
    webhook: assembled(row.id, row, standing, row.previous_secrets, auditOf(row))
  }
}

const updatedAudit = (change: Change, stored: StoredWebhook) =>
  auditAfter(change, {
    version: stored.version + 1,
    createdUtc: stored.webhook.createdUtc,
    changeType: "updated"
  })

const lostRace = ConcurrencyConflict.of("webhook")

/** The webhooks of teams. */
export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    readonly find: (teamId: string, id: string) => Effect.Effect<StoredWebhook | undefined>
    /** A live webhook, locked until the transaction ends. */
    readonly lock: (teamId: string, id: string) => Effect.Effect<StoredWebhook | undefined>
    /** Webhooks in the order of their creation, those after a place in it. */
    readonly list: (
      teamId: string,
      after: { readonly at: string; readonly id: string } | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredWebhook>>
    /** How many webhooks the team has; locks that number until the transaction ends. */
    readonly claimPlace: (teamId: string) => Effect.Effect<number>
    /** Adds an active webhook that wants its events from now on. */
    readonly insert: (
      change: Change,
      id: string,
      fields: WebhookFields,
      secretSealed: Uint8Array
    ) => Effect.Effect<Webhook>
    /** Writes the fields and the standing; events that it wants no more, or newly, change from now on. */
    readonly update: (
      change: Change,
      stored: StoredWebhook,
      fields: WebhookFields,
      standing: Standing
    ) => Effect.Effect<Webhook, ConcurrencyConflict>
    /** Replaces the secret; `previous` are those that still sign beside it. */
    readonly rotate: (
      change: Change,
      stored: StoredWebhook,
      secrets: { readonly sealed: Uint8Array; readonly previous: ReadonlyArray<PreviousSecret> }
    ) => Effect.Effect<Webhook, ConcurrencyConflict>
    /** Leaves the tombstone, without the secrets. */
    readonly remove: (change: Change, stored: StoredWebhook) => Effect.Effect<void, ConcurrencyConflict>
    /**
     * How live webhooks stand, by their ids, locked until the transaction ends: those of `all`, and those of `counting` that
     * count an exhausted delivery, so that the usual success waits for nobody.
     */
    readonly lockStandings: (wanted: {
      readonly all: ReadonlyArray<string>
      readonly counting: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyMap<string, Standing>>
    /** The state of a webhook, deleted or not: it stays so until the transaction ends. */
    readonly hold: (id: string) => Effect.Effect<HeldWebhook | undefined>
    /** Removes subscriptions that ended before `until`, at most `limit`; answers how many. */
    readonly purgeSubscriptions: (until: Date, limit: number) => Effect.Effect<number>
    /** Removes webhooks deleted before `until` of which nothing is left, at most `limit`; answers how many. */
    readonly purge: (until: Date, limit: number) => Effect.Effect<number>
    /** Writes how a locked webhook stands now, by the service's own doing. */
    readonly setStanding: (id: string, standing: Standing, at: Date) => Effect.Effect<void>
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

      const claimPlace = Effect.fn("WebhooksRepo.claimPlace")(function* (teamId: string) {
        yield* orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${teamId}`}, 0))`)
        // A statement of its own, so that it sees what the holder of the lock before has committed.
        const [row] = yield* orDie(sql<{ count: number }>`
          select count(*)::int as count from webhooks where team_id = ${teamId} and deleted_at is null`)
        return row?.count ?? 0
      })

      const subscribe = (change: Change, id: string, events: ReadonlyArray<string>) =>
        orDie(sql`
          insert into webhook_subscriptions (webhook_id, team_id, event_type, from_at)
          select ${id}::uuid, ${change.actor.teamId}::uuid, wanted, ${change.at}::timestamptz
          from unnest(${events}::text[]) as wanted
          where not exists (
            select from webhook_subscriptions
            where webhook_id = ${id} and event_type = wanted and until_at is null
          )`)

      const unsubscribe = (change: Change, id: string, except: ReadonlyArray<string>) =>
        orDie(sql`
          update webhook_subscriptions set until_at = ${change.at}, until_transaction = pg_current_xact_id()
          where webhook_id = ${id} and until_at is null and event_type <> all(${except}::text[])`)

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
            ${fields.name}, ${fields.url}, ${fields.events}::text[], ${fresh.status}, ${secretSealed}
          )`)
        yield* subscribe(change, id, fields.events)
        return assembled(id, fields, fresh, [], auditAfter(change, { version: 1, changeType: "created" }))
      })

      const update = Effect.fn("WebhooksRepo.update")(function* (
        change: Change,
        stored: StoredWebhook,
        fields: WebhookFields,
        standing: Standing
      ) {
        const updated = yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = ${change.at}, change_type = 'updated',
            change_origin = ${change.actor.origin}, name = ${fields.name}, url = ${fields.url},
            events = ${fields.events}::text[], status = ${standing.status}, disabled_reason = ${standing.disabledReason},
            disabled_at = ${disabledAt(standing)}::timestamptz, consecutive_exhausted = ${standing.consecutiveExhausted},
            activated_at = case
              when status <> 'active' and ${standing.status} = 'active' then ${change.at}::timestamptz
              else activated_at
            end
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (updated.length === 0) return yield* lostRace
        yield* unsubscribe(change, stored.uuid, fields.events)
        yield* subscribe(change, stored.uuid, fields.events)
        return assembled(stored.uuid, fields, standing, stored.previousSecrets, updatedAudit(change, stored))
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
        if (updated.length === 0) return yield* lostRace
        return assembled(stored.uuid, stored.webhook, stored.standing, secrets.previous, updatedAudit(change, stored))
      })

      const remove = Effect.fn("WebhooksRepo.remove")(function* (change: Change, stored: StoredWebhook) {
        const removed = yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = ${change.at}, deleted_at = ${change.at}, change_type = 'deleted',
            change_origin = ${change.actor.origin}, name = null, url = '', secret_sealed = ''::bytea,
            previous_secrets = '[]'
          where id = ${stored.uuid} and team_id = ${change.actor.teamId} and version = ${stored.version}
            and deleted_at is null
          returning id`)
        if (removed.length === 0) return yield* lostRace
        yield* unsubscribe(change, stored.uuid, [])
      })

      const lockStandings = Effect.fn("WebhooksRepo.lockStandings")(function* ({
        all,
        counting
      }: {
        readonly all: ReadonlyArray<string>
        readonly counting: ReadonlyArray<string>
      }) {
        const rows = yield* orDie(sql<StandingRow & { readonly id: string }>`
          select id, status, disabled_reason, disabled_at, consecutive_exhausted from webhooks
          where deleted_at is null
            and (id = any(${all}::uuid[]) or (id = any(${counting}::uuid[]) and consecutive_exhausted > 0))
          order by id for no key update`)
        return new Map(rows.map((row) => [row.id, standingOf(row)] as const))
      })

      // Without a condition on the status: a row that does not fulfill it would not be locked.
      const hold = Effect.fn("WebhooksRepo.hold")(function* (id: string) {
        const [row] = yield* orDie(sql<HeldWebhook>`
          select team_id as "teamId", status, deleted_at is not null as "isDeleted",
            status = 'active' and deleted_at is null as sends,
            activated_at as "activatedAt"
          from webhooks where id = ${id} for share`)
        return row
      })

      const purgeSubscriptions = Effect.fn("WebhooksRepo.purgeSubscriptions")(function* (until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from webhook_subscriptions where (webhook_id, event_type, from_at, from_transaction) in (
            select webhook_id, event_type, from_at, from_transaction from webhook_subscriptions
            where until_at < ${until} order by until_at limit ${limit}
          ) returning webhook_id`)
        return purged.length
      })

      const purge = Effect.fn("WebhooksRepo.purge")(function* (until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from webhooks where id in (
            select id from webhooks w
            where deleted_at < ${until}
              and not exists (select from deliveries where webhook_id = w.id)
              and not exists (select from webhook_subscriptions where webhook_id = w.id)
            order by deleted_at limit ${limit}
          ) returning id`)
        return purged.length
      })

      const setStanding = Effect.fn("WebhooksRepo.setStanding")(function* (id: string, standing: Standing, at: Date) {
        yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = greatest(updated_at, ${at}::timestamptz), change_type = 'updated',
            change_origin = 'system', status = ${standing.status}, disabled_reason = ${standing.disabledReason},
            disabled_at = ${disabledAt(standing)}::timestamptz, consecutive_exhausted = ${standing.consecutiveExhausted}
          where id = ${id}`)
      })

      return WebhooksRepo.of({
        find,
        lock,
        list,
        claimPlace,
        insert,
        update,
        rotate,
        remove,
        lockStandings,
        setStanding,
        hold,
        purgeSubscriptions,
        purge
      })
    })
  )
}
