/**
 * How long what is stored is kept (docs/operations.md#retention): each period is a setting of the operator, and a job of the workers removes
 * what is past it.
 */
import { Context, Effect } from "effect"
import { read, SettingRefused, wholeNumber } from "./Setting.ts"

interface Definition {
  /** The variable of the environment. */
  readonly setting: `RETENTION_${string}`
  readonly unit: "hours" | "days"
  readonly standard: number
  readonly min: number
  readonly max: number
  /** What is kept for so long. */
  readonly what: string
  /** The job of the workers that removes it: `housekeeping/…`. */
  readonly jobs: ReadonlyArray<string>
}

/** Every period. */
export const periods = {
  storedAnswers: {
    setting: "RETENTION_STORED_ANSWERS_HOURS",
    unit: "hours",
    standard: 24,
    min: 24,
    max: 720,
    what: "answers stored under idempotency keys",
    jobs: ["idempotencyKeys"]
  },
  deliveries: {
    setting: "RETENTION_DELIVERIES_DAYS",
    unit: "days",
    standard: 30,
    min: 1,
    max: 365,
    what: "the delivery log: ended deliveries with their attempts",
    jobs: ["deliveries"]
  },
  journal: {
    setting: "RETENTION_JOURNAL_DAYS",
    unit: "days",
    standard: 90,
    min: 7,
    max: 3650,
    what: "events, with their numbers in the journal",
    jobs: ["events"]
  },
  tombstones: {
    setting: "RETENTION_TOMBSTONES_DAYS",
    unit: "days",
    standard: 90,
    min: 7,
    max: 3650,
    what: "tombstones of deleted records, for deltas",
    jobs: [
      "companyTombstones",
      "contactTombstones",
      "linkTombstones",
      "mandateTombstones",
      "projects",
      "propertyTombstones",
      "prospectTombstones"
    ]
  },
  deletedContent: {
    setting: "RETENTION_DELETED_CONTENT_DAYS",
    unit: "days",
    standard: 30,
    min: 0,
    max: 365,
    what: "the content of deleted records, projects and files, which can be restored",
    jobs: ["deletedContent", "files", "projects"]
  },
  closedProjects: {
    setting: "RETENTION_CLOSED_PROJECTS_DAYS",
    unit: "days",
    standard: 0,
    min: 0,
    max: 36_500,
    what: "closed projects with their prospects, rooms and timelines: then they are deleted; `0` for ever",
    jobs: ["closedProjects"]
  },
  messages: {
    setting: "RETENTION_MESSAGES_DAYS",
    unit: "days",
    standard: 0,
    min: 0,
    max: 36_500,
    what: "the texts of messages and of logged calls; `0` for ever",
    jobs: ["messages"]
  },
  notes: {
    setting: "RETENTION_NOTES_DAYS",
    unit: "days",
    standard: 0,
    min: 0,
    max: 36_500,
    what: "the texts of notes; `0` for ever",
    jobs: ["notes"]
  },
  requests: {
    setting: "RETENTION_REQUESTS_HOURS",
    unit: "hours",
    standard: 24,
    min: 1,
    max: 720,
    what: "the console's log of API requests: method, route, status, code, duration, client",
    jobs: ["requests"]
  },
  sessions: {
    setting: "RETENTION_SESSIONS_DAYS",
    unit: "days",
    standard: 14,
    min: 1,
    max: 90,
    what: "sessions in browsers, from the sign-in on",
    jobs: ["signIn"]
  },
  audit: {
    setting: "RETENTION_AUDIT_DAYS",
    unit: "days",
    standard: 400,
    min: 1,
    max: 3650,
    what: "entries of the audit log, from when they are made",
    jobs: ["auditLog"]
  }
} as const satisfies { readonly [kind: string]: Definition }

/** What a period is of. */
export type Kept = keyof typeof periods

/** The periods of this installation, each in its unit. */
export type Periods = { readonly [Kind in Kept]: number }

/** The periods without settings. */
export const standardPeriods = Object.fromEntries(
  Object.entries(periods).map(([kind, { standard }]) => [kind, standard])
) as Periods

/** The periods of this installation. */
export const Retention = Context.Reference<Periods>("platform/Retention", { defaultValue: () => standardPeriods })

// The projects of a deleted team are closed, and reopened when the team is restored within its 30 days.
const minClosedDays = 30

// What must not be kept longer than something else, because it refers to that.
const within: ReadonlyArray<readonly [shorter: Kept, longer: Kept]> = [
  ["deletedContent", "tombstones"],
  ["deliveries", "journal"]
]

/** Reads the periods from the environment. */
export const load: Effect.Effect<Periods, SettingRefused> = Effect.gen(function* () {
  const found: { [Kind in Kept]: number } = { ...standardPeriods }
  for (const kind of Object.keys(periods) as ReadonlyArray<Kept>) {
    const { max, min, setting } = periods[kind]
    found[kind] = (yield* read(setting, wholeNumber(min, max))) ?? found[kind]
  }
  if (found.closedProjects > 0 && found.closedProjects < minClosedDays) {
    return yield* new SettingRefused({
      variable: periods.closedProjects.setting,
      reason: `must be 0 for ever, or ${minClosedDays} and more`
    })
  }
  for (const [shorter, longer] of within) {
    if (found[shorter] <= found[longer]) continue
    return yield* new SettingRefused({
      variable: periods[shorter].setting,
      reason: `must not be more than ${periods[longer].setting}, which is ${found[longer]}`
    })
  }
  return found
})
