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
/** The members of a refusal: those of a problem, or of OAuth's endpoints (RFC 6749), which answer in their own way. */
const membersOf = (body) => {
    if (typeof body !== "object" || body === null)
        return {};
    if (!("error" in body) || typeof body.error !== "string")
        return body;
    const detail = "error_description" in body ? String(body.error_description) : body.error;
    return { code: body.error, detail };
};
/** The error of an answer that is not a success. `body` is what was sent, as JSON if it was JSON. */
export const errorOf = (response, body) => {
    const requestId = response.headers.get("x-request-id");
    // A proxy in front of the service answers in its own way.
    return new ApiError({
        type: "about:blank",
        title: response.statusText,
        status: response.status,
        code: "unknown",
        detail: typeof body === "string" && body !== "" ? body.slice(0, 500) : `The answer has status ${response.status}.`,
        ...(requestId === null ? {} : { requestId }),
        ...membersOf(body)
    }, response);
};
