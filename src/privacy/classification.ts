/**
 * What every text-like column of the schema holds, as data: which ones hold personal data and of what kind, how the rows of a person are
 * found, and what erasure does with them (docs/privacy.md). A test compares it with the schema: a column that nobody classified fails.
 */

/** The kinds of personal data. */
export const kinds = {
  identity: "Names, pictures, languages",
  address: "E-mail addresses, phone numbers, profiles",
  text: "Free text about a person, or by one",
  content: "Names and content of files",
  reference: "Ids of a person in other systems",
  trace: "Network addresses and browsers",
  answer: "Stored answers and what receivers answered",
  mandate: "What a person looks for"
} as const

/** A kind of personal data. */
export type Kind = keyof typeof kinds

/**
 * What a column holds that is not about one person: a `code` (an id, a word of a vocabulary, a name of the service), a `secret` (a hash or
 * a sealed value, which no export shows), or what a team says of a `business`, in which a person may be named: the receipt of an erasure
 * lists such places, and a human decides.
 */
export type Impersonal = "code" | "secret" | "business"

/**
 * What erasure does with a personal column: it clears it, redacts what is the person's within it, or removes the row. One that the
 * database derives follows the others. What must be kept for a while, whoever is erased, ends by itself.
 */
export type Erasure = "null" | "empty text" | "empty list" | "redacted" | "row removed" | "follows" | "kept"

/** A personal column. `of` says whose it is: `contact` by default, `account` for what only `--all` erases. */
export interface Personal {
  readonly kind: Kind
  readonly erasure: Erasure
  readonly of?: "account"
}

/** A table: what its rows are, how those of a person are found, and what each text-like column holds. */
export interface ClassifiedTable {
  /** What its rows are, in the words of the documentation. */
  readonly holds: string
  /** How the rows of a person are found; left out where no column is personal. */
  readonly found?: string
  /** For how long the rows are kept, in words. */
  readonly kept: string
  /** The periods of retention that end them, by their names in src/platform/Retention.ts. */
  readonly periods?: ReadonlyArray<string>
  readonly columns: { readonly [column: string]: Impersonal | Personal }
}

const personal =
  (of?: "account") =>
  (kind: Kind, erasure: Erasure = "null"): Personal => ({ kind, erasure, ...(of === undefined ? {} : { of }) })

const contact = personal()
const account = personal("account")

const codes = <const Columns extends ReadonlyArray<string>>(...columns: Columns) =>
  Object.fromEntries(columns.map((column) => [column, "code"])) as { readonly [Column in Columns[number]]: "code" }

const business = <const Columns extends ReadonlyArray<string>>(...columns: Columns) =>
  Object.fromEntries(columns.map((column) => [column, "business"])) as {
    readonly [Column in Columns[number]]: "business"
  }

const audit = codes("change_type", "change_origin")

/** Every table that has a text-like column, by its name. */
export const tables: { readonly [table: string]: ClassifiedTable } = {
  // The network.
  contacts: {
    holds: "Contacts",
    found: "by id or e-mail address, with those that were merged into them",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: {
      ...audit,
      first_name: contact("identity"),
      last_name: contact("identity"),
      email: contact("address"),
      phone: contact("address"),
      primary_language: contact("identity"),
      tags: contact("text", "empty list"),
      strategy: contact("text"),
      strategy_folded: contact("text", "follows"),
      linked_in_url: contact("address"),
      profile_picture_url: contact("identity"),
      deleted_refs: contact("reference"),
      searched_text: contact("identity", "follows")
    }
  },
  links: {
    holds: "Links of contacts with companies",
    found: "by the contact",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: { ...audit, job_title: contact("text"), deleted_refs: contact("reference") }
  },
  companies: {
    holds: "Companies",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: {
      ...audit,
      ...codes("country", "name_key", "deleted_refs"),
      ...business(
        "name",
        "legal_name",
        "homepage_url",
        "domain",
        "linked_in_url",
        "tags",
        "strategy",
        "strategy_folded",
        "profile_picture_url",
        "searched_text"
      )
    }
  },
  external_references: {
    holds: "Ids of records in other systems",
    found: "by the contact, its links, prospects and mandates",
    kept: "until the record is deleted",
    columns: {
      ...codes("resource_type", "namespace"),
      external_id: contact("reference", "row removed")
    }
  },
  deleted_records: {
    holds: "What deleted contacts, companies, links, properties and mandates held",
    found: "by the contact, its links and mandates",
    kept: "after the deletion",
    periods: ["deletedContent"],
    columns: { ...codes("type"), fields: contact("identity", "row removed") }
  },
  deletion_effects: {
    holds: "What deletions changed of other records",
    kept: "after the deletion",
    periods: ["deletedContent"],
    columns: { ...codes("type"), ...business("fields") }
  },

  // The market.
  mandates: {
    holds: "Mandates",
    found: "by their investor",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: {
      ...audit,
      ...codes("status", "investor"),
      name: contact("mandate"),
      description: contact("text"),
      categories: contact("mandate", "empty list"),
      subcategories: contact("mandate", "empty list"),
      lifecycle_stages: contact("mandate", "empty list"),
      tenures: contact("mandate", "empty list"),
      deal_structures: contact("mandate", "empty list"),
      conversions: contact("mandate", "empty list"),
      risk_profiles: contact("mandate", "empty list"),
      investment_size: contact("mandate"),
      year_built: contact("mandate"),
      parcel_area: contact("mandate"),
      lettable_area: contact("mandate"),
      zoning_gfa: contact("mandate"),
      net_initial_yield: contact("mandate"),
      vacancy_rate: contact("mandate"),
      target_irr: contact("mandate"),
      wault: contact("mandate"),
      unit_count: contact("mandate"),
      price_per_sqm: contact("mandate"),
      worst_energy_class: contact("mandate"),
      country: contact("mandate"),
      geography: contact("mandate"),
      near: contact("mandate"),
      positive_tags: contact("mandate", "empty list"),
      negative_tags: contact("mandate", "empty list"),
      whole_countries: contact("mandate", "empty list"),
      deleted_refs: contact("reference")
    }
  },
  mandate_boxes: {
    holds: "The areas of mandates",
    found: "by the mandate",
    kept: "as long as the mandate",
    columns: { country: contact("mandate", "row removed") }
  },
  properties: {
    holds: "Properties",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: {
      ...audit,
      ...codes("country", "categories", "subcategories", "lifecycle_stage", "tenure", "deal_structure", "conversions"),
      ...codes("tags", "grade", "condition", "deleted_refs", "coordinates", "ownership_share", "parcel_area"),
      ...codes("gross_floor_area", "internal_area", "lettable_area", "rented_area", "vacant_area", "areas_by_use"),
      ...codes("energy", "certifications", "hotel"),
      ...business("name", "description", "description_folded", "locality", "address", "parcels", "searched_text"),
      ...business("ground_lease", "zoning", "industrial", "income", "tenants", "pricing")
    }
  },

  // Deals.
  projects: {
    holds: "Projects",
    kept: "until deleted",
    periods: ["deletedContent", "tombstones"],
    columns: { ...audit, ...codes("exclusivity", "deleted_refs"), ...business("name", "description") }
  },
  prospects: {
    holds: "Prospects: investors on projects, with copies of what they are called",
    found: "by the contact",
    kept: "as long as the project",
    periods: ["closedProjects"],
    columns: {
      ...audit,
      ...codes("domain", "country", "interest", "stage", "milestone_stage", "milestone_stage_since_override"),
      ...codes("override_stage", "next_task"),
      name: contact("identity"),
      email: contact("address"),
      tags: contact("text", "empty list"),
      classification: contact("text", "redacted"),
      override_reason: contact("text"),
      project_tags: contact("text", "empty list"),
      project_tag_keys: contact("text", "empty list"),
      deleted_refs: contact("reference")
    }
  },
  tasks: {
    holds: "Tasks",
    found: "by the prospect",
    kept: "as long as the prospect",
    periods: ["closedProjects"],
    columns: { ...audit, ...codes("type", "state"), note: contact("text") }
  },
  bids: {
    holds: "Amounts of bids",
    kept: "as long as the prospect",
    columns: codes("currency")
  },
  messages: {
    holds: "Messages and notes of calls",
    found: "by their rows on timelines of the prospect",
    kept: "as long as the prospect",
    periods: ["messages", "closedProjects"],
    columns: { sender: "code", text: contact("text", "empty text") }
  },
  communications: {
    holds: "What was sent to which address",
    found: "by the prospect, by the project that the contact sells, and by the e-mail address",
    kept: "as long as the project",
    periods: ["closedProjects"],
    columns: {
      ...codes("category", "projection"),
      email: contact("address", "row removed")
    }
  },
  offers: {
    holds: "Offers: what was sent, as the investor's team has it",
    found: "by the prospect, also in the investor's team",
    kept: "as long as the project",
    periods: ["closedProjects"],
    columns: {
      ...audit,
      ...codes("category", "projection", "status", "answer"),
      rejection_reason: contact("text")
    }
  },
  teasers: {
    holds: "Teasers",
    kept: "as long as what they are about",
    columns: { ...audit, ...codes("subject_type", "options", "tags"), ...business("title") }
  },
  rooms: {
    holds: "Data rooms",
    kept: "as long as the project",
    columns: { ...audit, ...codes("status", "default_access", "qa_categories"), ...business("name") }
  },
  room_documents: { holds: "Documents of rooms", kept: "as long as the room", columns: business("path") },
  room_document_numbers: { holds: "Versions of documents", kept: "as long as the room", columns: business("path") },
  questions: {
    holds: "Questions in data rooms, drafts and answers",
    found: "by the prospect that asks",
    kept: "as long as the room",
    periods: ["closedProjects"],
    columns: {
      ...audit,
      ...codes("category", "priority", "state", "draft_format", "answer_audience"),
      ...business("document_name"),
      text: contact("text", "empty text"),
      asker_name: contact("identity"),
      draft_text: contact("text", "empty text"),
      answer_text: contact("text", "empty text")
    }
  },

  // What is said and kept on records.
  actions: {
    holds: "Timelines and notes",
    found: "by the contact, its prospects, offers, mandates and files",
    kept: "as long as the record",
    periods: ["notes", "closedProjects"],
    columns: {
      ...codes("type", "event", "origin", "content_format"),
      details: contact("text", "redacted")
    }
  },
  action_subjects: {
    holds: "Whose timelines a row is on",
    kept: "as long as the row",
    columns: codes("subject_type", "partition")
  },
  files: {
    holds: "Files; their content is in the file store",
    found: "by the contact, its prospects and offers",
    kept: "until deleted",
    periods: ["deletedContent"],
    columns: {
      ...audit,
      ...codes("subject_type"),
      name: contact("content", "row removed"),
      content_type: contact("content", "row removed"),
      sha256: contact("content", "row removed")
    }
  },

  erasures: {
    holds: "Who was erased, as ids and HMACs",
    kept: "as long as backups from before",
    columns: { hashes: "secret" }
  },

  // Events and what is sent.
  events: {
    holds: "Events, with the bodies that are delivered",
    found: "by the record that they are about",
    kept: "from the event on",
    periods: ["journal"],
    columns: {
      ...codes("message_id", "type", "resource_type"),
      body: contact("text", "redacted")
    }
  },
  deliveries: {
    holds: "Deliveries of events",
    kept: "from the end of the delivery on",
    periods: ["deliveries"],
    columns: {
      ...codes("event_type", "status", "claimed_by", "last_error")
    }
  },
  delivery_attempts: {
    holds: "Attempts to deliver, with what the receiver answered",
    found: "by the event",
    kept: "from the end of the delivery on",
    periods: ["deliveries"],
    columns: {
      error: "code",
      response_headers: contact("answer"),
      response_body: contact("answer"),
      request_headers: "code"
    }
  },
  webhooks: {
    holds: "Webhooks",
    kept: "until deleted",
    columns: {
      ...audit,
      ...codes("events", "status", "disabled_reason"),
      ...business("name", "url"),
      secret_sealed: "secret",
      previous_secrets: "secret"
    }
  },
  webhook_subscriptions: { holds: "What webhooks want", kept: "as long as the webhook", columns: codes("event_type") },
  webhook_failures: {
    holds: "The latest failure of a webhook",
    kept: "as long as the webhook",
    columns: codes("error")
  },
  idempotency_keys: {
    holds: "Stored answers to creates, sealed",
    found: "by the ids and addresses in them, once they are opened",
    kept: "from the create on",
    periods: ["storedAnswers"],
    columns: {
      scope: "secret",
      body_hash: "secret",
      answer: contact("answer", "redacted")
    }
  },
  purged_tombstones: {
    holds: "Until when deltas know what was purged",
    kept: "as long as the team",
    columns: codes("resource_type")
  },

  // Teams and people with accounts.
  teams: {
    holds: "Teams",
    kept: "until deleted",
    columns: {
      ...codes("plan", "categories", "country", "investment_capacity", "leasable_area", "property_count"),
      ...codes("property_value", "restricted_investment_size"),
      ...business("name", "description", "homepage_url", "legal_name", "profile_picture_url", "strategy", "vat_number")
    }
  },
  memberships: {
    holds: "Members of teams",
    found: "by the user",
    kept: "until the member leaves",
    columns: { ...codes("role", "status"), sort_name: account("identity", "row removed") }
  },
  users: {
    holds: "Accounts",
    found: "by id or e-mail address",
    kept: "until deleted",
    columns: {
      email: account("address"),
      phone: account("address"),
      first_name: account("identity"),
      last_name: account("identity"),
      name: account("identity", "empty text"),
      profile_picture_url: account("identity"),
      ...codes("culture", "ui_culture", "region", "time_zone", "broker", "investor")
    }
  },
  upstream_subjects: {
    holds: "Who an account is at a sign-in provider",
    found: "by the user",
    kept: "as long as the account",
    columns: { issuer: "code", subject: account("reference", "row removed") }
  },
  saved_filters: {
    holds: "Filters that an account keeps for lists of the console",
    found: "by the user",
    kept: "as long as the account",
    columns: { page: "code", name: account("text", "row removed"), query: account("text", "row removed") }
  },
  passwords: { holds: "Hashes of passwords", kept: "as long as the account", columns: { hash: "secret" } },
  sessions: {
    holds: "Sessions of browsers",
    found: "by the user",
    kept: "from the sign-in on",
    periods: ["sessions"],
    columns: {
      hash: "secret",
      user_agent: account("trace", "row removed"),
      address: account("trace", "row removed")
    }
  },
  // It is append-only. Erasure needs no write there: it has ids, whose names are looked up when it is read.
  audit_log: {
    holds: "Who did what, from which address, by ids",
    found: "by the user who acted, or whom it is about",
    kept: "from the entry on",
    periods: ["audit"],
    columns: {
      ...codes("actor_kind", "command", "action", "target_type", "target_id", "outcome", "request_id", "details"),
      os_user: account("trace", "kept"),
      address: account("trace", "kept")
    }
  },
  request_records: {
    holds: "The console's log of API requests",
    kept: "a day",
    periods: ["requests"],
    columns: codes("request_id", "method", "route", "tool", "code")
  },
  // They end before an erasure has to be confirmed.
  imports: {
    holds: "Files that were imported in the console, and what became of their rows",
    kept: "a day",
    columns: {
      ...codes("kind", "format", "state"),
      file_name: "business",
      header: "business",
      options: "business",
      counts: "code",
      report: "business",
      detail: "business"
    }
  },
  team_runs: {
    holds: "Exports, imports and restores that operators asked for in the console",
    kept: "a day",
    columns: {
      ...codes("kind", "team", "options", "state", "progress", "report"),
      ...business("team_name", "file_name", "detail")
    }
  },
  client_addresses: {
    holds: "Network addresses of programs",
    kept: "30 days",
    columns: codes("address")
  },
  audit_counts: {
    holds: "What is counted for the audit log",
    kept: "an hour",
    columns: codes("key", "actor_kind", "address", "action", "target_type", "target_id", "outcome", "details")
  },
  sign_in_links: { holds: "Links to sign in", kept: "an hour", columns: { hash: "secret" } },
  invitations: {
    holds: "Invitations to teams by link",
    found: "by the e-mail address",
    kept: "7 days",
    columns: { hash: "secret", email: account("address", "row removed"), role: "code" }
  },
  attempts: { holds: "Attempts to sign in, counted by a hash", kept: "an hour", columns: codes("subject") },
  tokens: {
    holds: "Tokens",
    found: "by the user",
    kept: "until revoked or expired",
    columns: {
      ...codes("kind", "scopes"),
      hash: "secret",
      // Former releases write it; a later one drops it.
      form_hash: "secret",
      name: account("text")
    }
  },
  clients: {
    holds: "OAuth clients of teams",
    kept: "until revoked",
    columns: { secret_hash: "secret", previous_secret_hash: "secret", scopes: "code", ...business("name") }
  },
  apps: {
    holds: "Apps",
    kept: "until revoked",
    columns: {
      secret_hash: "secret",
      sealed_secret: "secret",
      ...codes("kind", "redirect_uris", "document_url"),
      ...business("name")
    }
  },
  grants: { holds: "What users allow apps", kept: "until revoked", columns: codes("scopes") },
  grant_families: { holds: "Grants by sign-in", kept: "until revoked", columns: codes("scopes", "resource") },
  refresh_tokens: { holds: "Refresh tokens", kept: "until revoked or expired", columns: { hash: "secret" } },
  authorization_codes: {
    holds: "Codes that apps exchange",
    kept: "an hour",
    columns: { hash: "secret", challenge: "secret", redirect_uri: "code" }
  },

  // The installation.
  team_quotas: { holds: "Quotas", kept: "as long as the team", columns: codes("kind") },
  team_usage: { holds: "What quotas count", kept: "as long as the team", columns: codes("kind") },
  cells: { holds: "Cells", kept: "as long as the installation", columns: codes("name") },
  team_cells: { holds: "The cells of teams", kept: "as long as the team", columns: codes("cell", "state") },
  offer_cells: { holds: "Cells with offers of a team", kept: "as long as the team", columns: codes("cell") },
  schema_migrations: { holds: "Migrations", kept: "as long as the installation", columns: codes("file", "checksum") },
  secret_key_fingerprint: {
    holds: "The fingerprint of the key",
    kept: "as long as the installation",
    columns: { fingerprint: "secret", former: "secret" }
  },
  job_runs: { holds: "When jobs ran last", kept: "as long as the installation", columns: codes("name") },
  server_timelines: { holds: "Servers", kept: "as long as the installation", columns: codes("name") }
}

/** Whether a column holds personal data. */
export const isPersonal = (holds: Impersonal | Personal): holds is Personal => typeof holds === "object"
