/**
 * What operations share, as components: refusals, headers, examples and parameters. Operations refer to them, so that generated clients
 * have one type for each.
 */
import {
  type ComponentKind,
  type Content,
  isObject,
  mapValues,
  type Operation,
  operationsOf,
  type Parameter,
  type Paths,
  referenceOf,
  type Response
} from "./OpenApiSpec.ts"

type Reference = { readonly $ref: string }

/** Collects parts by name. The part that is used most gets the name; other parts of the same name stay where they are. */
const collect = <Part>(
  kind: ComponentKind,
  parts: ReadonlyArray<readonly [name: string, part: Part]>
): {
  readonly components: Readonly<Record<string, Part>>
  readonly refer: (name: string, part: Part) => Part | Reference
} => {
  const uses = new Map<string, { readonly name: string; readonly part: Part; readonly json: string; count: number }>()
  for (const [name, part] of parts) {
    const json = JSON.stringify(part)
    const use = uses.get(`${name} ${json}`) ?? { name, part, json, count: 0 }
    use.count++
    uses.set(`${name} ${json}`, use)
  }
  const chosen = new Map<string, { readonly part: Part; readonly json: string }>()
  for (const { json, name, part } of [...uses.values()].sort((a, b) => b.count - a.count)) {
    if (!chosen.has(name)) chosen.set(name, { part, json })
  }
  return {
    components: Object.fromEntries(
      [...chosen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { part }]) => [name, part])
    ),
    refer: (name, part) =>
      chosen.get(name)?.json === JSON.stringify(part) ? { $ref: `#/components/${kind}/${name}` } : part
  }
}

const headerName = (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The name of a response that operations share: that of its problems, or of a 304; undefined for other responses. */
const sharedNameOf = (status: string, { content }: Response): string | undefined => {
  const schema = content?.["application/problem+json"]?.schema
  if (status === "304") return "NotModified"
  if (schema === undefined) return undefined
  const alternatives = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isObject) : [schema]
  return alternatives.map(referenceOf).join("Or")
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

// As types, which some generators make of parameters, they would hide types of TypeScript's.
const hiding = new Set(["Range", "readonly"])

/** The name of a parameter as a component. Each kind of resource has an `id` of its own, of which an example tells the kind. */
const parameterName = ({ example, name }: Parameter): string =>
  name === "id" ? `idOf${capital(String(example).split("_", 1).join())}` : hiding.has(name) ? `${name}Parameter` : name

const mediaOf = ({ content }: { readonly content?: Content }) => Object.values(content ?? {})

/** Paths that refer to shared parts, and these parts. */
export const withComponents = (paths: Paths) => {
  const operations = operationsOf(paths)
  const answers = operations.flatMap((operation) => Object.entries(operation.responses))
  const responses = answers.map(([, response]) => response)
  const bodies = operations.flatMap(({ requestBody }) => requestBody ?? [])
  const headers = collect(
    "headers",
    responses
      .flatMap((response) => Object.entries(response.headers ?? {}))
      // A reference cannot say that the header is optional here.
      .filter(([, { required }]) => required === true)
      .map(([name, header]) => [headerName(name), header])
  )
  const examples = collect(
    "examples",
    [...responses, ...bodies].flatMap(mediaOf).flatMap((media) => Object.entries(media.examples ?? {}))
  )
  const sharedResponses = collect(
    "responses",
    answers.flatMap(([status, response]) => {
      const name = sharedNameOf(status, response)
      return name === undefined ? [] : [[name, response]]
    })
  )
  const parameters = collect(
    "parameters",
    operations.flatMap((operation) => operation.parameters).map((parameter) => [parameterName(parameter), parameter])
  )
  const withExamples = <A extends { readonly content?: Content }>(message: A) =>
    message.content === undefined
      ? message
      : {
          ...message,
          content: mapValues(message.content, (media) => ({
            ...media,
            examples: mapValues(media.examples ?? {}, (example, name) => examples.refer(name, example))
          }))
        }
  const withHeaders = (response: Response) =>
    response.headers === undefined
      ? response
      : { ...response, headers: mapValues(response.headers, (header, name) => headers.refer(headerName(name), header)) }
  const referring = (operation: Operation) => ({
    ...operation,
    parameters: operation.parameters.map((parameter) => parameters.refer(parameterName(parameter), parameter)),
    ...(operation.requestBody === undefined ? {} : { requestBody: withExamples(operation.requestBody) }),
    responses: mapValues(operation.responses, (response, status) => {
      const shared = sharedResponses.refer(sharedNameOf(status, response) ?? "", response)
      return "$ref" in shared ? shared : withExamples(withHeaders(shared))
    })
  })
  return {
    paths: mapValues(paths, (item) => mapValues(item, referring)),
    components: {
      responses: mapValues(sharedResponses.components, (response) => withExamples(withHeaders(response))),
      headers: headers.components,
      parameters: parameters.components,
      examples: examples.components
    }
  }
}
