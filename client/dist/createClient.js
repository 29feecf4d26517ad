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
// Without its parameter, a path would be sent with the parameter's name in it, and answered with a misleading 404.
const requirePath = ({ path }, values) => {
    for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
        if (values[name] === undefined || values[name] === "")
            throw new TypeError(`\`path.${name}\` is required.`);
    }
};
/** Makes a client. */
export const createClient = ({ baseUrl, fetch = globalThis.fetch, newIdempotencyKey = () => crypto.randomUUID(), retry = {}, token }) => {
    const bearer = async () => (typeof token === "string" ? token : token());
    // Typed here as it is used: the paths come from the table of operations.
    const request = createFetchClient({ baseUrl }).request;
    const send = async (row, input, prefer) => {
        const { path = {}, query = {} } = input;
        requirePath(row, path);
        const authorization = row.isPublic === true ? {} : { authorization: `Bearer ${await bearer()}` };
        const { data, error, response } = await request(row.method, row.path, {
            params: { path, query },
            ...(input.body === undefined ? {} : { body: input.body }),
            ...(input.signal === undefined ? {} : { signal: input.signal }),
            ...(row.isRaw === true ? { parseAs: "stream" } : {}),
            headers: { ...authorization, ...headersOf(row, input, newIdempotencyKey), ...prefer },
            fetch: (request) => fetchRetrying(request, fetch, retry, {
                isRepeatable: row.isOnce !== true,
                isTimed: row.isRaw !== true && row.body !== "multipart/form-data"
            })
        });
        if (!response.ok)
            throw errorOf(response, error);
        return row.isRaw === true ? response : data;
    };
    const methodsOf = (rows, prefer) => {
        const groups = {};
        for (const [id, row] of rows) {
            const [group = "", name = ""] = id.split(".");
            const method = (input = {}) => send(row, input, prefer);
            const readPage = (input) => (query) => (id.endsWith(".search") ? method({ ...input, body: query }) : method({ ...input, query }));
            const all = (input = {}) => {
                if (id === "changes.list")
                    return journalOf(readPage(input), input.query ?? {});
                return rowsOf(readPage(input), id.endsWith(".search") ? { ...input.body } : (input.query ?? {}));
            };
            const delta = (since, input = {}) => deltaOf(readPage(input), since, input.query ?? {});
            groups[group] = { ...groups[group], [name]: Object.assign(method, { all, delta }) };
        }
        return groups;
    };
    // The types are those of the same document as the table of operations.
    const all = Object.entries(operations);
    const withDryRun = all.filter(([, { hasDryRun }]) => hasDryRun === true);
    return { ...methodsOf(all, {}), dryRun: methodsOf(withDryRun, { prefer: "dry-run" }) };
};
