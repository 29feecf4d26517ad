/**
 * A curl command for each operation of the OpenAPI document that can be run as it stands: with required parameters and
 * `page_size` only. Values that only the caller knows are variables of the shell. Documentation pages show it instead of a
 * sample with every parameter left blank.
 */
import { isObject, type Operation, type Parameter, referenceOf, type Schema, type Schemas } from "./OpenApiSpec.ts"

/** A request that an operation takes. */
export interface Sample {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The id and the secret of an OAuth client, with a colon between. */
  readonly user?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** The files of a form: their names. */
  readonly files?: Readonly<Record<string, string>>
}

const formType = "application/x-www-form-urlencoded"
const filesType = "multipart/form-data"

/** The name of the file in samples: the caller replaces it by one that exists. */
const sampleFile = "terms.txt"

/** A variable of the shell in place of an example that is shortened. */
const valueOf = (name: string, example: unknown): string =>
  String(example).includes("…") ? `$${name.toUpperCase()}` : String(example)

const requiredOf = (schema: Schema, schemas: Schemas): ReadonlyArray<unknown> => {
  const { required } = schemas[referenceOf(schema) ?? ""] ?? schema
  return Array.isArray(required) ? required : []
}

const bodyOf = (
  operation: Operation,
  schemas: Schemas
): Pick<Sample, "json" | "form" | "files"> & { readonly type?: string } => {
  const [entry] = Object.entries(operation.requestBody?.content ?? {})
  if (entry === undefined) return {}
  const [type, { examples, schema }] = entry
  const [example] = Object.values(examples ?? {}).map(({ value }) => value)
  const required = requiredOf(schema, schemas)
  // curl writes the type of a form with files, with its boundary.
  if (type === filesType) return { files: Object.fromEntries(required.map((name) => [String(name), sampleFile])) }
  if (type !== formType || !isObject(example)) return { type, json: example }
  const members = Object.entries(example).filter(([name]) => required.includes(name))
  return { type, form: Object.fromEntries(members.map(([name, value]) => [name, valueOf(name, value)])) }
}

/** The sample of an operation with examples, sent to a service at `baseUrl`. */
export const sampleOf = (
  operation: Operation,
  path: string,
  method: string,
  schemas: Schemas,
  baseUrl: string
): Sample => {
  const values = (place: string, isSent: (parameter: Parameter) => boolean) =>
    operation.parameters
      .filter((parameter) => parameter.in === place && isSent(parameter))
      .map(({ example, name }): [string, string] => [name, String(example)])
  const filled = values("path", () => true).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path
  )
  const query = new URLSearchParams(values("query", ({ name, required }) => required || name === "page_size"))
  const { type, ...body } = bodyOf(operation, schemas)
  const takes = (scheme: string) => operation.security.some((requirement) => scheme in requirement)
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${filled}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      ...(takes("bearer") ? { Authorization: "Bearer $TOKEN" } : {}),
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...Object.fromEntries(values("header", ({ required }) => required))
    },
    ...(takes("client") ? { user: "$CLIENT_ID:$CLIENT_SECRET" } : {}),
    ...body
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In double quotes, if the text has a variable for the shell to expand. */
const quoted = (text: string): string =>
  /\$[A-Z_]+/.test(text) ? `"${text.replaceAll(/["\\`]/g, "\\$&")}"` : literal(text)

/** The sample as a command. */
export const curlOf = ({ files, form, headers, json, method, url, user }: Sample): string =>
  [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${literal(url)}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...Object.entries(files ?? {}).map(([name, file]) => `-F ${literal(`${name}=@${file}`)}`),
    ...(json === undefined ? [] : [`-d ${literal(JSON.stringify(json, null, 2))}`])
  ].join(" \\\n  ")

/** The operation with its sample. */
export const withSample = (
  operation: Operation,
  path: string,
  method: string,
  schemas: Schemas,
  baseUrl: string
): Operation => {
  const source = curlOf(sampleOf(operation, path, method, schemas, baseUrl))
  return { ...operation, "x-codeSamples": [{ lang: "Shell", label: "curl", source }] }
}
