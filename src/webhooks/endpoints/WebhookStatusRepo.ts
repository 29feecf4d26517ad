/** The SQL of a webhook's status, for changes that the service itself makes. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { WebhookState, WebhookStatus } from "./rules.ts"

/** The columns of the status. */
export interface StatusRow {
  readonly status: WebhookState
  readonly disabled_reason: string | null
  readonly disabled_at: Date | null
  readonly consecutive_exhausted: number
}

/** The status in a row. */
export const statusOf = (row: StatusRow): WebhookStatus => ({
  state: row.status,
  disabledReason: row.disabled_reason,
  disabledUtc: row.disabled_at?.toISOString() ?? null,
  consecutiveExhausted: row.consecutive_exhausted
})

/** The value of the column `disabled_at`. */
export const disabledAt = ({ disabledUtc }: WebhookStatus): Date | null =>
  disabledUtc === null ? null : new Date(disabledUtc)

/** A webhook whose state is locked. */
export interface LockedWebhook {
  readonly state: WebhookState
  readonly isDeleted: boolean
  /** Whether it is active and not deleted. */
  readonly isSending: boolean
  /** When a client last made it active again. */
  readonly activatedAt: Date | null
}

/** The status of webhooks. Ids are UUIDs. */
export class WebhookStatusRepo extends Context.Service<
  WebhookStatusRepo,
  {
    /**
     * Locks the status of live webhooks of a team until the transaction ends, and returns it by id: all of `all`, and those of `counting`
     * whose count of exhausted deliveries is not 0. So the usual success waits for no lock.
     */
    readonly lockStatuses: (
      teamId: string,
      ids: { readonly all: ReadonlyArray<string>; readonly counting: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyMap<string, WebhookStatus>>
    /** Writes the new status of a locked webhook. */
    readonly setStatus: (teamId: string, id: string, status: WebhookStatus, at: Date) => Effect.Effect<void>
    /** Locks the state of a webhook of a team, deleted or not, until the transaction ends. */
    readonly lockState: (teamId: string, id: string) => Effect.Effect<LockedWebhook | undefined>
  }
>()("webhooks/endpoints/WebhookStatusRepo") {
  static readonly layer = Layer.effect(
    WebhookStatusRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const lockStatuses = Effect.fn("WebhookStatusRepo.lockStatuses")(function* (
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

      const setStatus = Effect.fn("WebhookStatusRepo.setStatus")(function* (
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

      // No condition on the status, because Postgres does not lock a row that does not meet the conditions.
      const lockState = Effect.fn("WebhookStatusRepo.lockState")(function* (teamId: string, id: string) {
        const [row] = yield* orDie(sql<LockedWebhook>`
          select status as state, deleted_at is not null as "isDeleted",
            status = 'active' and deleted_at is null as "isSending",
            activated_at as "activatedAt"
          from webhooks where id = ${id} and team_id = ${teamId} for share`)
        return row
      })

      return WebhookStatusRepo.of({ lockStatuses, setStatus, lockState })
    })
  )
}
