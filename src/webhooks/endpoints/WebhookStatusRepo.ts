/** The SQL of a webhook's status as the service itself reads and changes it. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { WebhookState, WebhookStatus } from "./rules.ts"

/** The columns of a status. */
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

/** The column `disabled_at` of a status. */
export const disabledAt = ({ disabledUtc }: WebhookStatus): Date | null =>
  disabledUtc === null ? null : new Date(disabledUtc)

/** A webhook whose state is locked. */
export interface LockedWebhook {
  readonly teamId: string
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
     * The status of live webhooks, by their ids, locked until the transaction ends: of `all`, and of those of `counting`
     * that count an exhausted delivery. So the usual success waits for no lock.
     */
    readonly lockStatuses: (ids: {
      readonly all: ReadonlyArray<string>
      readonly counting: ReadonlyArray<string>
    }) => Effect.Effect<ReadonlyMap<string, WebhookStatus>>
    /** Writes the status of a locked webhook, changed by the service itself. */
    readonly setStatus: (id: string, status: WebhookStatus, at: Date) => Effect.Effect<void>
    /** A webhook, deleted or not, whose state is locked until the transaction ends. */
    readonly lockState: (id: string) => Effect.Effect<LockedWebhook | undefined>
  }
>()("webhooks/endpoints/WebhookStatusRepo") {
  static readonly layer = Layer.effect(
    WebhookStatusRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const lockStatuses = Effect.fn("WebhookStatusRepo.lockStatuses")(function* ({
        all,
        counting
      }: {
        readonly all: ReadonlyArray<string>
        readonly counting: ReadonlyArray<string>
      }) {
        const rows = yield* orDie(sql<StatusRow & { readonly id: string }>`
          select id, status, disabled_reason, disabled_at, consecutive_exhausted from webhooks
          where deleted_at is null
            and (id = any(${all}::uuid[]) or (id = any(${counting}::uuid[]) and consecutive_exhausted > 0))
          order by id for no key update`)
        return new Map(rows.map((row) => [row.id, statusOf(row)] as const))
      })

      const setStatus = Effect.fn("WebhookStatusRepo.setStatus")(function* (
        id: string,
        status: WebhookStatus,
        at: Date
      ) {
        yield* orDie(sql`
          update webhooks set
            version = version + 1, updated_at = greatest(updated_at, ${at}::timestamptz), change_type = 'updated',
            change_origin = 'system', status = ${status.state}, disabled_reason = ${status.disabledReason},
            disabled_at = ${disabledAt(status)}::timestamptz, consecutive_exhausted = ${status.consecutiveExhausted}
          where id = ${id}`)
      })

      // Without a condition on the status: Postgres would not lock a row that does not meet it.
      const lockState = Effect.fn("WebhookStatusRepo.lockState")(function* (id: string) {
        const [row] = yield* orDie(sql<LockedWebhook>`
          select team_id as "teamId", status as state, deleted_at is not null as "isDeleted",
            status = 'active' and deleted_at is null as "isSending",
            activated_at as "activatedAt"
          from webhooks where id = ${id} for share`)
        return row
      })

      return WebhookStatusRepo.of({ lockStatuses, setStatus, lockState })
    })
  )
}
