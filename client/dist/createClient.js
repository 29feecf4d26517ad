/**
 * A typed client of the API: one method for each operation, under the operation's id. It authenticates, repeats what is
 * safe to repeat, sends idempotency keys, walks through lists and deltas, and throws refusals as typed errors.
 */
import createFetchClient from "openapi-fetch";
import { errorOf } from "./ApiError.js";
import { deltaOf, journalOf, rowsOf } from "./lists.js";
import { operations } from "./operations.js";
import { fetchRetrying } from "./retrying.js";
const headersOf = ({ body, hasKey }, { headers, idempotencyKey, ifMatch }, newKey) => ({
    ...(hasKey === true ? { "idempotency-key": idempotencyKey ?? newKey() } : {}),
    ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    ...(body === "application/x-www-form-urlencoded" ? { "content-type": body } : {}),
    ...headers
});
/** Makes a client. */
export const createClient = ({ baseUrl, fetch = globalThis.fetch, newIdempotencyKey = () => crypto.randomUUID(), retry = {}, token }) => {
    // Typed here as it is used: the paths come from the table of operations.
    const request = createFetchClient({ baseUrl }).request;
    const send = async (row, input, prefer) => {
        const bearer = typeof token === "string" ? token : await token();
        const { data, error, response } = await request(row.method, row.path, {
            params: { path: input.path ?? {}, query: input.query ?? {} },
            ...(input.body === undefined ? {} : { body: input.body }),
            ...(input.signal === undefined ? {} : { signal: input.signal }),
            ...(row.isRaw === true ? { parseAs: "stream" } : {}),
            headers: { authorization: `Bearer ${bearer}`, ...headersOf(row, input, newIdempotencyKey), ...prefer },
            fetch: (request) => fetchRetrying(request, fetch, retry, {
                isRepeatable: row.isOnce !== true,
                isTimed: row.isRaw !== true && row.body !== "multipart/form-data"
            })
        });
        if (!response.ok)
            throw errorOf(response, error);
        return row.isRaw === true ? response : data;
    };
    const methodsOf = (prefer) => {
        const groups = {};
        for (const [id, row] of Object.entries(operations)) {
            const [group = "", name = ""] = id.split(".");
            const method = (input = {}) => send(row, input, prefer);
            const readPage = (input) => (query) => method({ ...input, query });
            const all = (input = {}) => id === "changes.list"
                ? journalOf(readPage(input), input.query ?? {})
                : rowsOf(readPage(input), input.query ?? {});
            const delta = (since, input = {}) => deltaOf(readPage(input), since, input.query ?? {});
            groups[group] = { ...groups[group], [name]: Object.assign(method, { all, delta }) };
        }
        return groups;
    };
    // The types are those of the same document as the table of operations.
    return { ...methodsOf({}), dryRun: methodsOf({ prefer: "dry-run" }) };
};
