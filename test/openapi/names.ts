/**
 * The names of the types that generators of clients make of the document. Each makes them of the names of components, operations and
 * members, run together: Orval and openapi-generator of each schema that is no reference, hey-api of each component. Two that are equal
 * do not compile, and one of a global type of TypeScript hides it.
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

type Json = { readonly [key: string]: unknown }

/** A type that a generator makes, and what it makes it of. */
export interface Named {
  readonly name: string
  readonly of: string
}

/** The part of a document that is looked at. */
export interface Described {
  readonly components: { readonly schemas: Json; readonly parameters: Json }
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } }
}

/** Words of a name with their first letters in upper case, run together. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

/** The name of the only component that a schema refers to, apart from null: both then are the same type. */
const componentIn = (schema: Json): string | undefined => {
  const [only, ...others] = [schema, ...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].flatMap(({ $ref }) =>
    typeof $ref === "string" ? [pascal($ref.split("/").at(-1) ?? "")] : []
  )
  return others.length === 0 ? only : undefined
}

const keywords = ["properties", "enum", "anyOf", "oneOf", "allOf"]

/** Whether a generator gives the schema of a member a type of its own. */
const isNamed = (schema: Json): boolean =>
  schema["$ref"] === undefined && (keywords.some((keyword) => keyword in schema) || Array.isArray(schema["type"]))

/** How a generator calls the items of an array: Orval, openapi-generator. */
const itemNames = ["Item", "Inner"]

const within = (schema: Json, name: string, of: string): ReadonlyArray<Named> => {
  const parts = [
    ...Object.entries((schema["properties"] ?? {}) as Json).map(
      ([member, part]) => [pascal(member), member, part] as const
    ),
    ...itemNames.map((item) => [item, "items", schema["items"]] as const),
    ["Value", "additionalProperties", schema["additionalProperties"]] as const
  ]
  const inParts = parts.flatMap(([ending, key, part]) => {
    if (!isObject(part)) return []
    const made = { name: name + ending, of: `${of}/${key}` }
    const own = isNamed(part) && componentIn(part) !== made.name ? [made] : []
    return [...own, ...within(part, made.name, made.of)]
  })
  // What extends another schema has its own members in a part.
  return [...inParts, ...listOf(schema["allOf"]).flatMap((part) => within(part, name, of))]
}

const endings = [
  "Request",
  "Params",
  "PathParams",
  "QueryParams",
  "Headers",
  "Body",
  "Data",
  "Response",
  "Responses",
  "Result",
  "Error",
  "Errors"
]

/** The names of all types. */
export const namesOf = ({ components, paths }: Described): ReadonlyArray<Named> => [
  ...Object.entries(components.schemas).flatMap(([name, schema]) => [
    { name: pascal(name), of: name },
    ...within(schema as Json, pascal(name), name)
  ]),
  ...Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId }) => endings.map((ending) => ({ name: pascal(operationId) + ending, of: operationId })))
]

/** The names of the types of parameters, which hey-api makes. Others do not, and it keeps them from colliding. */
export const parameterNamesOf = ({ components }: Described): ReadonlyArray<string> =>
  Object.keys(components.parameters).map(pascal)

/** The names that stand for several things. Files of types have their names, and some systems do not tell cases apart. */
export const collisionsIn = (names: ReadonlyArray<Named>): ReadonlyArray<string> =>
  [...Map.groupBy(names, ({ name }) => name.toLowerCase()).values()].flatMap((alike) => {
    const things = [...new Set(alike.map(({ of }) => of))]
    return things.length > 1 ? [`${alike[0]?.name}: ${things.join(", ")}`] : []
  })

const declaration =
  /^(?:declare )?(?:abstract )?(?:class|const|enum|function|interface|let|namespace|type|var) ([A-Za-z_$][\w$]*)/gm

/** The names that TypeScript's own libraries declare for every file. */
export const typescriptGlobals = (): ReadonlySet<string> => {
  const lib = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "lib")
  const files = readdirSync(lib).filter((name) => /^lib\.(?:es|dom|decorators)[\w.]*\.d\.ts$/.test(name))
  return new Set(
    files.flatMap((name) =>
      [...readFileSync(join(lib, name), "utf8").matchAll(declaration)].map(([, found]) => found ?? "")
    )
  )
}
