/** The quotas of teams: docs/behaviour/quotas.md. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { declare, members } from "../usecase/Problem.ts"

/** What a quota bounds: all that a team has, what one of its resources has, or what one of its clients does in an hour. */
interface Definition {
  readonly of: "team" | "resource" | "client"
  readonly unit: "rows" | "bytes"
  /** The quota of a team for which the operator set none; null if it has none then. */
  readonly quota: number | null
  /** What is bounded, in the words of a refusal. */
  readonly what: string
}

const rowsOfTeam = (quota: number, what: string) => ({ of: "team", unit: "rows", quota, what }) as const
const bytesOfTeam = (quota: number, what: string) => ({ of: "team", unit: "bytes", quota, what }) as const
const rowsOfResource = (quota: number, what: string) => ({ of: "resource", unit: "rows", quota, what }) as const

/** Every quota by its kind. */
export const definitions = {
  contacts: rowsOfTeam(5_000_000, "contacts"),
  companies: rowsOfTeam(5_000_000, "companies"),
  links: rowsOfTeam(10_000_000, "links"),
  properties: rowsOfTeam(1_000_000, "properties"),
  projects: rowsOfTeam(200_000, "projects"),
  prospects: rowsOfTeam(5_000_000, "prospects"),
  tasks: rowsOfTeam(5_000_000, "tasks"),
  mandates: rowsOfTeam(1_000_000, "mandates"),
  rooms: rowsOfTeam(200_000, "data rooms"),
  documents: rowsOfTeam(1_000_000, "documents in data rooms"),
  questions: rowsOfTeam(1_000_000, "questions"),
  messages: rowsOfTeam(5_000_000, "messages and logged calls"),
  file_bytes: bytesOfTeam(100_000_000_000, "bytes of files"),
  stored_answer_bytes: bytesOfTeam(5_000_000_000, "bytes of answers stored under idempotency keys"),
  links_of_record: rowsOfResource(100_000, "links of one contact or company"),
  notes_of_resource: rowsOfResource(10_000, "notes on one resource"),
  tasks_of_prospect: rowsOfResource(10_000, "tasks of one prospect"),
  deletions_per_hour: { of: "client", unit: "rows", quota: null, what: "deletions of one client in an hour" }
} as const satisfies { readonly [kind: string]: Definition }

/** What a quota bounds. */
export type QuotaKind = keyof typeof definitions

/** Every kind, in the order in which they are shown. */
export const kinds = Object.keys(definitions) as ReadonlyArray<QuotaKind>

type KindOf<Of extends Definition["of"]> = {
  [Kind in QuotaKind]: (typeof definitions)[Kind]["of"] extends Of ? Kind : never
}[QuotaKind]

/** A kind whose quota bounds all that a team has. */
export type TeamQuotaKind = KindOf<"team">

/** A kind whose quota bounds what one resource has. */
export type ResourceQuotaKind = KindOf<"resource">

/** A kind whose quota bounds creates. */
export type CreateQuotaKind = TeamQuotaKind | ResourceQuotaKind

/** The kinds whose quotas bound creates, in their order. */
export const createKinds = kinds.filter((kind) => definitions[kind].of !== "client") as ReadonlyArray<CreateQuotaKind>

/** What remains of a quota for the creates of one transaction, which are decided one after the other. */
export interface Allowance {
  /** Uses so much of it; the refusal if not so much remains. */
  readonly take: (amount?: number) => QuotaExceeded | undefined
}

/** A quota of a team, and how much of it is used. */
export interface QuotaUsage {
  readonly kind: QuotaKind
  /** Null if there is none. */
  readonly quota: number | null
  /** Whether it is not one that the operator set. */
  readonly isDefault: boolean
  /** Null for a quota of each resource or client. */
  readonly used: number | null
  readonly percent: number | null
}

/** 409: a quota does not allow the create. */
export class QuotaExceeded extends HttpApiError.Problem<QuotaExceeded>()(
  "QuotaExceeded",
  declare("quota_exceeded", 409, "A quota is used up."),
  {
    ...members("quota_exceeded"),
    quota: Schema.Literals(createKinds).annotate({ description: "What the quota bounds.", examples: ["contacts"] }),
    limit: Schema.NullOr(Schema.Finite).annotate({
      description: "The number of rows or bytes that it allows; null if the quota is that of another team.",
      examples: [5_000_000]
    }),
    used: Schema.NullOr(Schema.Finite).annotate({
      description: "How many there are; null if the quota is that of another team.",
      examples: [5_000_000]
    })
  }
) {}

// The pure decisions on quotas (docs/behaviour/quotas.md).

/** A quota and what is used of it. */
export interface Figures {
  readonly quota: number
  readonly used: number
}

/** How many more rows or bytes the quota allows. */
export const roomOf = ({ quota, used }: Figures): number => Math.max(0, quota - Math.max(0, used))

/** The used part of a quota in percent, rounded down: from 100 on, it is used up. */
export const percentOf = ({ quota, used }: Figures): number =>
  quota === 0 ? 100 : Math.floor((Math.max(0, used) * 100) / quota)

/** The refusal of a create. `isOwn` says whether the quota is that of the caller's team: others do not see the figures. */
export const exceeded = (kind: CreateQuotaKind, { quota, used }: Figures, isOwn: boolean): QuotaExceeded => {
  const { of, what } = definitions[kind]
  if (!isOwn) {
    return new QuotaExceeded({
      quota: kind,
      limit: null,
      used: null,
      detail: `The team that this belongs to can have no more ${what}. Ask it to raise its quota.`
    })
  }
  const counts =
    of === "team"
      ? `The team may have at most ${quota} ${what}, and has ${used}.`
      : `There may be at most ${quota} ${what}, and there are ${used}.`
  return new QuotaExceeded({
    quota: kind,
    limit: quota,
    used,
    detail: `${counts} Delete some, or ask the operator of the service to raise the quota.`
  })
}
