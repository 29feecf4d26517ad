/** The entries of the audit log: docs/behaviour/audit-log.md, whose tables are these lists. */
/** An action that is recorded. */
interface Action {
  readonly means: string
  /** Whether there is one entry for each caller and hour, with `details.count`, because callers can repeat it as they like. */
  readonly counted?: true
  /** Whether it is an event of the operator's team, too. */
  readonly notable?: true
}

/** Every action, by its name: what it is about, and what happened to it. */
export const actions = {
  "session.started": { means: "A person signed in, as `by` says." },
  "session.refused": {
    means: "A person could not sign in: `code` says why, and the target whose account it was.",
    counted: true
  },
  "session.ended": { means: "A person signed out." },
  "session.revoked": { means: "A session, or all sessions of a person, were ended by somebody." },
  "password.set": { means: "A person set a password.", notable: true },
  "sign_in_link.created": { means: "A link was made by which a person sets a password.", notable: true },
  "openid.unbound": { means: "It was forgotten which account at the OpenID provider is that of a person." },
  "user.created": { means: "The account of a person was created." },
  "user.deactivated": { means: "An account was deactivated.", notable: true },
  "user.activated": { means: "An account was activated again." },
  "user.deleted": { means: "An account was deleted.", notable: true },
  "operator.appointed": { means: "A person became an operator.", notable: true },
  "operator.dismissed": {
    means: "A person is no operator any more: the command line said so, or their account ended.",
    notable: true
  },
  "capability.requested": { means: "A capability of a person became pending." },
  "capability.approved": { means: "A capability of a person became active." },
  "capability.removed": { means: "A person lost a capability." },
  "member.invited": { means: "A person was invited to a team." },
  "invitation.created": { means: "A link was made by which a person joins a team." },
  "invitation.revoked": { means: "An invitation by link was taken back." },
  "member.accepted": { means: "An invitation was accepted." },
  "member.role_changed": { means: "A member of a team got another role.", notable: true },
  "member.removed": { means: "A membership ended, or an invitation was withdrawn." },
  "team.created": { means: "A team was created." },
  "team.updated": { means: "The profile of a team was changed." },
  "team.plan_changed": { means: "A team got another plan." },
  "team.exported": { means: "Everything that a team has was exported.", notable: true },
  "team.imported": { means: "A team was imported from an archive.", notable: true },
  "team.deleted": { means: "A team was deleted, or its period of grace began.", notable: true },
  "team.purged": { means: "All that a deleted team had was removed.", notable: true },
  "team.restored": { means: "The deletion of a team was taken back within its period of grace.", notable: true },
  "token.created": { means: "A personal access token was created." },
  "token.revoked": { means: "A personal access token was revoked." },
  "client.created": { means: "An OAuth client was created.", notable: true },
  "client.rotated": { means: "An OAuth client got another secret.", notable: true },
  "client.revoked": { means: "An OAuth client was revoked.", notable: true },
  "app.created": { means: "An app was created.", notable: true },
  "app.registered": { means: "An app registered itself." },
  "app.revoked": { means: "An app was revoked, with all that people granted it.", notable: true },
  "grant.created": { means: "A person let an app act for them." },
  "grant.revoked": { means: "What a person granted to an app ended." },
  "grant.replayed": {
    means: "A code or refresh token came a second time, and its sign-in ended: somebody else may have it.",
    notable: true
  },
  "access_token.issued": { means: "The token endpoint issued an access token, or refused one.", counted: true },
  "access_token.revoked": { means: "A client or an app revoked a token of its own.", counted: true },
  "credentials.refused": {
    means:
      "A request was refused with 401: `code` says why, and the entry names the token and the client if there are such.",
    counted: true
  },
  "quota.set": { means: "The operator set a quota of a team, or let it be the default again.", notable: true },
  "deletion_limit.reached": {
    means: "A client reached `deletions_per_hour`: once for each client and window.",
    notable: true
  },
  "webhook.created": { means: "A webhook was created." },
  "webhook.updated": { means: "A webhook was changed." },
  "webhook.rotated": { means: "A webhook got another secret." },
  "webhook.deleted": { means: "A webhook was deleted." },
  "tags.renamed": { means: "A tag was renamed, or merged with another one, on all records that have it." },
  "records.exported": { means: "Records were exported to a file.", notable: true },
  "records.imported": { means: "A file was imported." },
  "records.restored": { means: "Deleted records were restored." },
  "teaser.verified": { means: "An operator verified a published teaser." },
  "teaser.unverified": { means: "An operator withdrew the verification of a teaser." },
  "delivery.retried": { means: "Deliveries of webhooks were sent again." },
  "privacy.exported": { means: "What is held about a person was exported.", notable: true },
  "privacy.erased": { means: "A person was erased.", notable: true },
  "privacy.replayed": {
    means: "What was erased before was erased again, in a database that was restored.",
    notable: true
  },
  "secrets.reencrypted": { means: "Sealed values were sealed under the present secret key." },
  "secrets.adopted": { means: "Another secret key became that of the database.", notable: true },
  "backup.created": { means: "A backup was made.", notable: true },
  "backup.verified": { means: "A backup was restored beside the database and compared." },
  "backup.restored": { means: "A backup was restored.", notable: true },
  "jobs.retried": { means: "Jobs that had failed were queued again." },
  "audit.exported": { means: "Entries of the audit log were exported to a file." },
  "command.run": { means: "A command of the operator's command line ended: `via.command` names it." }
} as const satisfies { readonly [name: string]: Action }

/** The name of an action. */
export type AuditAction = keyof typeof actions

/** The names of all actions, in the order of the documentation. */
export const actionNames = Object.keys(actions) as ReadonlyArray<AuditAction>

const definitions: { readonly [Name in AuditAction]: Action } = actions

type Having<Mark extends "counted" | "notable"> = {
  [Name in AuditAction]: (typeof actions)[Name] extends { readonly [One in Mark]: true } ? Name : never
}[AuditAction]

/** An action of which callers and hours have one entry. */
export type CountedAction = Having<"counted">

/** An action that is an event of the operator's team, too. */
export type NotableAction = Having<"notable">

/** Whether an action is an event of the operator's team, too. */
export const isNotable = (action: AuditAction): action is NotableAction => definitions[action].notable === true

/** The actions for which a text stands: itself, or those that begin with it where it ends with `.*`. */
export const actionsOf = (pattern: string): ReadonlyArray<AuditAction> =>
  actionNames.filter((name) => name === pattern || (pattern.endsWith(".*") && name.startsWith(pattern.slice(0, -1))))

/**
 * The members that `details` may have. They hold codes, counts, names of settings, times and ids: never free text, secrets, or the names
 * and addresses of people.
 */
export const detailMembers = {
  code: "Why it was refused or failed.",
  by: "How a person signed in or got a password: `password`, `link`, `invitation` or `openid`.",
  kind: "What kind of thing it is about, such as `contacts`, or the quota.",
  format: "The format of a file: `csv`, `json`, `ndjson` or `vcard`.",
  count: "How many.",
  failed: "How many of them failed.",
  firstUtc: "When the first of them happened.",
  lastUtc: "When the latest of them happened.",
  grantType: "The grant of the token endpoint.",
  scopes: "The scopes of a token or grant.",
  app: "The app of a grant.",
  role: "The role of a member.",
  plan: "The plan of a team.",
  broker: "The broker capability: `active`, `pending` or `none`.",
  investor: "The investor capability: `active`, `pending` or `none`.",
  quota: "The quota that was set; null for the default.",
  limit: "The limit that was reached.",
  changedFields: "The names of the members that changed.",
  overlapUntilUtc: "Until when the former secret is good, too.",
  webhooks: "How many webhooks were deleted with it.",
  onBehalfOf: "The id of the person in whose name the operator acted.",
  dryRun: "Whether it was a dry run, which changes nothing."
} as const

type Detail = string | number | boolean | null | ReadonlyArray<string> | undefined

/** What an entry says besides its other members. */
export type AuditDetails = { readonly [Member in keyof typeof detailMembers]?: Detail }

/** What an entry is about, by its public id where it has one. */
export interface AuditTarget {
  readonly type: string
  readonly id: string | null
}

/** The outcomes of actions. */
export const outcomes = ["success", "refused", "failed"] as const
export type AuditOutcome = (typeof outcomes)[number]

/** Who acted. */
export type ActorKind = "user" | "bot" | "operator" | "system" | "anonymous"

/** An entry as it is read. Ids are public ones, and names those of now. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  readonly teamId: string | null
  readonly actor: { readonly kind: ActorKind; readonly id: string | null; readonly name: string | null }
  readonly via: {
    readonly client: { readonly id: string; readonly name: string | null } | null
    readonly grant: string | null
    readonly token: string | null
    readonly command: string | null
    readonly session: string | null
  }
  readonly address: string | null
  readonly action: string
  readonly target: (AuditTarget & { readonly name: string | null }) | null
  readonly outcome: AuditOutcome
  readonly requestId: string | null
  readonly details: { readonly [member: string]: unknown }
}
