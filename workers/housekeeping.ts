/**
 * Housekeeping: what the workers do once an hour. Most purge what is past its retention. Each row of the list at the end is a job of its
 * own, `housekeeping/…`, with an empty payload, which does the work that runs before it missed.
 */
import * as Job from "../src/platform/jobs/Job.ts"
import { makeHandler, makeHandlerInEachCell } from "../src/platform/jobs/Worker.ts"
import { Effect, Exit, Schema } from "effect"
import { FileRetention } from "../src/content/files/FileRetention.ts"
import { DeletionLimits } from "../src/core/deletions/DeletionLimits.ts"
import { AuditLog } from "../src/core/audit/AuditLog.ts"
import { Authentication } from "../src/core/auth/Authentication.ts"
import { DeletedRecords } from "../src/core/records/DeletedRecords.ts"
import { RequestRecords } from "../src/core/requests/RequestRecords.ts"
import { Idempotency } from "../src/core/usecase/Idempotency.ts"
import { ProjectLifecycle } from "../src/deals/lifecycle/ProjectLifecycle.ts"
import { ProspectChanges } from "../src/deals/prospects/ProspectChanges.ts"
import { Apps } from "../src/identity/apps/Apps.ts"
import { Invitations } from "../src/identity/invitations/Invitations.ts"
import { Grants } from "../src/identity/oauth/Grants.ts"
import { SignInAttempts } from "../src/identity/signIn/SignInAttempts.ts"
import { Passwords } from "../src/identity/signIn/Passwords.ts"
import { Sessions } from "../src/identity/signIn/Sessions.ts"
import { Tokens } from "../src/identity/tokens/Tokens.ts"
import { Mandates } from "../src/market/mandates/Mandates.ts"
import { Properties } from "../src/market/properties/Properties.ts"
import { ConsoleImports } from "../src/transfer/ConsoleImports.ts"
import { TeamLifecycle } from "../src/tenancy/TeamLifecycle.ts"
import { TeamRuns } from "../src/tenancy/TeamRuns.ts"
import { Companies } from "../src/network/companies/Companies.ts"
import { Contacts } from "../src/network/contacts/Contacts.ts"
import { Links } from "../src/network/links/Links.ts"
import { Messages } from "../src/deals/messages/Messages.ts"
import { Notes } from "../src/content/notes/Notes.ts"
import { Journal } from "../src/webhooks/changes/Journal.ts"
import { Deliveries } from "../src/webhooks/deliveries/Deliveries.ts"
import { Reencryption } from "../src/webhooks/Reencryption.ts"
import { WebhookHealth } from "../src/webhooks/WebhookHealth.ts"
import { Webhooks } from "../src/webhooks/Webhooks.ts"

const size = 1000

/** Removes batch after batch, each in its own transaction, until a batch is not full. */
export const inBatches = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> =>
  remove(size).pipe(Effect.repeat({ while: (removed) => removed >= size }), Effect.asVoid)

/**
 * Like {@link inBatches}, for batches that may not be full although there is more to remove: repeats until one is
 * empty.
 */
export const untilEmpty = <R>(
  remove: (limit: number) => Effect.Effect<number, never, R>
): Effect.Effect<void, never, R> => remove(size).pipe(Effect.repeat({ while: (removed) => removed > 0 }), Effect.asVoid)

/** Runs each of these, one after the other, also if one before has failed; then it fails, too, so that the job is retried. */
export const each = <R>(...parts: ReadonlyArray<Effect.Effect<void, never, R>>): Effect.Effect<void, never, R> =>
  Effect.flatMap(
    Effect.forEach(parts, (part) => Effect.exit(part)),
    Exit.asVoidAll
  )

const jobOf = (name: string) => Job.make(`housekeeping/${name}`, { payload: Schema.Struct({}) })

const once = <R>(name: string, run: Effect.Effect<void, never, R>) => makeHandler(jobOf(name), () => run)

const inEachCell = <R>(name: string, run: Effect.Effect<void, never, R>) =>
  makeHandlerInEachCell(jobOf(name), () => run)

/** Purges the tombstones of companies after the period that deltas cover. */
export const purgeCompanyTombstones = inEachCell(
  "companyTombstones",
  Effect.flatMap(Companies, ({ purge }) => untilEmpty(purge))
)

/** Purges the tombstones of contacts after the period that deltas cover. */
export const purgeContactTombstones = inEachCell(
  "contactTombstones",
  Effect.flatMap(Contacts, ({ purge }) => untilEmpty(purge))
)

/** Purges what deleted records held, and the text of notes on them, when they can no longer be restored. */
export const purgeDeletedContent = inEachCell(
  "deletedContent",
  Effect.flatMap(DeletedRecords, ({ purge }) => untilEmpty(purge))
)

/** Deletes closed projects after their retention period, if the operator has set one. */
export const deleteClosedProjects = inEachCell(
  "closedProjects",
  Effect.flatMap(ProjectLifecycle, ({ expireClosed }) => untilEmpty(expireClosed))
)

/** Removes the texts of messages and logged calls after their retention period, if the operator has set one. */
export const purgeMessages = inEachCell(
  "messages",
  Effect.flatMap(Messages, ({ purge }) => inBatches(purge))
)

/** Removes the texts of notes after their retention period, if the operator has set one. */
export const purgeNotes = inEachCell(
  "notes",
  Effect.flatMap(Notes, ({ purge }) => inBatches(purge))
)

/** Purges the counters of what clients deleted in hours that are over. */
export const purgeDeletionWindows = inEachCell(
  "deletionWindows",
  Effect.flatMap(DeletionLimits, ({ purge }) => untilEmpty(purge))
)

/** Purges deliveries, with their attempts, after their retention period. */
export const purgeDeliveries = inEachCell(
  "deliveries",
  Effect.flatMap(Deliveries, (deliveries) => deliveries.purge())
)

/** Purges events after their retention period, with their numbers in the journal. */
export const purgeEvents = inEachCell(
  "events",
  Effect.flatMap(Journal, ({ purge }) => inBatches(purge))
)

/** Purges the log of API requests after its retention period. */
export const purgeRequests = inEachCell(
  "requests",
  Effect.flatMap(RequestRecords, ({ purge }) => untilEmpty(purge))
)

/** Purges the files that people imported in the console, and their receipts, after a day. */
export const purgeImports = inEachCell(
  "imports",
  Effect.flatMap(ConsoleImports, ({ purge }) => untilEmpty(purge))
)

/** Purges what operators asked for in the console, with its archives, after a day. */
export const purgeTeamRuns = once(
  "teamRuns",
  Effect.flatMap(TeamRuns, ({ purge }) => untilEmpty(purge))
)

/** Purges tokens that expired long ago. */
export const purgeExpiredTokens = once(
  "expiredTokens",
  Effect.flatMap(Tokens, ({ purge }) => inBatches(purge))
)

/**
 * Purges the files of records that were deleted long ago, and objects without a file. The sweep comes last, because it also removes objects
 * that failed to be removed before.
 */
export const purgeFiles = once(
  "files",
  Effect.flatMap(FileRetention, ({ purge, sweep }) => Effect.andThen(inBatches(purge), sweep()))
)

/** Purges the stored responses of idempotent creates whose keys have expired. */
export const purgeIdempotencyKeys = inEachCell(
  "idempotencyKeys",
  Effect.flatMap(Idempotency, ({ purge }) => untilEmpty(purge))
)

/** Purges the tombstones of links after the period that deltas cover. */
export const purgeLinkTombstones = inEachCell(
  "linkTombstones",
  Effect.flatMap(Links, ({ purge }) => untilEmpty(purge))
)

/** Purges the tombstones of mandates after the period that deltas cover. */
export const purgeMandateTombstones = inEachCell(
  "mandateTombstones",
  Effect.flatMap(Mandates, ({ purge }) => untilEmpty(purge))
)

/**
 * Purges the content of projects that were deleted 30 days ago, and their tombstones after 90 days. A tombstone is purged after everything
 * that belonged to its project.
 */
export const purgeProjects = inEachCell(
  "projects",
  Effect.flatMap(ProjectLifecycle, ({ purgeContent, purgeTombstones }) =>
    each(untilEmpty(purgeContent), untilEmpty(purgeTombstones))
  )
)

/** Purges the tombstones of prospects after the period that deltas cover. */
export const purgeProspectTombstones = inEachCell(
  "prospectTombstones",
  Effect.flatMap(ProspectChanges, ({ purge }) => untilEmpty(purge))
)

/** Makes entries of the audit log of what was counted in the hours before, and purges entries after their retention period. */
export const purgeAuditLog = once(
  "auditLog",
  Effect.flatMap(AuditLog, ({ closeHours, purge }) => each(inBatches(closeHours), inBatches(purge)))
)

/** Purges the counters of rate-limit windows that closed long ago, and what is known of the use of clients from long ago. */
export const purgeRateWindows = once(
  "rateWindows",
  Effect.flatMap(Authentication, ({ purgeRateWindows, purgeUse }) =>
    each(inBatches(purgeRateWindows), untilEmpty(purgeUse))
  )
)

/**
 * Purges ended subscriptions, deleted webhooks without deliveries, and counters of the days before. Subscriptions come first, because a
 * webhook is purged after its own.
 */
export const purgeWebhooks = inEachCell(
  "webhooks",
  Effect.flatMap(Webhooks, ({ purge, purgeSubscriptions }) =>
    each(
      untilEmpty(purgeSubscriptions),
      untilEmpty(purge),
      Effect.flatMap(WebhookHealth, (health) => health.purge())
    )
  )
)

/** Re-encrypts the secrets of webhooks that are not sealed under the current secret key. */
export const reencryptWebhookSecrets = once(
  "webhookSecrets",
  Effect.flatMap(Reencryption, (reencryption) => Effect.asVoid(reencryption.run()))
)

/** Purges the tombstones of properties after the period that deltas cover. */
export const purgePropertyTombstones = inEachCell(
  "propertyTombstones",
  Effect.flatMap(Properties, ({ purge }) => untilEmpty(purge))
)

/** Purges sessions, codes and refresh tokens that were over long ago, links and invitations that have expired, unused apps, and windows of attempts. */
export const purgeSignIn = once(
  "signIn",
  Effect.gen(function* () {
    const [sessions, passwords, invitations] = [yield* Sessions, yield* Passwords, yield* Invitations]
    const [grants, apps, attempts] = [yield* Grants, yield* Apps, yield* SignInAttempts]
    const all = [sessions, passwords, invitations, grants, apps, attempts]
    yield* each(...all.map(({ purge }) => inBatches(purge)))
  })
)

/** Goes on with teams that were deleted or restored, and purges those whose grace is over. */
export const finishTeams = once(
  "teams",
  Effect.flatMap(TeamLifecycle, (teams) => teams.finish())
)

/** Writes the keys of names of companies again that former rules made, for the search for duplicates. */
export const renewNameKeys = inEachCell(
  "nameKeys",
  Effect.flatMap(Companies, (companies) => untilEmpty(companies.renewNameKeys))
)

/**
 * All of them, in the order of their minutes: `crontab` in `handlers.ts` runs each at a minute of the hour that follows from its position
 * here.
 */
export const housekeeping = [
  purgeAuditLog,
  purgeCompanyTombstones,
  purgeContactTombstones,
  purgeDeletionWindows,
  purgeDeliveries,
  purgeEvents,
  purgeExpiredTokens,
  purgeFiles,
  purgeIdempotencyKeys,
  purgeLinkTombstones,
  purgeMandateTombstones,
  purgeProjects,
  purgeProspectTombstones,
  purgeRateWindows,
  purgeWebhooks,
  reencryptWebhookSecrets,
  purgePropertyTombstones,
  purgeSignIn,
  renewNameKeys,
  finishTeams,
  purgeDeletedContent,
  deleteClosedProjects,
  purgeMessages,
  purgeNotes,
  purgeRequests,
  purgeImports,
  purgeTeamRuns
] as const
