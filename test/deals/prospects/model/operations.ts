/** The operations on a project's prospects, as data: a failing sequence can be read and shrunk. */

/** The investors; each has at most one prospect at a time on the project. */
export const contacts = ["anna", "ben", "cleo", "dora"] as const
export const companies = ["tal", "val"] as const
export type InvestorName = (typeof contacts)[number] | (typeof companies)[number]
export const investorNames: ReadonlyArray<InvestorName> = [...contacts, ...companies]

export const kindOf = (whom: InvestorName): "contact" | "company" =>
  (contacts as ReadonlyArray<InvestorName>).includes(whom) ? "contact" : "company"

/** The input of an addition. References are `system:id`. */
export interface Addition {
  readonly whom: InvestorName
  readonly classification?: string
  readonly projectTags?: ReadonlyArray<string>
  readonly refs?: ReadonlyArray<string>
}

/** A patch of a prospect. */
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

/** A patch of an investor. */
export type InvestorChange = {
  readonly name?: 0 | 1
  readonly tags?: ReadonlyArray<string>
  readonly other?: string
} & { readonly email?: 0 | 1 | null; readonly domain?: 0 | 1 | null; readonly country?: string | null }

export const stages = ["not_contacted", "teaser", "im", "data_room", "bid"] as const
export type Stage = (typeof stages)[number]

/** The milestones, and the stage that each reaches. */
export const milestoneStages = {
  teaser_communicated: "teaser",
  im_shared: "im",
  room_access_granted: "data_room",
  bid_recorded: "bid"
} as const satisfies { readonly [kind: string]: Stage }
export type Milestone = keyof typeof milestoneStages

/** An operation. `task` and `note` count from the latest of the prospect, which is 0; `due` is in days from today. */
export type Operation =
  | { readonly do: "add"; readonly item: Addition }
  | { readonly do: "batch"; readonly items: ReadonlyArray<Addition> }
  | { readonly do: "upsert"; readonly items: ReadonlyArray<Addition> }
  | {
      readonly do: "patch"
      readonly whom: InvestorName
      readonly change: Change
      readonly match: "none" | "present" | "stale"
    }
  | { readonly do: "remove" | "restore" | "delete" | "withdraw"; readonly whom: InvestorName }
  | { readonly do: "milestone"; readonly whom: InvestorName; readonly milestone: Milestone }
  | {
      readonly do: "classify"
      readonly whom: ReadonlyArray<InvestorName>
      readonly classification: string
      readonly note: boolean
    }
  | { readonly do: "note"; readonly whom: InvestorName }
  | {
      readonly do: "revise"
      readonly whom: InvestorName
      readonly note: number
      readonly action: "archive" | "unarchive" | "supersede"
    }
  | {
      readonly do: "task"
      readonly whom: InvestorName
      readonly type: string
      readonly due: number
      readonly assignee: boolean
    }
  | {
      readonly do: "move"
      readonly whom: InvestorName
      readonly task: number
      readonly move: "complete" | "cancel" | "reopen"
      readonly by: "task" | "activity"
      /** The investor whose prospect is in the path: on another prospect, the task is not found. */
      readonly at?: InvestorName
    }
  | { readonly do: "patchInvestor"; readonly whom: InvestorName; readonly change: InvestorChange }
  | { readonly do: "deleteInvestor"; readonly whom: InvestorName }
  | { readonly do: "merge"; readonly whom: InvestorName; readonly from: ReadonlyArray<InvestorName> }
  | { readonly do: "project"; readonly move: "close" | "reopen" | "delete" | "restore" }

export type Of<Name extends Operation["do"]> = Extract<Operation, { readonly do: Name }>

/** An operation that names a prospect by its investor. */
export type Named = Exclude<
  Operation,
  Of<"add" | "batch" | "upsert" | "classify" | "project" | "deleteInvestor" | "merge" | "patchInvestor">
>

/** An operation as text. */
export const textOf = ({ do: name, ...how }: Operation): string =>
  `${name} ${JSON.stringify(how)
    .replaceAll(/"(\w+)":/g, "$1: ")
    .replaceAll('"', "'")
    .replaceAll(",", ", ")}`
