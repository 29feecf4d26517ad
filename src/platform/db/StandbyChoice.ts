/** Decides which standby may answer a read. Pure: times are milliseconds of this process, such as `performance.now()`. */
import type { ServerName, WalPosition } from "./WalPosition.ts"

/** Where the log of the primary was, at the latest, when this process asked for it. */
export interface Mark {
  readonly askedAt: number
  readonly lsn: bigint
}

/** What a standby says of itself. */
export interface Report {
  readonly isStandby: boolean
  readonly system: bigint
  /** Whether it has replayed what was written on the primary's timeline. */
  readonly hasTimeline: boolean
  /** How far it has replayed the log. */
  readonly replayed: bigint
  /** The oldest transaction that had not ended there. */
  readonly horizon: bigint
}

/** What a read needs of a standby besides not being late. */
export interface Needs {
  /** The writes that its caller must see; undefined when they are not known, so that only the primary may answer. */
  readonly writes: ReadonlyArray<WalPosition> | undefined
  /** Transactions that the caller has seen: all before a horizon, on the server with that name. */
  readonly seen: ReadonlyArray<{ readonly server: string; readonly horizon: string }>
}

/** Why a standby is not read from. */
export type Refusal = "promoted" | "foreign" | "diverged" | "late"

/** The marks after one more. Of those that are older than `maxLag`, none can show that a standby is not late. */
export const withMark = (marks: ReadonlyArray<Mark>, mark: Mark, maxLag: number): ReadonlyArray<Mark> => [
  ...marks.filter(({ askedAt }) => mark.askedAt - askedAt <= maxLag),
  mark
]

/**
 * The time up to which a standby has everything: when the primary was asked for the latest mark that it has replayed. The time of the
 * last transaction that it replayed says less, since a primary that writes nothing gets no older.
 */
export const caughtUpTo = (marks: ReadonlyArray<Mark>, replayed: bigint): number =>
  marks.findLast(({ lsn }) => lsn <= replayed)?.askedAt ?? -Infinity

/** Why a standby with this report may not be read from; undefined if it may. */
export const refusalOf = (
  report: Report,
  primary: ServerName & { readonly marks: ReadonlyArray<Mark> },
  { maxLag, now }: { readonly maxLag: number; readonly now: number }
): Refusal | undefined => {
  if (!report.isStandby) return "promoted"
  if (report.system !== primary.system) return "foreign"
  if (!report.hasTimeline) return "diverged"
  return now - caughtUpTo(primary.marks, report.replayed) <= maxLag ? undefined : "late"
}

/**
 * Whether a standby of the primary has replayed a write. It has the primary's timeline, and with it all that this one took over from
 * former ones: what it did not take over is lost, and no server has it. Of a later timeline this process has not heard.
 */
const hasReplayed = (replayed: bigint, primary: ServerName, write: WalPosition): boolean =>
  write.system === primary.system && write.timeline <= primary.timeline && write.lsn <= replayed

/** Whether a standby shows everything that a read needs. */
export const meets = (
  { horizon, replayed }: Pick<Report, "horizon" | "replayed">,
  primary: ServerName & { readonly name: string },
  { seen, writes }: Needs
): boolean =>
  writes !== undefined &&
  writes.every((write) => hasReplayed(replayed, primary, write)) &&
  seen.every((one) => one.server !== primary.name || BigInt(one.horizon) <= horizon)
