/** Decides which page of the journal a reader gets, and whether the reader must resynchronize. */
import { type EventPattern, type EventType, recordEventTypes, typesOf } from "../../core/mutation/Event.ts"
import { ResyncRequired } from "../../core/usecase/Problem.ts"

/** How far a journal is numbered. */
export interface JournalState {
  /** The greatest number in use. */
  readonly lastSeq: number
  /** The greatest number whose event was purged. */
  readonly purgedSeq: number
  /** Whether events below the horizon have no number yet. */
  readonly hasUnnumbered: boolean
}

/** The state of a journal that nobody has read: no event is numbered. */
export const emptyJournal: JournalState = { lastSeq: 0, purgedSeq: 0, hasUnnumbered: true }

/** How many numbers a request looks at, at most, to fill its page with the requested types. */
export const maxScanned = 5000

/** The types of the events that a reader gets, by default those of records; undefined for all. */
export const typesToRead = (
  patterns: ReadonlyArray<EventPattern> = recordEventTypes
): ReadonlyArray<EventType> | undefined => (patterns.includes("*") ? undefined : typesOf(patterns))

/** What a person looks for in the journal. */
export interface JournalFilter {
  /** Undefined means all types. */
  readonly types: ReadonlyArray<EventType> | undefined
  /** The public id of the resource. */
  readonly resourceId: string | undefined
}

/** Whether an event is one that a person looks for. */
export const isLookedFor = (
  { event, resource_id: resourceId }: { readonly event: string; readonly resource_id: string },
  filter: JournalFilter
): boolean =>
  (filter.types === undefined || filter.types.some((type) => type === event)) &&
  (filter.resourceId === undefined || filter.resourceId === resourceId)

const resyncAdvice = (after: number) => `Read the lists of the resources again, then continue here with after=${after}.`

/**
 * Rejects an `after` that the journal cannot continue from: its successors are purged, or it is not in use. The advice leads to the
 * first event that is kept, or to the first that has no number yet, so that a reader who follows it loses none.
 */
export const rejectAfter = (
  after: number,
  { lastSeq, purgedSeq }: JournalState,
  retentionDays: number
): ResyncRequired | undefined => {
  if (after < purgedSeq) {
    return new ResyncRequired({
      detail: `Events are kept for ${retentionDays} days. Those up to number ${purgedSeq} were deleted. ${resyncAdvice(purgedSeq)}`
    })
  }
  if (after > lastSeq) {
    return new ResyncRequired({
      detail: `No event has the number ${after}; the last one is ${lastSeq}. If this service returned it, its database was restored to an earlier state since. ${resyncAdvice(lastSeq)}`
    })
  }
  return undefined
}

/** The `after` of the next page, and whether it can be read at once. The query must read one row more than the page has. */
export const endOfPage = (
  rows: ReadonlyArray<{ readonly seq: number }>,
  options: { readonly after: number; readonly pageSize: number; readonly state: JournalState }
): { readonly nextAfter: number; readonly hasMore: boolean } => {
  const { after, pageSize, state } = options
  const last = rows[pageSize - 1]
  if (last !== undefined && rows.length > pageSize) return { nextAfter: last.seq, hasMore: true }
  const nextAfter = Math.min(after + maxScanned, state.lastSeq)
  return { nextAfter, hasMore: nextAfter < state.lastSeq || state.hasUnnumbered }
}
