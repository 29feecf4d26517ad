/**
 * The problems of the OpenAPI document, as the edge completes them: with an absolute `type` and the request's id. Effect
 * generates each one whole, with `type` and `title` as constants.
 */
import { exampleOf } from "./OpenApiExamples.ts"
import { type Document, type Example, isObject, mapValues, type Schema, type Schemas } from "./OpenApiSpec.ts"

/** An example of a request's id. */
export const exampleRequestId = "req_0b9e6ad1c0f84d0a9d1f3f0f6a4f7c11"

/** What tells one problem from another. */
export interface KnownProblem {
  readonly code: string
  readonly title: string
  readonly status: number
}

const constantOf = (member: unknown): unknown =>
  isObject(member) && Array.isArray(member["enum"]) ? member["enum"][0] : undefined

const membersOf = (schema: Schema) => (isObject(schema["properties"]) ? schema["properties"] : {})

/** The constants of a problem that effect generated; undefined for other schemas. */
const generatedProblem = (schema: Schema): (KnownProblem & { readonly path: string }) | undefined => {
  const { code, status, title, type } = mapValues(membersOf(schema), constantOf)
  return typeof type === "string" && type.startsWith("/help/")
    ? { path: type, code: String(code), title: String(title), status: Number(status) }
    : undefined
}

const base = "ProblemDetails"

const reference = `#/components/schemas/${base}`

const text = (description: string, example: string): Schema => ({ type: "string", description, examples: [example] })

const baseOf = (baseUrl: string): Schema => ({
  type: "object",
  description: "What every refusal has (RFC 9457). Programs tell refusals apart by `code`; the texts may change.",
  properties: {
    type: {
      ...text("The address of a page that explains the problem.", `${baseUrl}/help/invalid-request`),
      format: "uri"
    },
    title: text("The kind of problem, for people.", "The request is not valid."),
    status: { type: "integer", description: "The status code of the response.", examples: [400] },
    code: text("The reason of the refusal, for programs.", "invalid_request"),
    detail: text("What was refused, and what to do about it, for people.", "The request is not valid."),
    requestId: text("The request's id, to quote when asking for help.", exampleRequestId)
  },
  required: ["type", "title", "status", "code", "detail", "requestId"]
})

const completed = (schema: Schema, schemas: Schemas, baseUrl: string): Schema => {
  const problem = generatedProblem(schema)
  if (problem === undefined) return schema
  const { code, path, status, title } = problem
  const { detail: _d, instance: _i, requestId: _r, title: _t, type: _y, ...own } = membersOf(schema)
  const members = { ...own, code: { type: "string", enum: [code] }, status: { type: "integer", enum: [status] } }
  const examples = mapValues(own, (member) => (isObject(member) ? exampleOf(member, schemas) : null))
  const whole = { type: `${baseUrl}${path}`, title, status, code, detail: title, requestId: exampleRequestId }
  const isRequired = (name: unknown) => typeof name === "string" && name !== "status" && name in members
  return {
    description: title,
    allOf: [
      { $ref: reference },
      {
        type: "object",
        properties: members,
        required: Array.isArray(schema["required"]) ? ["status", ...schema["required"].filter(isRequired)] : ["status"]
      }
    ],
    examples: [{ ...examples, ...whole }]
  }
}

const isProblem = ({ allOf }: Schema): boolean =>
  Array.isArray(allOf) && allOf.some((part) => isObject(part) && part["$ref"] === reference)

/** The schemas with complete problems. What all problems have is in one of its own. */
export const withProblems = (schemas: Schemas, baseUrl: string): Schemas => ({
  [base]: baseOf(baseUrl),
  ...mapValues(schemas, (schema) => completed(schema, schemas, baseUrl))
})

/** Schemas without the examples of problems, which the examples of refusals repeat. */
export const withoutExamples = (schemas: Schemas): Schemas =>
  mapValues(schemas, (schema) => {
    const { examples: _, ...others } = schema
    return isProblem(schema) ? others : schema
  })

/** The problems of a complete document. */
export const problemsIn = ({ components }: Document): ReadonlyArray<KnownProblem> =>
  Object.entries(components.schemas).flatMap(([name, schema]) => {
    const { value } = (components.examples[name] ?? {}) as Partial<Example>
    if (!isProblem(schema) || !isObject(value)) return []
    return [{ code: String(value["code"]), title: String(value["title"]), status: Number(value["status"]) }]
  })
