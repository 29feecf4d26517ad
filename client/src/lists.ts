/** Walks through lists and deltas, page by page. */

/** A page of a list, as the API answers it. */
interface Page<Row> {
  readonly data: ReadonlyArray<Row>
  readonly page: { readonly nextCursor: string | null; readonly nextSince?: string | null }
}

type Query = Readonly<Record<string, unknown>>

/** Reads one page. */
type ReadPage<Row> = (query: Query) => Promise<Page<Row>>

/** All rows of a list, from page to page as they are needed. */
export async function* rowsOf<Row>(readPage: ReadPage<Row>, query: Query): AsyncGenerator<Row, void, undefined> {
  for await (const { data } of pagesOf(readPage, query)) yield* data
}

async function* pagesOf<Row>(readPage: ReadPage<Row>, query: Query): AsyncGenerator<Page<Row>, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await readPage(cursor === undefined ? query : { ...query, cursor })
    yield page
    cursor = page.page.nextCursor
  }
}

/**
 * The changes of a list since a moment: an iterable of rows and, once it has ended, the moment from which the next delta
 * misses nothing and repeats nothing.
 */
export interface Delta<Row> extends AsyncIterable<Row> {
  /** Where the next delta begins: store it together with what you made of the rows. Null until all rows were read. */
  readonly nextSince: string | null
  /** Whether this reads everything: what the list does not have is gone. Otherwise tombstones tell of deletions. */
  readonly isComplete: boolean
}

/** The changes since `since`, tombstones included; all living rows if it is undefined or null. */
export const deltaOf = <Row>(readPage: ReadPage<Row>, since: string | null | undefined, query: Query): Delta<Row> => {
  const isComplete = since === undefined || since === null
  let nextSince: string | null = null
  return {
    get nextSince() {
      return nextSince
    },
    isComplete,
    async *[Symbol.asyncIterator]() {
      nextSince = null
      const range = isComplete ? query : { ...query, updated_since: since, include_deleted: true }
      let last: string | null = null
      for await (const { data, page } of pagesOf(readPage, range)) {
        yield* data
        last = page.nextSince ?? null
      }
      nextSince = last
    }
  }
}

/** A page of the journal, as the API answers it. */
interface JournalPage<Event> {
  readonly data: ReadonlyArray<Event>
  readonly page: { readonly nextAfter: number; readonly hasMore: boolean }
}

/** Events of the journal: an iterable up to the newest event, and the number after which the next reading begins. */
export interface Journal<Event> extends AsyncIterable<Event> {
  /**
   * The number after which the next reading begins: that of the last event that was passed on, and at the end that of
   * the last event that was looked at. It is undefined until an event or the end was reached.
   */
  readonly nextAfter: number | undefined
}

/** The events after a number. */
export const journalOf = <Event extends { readonly seq: number }>(
  readPage: (query: Query) => Promise<JournalPage<Event>>,
  query: Query
): Journal<Event> => {
  let nextAfter: number | undefined
  return {
    get nextAfter() {
      return nextAfter
    },
    async *[Symbol.asyncIterator]() {
      for (let hasMore = true; hasMore;) {
        const { data, page } = await readPage(nextAfter === undefined ? query : { ...query, after: nextAfter })
        for (const event of data) {
          yield event
          // Only now has the reader taken it: one that stops in between gets the event again.
          nextAfter = event.seq
        }
        nextAfter = page.nextAfter
        hasMore = page.hasMore
      }
    }
  }
}
