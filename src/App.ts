/** Composes the layers of all use-cases, on those of `Repositories.ts`: the only place that does. */
import * as TeamBudget from "./core/usecase/TeamBudget.ts"
import * as Subjects from "./Subjects.ts"
import * as RandomPool from "./platform/secrets/RandomPool.ts"
import { type Duration, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Activities } from "./content/activities/Activities.ts"
import { repositories, repositoriesOfIdentity } from "./Repositories.ts"
import { Authorization } from "./http/Authorization.ts"
import { Apps, ClientDocuments } from "./identity/apps/Apps.ts"
import { Clients } from "./identity/clients/Clients.ts"
import { OAuth, TokenExchange } from "./identity/oauth/OAuth.ts"
import { Authentication, RateLimits } from "./core/auth/Authentication.ts"
import { AccessTokens, Tokens } from "./identity/tokens/Tokens.ts"
import { Changes } from "./core/mutation/Changes.ts"
import { Jobs } from "./platform/jobs/Jobs.ts"
import { Journal } from "./webhooks/changes/Journal.ts"
import { Timelines } from "./core/mutation/Timelines.ts"
import { FileRetention } from "./content/files/FileRetention.ts"
import { Files } from "./content/files/Files.ts"
import { FileWrites } from "./content/files/FileWrites.ts"
import type { FileStore } from "./platform/fileStore/FileStore.ts"
import { Idempotency } from "./core/usecase/Idempotency.ts"
import { Cursors } from "./core/usecase/Page.ts"
import { SignInAttempts } from "./identity/signIn/SignInAttempts.ts"
import { Authorizations, Grants } from "./identity/oauth/Grants.ts"
import { Passwords } from "./identity/signIn/Passwords.ts"
import { Sessions } from "./identity/signIn/Sessions.ts"
import { Members, TeamQuotas, Teams } from "./identity/teams/Teams.ts"
import { UpstreamSignIn } from "./identity/signIn/UpstreamSignIn.ts"
import { Users } from "./identity/users/Users.ts"
import { Gazetteer } from "./market/mandates/gazetteer/Gazetteer.ts"
import { Mandates } from "./market/mandates/Mandates.ts"
import { Locations } from "./market/mandates/Locations.ts"
import { FittingMandates, Matches } from "./market/matches/Matches.ts"
import { Cascades } from "./network/merges/Cascades.ts"
import { Companies } from "./network/companies/Companies.ts"
import { Contacts } from "./network/contacts/Contacts.ts"
import { Duplicates } from "./network/duplicates/Duplicates.ts"
import { Links } from "./network/links/Links.ts"
import { Merges } from "./network/merges/Merges.ts"
import { Remainders } from "./network/remainders/Remainders.ts"
import { AssociatedProjects, Deletions } from "./network/projects/AssociatedProjects.ts"
import { ProspectUpdates } from "./network/projects/ProspectUpdates.ts"
import { Notes } from "./content/notes/Notes.ts"
import { newInvestors, OfferArrivals, OfferLifecycle } from "./deals/lifecycle/OfferLifecycle.ts"
import { OfferChanges } from "./deals/offers/OfferChanges.ts"
import { Offers } from "./deals/offers/Offers.ts"
import { ProjectLifecycle, propertyDeals } from "./deals/lifecycle/ProjectLifecycle.ts"
import { Projects } from "./deals/projects/Projects.ts"
import { Properties } from "./market/properties/Properties.ts"
import { InvestorLifecycle } from "./deals/lifecycle/InvestorLifecycle.ts"
import { Messages } from "./deals/messages/Messages.ts"
import { ProspectBatches } from "./deals/prospects/ProspectBatches.ts"
import { ProspectChanges } from "./deals/prospects/ProspectChanges.ts"
import { Prospects } from "./deals/prospects/Prospects.ts"
import { ProspectWrites } from "./deals/prospects/ProspectWrites.ts"
import { Tasks } from "./deals/prospects/tasks/Tasks.ts"
import { Quotas } from "./core/quotas/Quotas.ts"
import { AccessLifecycle } from "./deals/lifecycle/AccessLifecycle.ts"
import { Rooms } from "./deals/rooms/Rooms.ts"
import { Documents } from "./deals/rooms/Documents.ts"
import { Teasers } from "./deals/teasers/Teasers.ts"
import { Questions } from "./deals/rooms/questions/Questions.ts"
import { SecretBox } from "./platform/secrets/SecretBox.ts"
import type { SecretKeys } from "./platform/secrets/SecretKeys.ts"
import { Deliveries } from "./webhooks/deliveries/Deliveries.ts"
import { DeliveryWorker } from "./webhooks/deliveries/DeliveryWorker.ts"
import { Dispatcher } from "./webhooks/deliveries/Dispatcher.ts"
import { Recorder, RetryDelays } from "./webhooks/deliveries/Recorder.ts"
import { retryDelays } from "./webhooks/deliveries/rules.ts"
import { Scheduler } from "./webhooks/deliveries/Scheduler.ts"
import { Sender } from "./webhooks/deliveries/Sender.ts"
import { Reencryption } from "./webhooks/Reencryption.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { WebhookHealth } from "./webhooks/WebhookHealth.ts"
import { Outbound, Sending } from "./core/outbound/Outbound.ts"

/** The configuration of the use-cases. */
export interface Options {
  /** What secrets are sealed and cursors are signed with. */
  readonly secretKeys: SecretKeys
  /** Whether events are sent to webhooks. */
  readonly webhooks: boolean
  readonly webhookAllowHttp: boolean
  readonly webhookAllowedNetworks: ReadonlyArray<string>
  readonly webhookRetryDelays: ReadonlyArray<Duration.Duration> | undefined
  readonly rateLimits: { readonly pat: number; readonly client: number }
  /** What the operator set of apps and of sign-in: layers of the references that these have. */
  readonly identity?: Layer.Layer<never>
  /** Where the content of files is kept. */
  readonly fileStore: Layer.Layer<FileStore>
}

const shared = Layer.mergeAll(Changes.layer, Idempotency.layer, Journal.layer, Quotas.layer, Timelines.layer)

// A line may depend on the lines after it.
const identity = Layer.mergeAll(
  Authentication.layer,
  Tokens.layer,
  Members.layer,
  Passwords.layer,
  Grants.layer,
  OAuth.layer,
  TeamQuotas.layer,
  UpstreamSignIn.layer
).pipe(
  Layer.provideMerge(TokenExchange.layer),
  Layer.provideMerge(Layer.mergeAll(AccessTokens.layer, Apps.layer, Clients.layer, Sessions.layer)),
  Layer.provideMerge(SignInAttempts.layer),
  Layer.provideMerge(Users.layer),
  Layer.provideMerge(Teams.layer)
)

const offersOfNewInvestors = newInvestors.pipe(
  Layer.provideMerge(OfferArrivals.layer),
  Layer.provideMerge(OfferChanges.layer)
)

// What projects and everything above them need.
const belowProjects = Layer.mergeAll(
  Authorizations.layer,
  Companies.layer,
  Deliveries.layer,
  Duplicates.layer,
  OAuth.layer,
  Reencryption.layer,
  Webhooks.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(ClientDocuments.layer, Contacts.layer, WebhookHealth.layer)),
  Layer.provideMerge(Layer.mergeAll(InvestorLifecycle.layer, Links.layer, Mandates.layer, Remainders.layer)),
  Layer.provideMerge(FileWrites.layer),
  Layer.provideMerge(Layer.provideMerge(Locations.layer, Gazetteer.layer)),
  Layer.provideMerge(Layer.mergeAll(identity, Dispatcher.layer)),
  Layer.provideMerge(offersOfNewInvestors),
  Layer.provideMerge(DeliveryWorker.layer),
  Layer.provideMerge(Layer.provideMerge(Recorder.layer, Layer.merge(Sender.layer, Scheduler.layer)))
)

const records = Layer.mergeAll(
  Layer.provideMerge(Deletions.layer, AssociatedProjects.layer),
  ProjectLifecycle.layer,
  Matches.layer,
  Layer.provideMerge(Cascades.layer, Merges.layer),
  Messages.layer,
  AccessLifecycle.layer,
  OfferLifecycle.layer,
  Layer.provideMerge(ProspectUpdates.layer, ProspectChanges.layer),
  ProspectBatches.layer,
  Questions.layer,
  Tasks.layer
).pipe(
  Layer.provideMerge(Documents.layer),
  Layer.provideMerge(Offers.layer),
  Layer.provideMerge(Layer.merge(FittingMandates.layer, Rooms.layer)),
  Layer.provideMerge(Teasers.layer),
  Layer.provideMerge(Prospects.layer),
  Layer.provideMerge(Layer.provideMerge(ProspectWrites.layer, Projects.layer)),
  Layer.provideMerge(Properties.layer),
  Layer.provideMerge(propertyDeals),
  Layer.provideMerge(belowProjects)
)

// Notes, files and timelines, on what they belong to.
const useCases = Activities.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(FileRetention.layer, Files.layer, Notes.layer)),
  Layer.provideMerge(Subjects.layer),
  Layer.provideMerge(records)
)

/**
 * Who may call, which the operator manages, and how webhooks are. It needs the database alone, and no secret key, since no command
 * hands out cursors.
 */
export const layerIdentity = WebhookHealth.layer.pipe(
  Layer.provideMerge(identity),
  Layer.provide(offersOfNewInvestors),
  Layer.provide(Layer.merge(Changes.layer, Quotas.layer)),
  Layer.provide(Jobs.layer),
  Layer.provide(repositoriesOfIdentity),
  Layer.provide(
    Layer.mergeAll(
      RandomPool.layer,
      Layer.unwrap(
        Effect.sync(() =>
          Cursors.layer({ current: Redacted.make(new Uint8Array(randomBytes(32))), previous: undefined })
        )
      )
    )
  )
)

/** All use-cases. They need the database and the jobs. */
export const layer = (options: Options) =>
  Authorization.layer.pipe(
    Layer.provideMerge(useCases),
    Layer.provideMerge(shared),
    Layer.provideMerge(repositories),
    Layer.provideMerge(
      Layer.mergeAll(
        SecretBox.layer(options.secretKeys),
        Cursors.layer(options.secretKeys),
        options.fileStore,
        RandomPool.layer,
        TeamBudget.layer,
        Outbound.layer({
          allowHttp: options.webhookAllowHttp,
          allowedNetworks: options.webhookAllowedNetworks
        }),
        options.identity ?? Layer.empty,
        Layer.succeed(Sending, options.webhooks),
        Layer.succeed(RateLimits, options.rateLimits),
        Layer.succeed(RetryDelays, options.webhookRetryDelays ?? retryDelays)
      )
    )
  )
