/** How a client repeats requests. */
export interface RetryOptions {
    /** The number of attempts in all; 5 by default, 1 never repeats. */
    readonly attempts?: number;
    /** The longest time in seconds to wait for one attempt, whatever `Retry-After` says; 120 by default. */
    readonly maxWaitSeconds?: number;
    /** The longest time in seconds that one attempt may take; 30 by default. Uploads and downloads have none. */
    readonly timeoutSeconds?: number;
}
/** What is known about a request. */
export interface Repeatability {
    /** Whether it can be repeated although the first attempt may have had its effect. */
    readonly isRepeatable: boolean;
    /** Whether it has a time limit. */
    readonly isTimed: boolean;
}
/**
 * Sends a request, and again after network errors, 502, 503, 504, 429 and 409 `idempotency_in_progress`, after
 * `Retry-After` or else with growing delays. The final answer is returned whatever its status.
 */
export declare const fetchRetrying: (request: Request, fetch: typeof globalThis.fetch, { attempts, maxWaitSeconds, timeoutSeconds }: RetryOptions, { isRepeatable, isTimed }: Repeatability) => Promise<Response>;
