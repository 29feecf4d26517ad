/** Composes the layers of all use-cases, on those of `Repositories.ts`: the only place that does. */
import { type Duration, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Activities } from "./activities/Activities.ts"
import { repositories, repositoriesOfIdentity } from "./Repositories.ts"
import { Authorization } from "./http/Authorization.ts"
import { Apps } from "./identity/apps/Apps.ts"
import { ClientDocuments } from "./identity/apps/ClientDocuments.ts"
import { Registrations } from "./identity/apps/Registrations.ts"
import { Clients } from "./identity/clients/Clients.ts"
import { OAuth } from "./identity/oauth/OAuth.ts"
import { Authentication, RateLimits } from "./auth/Authentication.ts"
import { AccessTokens } from "./identity/tokens/AccessTokens.ts"
import { Tokens } from "./identity/tokens/Tokens.ts"
import { Changes } from "./changes/Changes.ts"
import { Jobs } from "./jobs/Jobs.ts"
import { Journal } from "./journal/Journal.ts"
import { Timelines } from "./changes/Timelines.ts"
import { FileRetention } from "./files/FileRetention.ts"
import { Files } from "./files/Files.ts"
import { OfferFiles } from "./files/OfferFiles.ts"
import { FoldedTexts } from "./foldedTexts/FoldedTexts.ts"
import * as FilesOfProspects from "./files/ProspectCascades.ts"
import { Uploads } from "./files/Uploads.ts"
import type { FileStore } from "./files/store/FileStore.ts"
import { Idempotency } from "./usecase/Idempotency.ts"
import { Cursors } from "./usecase/Page.ts"
import { Attempts } from "./identity/attempts/Attempts.ts"
import { Authorizations } from "./identity/oauth/Authorizations.ts"
import { Grants } from "./identity/oauth/Grants.ts"
import { TokenExchange } from "./identity/oauth/TokenExchange.ts"
import { Passwords } from "./identity/passwords/Passwords.ts"
import { Sessions } from "./identity/sessions/Sessions.ts"
import { Members } from "./identity/teams/Members.ts"
import { TeamQuotas } from "./identity/teams/TeamQuotas.ts"
import { Teams } from "./identity/teams/Teams.ts"
import { UpstreamSignIn } from "./identity/upstream/UpstreamSignIn.ts"
import { OnBehalf } from "./identity/users/OnBehalf.ts"
import { Users } from "./identity/users/Users.ts"
import { Gazetteer } from "./mandates/gazetteer/Gazetteer.ts"
import { Mandates } from "./mandates/Mandates.ts"
import { MandateSearches } from "./mandates/MandateSearches.ts"
import { Locations } from "./mandates/Locations.ts"
import { FittingMandates } from "./matching/FittingMandates.ts"
import { Matches } from "./matching/Matches.ts"
import { Cascades } from "./network/cascades/Cascades.ts"
import { Companies } from "./network/companies/Companies.ts"
import { Contacts } from "./network/contacts/Contacts.ts"
import { Duplicates } from "./network/duplicates/Duplicates.ts"
import { Links } from "./network/links/Links.ts"
import { Merges } from "./network/merges/Merges.ts"
import { Remainders } from "./network/remainders/Remainders.ts"
import { AssociatedProjects } from "./network/projects/AssociatedProjects.ts"
import { Deletions } from "./network/projects/Deletions.ts"
import { ProspectUpdates } from "./network/prospects/ProspectUpdates.ts"
import { Notes } from "./notes/Notes.ts"
import { Answers } from "./offers/Answers.ts"
import * as Arrivals from "./offers/Arrivals.ts"
import { Communications } from "./offers/Communications.ts"
import { Expiry } from "./offers/Expiry.ts"
import { OfferChanges } from "./offers/OfferChanges.ts"
import { Offers } from "./offers/Offers.ts"
import { OfferWrites } from "./offers/OfferWrites.ts"
import * as SharedFileReaders from "./offers/FileReaders.ts"
import * as OffersOfProjects from "./offers/ProjectCascades.ts"
import * as OffersOfProspects from "./offers/ProspectCascades.ts"
import { Lifecycle } from "./projects/Lifecycle.ts"
import { ProjectRecords } from "./projects/ProjectRecords.ts"
import { Projects } from "./projects/Projects.ts"
import { ProspectDeletions } from "./projects/ProspectDeletions.ts"
import { SellerCascades } from "./projects/SellerCascades.ts"
import * as PropertyCascades from "./projects/PropertyCascades.ts"
import { Properties } from "./properties/Properties.ts"
import { Additions } from "./prospects/Additions.ts"
import { InvestorCascades } from "./prospects/cascades/InvestorCascades.ts"
import { InvestorMerges } from "./prospects/cascades/InvestorMerges.ts"
import * as ProjectCascades from "./prospects/cascades/ProjectCascades.ts"
import { Classifications } from "./prospects/Classifications.ts"
import { Invitations } from "./prospects/Invitations.ts"
import { Conversations } from "./messages/Conversations.ts"
import { Messages } from "./messages/Messages.ts"
import { Milestones } from "./prospects/Milestones.ts"
import { NamedProspects } from "./prospects/NamedProspects.ts"
import { Overdue } from "./prospects/Overdue.ts"
import { Patches } from "./prospects/Patches.ts"
import { Prospects } from "./prospects/Prospects.ts"
import { ProspectWrites } from "./prospects/ProspectWrites.ts"
import { Removals } from "./prospects/Removals.ts"
import { Stages } from "./prospects/Stages.ts"
import { Upserts } from "./prospects/Upserts.ts"
import { Tasks } from "./prospects/tasks/Tasks.ts"
import { Quotas } from "./quotas/Quotas.ts"
import { Access } from "./rooms/Access.ts"
import * as OfferAccess from "./rooms/OfferAccess.ts"
import * as RoomsOfProjects from "./rooms/ProjectCascades.ts"
import * as RoomsOfProspects from "./rooms/ProspectCascades.ts"
import { RoomStates } from "./rooms/RoomStates.ts"
import * as DocumentReaders from "./rooms/DocumentReaders.ts"
import { Documents } from "./rooms/Documents.ts"
import { RoomMoves } from "./rooms/RoomMoves.ts"
import { Rooms } from "./rooms/Rooms.ts"
import * as SubjectCascades from "./teasers/SubjectCascades.ts"
import { TeaserMoves } from "./teasers/TeaserMoves.ts"
import { Teasers } from "./teasers/Teasers.ts"
import { Questions } from "./rooms/questions/Questions.ts"
import * as RoomCascades from "./rooms/questions/RoomCascades.ts"
import * as RandomPool from "./secrets/RandomPool.ts"
import { SecretBox } from "./secrets/SecretBox.ts"
import type { SecretKeys } from "./secrets/SecretKeys.ts"
import { Subjects } from "./subjects/Subjects.ts"
import { Deliveries } from "./webhooks/deliveries/Deliveries.ts"
import { DeliveryWorker } from "./webhooks/deliveries/DeliveryWorker.ts"
import { Dispatcher } from "./webhooks/deliveries/Dispatcher.ts"
import { Recorder, RetryDelays } from "./webhooks/deliveries/Recorder.ts"
import { ResultWriter } from "./webhooks/deliveries/ResultWriter.ts"
import { retryDelays } from "./webhooks/deliveries/rules.ts"
import { Scheduler } from "./webhooks/deliveries/Scheduler.ts"
import { Sender } from "./webhooks/deliveries/Sender.ts"
import { Reencryption } from "./webhooks/endpoints/Reencryption.ts"
import { Webhooks } from "./webhooks/endpoints/Webhooks.ts"
import { Health } from "./webhooks/health/Health.ts"
import { WebhookHealth } from "./webhooks/endpoints/WebhookHealth.ts"
import { Outbound } from "./webhooks/outbound/Outbound.ts"
import { Sending } from "./webhooks/outbound/Sending.ts"

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
  Layer.provideMerge(
    Layer.mergeAll(AccessTokens.layer, Apps.layer, Registrations.layer, Clients.layer, OnBehalf.layer, Sessions.layer)
  ),
  Layer.provideMerge(Attempts.layer),
  Layer.provideMerge(Users.layer),
  Layer.provideMerge(Teams.layer)
)

const offersOfNewInvestors = Arrivals.layer.pipe(
  Layer.provideMerge(OfferChanges.layer),
  Layer.provideMerge(Invitations.layer)
)

// What projects and everything above them need.
const belowProjects = Layer.mergeAll(
  Authorizations.layer,
  Companies.layer,
  Deliveries.layer,
  Duplicates.layer,
  Health.layer,
  OAuth.layer,
  Reencryption.layer,
  Webhooks.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(ClientDocuments.layer, Contacts.layer, SubjectCascades.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      InvestorCascades.layer,
      InvestorMerges.layer,
      ProjectCascades.layer,
      Links.layer,
      Mandates.layer,
      Remainders.layer,
      SellerCascades.layer
    )
  ),
  Layer.provideMerge(
    Layer.mergeAll(
      FilesOfProspects.layer,
      OffersOfProjects.layer,
      OffersOfProspects.layer,
      RoomsOfProjects.layer,
      RoomsOfProspects.layer
    )
  ),
  Layer.provideMerge(
    Layer.mergeAll(OfferAccess.layer, OfferFiles.layer, OfferWrites.layer, RoomCascades.layer, RoomStates.layer)
  ),
  Layer.provideMerge(Layer.provideMerge(Locations.layer, Gazetteer.layer)),
  Layer.provideMerge(Layer.mergeAll(identity, Dispatcher.layer, WebhookHealth.layer)),
  Layer.provideMerge(offersOfNewInvestors),
  Layer.provideMerge(Layer.provideMerge(DeliveryWorker.layer, ResultWriter.layer)),
  Layer.provideMerge(Layer.mergeAll(Recorder.layer, Sender.layer, Scheduler.layer))
)

const useCases = Layer.mergeAll(
  Activities.layer,
  Additions.layer,
  Layer.provideMerge(Deletions.layer, AssociatedProjects.layer),
  Classifications.layer,
  Layer.provideMerge(Lifecycle.layer, ProspectDeletions.layer),
  MandateSearches.layer,
  Matches.layer,
  Layer.provideMerge(Cascades.layer, Merges.layer),
  Messages.layer,
  Milestones.layer,
  Answers.layer,
  Communications.layer,
  Expiry.layer,
  FoldedTexts.layer,
  Overdue.layer,
  Layer.provideMerge(ProspectUpdates.layer, Patches.layer),
  Questions.layer,
  Removals.layer,
  RoomMoves.layer,
  Tasks.layer,
  Upserts.layer
).pipe(
  Layer.provideMerge(Documents.layer),
  Layer.provideMerge(Layer.merge(Access.layer, Conversations.layer)),
  Layer.provideMerge(Layer.mergeAll(NamedProspects.layer, Offers.layer, Stages.layer)),
  Layer.provideMerge(Layer.merge(FittingMandates.layer, Rooms.layer)),
  Layer.provideMerge(Layer.merge(Teasers.layer, TeaserMoves.layer)),
  Layer.provideMerge(Layer.mergeAll(FileRetention.layer, Files.layer, Notes.layer)),
  Layer.provideMerge(Layer.mergeAll(Uploads.layer, SharedFileReaders.layer, DocumentReaders.layer)),
  Layer.provideMerge(Subjects.layer),
  Layer.provideMerge(Prospects.layer),
  Layer.provideMerge(Layer.merge(Projects.layer, ProspectWrites.layer)),
  Layer.provideMerge(ProjectRecords.layer),
  Layer.provideMerge(Properties.layer),
  Layer.provideMerge(PropertyCascades.layer),
  Layer.provideMerge(belowProjects)
)

/**
 * Who may call, which the operator manages, and how webhooks are. It needs the database alone, and no secret key, since no command
 * hands out cursors.
 */
export const layerIdentity = Health.layer.pipe(
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
