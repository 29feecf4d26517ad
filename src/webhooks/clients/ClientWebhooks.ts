/**
 * The webhooks that an OAuth client made, for the operator and the administrators of its team:
 * docs/behaviour/identity.md#oauth-clients.
 */
import * as Id from "../../core/Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { CurrentActor, isOperator, operatorOf } from "../../core/auth/CurrentActor.ts"
import { Changes } from "../../core/mutation/Changes.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { Clients } from "../../identity/clients/Clients.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { type StoredWebhook, WebhooksRepo } from "../WebhooksRepo.ts"

const shown = ({ webhook }: StoredWebhook) => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  status: webhook.status,
  createdUtc: webhook.createdUtc
})

const notFound = new NotFound({ detail: "There is no client with this id." })

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* WebhooksRepo
  const auditLog = yield* AuditLog
  const changes = yield* Changes
  const clients = yield* Clients

  /** A client (its public id), with its use and the webhooks that it made. */
  const show = Effect.fn("ClientWebhooks.show")(function* (id: string) {
    const client = yield* clients.show(id)
    const { clientId, teamId } = yield* clients.named(id)
    if (clientId === undefined) return yield* notFound
    const made = yield* inTeam(teamId)(repo.madeBy(teamId, clientId))
    return { ...client, webhooks: made.map(shown) }
  })

  /**
   * Revokes a client (its public id) and deletes the webhooks that it made, in one transaction; returns their ids.
   */
  const revoke = Effect.fn("ClientWebhooks.revoke")(function* (id: string) {
    const caller = yield* CurrentActor
    const { clientId, teamId } = yield* clients.named(id)
    if (clientId === undefined) return yield* notFound
    return yield* Effect.gen(function* () {
      yield* clients.revoke(id)
      return yield* changes.commit(isOperator(caller) ? operatorOf(teamId) : caller, (change) =>
        Effect.gen(function* () {
          const made = yield* repo.madeBy(teamId, clientId)
          return yield* Effect.forEach(made, ({ uuid, webhook }) =>
            Effect.gen(function* () {
              const stored = yield* repo.lock(teamId, uuid)
              if (stored === undefined) return webhook.id
              // It is locked.
              yield* Effect.orDie(repo.delete(change, stored))
              change.record({ change: "deleted", resource: { type: "webhook", id: uuid }, subjects: [] })
              yield* auditLog.record({
                action: "webhook.deleted",
                teamId,
                target: { type: "webhook", id: Id.fromUuid("webhook", uuid) }
              })
              return webhook.id
            })
          )
        })
      )
    }).pipe(Transaction.run, Effect.provideService(Database, sql))
  })

  return { show, revoke }
})

/** OAuth clients with the webhooks that they made. `Clients` authorizes. */
export class ClientWebhooks extends Context.Service<ClientWebhooks, Effect.Success<typeof make>>()(
  "webhooks/ClientWebhooks"
) {
  static readonly layer = Layer.effect(ClientWebhooks, make).pipe(Layer.provide([Clients.layer, WebhooksRepo.layer]))
}
