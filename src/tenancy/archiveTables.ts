/**
 * What an archive of a team has of each of its tables (docs/operations.md#move-a-team): all of it, but for what is said here. A table that
 * is added later is in archives without a word.
 */

/** The version of the format. */
export const formatVersion = 1

/** Tables that no archive has: secrets, what apps were granted, and what the new installation makes by itself. */
export const leftOut: { readonly [table: string]: string } = {
  audit_counts: "what is counted for the audit log",
  delivery_wake_ups: "when deliveries are due",
  erasures: "hashes of what was erased, which are made with the key of an installation",
  fan_outs: "changes whose webhooks are not found yet",
  grants: "what people granted to apps, which are of an installation",
  idempotency_keys: "stored answers, which are sealed",
  imports: "files that are kept for a day",
  invitations: "links that lead to an installation",
  request_records: "requests of the last hours",
  team_cells: "in which cell the team is",
  team_usage: "how much of its quotas is used, which is counted again",
  tokens: "tokens"
}

/** Tables that an archive has to be read, and that no import writes: nobody may add to an audit log what others did elsewhere. */
export const onlyRead: ReadonlyArray<string> = ["audit_log"]

/** Columns that no archive has, with the SQL of what an import writes instead; without it, the default. */
export const replaced: { readonly [table: string]: { readonly [column: string]: string | null } } = {
  // Nobody knows what it is a hash of: `client rotate` makes a secret.
  clients: {
    secret_hash: "sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))",
    previous_secret_hash: null,
    previous_secret_until: null
  },
  // Sealed in the same transaction.
  webhooks: { secret_sealed: "''::bytea", previous_secrets: "'[]'::jsonb" },
  deliveries: { claimed: "false", claimed_by: "null" },
  // A number of the whole installation.
  actions: { number: null }
}

/** The order of rows that get new numbers as they are written. */
export const orders: { readonly [table: string]: string } = {
  actions: "number",
  events: "occurred_at, transaction_id, seq",
  files: "content"
}

/** The columns of the tables of teams that hold the UUID of a user; a test compares them with what they hold. */
export const userColumns: ReadonlyArray<string> = [
  "actor_user_id",
  "actor_id",
  "assignee_id",
  "bot_user_id",
  "created_by",
  "created_by_user",
  "draft_author_id",
  "ended_by",
  "granted_by",
  "override_by",
  "owner_id",
  "user_id"
]

/** The columns of a user that an archive has. */
export const columnsOfUser: ReadonlyArray<string> = [
  "id",
  "email",
  "email_confirmed",
  "phone",
  "phone_confirmed",
  "first_name",
  "last_name",
  "name",
  "is_bot",
  "culture",
  "ui_culture",
  "region",
  "time_zone",
  "profile_picture_url",
  "broker",
  "investor",
  "created_at",
  "deactivated_at",
  "deleted_at"
]

/** The columns of a team that an archive leaves out: whether it is deleted. */
export const columnsOfDeletion: ReadonlyArray<string> = ["deleted_at", "purge_at", "purge_began_at", "open_projects"]
