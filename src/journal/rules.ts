/** What part of the journal a reader gets, and when one cannot go on from where they were. */
import { ResyncRequired } from "../usecase/Problem.ts"
import { keptDays } from "./Entry.ts"

/** How far the numbers of a journal have come. */
export interface Standing {
  /** The last number that was given. */
  readonly lastSeq: number
  /** The last number whose event is kept no longer. */
  readonly purgedSeq: number
  /** Whether there are events that can have a number and have none yet. */
  readonly waiting: boolean
}

/** The standing of a journal that nobody has read yet: nothing has a number. */
export const unread: Standing = { lastSeq: 0, purgedSeq: 0, waiting: true }

/** How many numbers a request looks at, at the most, to fill its page with the types that it asks for. */
export const maxScanned = 5000

const startAnew = (lastSeq: number) =>
  `Read everything anew by the lists of the resources, then go on here with after=${lastSeq}.`

/** Why a reader who has read up to `after` cannot go on from there, if that is so. */
export const outOfReach = (after: number, { lastSeq, purgedSeq }: Standing): ResyncRequired | undefined => {
  if (after < purgedSeq) {
    return new ResyncRequired({
      detail: `Events are kept for ${keptDays} days: those up to number ${purgedSeq} are gone. ${startAnew(lastSeq)}`
    })
  }
  if (after > lastSeq) {
    return new ResyncRequired({
      detail: `No event has the number ${after} yet; the last one is ${lastSeq}. If you got it from here, the service was restored to an earlier state since. ${startAnew(lastSeq)}`
    })
  }
  return undefined
}

/** Where a reader stands who got these rows, of which one more was asked for than the page has. */
export const reached = (
  rows: ReadonlyArray<{ readonly seq: number }>,
  options: { readonly after: number; readonly pageSize: number; readonly standing: Standing }
): { readonly nextAfter: number; readonly hasMore: boolean } => {
  const { after, pageSize, standing } = options
  const last = rows[pageSize - 1]
  if (last !== undefined && rows.length > pageSize) return { nextAfter: last.seq, hasMore: true }
  const nextAfter = Math.min(after + maxScanned, standing.lastSeq)
  return { nextAfter, hasMore: nextAfter < standing.lastSeq || standing.waiting }
}
