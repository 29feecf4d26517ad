/** The whole service (`App.layer`) with a worker, on the test clock and without HTTP, for tests of webhooks. */
import * as App from "../../src/App.ts"
import * as MemoryWorker from "../../src/platform/jobs/MemoryWorker.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../support/Tenant.ts"
import { layerMemory } from "../../src/platform/fileStore/Drivers.ts"
import { Effect, Layer, Random, Redacted } from "effect"
import { actAs, type Actor } from "../../src/core/auth/CurrentActor.ts"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import type { DeliveryListQuery } from "../../src/webhooks/deliveries/Delivery.ts"
import type { WebhookListQuery } from "../../src/webhooks/Webhook.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { NameServersAway } from "../../src/core/outbound/rules.ts"
import { OwnResolve } from "../../src/core/outbound/Resolver.ts"
import { handlers } from "../../workers/handlers.ts"
import { repositories } from "../support/repositories.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

export const secretKeys = { current: Redacted.make(new Uint8Array(32).fill(7)), previous: undefined }

/** The next random numbers of the service, which are the jitter of retries. */
export const jitter = { value: 0 }

/** Whether the name servers of the service answer. */
export const nameServers = { areAway: false }

/** A fixed jitter, the time of the test clock for changes, and host names that resolve to the receivers of the test. */
export const overrides = Layer.mergeAll(
  Layer.succeed(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => jitter.value }),
  Layer.succeed(ChangeClock, "application"),
  Layer.succeed(OwnResolve, async () => {
    if (nameServers.areAway) throw new NameServersAway()
    return ["127.0.0.1"]
  })
)

/** The service without its database, with some of its options replaced. */
export const serviceOf = (options: Partial<App.Options> = {}) =>
  MemoryWorker.layer(handlers).pipe(
    Layer.provideMerge(
      App.layer({
        secretKeys,
        webhooks: true,
        webhookAllowHttp: true,
        webhookAllowedNetworks: ["127.0.0.1/32"],
        webhookRetryDelays: undefined,
        rateLimits: { pat: 300, client: 300, session: 300 },
        fileStore: layerMemory,
        ...options
      })
    ),
    Layer.provideMerge(repositories),
    Layer.provideMerge(Jobs.layerMemory)
  )

/** The service: its use-cases, jobs and repositories, with a worker that a test drains (`Worker.drain`). */
export const serviceWithWorker = serviceOf().pipe(Layer.provideMerge(TestDatabase.layer), Layer.provideMerge(overrides))

/** A new team, and the actions of its user. */
export const aTeam = Effect.fn("aTeam")(function* (options: Tenant.TenantOptions = {}) {
  const { teamId, userId } = yield* Tenant.make(options)
  const contacts = yield* Contacts
  const webhooks = yield* Webhooks
  const deliveries = yield* Deliveries
  const actor: Actor = {
    userId,
    teamId,
    clientId: null,
    role: options.role ?? "admin",
    membership: options.membership ?? "active",
    broker: options.broker === undefined ? "active" : options.broker,
    investor: options.investor ?? null,
    scopes: ["api:public"],
    origin: "api"
  }
  const as = actAs(actor)
  let names = 0
  return {
    as,
    teamId,
    /** Adds a contact, which emits `contact.created`. */
    addContact: Effect.suspend(() =>
      contacts.create(
        UseCaseRequest.make({ operation: "POST contacts", query: {}, body: { firstName: `Person ${++names}` } })
      )
    ).pipe(
      as,
      Effect.map(({ value }) => value)
    ),
    renameContact: (id: string, firstName: string) =>
      as(contacts.patch(id, UseCaseRequest.make({ operation: "PATCH contact", query: {}, body: { firstName } }))),
    removeContact: (id: string) =>
      as(contacts.delete(id, UseCaseRequest.make({ operation: "DELETE contact", query: {} }))),
    /** Creates a webhook. The result has its secret. */
    subscribe: (body: Json, idempotencyKey?: string) =>
      webhooks
        .create(
          UseCaseRequest.make({
            operation: "POST /api/v1/webhooks",
            query: {},
            body,
            ...(idempotencyKey === undefined ? {} : { idempotencyKey })
          })
        )
        .pipe(as),
    list: (query: WebhookListQuery) => as(webhooks.list(UseCaseRequest.make({ operation: "GET webhooks", query }))),
    webhook: (id: string) => as(webhooks.get(id)),
    test: (id: string) => as(webhooks.test(id, UseCaseRequest.make({ operation: "POST test", query: {}, body: {} }))),
    patch: (id: string, body: Json) =>
      as(webhooks.patch(id, UseCaseRequest.make({ operation: "PATCH webhook", query: {}, body }))),
    unsubscribe: (id: string) =>
      as(webhooks.delete(id, UseCaseRequest.make({ operation: "DELETE webhook", query: {} }))),
    delivery: (id: string, deliveryId: string) => as(deliveries.get(id, deliveryId)),
    /** Queues one delivery again. */
    retry: (id: string, deliveryId: string) =>
      as(deliveries.retry(id, deliveryId, UseCaseRequest.make({ operation: "POST retry", query: {} }))),
    /** Queues failed deliveries again that were created at `since` or later. */
    replay: (id: string, since: string) =>
      as(deliveries.replay(id, UseCaseRequest.make({ operation: "POST replay", query: {}, body: { since } }))),
    log: (id: string, query: DeliveryListQuery = {}) =>
      as(deliveries.list(id, UseCaseRequest.make({ operation: "GET deliveries", query })))
  }
})
