/**
 * The OpenAPI 3.1 document. Effect generates it from the contracts (`api.ts`, Contract.ts). What effect's annotations cannot express is
 * completed: its problems, objects that are open to unknown members, and the report of a dry run here; operations, with examples of whole
 * bodies and a command each, in OpenApiOperations.ts. At the end, what they repeat is said once. The webhooks, which effect does not
 * generate, are in WebhookContract.ts.
 */
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { version } from "../platform/version.ts"
import {
  completeOperation,
  exampleOf,
  exampleRequestId,
  operationIdOf,
  withExamples,
  withSample
} from "./OpenApiOperations.ts"
import {
  capital,
  type ComponentKind,
  type Content,
  type Document,
  exampleBaseUrl,
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
  type Schemas,
  textSchema
} from "./OpenApiSpec.ts"
import { eventSchemas, webhookComponents, webhooks, webhookTag } from "./WebhookContract.ts"

const problemBase = "ProblemDetails"

const problemDetails = (baseUrl: string): Schema => ({
  type: "object",
  description: "What every refusal has (RFC 9457). Programs tell refusals apart by `code`; the texts may change.",
  properties: {
    type: {
      ...textSchema("The address of a page that explains the problem.", `${baseUrl}/help/invalid-request`),
      format: "uri"
    },
    title: textSchema("The kind of problem, for people.", "The request is not valid."),
    status: { type: "integer", description: "The status code of the response.", examples: [400] },
    code: textSchema("The reason of the refusal, for programs.", "invalid_request"),
    detail: textSchema("What was refused, and what to do about it, for people.", "The request is not valid."),
    requestId: textSchema("The request's id, to quote when asking for help.", exampleRequestId)
  },
  required: ["type", "title", "status", "code", "detail", "requestId"]
})

const constantOf = (member: unknown): unknown =>
  isObject(member) && Array.isArray(member["enum"]) ? member["enum"][0] : undefined

/**
 * The schema of a problem as the edge completes problems: with an absolute `type` and the request's id. Effect generates `type` and
 * `title` as constants. Other schemas stay as they are.
 */
const withProblem = (schema: Schema, schemas: Schemas, baseUrl: string): Schema => {
  const generated = isObject(schema["properties"]) ? schema["properties"] : {}
  const { code, status, title, type } = mapValues(generated, constantOf)
  if (typeof type !== "string" || !type.startsWith("/help/")) return schema
  const { detail: _d, instance: _i, requestId: _r, title: _t, type: _y, ...own } = generated
  const properties = { ...own, code: { type: "string", enum: [code] }, status: { type: "integer", enum: [status] } }
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : []
  return {
    description: title,
    allOf: [
      { $ref: `#/components/schemas/${problemBase}` },
      {
        type: "object",
        properties,
        required: ["status", ...required.filter((name) => name !== "status" && name in own)]
      }
    ],
    examples: [
      {
        ...mapValues(own, (member) => (isObject(member) ? exampleOf(member, schemas) : null)),
        type: `${baseUrl}${type}`,
        title,
        status,
        code,
        detail: title,
        requestId: exampleRequestId
      }
    ]
  }
}

/** A schema without the examples of a problem, which the examples of refusals repeat. */
const withoutProblemExamples = (schema: Schema): Schema => {
  const { examples: _, ...others } = schema
  return partsIn(schema["allOf"]).some((part) => referenceOf(part) === problemBase) ? others : schema
}

/** The names of the components that a part of the document refers to, directly or through others. */
const referencesIn = (part: unknown, schemas: Schemas, found: Set<string>): Set<string> => {
  if (typeof part !== "object" || part === null) return found
  const name = isObject(part) ? referenceOf(part) : undefined
  if (name !== undefined && !found.has(name)) referencesIn(schemas[name], schemas, found.add(name))
  for (const inner of Object.values(part)) referencesIn(inner, schemas, found)
  return found
}

const opened = <A>(part: A): A => {
  if (Array.isArray(part)) return part.map(opened) as A
  if (!isObject(part)) return part
  const { additionalProperties: more = false, ...others } = mapValues(part, opened)
  return (more === false ? others : { ...others, additionalProperties: more }) as A
}

// A merge patch may repeat read-only members, and a form of OAuth may have any member.
const openTypes = ["application/merge-patch+json", "application/x-www-form-urlencoded"]

/**
 * Effect closes every object to unknown members. The service closes JSON bodies of requests only: responses may get new
 * members.
 */
const withOpenObjects = (paths: Paths, schemas: Schemas): { readonly paths: Paths; readonly schemas: Schemas } => {
  const bodies = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ requestBody }) => Object.entries(requestBody?.content ?? {}))
  const sent = referencesIn(bodies, schemas, new Set())
  const openBodies = bodies.filter(([type]) => openTypes.includes(type)).map(([, { schema }]) => referenceOf(schema))
  return {
    paths: mapOperations(paths, (operation) => ({ ...operation, responses: opened(operation.responses) })),
    schemas: mapValues(schemas, (schema, name) => {
      if (!sent.has(name)) return opened(schema)
      const { additionalProperties: _, ...others } = schema
      return openBodies.includes(name) ? others : schema
    })
  }
}

const objectWith = (examples: Readonly<Record<string, string | number>>): Schema => ({
  type: "object",
  properties: mapValues(examples, (example) => ({
    type: typeof example === "string" ? "string" : "integer",
    examples: [example]
  })),
  required: Object.keys(examples)
})

/**
 * The report of a dry run (docs/behaviour/http.md#dry-run). It is no alternative answer of each write: a client that does not
 * send `Prefer` would have to rule it out before it reads any answer.
 */
const dryRunReport: Schema = {
  type: "object",
  description: "The answer to a write with `Prefer: dry-run` that would have succeeded.",
  properties: {
    wouldAnswer: {
      type: "integer",
      description: "The status that the write would have answered without `Prefer`.",
      examples: [204]
    },
    result: { description: "The body that the write would have answered; null if it has none.", examples: [null] },
    events: {
      type: "array",
      description: "The events that subscribers would have received.",
      items: objectWith({ event: "contact.deleted", resource_id: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" })
    },
    affected: {
      type: "array",
      description: "The resources that would have changed.",
      items: objectWith({ type: "contact", id: "contact_01kb3n7x2ferwt5z8q4j6m9d0c", change: "deleted" })
    },
    later: {
      type: "array",
      description:
        "How many further resources would change after the answer, in steps, because they are too many for one transaction. Left out if there are none.",
      items: objectWith({ type: "link", change: "deleted", count: 94_000 })
    }
  },
  required: ["wouldAnswer", "result", "events", "affected"]
}

const generation: OpenApi.FromApiOptions = {
  // A class of problems is encoded to a struct, which effect calls by the name of the class and this suffix.
  referencePolicy: ({ identifier }) => identifier?.replace(/Encoded$/, ""),
  includeAnnotationKey: (key) => key === "deprecated"
}

const securitySchemes = (bearer: object | undefined, baseUrl: string) => ({
  // Documentation pages know the scheme in lower case only.
  bearer: { ...bearer, scheme: "bearer" },
  oauth2: {
    type: "oauth2",
    description: "An OAuth client of the team; the operator registers it.",
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/openid/token`,
        scopes: { "api:public": "The whole API.", "api:read": "What reads." }
      }
    }
  },
  client: {
    type: "http",
    scheme: "basic",
    description: "The client's id and secret; the form may contain them instead (`client_id`, `client_secret`)."
  }
})

/** What a newcomer needs for a first integration. */
const introduction = readFileSync(new URL("introduction.md", import.meta.url), "utf8").trimEnd()

/** The document of an API that clients reach at `baseUrl`. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string
): Document => {
  const endpoints = new Map<string, HttpApiEndpoint.Top>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => endpoints.set(operationIdOf(group, endpoint), endpoint)
  })
  const license = { name: "MIT", url: "https://opensource.org/license/mit" }
  const description = introduction.replaceAll(exampleBaseUrl, baseUrl)
  const about = { title: "Property Network API", version, description, license, servers: [{ url: baseUrl }] }
  const generated = OpenApi.fromApi(api.annotateMerge(OpenApi.annotations(about)), generation)
  const { security: _, ...document } = generated
  const completed = mapOperations(generated.paths as Paths, (operation) => {
    const endpoint = endpoints.get(operation.operationId)
    return endpoint === undefined ? operation : completeOperation(operation, endpoint)
  })
  const ofEffect: Schemas = generated.components.schemas
  const { paths, schemas } = withOpenObjects(completed, {
    [problemBase]: problemDetails(baseUrl),
    ...mapValues(ofEffect, (schema) => withProblem(schema, ofEffect, baseUrl))
  })
  const shared = withComponents(
    mapOperations(paths, (operation, path, method) =>
      withSample(withExamples(operation, schemas), path, method, schemas, baseUrl)
    )
  )
  return {
    ...document,
    tags: [...document.tags, webhookTag],
    paths: shared.paths,
    components: {
      schemas: {
        ...withBases(mapValues(schemas, withoutProblemExamples)),
        DryRunReport: dryRunReport,
        ...eventSchemas
      },
      ...shared.components,
      parameters: { ...shared.components.parameters, ...webhookComponents.parameters },
      responses: { ...shared.components.responses, ...webhookComponents.responses },
      securitySchemes: securitySchemes(generated.components.securitySchemes["bearer"], baseUrl)
    },
    webhooks
  }
}

// What the document would repeat, said once, so that the types that are generated from it describe each thing once: schemas refer to
// those whose members they have, and operations to refusals, headers, examples and parameters that they share.

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
const withComponents = (paths: Paths) => {
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
