/**
 * A typed client of the API: one method for each operation, under the operation's id. It authenticates, repeats what is
 * safe to repeat, sends idempotency keys, walks through lists and deltas, and throws refusals as typed errors.
 */
import createFetchClient from "openapi-fetch";
import { errorOf } from "./ApiError.js";
import { deltaOf, journalOf, rowsOf } from "./lists.js";
import { operations } from "./operations.js";
import { fetchRetrying } from "./retrying.js";
const consistencyHeader = "x-consistency-token";
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
    const bearer = async (options) => (typeof token === "string" ? token : token(options));
    // Typed here as it is used: the paths come from the table of operations.
    const request = createFetchClient({ baseUrl }).request;
    const attempt = (row, input, headers) => {
        const { body, path = {}, query = {}, signal } = input;
        return request(row.method, row.path, {
            params: { path, query },
            ...(body === undefined ? {} : { body }),
            ...(signal === undefined ? {} : { signal }),
            ...(row.isRaw === true ? { parseAs: "stream" } : {}),
            headers,
            fetch: (request) => fetchRetrying(request, fetch, retry, {
                // Repeated, a patch without a precondition could overwrite what somebody else wrote in between.
                isRepeatable: row.isOnce !== true && (row.method !== "patch" || input.ifMatch !== undefined),
                isTimed: row.isRaw !== true && row.body !== "multipart/form-data"
            })
        });
    };
    // What the client has written: the answer to a write stands for all writes that were answered before it was sent.
    let written = [];
    const send = async (row, input, prefer) => {
        requirePath(row, input.path ?? {});
        const sent = written;
        const headers = {
            ...(sent.length === 0 || row.isPublic === true ? {} : { [consistencyHeader]: sent.join(", ") }),
            ...headersOf(row, input, newIdempotencyKey),
            ...prefer
        };
        const attemptWith = (bearer) => attempt(row, input, { authorization: `Bearer ${bearer}`, ...headers });
        const first = row.isPublic === true ? undefined : await bearer();
        let answer = await (first === undefined ? attempt(row, input, headers) : attemptWith(first));
        if (answer.response.status === 401 && first !== undefined) {
            const renewed = await bearer({ refused: first });
            if (renewed !== first)
                answer = await attemptWith(renewed);
        }
        const { data, error, response } = answer;
        const token = response.headers.get(consistencyHeader);
        if (token !== null)
            written = [...written.filter((one) => !sent.includes(one)), token];
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
