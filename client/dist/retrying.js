/** A `fetch` that repeats what is safe to repeat. */
import ky, { isHTTPError } from "ky";
const methods = ["get", "post", "put", "patch", "delete"];
/** The answer was: too many requests (the service has done nothing). */
const isTooMany = (status) => status === 429;
/** The answer says nothing about the effect of the request: it can come from a proxy, or after a lost connection. */
const isUncertain = (status) => [502, 503, 504].includes(status);
/** The first request with the same key has not ended. */
const isInProgress = async (response) => response.status === 409 &&
    (await response
        .clone()
        .json()
        .catch(() => ({}))).code === "idempotency_in_progress";
/**
 * Sends a request, and again after network errors, 502, 503, 504, 429 and 409 `idempotency_in_progress`, after
 * `Retry-After` or else with growing delays. The final answer is returned whatever its status.
 */
export const fetchRetrying = async (request, fetch, { attempts = 5, maxWaitSeconds = 120, timeoutSeconds = 30 }, { isRepeatable, isTimed }) => {
    let sent = 0;
    try {
        return await ky(request, {
            fetch: (input, init) => {
                sent++;
                return fetch(input, init);
            },
            timeout: isTimed ? timeoutSeconds * 1000 : false,
            retry: {
                limit: attempts - 1,
                methods,
                statusCodes: [429, 502, 503, 504],
                afterStatusCodes: [429, 503],
                maxRetryAfter: maxWaitSeconds * 1000,
                backoffLimit: maxWaitSeconds * 1000,
                retryOnTimeout: true,
                jitter: (delay) => delay * (0.75 + Math.random() / 2),
                shouldRetry: async ({ error }) => {
                    if (!isHTTPError(error))
                        return isRepeatable ? undefined : false;
                    const { response } = error;
                    if (await isInProgress(response))
                        return true;
                    // `undefined` lets ky look at `Retry-After`.
                    return isTooMany(response.status) || (isRepeatable && isUncertain(response.status)) ? undefined : false;
                }
            }
        });
    }
    catch (error) {
        if (!isHTTPError(error))
            throw error;
        // The first attempt has deleted it, and its answer was lost.
        const isDeleted = request.method === "DELETE" && sent > 1 && error.response.status === 404;
        return isDeleted ? new Response(null, { status: 204, headers: error.response.headers }) : error.response;
    }
};
