/**
 * What the document would repeat, said once, so that the types that are generated from it describe each thing once: schemas refer to
 * those whose members they have, and operations to refusals, headers, examples and parameters that they share.
 */
import {
  capital,
  type ComponentKind,
  type Content,
  headerName,
  isObject,
  mapOperations,
  mapValues,
  type Operation,
  type Parameter,
  partsIn,
  type Paths,
  referenceOf,
  type Response,
  type Schema,
  type Schemas
} from "./OpenApiSpec.ts"

/** An object that can be a base, or have one: its members, and what else it says. */
interface Members {
  readonly name: string
  readonly properties: { readonly [member: string]: unknown }
  readonly required: ReadonlyArray<string>
  readonly isClosed: boolean
  /** What describes it, which it keeps. */
  readonly about: Schema
  /** By member: to compare schemas as texts. */
  readonly texts: ReadonlyMap<string, string>
}

// Few members in common are a coincidence, and cost less than a reference.
const fewest = 8

const membersOf = (schema: Schema, name: string): ReadonlyArray<Members> => {
  const { additionalProperties, properties, required, type, ...about } = schema
  // Conditions of a base would apply to what refers to it.
  const isPlain = Object.keys(about).every((key) => key === "description" || key === "examples")
  if (type !== "object" || !isObject(properties) || !isPlain || Object.keys(properties).length < fewest) return []
  return [
    {
      name,
      properties,
      required: Array.isArray(required) ? required.map(String) : [],
      isClosed: additionalProperties !== undefined,
      about,
      texts: new Map(Object.entries(properties).map(([member, value]) => [member, JSON.stringify(value)]))
    }
  ]
}

/** Sorts what demands less first: fewer members, fewer required ones, open before closed. */
const compare = (one: Members, other: Members): number =>
  one.texts.size - other.texts.size ||
  one.required.length - other.required.length ||
  Number(one.isClosed) - Number(other.isClosed) ||
  (one.name < other.name ? -1 : 1)

const isBaseOf = (base: Members, schema: Members): boolean =>
  !base.isClosed &&
  compare(base, schema) < 0 &&
  base.required.every((member) => schema.required.includes(member)) &&
  [...base.texts].every(([member, text]) => schema.texts.get(member) === text)

const extended = (base: Members, { about, isClosed, properties, required }: Members): Schema => {
  // Tools expect a required member beside `required`, so it is repeated where the base does not require it.
  const isOwn = (member: string) =>
    !base.texts.has(member) || (required.includes(member) && !base.required.includes(member))
  const own = Object.fromEntries(Object.entries(properties).filter(([member]) => isOwn(member)))
  const ownRequired = required.filter(isOwn)
  const members = { type: "object", properties: own, ...(ownRequired.length === 0 ? {} : { required: ownRequired }) }
  return {
    ...about,
    allOf: [{ $ref: `#/components/schemas/${base.name}` }, ...(Object.keys(own).length === 0 ? [] : [members])],
    ...(isClosed ? { unevaluatedProperties: false } : {})
  }
}

/** The schemas, each of which refers to the largest one whose members it has. Effect repeats all members in each. */
export const withBases = (schemas: Schemas): Schemas => {
  const largestFirst = Object.entries(schemas)
    .flatMap(([name, schema]) => membersOf(schema, name))
    .sort((one, other) => compare(other, one))
  const byName = new Map(largestFirst.map((members) => [members.name, members]))
  return mapValues(schemas, (schema, name) => {
    const members = byName.get(name)
    const base = members && largestFirst.find((candidate) => isBaseOf(candidate, members))
    return members === undefined || base === undefined ? schema : extended(base, members)
  })
}

/** The name of a response that operations share: that of its problems, or of a 304; undefined for other responses. */
const sharedNameOf = (status: string, { content }: Response): string | undefined => {
  const schema = content?.["application/problem+json"]?.schema
  if (status === "304") return "NotModified"
  if (schema === undefined) return undefined
  return (schema["anyOf"] === undefined ? [schema] : partsIn(schema["anyOf"])).map(referenceOf).join("Or")
}

// As types, which some generators make of parameters, they would hide types of TypeScript's.
const hiding = new Set(["Range", "readonly"])

/** The name of a parameter as a component. Each kind of resource has an `id` of its own, of which an example tells the kind. */
const parameterName = ({ example, name }: Parameter): string =>
  name === "id" ? `idOf${capital(String(example).split("_", 1).join())}` : hiding.has(name) ? `${name}Parameter` : name

type Reference = { readonly $ref: string }

/** Looks at a part that may be shared, and says what stands in its place. */
type Visit = <Part extends object>(kind: ComponentKind, name: string, part: Part) => Part | Reference

/** Visits the parts of operations and of responses. */
const visiting = (visit: Visit) => {
  const message = <A extends { readonly content?: Content }>(one: A) =>
    one.content === undefined
      ? one
      : {
          ...one,
          content: mapValues(one.content, (media) => ({
            ...media,
            examples: mapValues(media.examples ?? {}, (example, name) => visit("examples", name, example))
          }))
        }
  const response = (one: Response): object =>
    message(
      one.headers === undefined
        ? one
        : {
            ...one,
            headers: mapValues(one.headers, (header, name) =>
              // A reference cannot say that the header is optional here.
              header.required === true ? visit("headers", headerName(name), header) : header
            )
          }
    )
  const operation = (one: Operation): object => ({
    ...one,
    parameters: one.parameters.map((parameter) => visit("parameters", parameterName(parameter), parameter)),
    ...(one.requestBody === undefined ? {} : { requestBody: message(one.requestBody) }),
    responses: mapValues(one.responses, (answer, status) => {
      const name = sharedNameOf(status, answer)
      const shared = name === undefined ? answer : visit("responses", name, answer)
      return "$ref" in shared ? shared : response(shared)
    })
  })
  return { operation, response }
}

interface Use {
  readonly kind: ComponentKind
  readonly name: string
  readonly part: object
  readonly json: string
  count: number
}

/**
 * Paths that refer to shared parts, and these parts. The part that is used most gets the name; other parts of the same name stay where they
 * are.
 */
export const withComponents = (paths: Paths) => {
  const uses = new Map<string, Use>()
  const counting = visiting((kind, name, part) => {
    const json = JSON.stringify(part)
    const use = uses.get(`${kind} ${name} ${json}`) ?? { kind, name, part, json, count: 0 }
    use.count++
    uses.set(`${kind} ${name} ${json}`, use)
    return part
  })
  mapOperations(paths, counting.operation)
  const chosen = new Map<string, Use>()
  for (const use of [...uses.values()].sort((one, other) => other.count - one.count)) {
    if (!chosen.has(`${use.kind}/${use.name}`)) chosen.set(`${use.kind}/${use.name}`, use)
  }
  const referring = visiting((kind, name, part) =>
    chosen.get(`${kind}/${name}`)?.json === JSON.stringify(part) ? { $ref: `#/components/${kind}/${name}` } : part
  )
  const componentsOf = (kind: ComponentKind): Readonly<Record<string, object>> =>
    Object.fromEntries(
      [...chosen.values()]
        .filter((use) => use.kind === kind)
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, part }) => [name, part])
    )
  return {
    paths: mapOperations(paths, referring.operation),
    components: {
      responses: mapValues(componentsOf("responses"), (part) => referring.response(part as Response)),
      headers: componentsOf("headers"),
      parameters: componentsOf("parameters"),
      examples: componentsOf("examples")
    }
  }
}
