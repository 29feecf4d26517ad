/**
 * The OpenAPI document: where it is, its types, and how its parts are walked.
 *
 * `openapi.json` is committed: `npm run openapi` generates it from the contracts (OpenApiDocument.ts), and a test fails when it is not
 * what they generate. A server does not generate it, because that would hold the event loop for some tenths of a second.
 */
import { Effect, type JsonSchema } from "effect"
import type { OpenApi } from "effect/http-api"
import { readFile } from "node:fs/promises"
import { inTurn } from "../core/usecase/EventLoop.ts"

/** The base URL in the committed document. A server uses its own. */
export const exampleBaseUrl = "http://localhost:3000"

/** Where the document is. */
export const location = new URL("../../openapi.json", import.meta.url)

/** The document of the API that clients reach at `baseUrl`. */
export const read = (baseUrl: string): Effect.Effect<Document> =>
  Effect.flatMap(
    Effect.promise(() => readFile(location, "utf8")),
    (text) =>
      inTurn(
        Effect.sync(
          () => JSON.parse(text.replaceAll(exampleBaseUrl, () => JSON.stringify(baseUrl).slice(1, -1))) as Document
        )
      )
  )

/** A JSON Schema. */
export type Schema = JsonSchema.JsonSchema

/** Schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** Examples by name. */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>

/** A parameter of the path, the query or the headers. */
export interface Parameter extends Readonly<Omit<OpenApi.OpenAPISpecParameter, "schema">> {
  readonly schema: Schema
  readonly example?: unknown
}

/** A response header. */
export interface Header {
  readonly schema: object
  readonly description?: string
  readonly required?: boolean
}

/** The response of one status. */
export interface Response {
  readonly description: string
  readonly content?: Content
  readonly headers?: Readonly<Record<string, Header>>
}

/** One method of one path. */
export interface Operation extends Readonly<
  Pick<OpenApi.OpenAPISpecOperation, "operationId" | "summary" | "description" | "tags">
> {
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content; readonly required: boolean }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: ReadonlyArray<OpenApi.OpenAPISecurityRequirement>
  readonly "x-capability"?: string
  readonly "x-codeSamples"?: ReadonlyArray<{ readonly lang: string; readonly label: string; readonly source: string }>
}

/** The operations of the document, by path and method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

/** The kinds of components besides schemas. */
export type ComponentKind = "responses" | "examples" | "headers" | "parameters" | "securitySchemes"

/** The whole document. Its operations refer to components. */
export interface Document extends Readonly<Pick<OpenApi.OpenAPISpec, "openapi" | "info" | "tags" | "servers">> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly schemas: Schemas } & Readonly<Record<ComponentKind, Readonly<Record<string, object>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: object }>>
}

/** A record with other values. */
export const mapValues = <A, B>(
  record: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B
): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The paths with other operations. */
export const mapOperations = <A>(
  paths: Paths,
  change: (operation: Operation, path: string, method: string) => A
): Readonly<Record<string, Readonly<Record<string, A>>>> =>
  mapValues(paths, (item, path) => mapValues(item, (operation, method) => change(operation, path, method)))

/** Whether a part of the document is a JSON object. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name of the component that a schema refers to. */
export const referenceOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : undefined

/** The parts of a schema in `allOf`, `anyOf` or `oneOf`. */
export const partsIn = (schemas: unknown): ReadonlyArray<Schema> =>
  Array.isArray(schemas) ? schemas.filter(isObject) : []

/** The schema of a text. */
export const textSchema = (description: string, example: string): Schema => ({
  type: "string",
  description,
  examples: [example]
})

/** A text that begins with a capital. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The name of a header as it is usually written. */
export const headerName = (name: string): string => name.replaceAll(/\b[a-z]/g, capital)
