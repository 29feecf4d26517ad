/** Validates requests and answers of the service by its OpenAPI document. */
import { assert } from "@effect/vitest"
import ajv2020, { type ValidateFunction } from "@redocly/ajv/dist/2020.js"
import { Effect } from "effect"
import { type Operation, operations } from "../support/Surface.ts"
import { type Reply, TestService } from "../support/TestService.ts"

export interface Media {
  readonly schema: Schema
  readonly examples?: { readonly [name: string]: { readonly value: unknown } }
}

/** The first example of a body. */
export const exampleOf = ({ examples }: Media): unknown => Object.values(examples ?? {})[0]?.value

export type Schema = { readonly [key: string]: unknown }

export interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly security: ReadonlyArray<object>
  readonly "x-capability": string
  readonly "x-codeSamples"?: ReadonlyArray<{ readonly lang: string; readonly label: string; readonly source: string }>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: Media }
      readonly headers?: { readonly [name: string]: { readonly required?: boolean } }
    }
  }
}

export interface Received {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly example: unknown }>
  readonly requestBody: { readonly content: { readonly [type: string]: Media } }
  readonly responses: { readonly [status: string]: object }
}

export interface Document {
  readonly openapi: string
  readonly webhooks: { readonly [type: string]: { readonly post: Received } }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } } & {
    readonly [kind in "responses" | "headers" | "parameters" | "examples"]: { readonly [name: string]: object }
  }
}

export const describedIn = (document: Document): ReadonlyArray<Described> =>
  Object.values(document.paths).flatMap((item) => Object.values(item))

export const pathOf = (operation: Operation) => operation.path.replaceAll(/\/:(\w+)/g, "/{$1}")

/** The operation of the contract with this id. */
export const operation = (id: string): Operation => {
  const found = operations.find((one) => one.id === id)
  assert.isDefined(found, id)
  return found as Operation
}

export const isJson = (type: string) => /^application\/(?:\w+\+)?json$/.test(type.replace("merge-patch", "patch"))

const shared = /^#\/components\/(responses|headers|parameters|examples)\/(.+)$/

/** The document with its shared responses, headers and parameters in place of the references to them. */
export const expanded = (document: Document): Document => {
  // Most answers are shared by all operations.
  const known = new Map<object, unknown>()
  const expand = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(expand)
    const [, kind = "", name = ""] = shared.exec(String((value as { readonly $ref?: unknown }).$ref)) ?? []
    const target = document.components[kind as "responses"]?.[name]
    if (target === undefined) {
      return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [key, expand(one)]))
    }
    const result = known.get(target) ?? expand(target)
    known.set(target, result)
    return result
  }
  return expand(document) as Document
}

const opened = ({ additionalProperties: _, ...others }: { readonly additionalProperties?: unknown }) => others

/** Closes all objects of a schema, so that validation rejects undocumented members. */
const closing = ({ components: { schemas } }: Document) => {
  /** The parts of an `allOf`, with the schemas to which they refer in their place: as a base, a schema is open. */
  const partsOf = (part: Schema): ReadonlyArray<Schema> => {
    const target = schemas[/^#\/components\/schemas\/(.+)$/.exec(String(part["$ref"]))?.[1] ?? ""]
    if (target === undefined) return [opened(closed(part) as Schema)]
    return Array.isArray(target["allOf"]) && !("type" in target) ? target["allOf"].flatMap(partsOf) : partsOf(target)
  }
  const closed = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(closed)
    // The members of an `allOf` are those of all its parts.
    if ("allOf" in value && Array.isArray(value.allOf) && !("type" in value)) {
      return { ...value, allOf: value.allOf.flatMap(partsOf), unevaluatedProperties: false }
    }
    const inner = Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [key, closed(one)]))
    return "properties" in inner && typeof inner["properties"] === "object" && inner["type"] === "object"
      ? { additionalProperties: false, ...inner }
      : inner
  }
  return closed
}

export const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** What a {@link pointer} leads to. */
const atPointer = (document: Document, place: string): unknown =>
  place
    .slice(1)
    .split("/")
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => (value as { readonly [key: string]: unknown } | undefined)?.[key], document)

/** A schema whose references to the document are such to the document with this id. */
const referringTo = (id: string, schema: unknown) =>
  JSON.parse(JSON.stringify(schema), (key, one: unknown) =>
    key === "$ref" && typeof one === "string" ? one.replace(/^#/, `${id}#`) : one
  ) as Schema

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Validates requests and answers by the schemas of a document. */
const makeValidator = (document: Document) => {
  const ajv = new ajv2020.default({
    strict: false,
    allErrors: true,
    formats: { binary: true, date: /^\d{4}-\d{2}-\d{2}$/, "date-time": timestamp, uri: (text) => URL.canParse(text) },
    // Each schema is used only a few times, so fast compilation matters more than fast validation.
    inlineRefs: false,
    code: { optimize: false }
  })
  const closed = closing(document)
  ajv.addSchema({ $id: "openapi", components: { schemas: closed(document.components.schemas) } })
  // Operations have many schemas in common, such as those of their refusals.
  const compiled = new Map<string, ValidateFunction>()
  const places = new Map<string, ValidateFunction>()
  const checkOf = (what: string, place: string) => {
    const schema = atPointer(document, place)
    assert.isDefined(schema, `${what} has no schema at ${place}`)
    const text = JSON.stringify(schema)
    const check = compiled.get(text) ?? ajv.compile(referringTo("openapi", closed(schema)))
    compiled.set(text, check)
    places.set(place, check)
    return check
  }
  const validate = (what: string, place: string, value: unknown) => {
    const check = places.get(place) ?? checkOf(what, place)
    if (check(value)) return
    assert.fail(`${what} at ${place}: ${ajv.errorsText(check.errors)} of ${JSON.stringify(value)}`)
  }
  return {
    validate,
    /** Asserts that the document describes this answer of the operation. */
    answer: (operation: Operation, reply: Reply<unknown>) => {
      const what = `${operation.method} ${operation.path} ${reply.status}`
      const method = operation.method.toLowerCase()
      if (reply.headers.get("preference-applied") === "dry-run") {
        validate(what, pointer("components", "schemas", "DryRunReport"), reply.body)
        return
      }
      const response = document.paths[pathOf(operation)]?.[method]?.responses[String(reply.status)]
      assert.isDefined(response, `${what} is not in the document`)
      for (const [name, { required }] of Object.entries(response?.headers ?? {})) {
        if (required === true) assert.isNotNull(reply.headers.get(name), `${what} lacks the header ${name}`)
      }
      if (reply.text === "") {
        assert.isUndefined(response?.content, `${what} has no body`)
        return
      }
      const type = reply.headers.get("content-type")?.split(";")[0] ?? ""
      const media = response?.content?.[type] === undefined ? "*/*" : type
      const place = ["responses", String(reply.status), "content", media, "schema"]
      const isText = !isJson(type)
      validate(what, pointer("paths", pathOf(operation), method, ...place), isText ? reply.text : reply.body)
    }
  }
}

const validators = new WeakMap<Document, ReturnType<typeof makeValidator>>()

// Compiling the schemas takes longer than all validations.
export const validatorOf = (document: Document) => {
  const validator = validators.get(document) ?? makeValidator(document)
  validators.set(document, validator)
  return validator
}

const documents = new Map<string, Reply<Document>>()

/** The document that a service serves, fetched once. */
export const served = Effect.gen(function* () {
  const { baseUrl, request } = yield* TestService
  const known = documents.get(baseUrl)
  if (known !== undefined) return known
  const reply = yield* request<Document>("GET", "/openapi.json")
  assert.deepStrictEqual([reply.status, reply.headers.get("content-type")], [200, "application/json"])
  const document = { ...reply, body: expanded(reply.body) }
  documents.set(baseUrl, document)
  return document
})

let ofAnswers: ReturnType<typeof makeValidator> | undefined

/** Asserts that the document describes an answer. Documents of the services of a process differ in their URL alone, so one serves for all. */
export const assertDescribed = Effect.fnUntraced(function* (operation: Operation, reply: Reply<unknown>) {
  ofAnswers ??= validatorOf((yield* served).body)
  ofAnswers.answer(operation, reply)
})
