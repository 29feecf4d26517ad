/** The errors of the API: RFC 9457 problems, as typed errors. */
import type { Schemas } from "./operationTypes.ts";
/** A schema if it is a problem with a code of its own; what all problems have in common is none. */
type OwnProblem<S> = S extends {
    readonly code: infer Code extends string;
    readonly title: string;
} ? string extends Code ? never : S : never;
/** The problems of the API, discriminated by `code`. */
export type Problem = {
    [Name in keyof Schemas]: OwnProblem<Schemas[Name]>;
}[keyof Schemas];
/** The code of a problem, such as `not_found`. */
export type ProblemCode = Problem["code"];
/** The members that every problem has. A code that this version of the client does not know is possible. */
export interface AnyProblem {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly requestId?: string;
}
/** A request that was refused, or that failed in the service. `problem` is the body of the answer. */
export declare class ApiError<P extends AnyProblem | Problem = AnyProblem> extends Error {
    readonly name = "ApiError";
    readonly problem: P;
    /** The final answer. Its body was read. */
    readonly response: Response;
    constructor(problem: P, response: Response);
    get status(): number;
    get code(): P["code"];
}
/** Whether an error is the API's, with one of these codes if any are given. Narrows `problem` to its members. */
export declare const isProblem: <Code extends ProblemCode = ProblemCode>(error: unknown, ...codes: ReadonlyArray<Code>) => error is ApiError<Extract<Problem, {
    readonly code: Code;
}>>;
/** The error of an answer that is not a success. `body` is what was sent, as JSON if it was JSON. */
export declare const errorOf: (response: Response, body: unknown) => ApiError;
export {};
