/** The OpenAPI document: effect's types, with the members that effect does not generate. */
import type { JsonSchema } from "effect"
import type { OpenApi } from "effect/http-api"

/** A JSON Schema. */
export type Schema = JsonSchema.JsonSchema

/** The schemas of the document's components, by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** A body of one media type. */
export interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, Example>>
}

/** An example of a body. */
export interface Example {
  readonly value: unknown
}

/** Bodies by media type. */
export type Content = Readonly<Record<string, Media>>

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

/** Every operation of every path. */
export const operationsOf = (paths: Paths): ReadonlyArray<Operation> =>
  Object.values(paths).flatMap(Object.values<Operation>)

/** A record with other values. */
export const mapValues = <A, B>(
  record: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B
): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))

/** The paths with other operations. */
export const mapOperations = (
  paths: Paths,
  change: (operation: Operation, path: string, method: string) => Operation
): Paths => mapValues(paths, (item, path) => mapValues(item, (operation, method) => change(operation, path, method)))

/** Whether a part of the document is a JSON object. */
export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name of the component that a schema refers to. */
export const referenceOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : undefined
