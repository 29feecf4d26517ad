/** What must be true of every answer: docs/behaviour/http.md#problems and the OpenAPI document. */
import { operations as contract } from "../support/Surface.ts"
import { type Document, validatorOf } from "../openapi/Validator.ts"
import type { Case, Described } from "./cases.ts"
import type { Answer } from "./client.ts"
import type { Sender } from "./Sender.ts"

/** What is wrong with an answer: a short name that is the same for the same fault, and the details. */
export interface Fault {
  readonly name: string
  readonly details: string
}

/** What the router and the HTTP parser answer to requests that reach no operation, or break HTTP. */
const transportStatuses = new Set([400, 404, 405, 408, 413, 414, 415, 417, 431])

const short = (text: string) => (text.length > 600 ? `${text.slice(0, 600)} … (${text.length} characters)` : text)

/** The checks of one service. */
export const make = (document: Document, described: ReadonlyArray<Described>, sender: Sender) => {
  const validator = validatorOf(document)
  const byId = new Map(contract.map((operation) => [operation.id, operation]))
  const paths = new Map(described.map((operation) => [operation.id, operation]))
  const helpful = new Map<string, Promise<boolean>>()

  const bodyOf = (text: string): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }

  /** A problem has the members that all problems have, the request's id, and a page that explains it. */
  const problemFault = async ({ headers, status, text }: Answer): Promise<Fault | undefined> => {
    const details = short(text)
    const body = bodyOf(text) as { readonly [member: string]: unknown } | undefined
    if (body === undefined) return { name: `${status}: a problem that is no JSON`, details }
    const { code, detail, requestId, title, type } = body
    if (
      typeof code !== "string" ||
      typeof title !== "string" ||
      typeof detail !== "string" ||
      body["status"] !== status
    ) {
      return { name: `${status}: an incomplete problem`, details }
    }
    if (requestId !== headers.get("x-request-id")) return { name: `${status} ${code}: another requestId`, details }
    const page = String(type)
    if (!page.endsWith(`/help/${code.replaceAll("_", "-")}`))
      return { name: `${status} ${code}: another type`, details }
    const helps = helpful.get(page) ?? sender.helps(page)
    helpful.set(page, helps)
    return (await helps) ? undefined : { name: `${code}: no help page`, details: page }
  }

  const isProblem = ({ headers }: Answer) =>
    headers.get("content-type")?.startsWith("application/problem+json") === true

  /** Faults of any answer, whatever was asked. */
  const answerFault = async (answer: Answer): Promise<Fault | undefined> => {
    if (answer.status >= 500) return { name: `answered ${answer.status}`, details: short(answer.text) }
    if (answer.headers.get("x-request-id") === null) return { name: `${answer.status}: no request id`, details: "" }
    return isProblem(answer) && answer.text !== "" ? problemFault(answer) : undefined
  }

  /** Faults of the answer to a request that reached its operation. */
  const operationFault = (id: string, answer: Answer): Fault | undefined => {
    const operation = byId.get(id)
    if (operation === undefined) return { name: "no such operation", details: id }
    try {
      validator.answer(operation, { ...answer, body: bodyOf(answer.text) })
      return undefined
    } catch (error) {
      const details = short(error instanceof Error ? error.message : String(error))
      const undeclared = details.includes("is not in the document")
      const [, place = ""] = /(data\S* (?:must|should)[^,]{0,60})/.exec(details) ?? []
      return {
        name: undeclared ? `undeclared ${answer.status}` : `${answer.status} is not as declared: ${place}`,
        details
      }
    }
  }

  return {
    answerFault,
    /** The first fault of the answer to a case. */
    faultOf: async (one: Case, answer: Answer): Promise<Fault | undefined> => {
      const general = await answerFault(answer)
      if (general !== undefined) return general
      if (!one.isHostile) return operationFault(one.operation, answer)
      const { method, path = "" } = paths.get(one.operation) ?? {}
      const [target = ""] = one.target.split("?")
      const isReached =
        method === one.method && target.replaceAll(/\{\w+\}/g, "{}") === path.replaceAll(/\{\w+\}/g, "{}")
      if (answer.status >= 400 && transportStatuses.has(answer.status)) return undefined
      return isReached ? operationFault(one.operation, answer) : undefined
    }
  }
}

/** The checks. */
export type Checks = ReturnType<typeof make>

/** Whether a 503 says when to come back, as overload and outages do. */
export const isOverload = ({ headers, status }: Answer): boolean =>
  status === 503 && headers.get("retry-after") !== null
