/** A request that was refused, or that failed in the service. `problem` is the body of the answer. */
export class ApiError extends Error {
    name = "ApiError";
    problem;
    /** The final answer. Its body was read. */
    response;
    constructor(problem, response) {
        super(`${problem.code}: ${problem.detail} (request ${problem.requestId ?? "unknown"})`);
        this.problem = problem;
        this.response = response;
    }
    get status() {
        return this.response.status;
    }
    get code() {
        return this.problem.code;
    }
}
/** Whether an error is the API's, with one of these codes if any are given. Narrows `problem` to its members. */
export const isProblem = (error, ...codes) => error instanceof ApiError && (codes.length === 0 || codes.includes(error.problem.code));
/** The error of an answer that is not a success. `body` is what was sent, as JSON if it was JSON. */
export const errorOf = (response, body) => {
    const requestId = response.headers.get("x-request-id");
    const sent = typeof body === "object" && body !== null ? body : {};
    // A proxy in front of the service answers in its own way.
    return new ApiError({
        type: "about:blank",
        title: response.statusText,
        status: response.status,
        code: "unknown",
        detail: typeof body === "string" && body !== "" ? body.slice(0, 500) : `The answer has status ${response.status}.`,
        ...(requestId === null ? {} : { requestId }),
        ...sent
    }, response);
};
