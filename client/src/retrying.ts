/** A `fetch` that repeats what is safe to repeat. */
import ky, { isHTTPError } from "ky"

/** How a client repeats requests. */
export interface RetryOptions {
  /** The number of attempts in all; 5 by default, 1 never repeats. */
  readonly attempts?: number
  /** The longest time in seconds to wait for one attempt, whatever `Retry-After` says; 120 by default. */
  readonly maxWaitSeconds?: number
  /** The longest time in seconds that one attempt may take; 30 by default. Uploads and downloads have none. */
  readonly timeoutSeconds?: number
}

/** What is known about a request. */
export interface Repeatability {
  /** Whether it can be repeated although the first attempt may have had its effect. */
  readonly isRepeatable: boolean
  /** Whether it has a time limit. */
  readonly isTimed: boolean
}

const methods: Array<"get" | "post" | "put" | "patch" | "delete"> = ["get", "post", "put", "patch", "delete"]

/** The answer was: too many requests (the service has done nothing). */
const isTooMany = (status: number) => status === 429

/** The answer says nothing about the effect of the request: it can come from a proxy, or after a lost connection. */
const isUncertain = (status: number) => [502, 503, 504].includes(status)

/** The first request with the same key has not ended. */
const isInProgress = async (response: Response) =>
  response.status === 409 &&
  (
    (await response
      .clone()
      .json()
      .catch(() => ({}))) as { readonly code?: string }
  ).code === "idempotency_in_progress"

/**
 * Sends a request, and again after network errors, 502, 503, 504, 429 and 409 `idempotency_in_progress`, after
 * `Retry-After` or else with growing delays. The final answer is returned whatever its status.
 */
export const fetchRetrying = async (
  request: Request,
  fetch: typeof globalThis.fetch,
  { attempts = 5, maxWaitSeconds = 120, timeoutSeconds = 30 }: RetryOptions,
  { isRepeatable, isTimed }: Repeatability
): Promise<Response> => {
  let sent = 0
  try {
    return await ky(request, {
      fetch: (input, init) => {
        sent++
        return fetch(input, init)
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
          if (!isHTTPError(error)) return isRepeatable ? undefined : false
          const { response } = error
          if (await isInProgress(response)) return true
          // `undefined` lets ky look at `Retry-After`.
          return isTooMany(response.status) || (isRepeatable && isUncertain(response.status)) ? undefined : false
        }
      }
    })
  } catch (error) {
    if (!isHTTPError(error)) throw error
    // The first attempt has deleted it, and its answer was lost.
    const isDeleted = request.method === "DELETE" && sent > 1 && error.response.status === 404
    return isDeleted ? new Response(null, { status: 204, headers: error.response.headers }) : error.response
  }
}
