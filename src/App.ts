/**
 * All use-cases. A service brings what it needs of other modules in its own `layer`; here are the lists of them, and what they all stand
 * on.
 */
import * as OperatorEvents from "./core/audit/OperatorEvents.ts"
import * as TeamBudget from "./core/usecase/TeamBudget.ts"
import * as Subjects from "./SubjectRecords.ts"
import * as RandomPool from "./platform/secrets/RandomPool.ts"
import { type Duration, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { AuditLog } from "./core/audit/AuditLog.ts"
import { Activities } from "./content/activities/Activities.ts"
import { DeletedRecords } from "./core/records/DeletedRecords.ts"
import { DeletionLimits } from "./core/deletions/DeletionLimits.ts"
import { ExternalRefsRepo } from "./core/externalRefs/ExternalRefsRepo.ts"
import { Authorization } from "./http/Authorization.ts"
import { Apps } from "./identity/apps/Apps.ts"
import { Clients } from "./identity/clients/Clients.ts"
import { Invitations } from "./identity/invitations/Invitations.ts"
import { TeamClients } from "./identity/clients/TeamClients.ts"
import { OAuth } from "./identity/oauth/OAuth.ts"
import { Authentication, RateLimits } from "./core/auth/Authentication.ts"
import { AccessTokens, OwnTokens, Tokens } from "./identity/tokens/Tokens.ts"
import { Changes } from "./core/mutation/Changes.ts"
import { RequestRecords } from "./core/requests/RequestRecords.ts"
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
import { Visits } from "./identity/signIn/Visits.ts"
import { TeamAdministration } from "./identity/teams/TeamAdministration.ts"
import { Members, TeamQuotas, Teams } from "./identity/teams/Teams.ts"
import { UpstreamSignIn } from "./identity/signIn/UpstreamSignIn.ts"
import { Users } from "./identity/users/Users.ts"
import { Gazetteer } from "./market/mandates/gazetteer/Gazetteer.ts"
import { Mandates } from "./market/mandates/Mandates.ts"
import { Locations } from "./market/mandates/Locations.ts"
import { FittingMandates, Matches } from "./market/matches/Matches.ts"
import { Cascades } from "./network/Cascades.ts"
import { Companies } from "./network/companies/Companies.ts"
import { Contacts } from "./network/contacts/Contacts.ts"
import { Duplicates } from "./network/duplicates/Duplicates.ts"
import { Links } from "./network/links/Links.ts"
import { Restores } from "./network/restores/Restores.ts"
import { Tags } from "./network/tags/Tags.ts"
import { Merges } from "./network/merges/Merges.ts"
import { AssociatedProjects, Deletions } from "./network/projects/AssociatedProjects.ts"
import { ProspectUpdates } from "./network/projects/ProspectUpdates.ts"
import { Notes } from "./content/notes/Notes.ts"
import { newInvestors, OfferArrivals, OfferLifecycle } from "./deals/lifecycle/OfferLifecycle.ts"
import { Offers } from "./deals/offers/Offers.ts"
import { ProjectLifecycle, propertyDeals } from "./deals/lifecycle/ProjectLifecycle.ts"
import { Projects } from "./deals/projects/Projects.ts"
import { Today } from "./deals/today/Today.ts"
import { Properties } from "./market/properties/Properties.ts"
import { Related } from "./market/related/Related.ts"
import { ConsoleImports } from "./transfer/ConsoleImports.ts"
import { TeamExports } from "./tenancy/TeamExports.ts"
import { TeamImports } from "./tenancy/TeamImports.ts"
import { TeamLifecycle } from "./tenancy/TeamLifecycle.ts"
import { TeamRuns } from "./tenancy/TeamRuns.ts"
import { Messages } from "./deals/messages/Messages.ts"
import { ProspectBatches } from "./deals/prospects/ProspectBatches.ts"
import { ProspectChanges } from "./deals/prospects/ProspectChanges.ts"
import { Prospects } from "./deals/prospects/Prospects.ts"
import { ProspectWrites } from "./deals/prospects/ProspectWrites.ts"
import { Tasks } from "./deals/prospects/tasks/Tasks.ts"
import { ErasureList } from "./privacy/ErasureList.ts"
import { SavedFilters } from "./identity/filters/SavedFilters.ts"
import { Start } from "./start/Start.ts"
import { Erasures } from "./privacy/Erasures.ts"
import { PersonExports } from "./privacy/PersonExports.ts"
import { Replays } from "./privacy/Replays.ts"
import { Quotas } from "./core/quotas/Quotas.ts"
import { AccessLifecycle } from "./deals/lifecycle/AccessLifecycle.ts"
import { Rooms } from "./deals/rooms/Rooms.ts"
import { Documents } from "./deals/rooms/Documents.ts"
import { Teasers } from "./deals/teasers/Teasers.ts"
import { Questions } from "./deals/rooms/questions/Questions.ts"
import { type Periods, Retention } from "./platform/Retention.ts"
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
import { ClientWebhooks } from "./webhooks/clients/ClientWebhooks.ts"
import { Inbox } from "./webhooks/inbox/Inbox.ts"
import { Trial } from "./console/Console.ts"
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
  /** Whether it is a trial, which has an inbox; not by default. */
  readonly isTrial?: boolean
  readonly webhookAllowedNetworks: ReadonlyArray<string>
  readonly webhookRetryDelays: ReadonlyArray<Duration.Duration> | undefined
  readonly rateLimits: { readonly pat: number; readonly client: number; readonly session: number }
  /** How long what is stored is kept; the standard periods by default. */
  readonly retention?: Periods
  /** What the operator set of apps and of sign-in: layers of the references that these have. */
  readonly identity?: Layer.Layer<never>
  /** Where the content of files is kept. */
  readonly fileStore: Layer.Layer<FileStore>
}

/** The audit log, with the events of the operator's team. Commands have one without them, which records how they end. */
const auditLog = Layer.fresh(AuditLog.layer).pipe(Layer.provide(OperatorEvents.layer))

/** What every module stands on. */
const core = Layer.mergeAll(
  DeletionLimits.layer,
  DeletedRecords.layer,
  ExternalRefsRepo.layer,
  Idempotency.layer,
  Quotas.layer,
  RequestRecords.layerRecorder.pipe(Layer.provideMerge(RequestRecords.layer)),
  Timelines.layer
).pipe(Layer.provideMerge(auditLog), Layer.provideMerge(Changes.layer))

/** What modules ask of others that are above them. */
const ports = Subjects.layer.pipe(Layer.provideMerge(Layer.merge(newInvestors, propertyDeals)))

const identity = Layer.mergeAll(
  AccessTokens.layer,
  Apps.layer,
  Authentication.layer,
  Clients.layer,
  Grants.layer,
  Members.layer,
  OAuth.layer,
  Passwords.layer,
  Sessions.layer,
  SignInAttempts.layer,
  TeamQuotas.layer,
  Teams.layer,
  Tokens.layer,
  UpstreamSignIn.layer,
  Users.layer,
  Visits.layer
)

const webhooks = Layer.mergeAll(
  ClientWebhooks.layer,
  Deliveries.layer,
  DeliveryWorker.layer,
  Dispatcher.layer,
  Journal.layer,
  Recorder.layer,
  Reencryption.layer,
  Scheduler.layer,
  Sender.layer,
  WebhookHealth.layer,
  Webhooks.layer
)

const content = Layer.mergeAll(Activities.layer, FileRetention.layer, Files.layer, FileWrites.layer, Notes.layer)

const market = Layer.mergeAll(
  FittingMandates.layer,
  Gazetteer.layer,
  Locations.layer,
  Mandates.layer,
  Matches.layer,
  Related.layer,
  Properties.layer
)

const deals = Layer.mergeAll(
  AccessLifecycle.layer,
  Documents.layer,
  Messages.layer,
  OfferArrivals.layer,
  OfferLifecycle.layer,
  Offers.layer,
  ProjectLifecycle.layer,
  Projects.layer,
  ProspectBatches.layer,
  ProspectChanges.layer,
  Prospects.layer,
  ProspectWrites.layer,
  Questions.layer,
  Rooms.layer,
  Tasks.layer,
  Today.layer,
  Teasers.layer
)

const network = Layer.mergeAll(
  AssociatedProjects.layer,
  Cascades.layer,
  Companies.layer,
  Contacts.layer,
  Deletions.layer,
  Duplicates.layer,
  Links.layer,
  Merges.layer,
  ProspectUpdates.layer,
  Restores.layer,
  Tags.layer
)

const privacy = Layer.mergeAll(Erasures.layer, PersonExports.layer, Replays.layer)

const tenancy = Layer.mergeAll(TeamExports.layer, TeamImports.layer, TeamLifecycle.layer, TeamRuns.layer)

/**
 * Who may call, which the operator manages, and how webhooks and deliveries are. It needs the database alone, and no secret key, since no command
 * hands out cursors.
 */
export const layerIdentity = Layer.mergeAll(identity, ClientWebhooks.layer, Deliveries.layer, WebhookHealth.layer).pipe(
  Layer.provide(newInvestors),
  Layer.provideMerge(auditLog),
  Layer.provide(Layer.merge(Changes.layer, Quotas.layer)),
  Layer.provide(Jobs.layer),
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
  Layer.mergeAll(
    Authorization.layer,
    Authorizations.layer,
    Invitations.layer,
    TeamAdministration.layer,
    TeamClients.layer,
    OwnTokens.layer,
    identity,
    webhooks,
    content,
    market,
    deals,
    network,
    SavedFilters.layer,
    Start.layer,
    Layer.provide(privacy, ErasureList.layer(options.secretKeys)),
    tenancy,
    ConsoleImports.layer,
    Inbox.layer(options.isTrial === true ? { secretKeys: options.secretKeys } : undefined)
  ).pipe(
    Layer.provideMerge(ports),
    Layer.provideMerge(core),
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
        Layer.succeed(Trial, options.isTrial ?? false),
        Layer.succeed(RateLimits, options.rateLimits),
        options.retention === undefined ? Layer.empty : Layer.succeed(Retention, options.retention),
        Layer.succeed(RetryDelays, options.webhookRetryDelays ?? retryDelays)
      )
    )
  )
