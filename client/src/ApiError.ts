/** The errors of the API: RFC 9457 problems, as typed errors. */
import type { Schemas } from "./operationTypes.ts"

/** A schema if it is a problem with a code of its own; what all problems have in common is none. */
type OwnProblem<S> = S extends { readonly code: infer Code extends string; readonly title: string }
  ? string extends Code
    ? never
    : S
  : never

/** The problems of the API, discriminated by `code`. */
export type Problem = { [Name in keyof Schemas]: OwnProblem<Schemas[Name]> }[keyof Schemas]

/** The code of a problem, such as `not_found`. */
export type ProblemCode = Problem["code"]

/** The members that every problem has. A code that this version of the client does not know is possible. */
export interface AnyProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId?: string
}

/** A request that was refused, or that failed in the service. `problem` is the body of the answer. */
export class ApiError<P extends AnyProblem | Problem = AnyProblem> extends Error {
  override readonly name = "ApiError"
  readonly problem: P
  /** The final answer. Its body was read. */
  readonly response: Response

  constructor(problem: P, response: Response) {
    super(`${problem.code}: ${problem.detail} (request ${problem.requestId ?? "unknown"})`)
    this.problem = problem
    this.response = response
  }

  get status(): number {
    return this.response.status
  }

  get code(): P["code"] {
    return this.problem.code
  }
}

/** Whether an error is the API's, with one of these codes if any are given. Narrows `problem` to its members. */
export const isProblem = <Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: ReadonlyArray<Code>
): error is ApiError<Extract<Problem, { readonly code: Code }>> =>
  error instanceof ApiError && (codes.length === 0 || (codes as ReadonlyArray<string>).includes(error.problem.code))

/** The members of a refusal: those of a problem, or of OAuth's endpoints (RFC 6749), which answer in their own way. */
const membersOf = (body: unknown): Partial<AnyProblem> => {
  if (typeof body !== "object" || body === null) return {}
  if (!("error" in body) || typeof body.error !== "string") return body as Partial<AnyProblem>
  const detail = "error_description" in body ? String(body.error_description) : body.error
  return { code: body.error, detail }
}

/** The error of an answer that is not a success. `body` is what was sent, as JSON if it was JSON. */
export const errorOf = (response: Response, body: unknown): ApiError => {
  const requestId = response.headers.get("x-request-id")
  // A proxy in front of the service answers in its own way.
  return new ApiError(
    {
      type: "about:blank",
      title: response.statusText,
      status: response.status,
      code: "unknown",
      detail:
        typeof body === "string" && body !== "" ? body.slice(0, 500) : `The answer has status ${response.status}.`,
      ...(requestId === null ? {} : { requestId }),
      ...membersOf(body)
    },
    response
  )
}
