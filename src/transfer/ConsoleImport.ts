/** Imports in the console, and what is known of the rows of any import. */

/** The kinds of records in files. */
export const kinds = ["contacts", "companies", "links", "properties", "mandates"] as const

/** The number of rows by status. */
export interface Counts {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  /** How many of the failed rows look like another record. */
  readonly duplicate: number
  /** How many of the failed rows are those of a record that the file has before, with other values. */
  readonly repeated: number
}

/** A cause of refusals, or a reason why cells were left out. */
export interface Cause {
  /** The column; undefined if the row as a whole is meant. */
  readonly column?: string
  readonly code: string
  readonly detail: string
  /** How often it occurred. */
  readonly count: number
  /** The first line where it occurred, by what people know the row, if it failed, and what was found there. */
  readonly line: number
  readonly row?: string
  readonly value?: string
}

/** How far an import is. `refused`: its file cannot be read as it was asked to be. */
export type State = "uploaded" | "checking" | "checked" | "importing" | "imported" | "refused"

/** Whether a job works on it. */
export const isRunning = ({ state }: { readonly state: State }): boolean =>
  state === "checking" || state === "importing"

/** What a person chooses. */
export interface Choices {
  /** The members of columns, by the names of these; `-` leaves one out, and others are as they are recognised. */
  readonly columns: { readonly [column: string]: string }
  readonly namespace?: string
  readonly onDuplicate: "refuse" | "update" | "create"
  readonly linkCompanies: boolean
  readonly keepRows: boolean
  readonly country?: string
  readonly currency?: string
  readonly decimal?: "comma" | "point"
}

/** The choices of a new import. */
export const noChoices: Choices = { columns: {}, onDuplicate: "refuse", linkCompanies: false, keepRows: false }

/** The numbers of links of contacts with companies by what became of them, and of new companies. */
export interface LinkCounts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
  readonly newCompanies: number
}

/** What a run says at its end: causes, the most frequent first, and how many occurrences of others there were. */
export interface Report {
  readonly refused: ReadonlyArray<Cause>
  readonly reported: ReadonlyArray<Cause>
  readonly others: number
  /** What became of the companies of contacts, where they were to be linked. */
  readonly links?: LinkCounts
}

/** The header of a file of CSV, and the cells of its first row; empty in other formats. */
export interface Header {
  readonly names: ReadonlyArray<string>
  readonly example: ReadonlyArray<string>
}

/** An import in the console. Ids are UUIDs. */
export interface ConsoleImport {
  readonly id: string
  readonly userId: string
  readonly userName: string | null
  readonly kind: (typeof kinds)[number]
  readonly format: "csv" | "ndjson" | "vcard"
  readonly fileName: string
  readonly size: number
  readonly header: Header
  readonly choices: Choices
  readonly state: State
  readonly counts: Counts
  readonly report: Report | null
  /** Why it was refused. */
  readonly detail: string | null
  readonly hasReceipts: boolean
  readonly createdUtc: string
  readonly changedUtc: string
}
