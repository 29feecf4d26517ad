/** What can be done to a project's prospects: as data, so that a sequence that fails can be read and made smaller. */

/** The investors there are; each has at most one prospect at a time on the project. */
export const contacts = ["anna", "ben", "cleo", "dora"] as const
export const companies = ["tal", "val"] as const
export type Whom = (typeof contacts)[number] | (typeof companies)[number]
export const everybody: ReadonlyArray<Whom> = [...contacts, ...companies]

export const kindOf = (whom: Whom): "contact" | "company" =>
  (contacts as ReadonlyArray<Whom>).includes(whom) ? "contact" : "company"

/** What an investor is added with. References are `system:id`. */
export interface Addition {
  readonly whom: Whom
  readonly classification?: string
  readonly projectTags?: ReadonlyArray<string>
  readonly refs?: ReadonlyArray<string>
}

/** What of a prospect is changed. */
export interface Change {
  readonly classification?: string
  readonly interest?: "interested" | "maybe" | null
  readonly stage?: Stage
  readonly stageReason?: string
  readonly projectTags?: ReadonlyArray<string>
  readonly owner?: "me" | null
  readonly accessExpiry?: string | null
  readonly refs?: ReadonlyArray<string>
}

/** What of an investor is changed. */
export type InvestorChange = {
  readonly name?: 0 | 1
  readonly tags?: ReadonlyArray<string>
  readonly other?: string
} & { readonly email?: 0 | 1 | null; readonly domain?: 0 | 1 | null; readonly country?: string | null }

export const stages = ["not_contacted", "teaser", "im", "data_room", "bid"] as const
export type Stage = (typeof stages)[number]

/** What happens in the process, and the stage that it reaches. */
export const changeRecords = {
  teaser_communicated: "teaser",
  im_shared: "im",
  room_access_granted: "data_room",
  bid_recorded: "bid"
} as const satisfies { readonly [kind: string]: Stage }
export type ChangeRecord = keyof typeof changeRecords

/** An operation. `task` and `note` number those of the prospect, the latest being 0; `due` is in so many days from today. */
export type Operation =
  | { readonly do: "add"; readonly item: Addition }
  | { readonly do: "batch"; readonly items: ReadonlyArray<Addition> }
  | { readonly do: "patch"; readonly whom: Whom; readonly change: Change; readonly match: "none" | "present" | "stale" }
  | { readonly do: "remove" | "restore" | "delete" | "withdraw"; readonly whom: Whom }
  | { readonly do: "happen"; readonly whom: Whom; readonly what: ChangeRecord }
  | {
      readonly do: "classify"
      readonly whom: ReadonlyArray<Whom>
      readonly classification: string
      readonly note: boolean
    }
  | { readonly do: "note"; readonly whom: Whom }
  | {
      readonly do: "revise"
      readonly whom: Whom
      readonly note: number
      readonly action: "archive" | "unarchive" | "supersede"
    }
  | {
      readonly do: "task"
      readonly whom: Whom
      readonly type: string
      readonly due: number
      readonly assignee: boolean
    }
  | {
      readonly do: "move"
      readonly whom: Whom
      readonly task: number
      readonly move: "complete" | "cancel" | "reopen"
      readonly by: "task" | "activity"
      /** Whose prospect it is looked for on: another one has no such task. */
      readonly at?: Whom
    }
  | { readonly do: "change"; readonly whom: Whom; readonly change: InvestorChange }
  | { readonly do: "leave"; readonly whom: Whom }
  | { readonly do: "merge"; readonly whom: Whom; readonly from: ReadonlyArray<Whom> }
  | { readonly do: "project"; readonly move: "close" | "reopen" | "delete" | "restore" }

export type Of<Name extends Operation["do"]> = Extract<Operation, { readonly do: Name }>

/** One that names a prospect by its investor. */
export type Named = Exclude<Operation, Of<"add" | "batch" | "classify" | "project" | "leave" | "merge" | "change">>

/** An operation in words. */
export const textOf = ({ do: name, ...how }: Operation): string =>
  `${name} ${JSON.stringify(how)
    .replaceAll(/"(\w+)":/g, "$1: ")
    .replaceAll('"', "'")
    .replaceAll(",", ", ")}`
