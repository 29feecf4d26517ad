/** What operators ask for in the console that takes long: exports and imports of teams, and restores of what somebody deleted. */
import type { RestorableType } from "../network/restores/Restore.ts"

/** How far it is. An import is tried first (`checking`), and waits until somebody has confirmed it (`checked`). */
export type State = "checking" | "checked" | "running" | "done" | "refused"

/** Whether a job works on it. */
export const isRunning = ({ state }: { readonly state: State }): boolean => state === "checking" || state === "running"

/** What is to be restored: what a client or user (their public id) deleted in a while. */
export interface RestoreOptions {
  readonly deletedBy: string
  readonly sinceUtc: string
  readonly untilUtc: string
  readonly types: ReadonlyArray<RestorableType>
  readonly force: boolean
}

/** How much is done: bytes of an archive, or records of a type. */
export interface Progress {
  readonly bytes?: number
  readonly type?: RestorableType
  readonly restored?: number
  readonly deleted?: number
}

/** What an archive has, and what became of it. */
export interface ArchiveReport {
  readonly users?: number | { readonly created: number; readonly matched: number; readonly withoutAccount: number }
  readonly rows: { readonly [table: string]: number }
  readonly files: { readonly count: number; readonly bytes: number; readonly missing: ReadonlyArray<string> }
  readonly webhooksToRotate?: number
  readonly clientsToRotate?: number
}

/** What a restore brought back, and what not. */
export interface RestoreReport {
  readonly records: ReadonlyArray<{
    readonly type: RestorableType
    readonly deleted: number
    readonly restored: number
  }>
  readonly notRestored: ReadonlyArray<{ readonly type: string; readonly id: string | null; readonly code: string }>
}

interface Shared {
  /** UUIDs. */
  readonly id: string
  readonly userId: string
  readonly userName: string | null
  /** The public id of the team, and its name. */
  readonly team: string | null
  readonly teamName: string | null
  readonly state: State
  readonly progress: Progress
  /** Why it was refused. */
  readonly detail: string | null
  readonly fileName: string | null
  readonly size: number | null
  /** The object of the archive. */
  readonly content: string | null
  readonly createdUtc: string
  readonly changedUtc: string
}

/** One of them. */
export type TeamRun =
  | (Shared & { readonly kind: "export" | "import"; readonly options: object; readonly report: ArchiveReport | null })
  | (Shared & { readonly kind: "restore"; readonly options: RestoreOptions; readonly report: RestoreReport | null })
