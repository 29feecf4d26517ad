/**
 * Generates what the client takes from `openapi.json`: `schema.d.ts`, the types, and `src/operations.ts`, the method and
 * path of each operation. `npm run openapi` runs it.
 */
import { readFile, writeFile } from "node:fs/promises"
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript"

const methods = ["get", "post", "put", "patch", "delete"] as const

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
  readonly parameters?: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface Parameter {
  readonly name: string
}

/** The members of an OpenAPI document that the client needs. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<(typeof methods)[number], Operation>>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

// POST operations that only read: repeating them does no harm.
const reads = /(:search|\/batch\/get|\/find-duplicates|\/openid\/introspect)$/

const isJson = (type: string) => /^application\/(.+\+)?json$/.test(type)

const referred = (parameters: Document["components"]["parameters"], ref: string): Parameter => {
  const parameter = parameters?.[ref.slice(ref.lastIndexOf("/") + 1)]
  if (parameter === undefined) throw new Error(`${ref} does not exist.`)
  return parameter
}

/** The row of an operation in the client's table. */
const rowOf = ({ components }: Document, path: string, method: string, operation: Operation) => {
  const bodies = Object.keys(operation.requestBody?.content ?? {})
  const body = bodies.find(isJson) === undefined ? bodies[0] : undefined
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const isRaw = answers.some(([, { content = {} }]) => Object.keys(content).some((type) => !isJson(type)))
  const parameters = new Set(
    (operation.parameters ?? []).map((parameter) => {
      const { name } = "$ref" in parameter ? referred(components.parameters, parameter.$ref) : parameter
      return name.toLowerCase()
    })
  )
  const hasKey = parameters.has("idempotency-key")
  return {
    method,
    path,
    ...(body === undefined ? {} : { body }),
    ...(isRaw ? { isRaw } : {}),
    ...(hasKey ? { hasKey } : {}),
    ...(parameters.has("prefer") ? { hasDryRun: true } : {}),
    ...(operation.security.some((scheme) => "bearer" in scheme) ? {} : { isPublic: true }),
    ...(method === "post" && !hasKey && !reads.test(path) ? { isOnce: true } : {})
  }
}

/** The table of the operations, as TypeScript. */
export const operationsOf = (document: Document): string => {
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined
        ? []
        : [`  ${JSON.stringify(operation.operationId)}: ${literal(rowOf(document, path, method, operation))}`]
    })
  )
  return `${[
    "/** The operations of the API. Generated from openapi.json by client/generate.ts: `npm run openapi`. */",
    'import type { OperationRow } from "./OperationRow.ts"',
    "",
    "/** How each operation is sent. */",
    "export const operations: Readonly<Record<string, OperationRow>> = {",
    rows.join(",\n"),
    "}"
  ].join("\n")}\n`
}

const literal = (row: object) =>
  `{ ${Object.entries(row)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`

/** The types of the document, as TypeScript declarations. */
export const schemaOf = async (document: object): Promise<string> =>
  `// Generated from openapi.json by client/generate.ts: \`npm run openapi\`.\n${astToString(
    await openapiTypescript(structuredClone(document) as OpenAPI3)
  )}`

if (import.meta.main) {
  const document = JSON.parse(await readFile(new URL("../openapi.json", import.meta.url), "utf8")) as Document
  await writeFile(new URL("schema.d.ts", import.meta.url), await schemaOf(document))
  await writeFile(new URL("src/operations.ts", import.meta.url), operationsOf(document))
}
