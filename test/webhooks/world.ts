/** The parts of the service that webhooks need, on the run's store and the test's clock, with receivers on the loopback. */
import { Effect, Layer, Random, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as App from "../../src/App.ts"
import { type Actor, CurrentActor } from "../../src/auth/CurrentActor.ts"
import { ChangeClock, Changes } from "../../src/changes/Changes.ts"
import { EntriesRepo } from "../../src/changes/journal/EntriesRepo.ts"
import { Journal } from "../../src/changes/journal/Journal.ts"
import { Timelines } from "../../src/changes/Timelines.ts"
import { ExternalRefsRepo } from "../../src/externalRefs/ExternalRefsRepo.ts"
import { Files } from "../../src/files/Files.ts"
import { FilesRepo } from "../../src/files/FilesRepo.ts"
import { FileStore } from "../../src/files/store/FileStore.ts"
import * as UseCaseRequest from "../../src/usecase/UseCaseRequest.ts"
import { Idempotency } from "../../src/usecase/Idempotency.ts"
import type { Json } from "../../src/usecase/Input.ts"
import { Cursors } from "../../src/usecase/Page.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import * as MemoryWorker from "../../src/jobs/memory/MemoryWorker.ts"
import { Companies } from "../../src/network/companies/Companies.ts"
import { CompaniesRepo } from "../../src/network/companies/CompaniesRepo.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { LinksRepo } from "../../src/network/links/LinksRepo.ts"
import { Links } from "../../src/network/links/Links.ts"
import { ContactsRepo } from "../../src/network/contacts/ContactsRepo.ts"
import { Projects } from "../../src/projects/Projects.ts"
import { ProjectsRepo } from "../../src/projects/ProjectsRepo.ts"
import { InvestorCascades } from "../../src/prospects/cascades/InvestorCascades.ts"
import { InvestorCascadesRepo } from "../../src/prospects/cascades/InvestorCascadesRepo.ts"
import * as ProjectCascades from "../../src/prospects/cascades/ProjectCascades.ts"
import { ProjectCascadesRepo } from "../../src/prospects/cascades/ProjectCascadesRepo.ts"
import { Overdue } from "../../src/prospects/Overdue.ts"
import { Prospects } from "../../src/prospects/Prospects.ts"
import { ProspectsRepo } from "../../src/prospects/ProspectsRepo.ts"
import { ProspectWrites } from "../../src/prospects/ProspectWrites.ts"
import { SecretBox } from "../../src/secrets/SecretBox.ts"
import { Subjects } from "../../src/subjects/Subjects.ts"
import { AttemptsRepo } from "../../src/webhooks/deliveries/AttemptsRepo.ts"
import { Courier } from "../../src/webhooks/deliveries/DeliveryWorker.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { DeliveriesRepo } from "../../src/webhooks/deliveries/DeliveriesRepo.ts"
import { Dispatcher } from "../../src/webhooks/deliveries/Dispatcher.ts"
import { DispatchRepo } from "../../src/webhooks/deliveries/DispatchRepo.ts"
import type { DeliveryListQuery } from "../../src/webhooks/deliveries/Delivery.ts"
import { ForgottenRepo } from "../../src/webhooks/deliveries/ReconciliationRepo.ts"
import { Recorder } from "../../src/webhooks/deliveries/Recorder.ts"
import { Sender } from "../../src/webhooks/deliveries/Sender.ts"
import { Turns } from "../../src/webhooks/deliveries/Scheduler.ts"
import { TurnsRepo } from "../../src/webhooks/deliveries/SchedulerRepo.ts"
import type { WebhookListQuery } from "../../src/webhooks/endpoints/Webhook.ts"
import { Reencryption } from "../../src/webhooks/endpoints/Reencryption.ts"
import { SealedSecretsRepo } from "../../src/webhooks/endpoints/SealedSecretsRepo.ts"
import { Webhooks } from "../../src/webhooks/endpoints/Webhooks.ts"
import { WebhooksRepo } from "../../src/webhooks/endpoints/WebhooksRepo.ts"
import { Outbound } from "../../src/webhooks/outbound/Outbound.ts"
import { tasks } from "../../workers/tasks.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

export const secretKeys = { current: Redacted.make(new Uint8Array(32).fill(7)), previous: undefined }

/** What Effect's Random gives: the jitter of retries. */
export const chance = { value: 0 }

const random = Layer.succeed(Random.Random, {
  nextIntUnsafe: () => 0,
  nextDoubleUnsafe: () => chance.value
})

export const world = MemoryWorker.layer(tasks).pipe(
  Layer.provideMerge(Files.layer),
  Layer.provideMerge(Subjects.layer),
  Layer.provideMerge(Layer.merge(Overdue.layer, Prospects.layer)),
  Layer.provideMerge(Layer.merge(Projects.layer, ProspectWrites.layer)),
  Layer.provideMerge(Companies.layer),
  Layer.provideMerge(
    Layer.mergeAll(Deliveries.layer, Reencryption.layer, Webhooks.layer, Contacts.layer, App.layerIdentity)
  ),
  Layer.provideMerge(Layer.mergeAll(InvestorCascades.layer, ProjectCascades.layer, Links.layer)),
  Layer.provideMerge(Dispatcher.layer),
  Layer.provideMerge(Courier.layer),
  Layer.provideMerge(Layer.mergeAll(Recorder.layer, Sender.layer, Turns.layer)),
  Layer.provideMerge(Layer.mergeAll(Changes.layer, Idempotency.layer, Journal.layer, Timelines.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      AttemptsRepo.layer,
      InvestorCascadesRepo.layer,
      ProjectCascadesRepo.layer,
      CompaniesRepo.layer,
      FilesRepo.layer,
      FileStore.layerMemory,
      ForgottenRepo.layer,
      ContactsRepo.layer,
      DeliveriesRepo.layer,
      DispatchRepo.layer,
      EntriesRepo.layer,
      ExternalRefsRepo.layer,
      LinksRepo.layer,
      ProjectsRepo.layer,
      ProspectsRepo.layer,
      SealedSecretsRepo.layer,
      TurnsRepo.layer,
      WebhooksRepo.layer
    )
  ),
  Layer.provideMerge(
    Layer.mergeAll(
      SecretBox.layer(secretKeys),
      Cursors.layer(secretKeys),
      SecureRandom.layerWebCrypto,
      Outbound.layer({ allowHttp: true, allowedNetworks: ["127.0.0.1/32"], resolve: async () => ["127.0.0.1"] })
    )
  ),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Layer.merge(random, Layer.succeed(ChangeClock, "application")))
)

/** A team, and what its person does. */
export const aTeam = Effect.fn("aTeam")(function* (options: Tenant.TenantOptions = {}) {
  const { teamId, userId } = yield* Tenant.make(options)
  const contacts = yield* Contacts
  const webhooks = yield* Webhooks
  const deliveries = yield* Deliveries
  const actor: Actor = {
    userId,
    teamId,
    clientId: null,
    role: "admin",
    membership: options.membership ?? "active",
    broker: options.broker === undefined ? "active" : options.broker,
    investor: options.investor ?? null,
    scopes: ["api:public"],
    origin: "api"
  }
  const as = Effect.provideService(CurrentActor, actor)
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
      as(contacts.remove(id, UseCaseRequest.make({ operation: "DELETE contact", query: {} }))),
    subscribe: (body: Json, idempotencyKey?: string) =>
      as(
        webhooks.create(
          UseCaseRequest.make({
            operation: "POST /api/v1/webhooks",
            query: {},
            body,
            ...(idempotencyKey === undefined ? {} : { idempotencyKey })
          })
        )
      ),
    list: (query: WebhookListQuery) => as(webhooks.list(UseCaseRequest.make({ operation: "GET webhooks", query }))),
    webhook: (id: string) => as(webhooks.get(id)),
    patch: (id: string, body: Json) =>
      as(webhooks.patch(id, UseCaseRequest.make({ operation: "PATCH webhook", query: {}, body }))),
    unsubscribe: (id: string) =>
      as(webhooks.remove(id, UseCaseRequest.make({ operation: "DELETE webhook", query: {} }))),
    log: (id: string, query: DeliveryListQuery = {}) =>
      as(deliveries.list(id, UseCaseRequest.make({ operation: "GET deliveries", query })))
  }
})
