/** Walks through lists and deltas, page by page. */
/** All rows of a list, from page to page as they are needed. */
export async function* rowsOf(readPage, query) {
    for await (const { data } of pagesOf(readPage, query))
        yield* data;
}
async function* pagesOf(readPage, query) {
    for (let cursor; cursor !== null;) {
        const page = await readPage(cursor === undefined ? query : { ...query, cursor });
        yield page;
        cursor = page.page.nextCursor;
    }
}
/** The changes since `since`, tombstones included; all living rows if it is undefined or null. */
export const deltaOf = (readPage, since, query) => {
    const isComplete = since === undefined || since === null;
    let nextSince = null;
    return {
        get nextSince() {
            return nextSince;
        },
        isComplete,
        async *[Symbol.asyncIterator]() {
            nextSince = null;
            const range = isComplete ? query : { ...query, updated_since: since, include_deleted: true };
            let last = null;
            for await (const { data, page } of pagesOf(readPage, range)) {
                yield* data;
                last = page.nextSince ?? null;
            }
            nextSince = last;
        }
    };
};
/** The events after a number. */
export const journalOf = (readPage, query) => {
    let nextAfter;
    return {
        get nextAfter() {
            return nextAfter;
        },
        async *[Symbol.asyncIterator]() {
            for (let hasMore = true; hasMore;) {
                const { data, page } = await readPage(nextAfter === undefined ? query : { ...query, after: nextAfter });
                for (const event of data) {
                    yield event;
                    // Only now has the reader taken it: one that stops in between gets the event again.
                    nextAfter = event.seq;
                }
                nextAfter = page.nextAfter;
                hasMore = page.hasMore;
            }
        }
    };
};
