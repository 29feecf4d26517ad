/**
 * A request for each operation of the OpenAPI document that can be sent as it stands: only what is required, and how
 * many rows a list gives. What only the caller knows is a variable of the shell.
 */
import type { Document, Operation } from "./OpenApiShape.ts"

/** A request that an operation takes. */
export interface Sample {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The id and the secret of an OAuth client, with a colon between. */
  readonly user?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** The files of a form: what each is called. */
  readonly files?: Readonly<Record<string, string>>
}

const formType = "application/x-www-form-urlencoded"
const filesType = "multipart/form-data"

/** What a file of a sample is called: the caller has one of that name at hand, or puts another in its place. */
const sampleFile = "terms.txt"

/** An example that is shortened is no value: the caller's own stands there. */
const valueOf = (name: string, example: unknown): string =>
  String(example).includes("…") ? `$${name.toUpperCase()}` : String(example)

const requiredOf = (schema: Document["components"]["schemas"][string], document: Document): ReadonlyArray<unknown> => {
  const name =
    String(schema["$ref"] ?? "")
      .split("/")
      .at(-1) ?? ""
  const required = (document.components.schemas[name] ?? schema)["required"]
  return Array.isArray(required) ? required : []
}

const bodyOf = (
  operation: Operation,
  document: Document
): Pick<Sample, "json" | "form" | "files"> & { readonly type?: string } => {
  const [entry] = Object.entries(operation.requestBody?.content ?? {})
  if (entry === undefined) return {}
  const [type, { example, schema }] = entry
  // Who makes the form writes its type, with the boundary.
  if (type === filesType) {
    return { files: Object.fromEntries(requiredOf(schema, document).map((name) => [String(name), sampleFile])) }
  }
  if (type !== formType) return { type, json: example }
  const required = requiredOf(schema, document)
  const members = Object.entries(example as Record<string, unknown>).filter(([name]) => required.includes(name))
  return { type, form: Object.fromEntries(members.map(([name, value]) => [name, valueOf(name, value)])) }
}

/** The sample of the operation at this path, to a service at `baseUrl`. */
export const sampleOf = (document: Document, path: string, method: string, baseUrl: string): Sample | undefined => {
  const operation = document.paths[path]?.[method]
  if (operation === undefined) return undefined
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  let filled = path
  for (const { example, in: place, name, required } of operation.parameters) {
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
    else if (place === "query" && (required || name === "page_size")) query.set(name, String(example))
    else if (place === "header" && required) headers[name] = String(example)
  }
  const { type, ...body } = bodyOf(operation, document)
  const takes = (scheme: string) => operation.security.some((one) => scheme in one)
  return {
    method: method.toUpperCase(),
    url: `${baseUrl}${filled}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      ...(takes("bearer") ? { Authorization: "Bearer $TOKEN" } : {}),
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...headers
    },
    ...(takes("client") ? { user: "$CLIENT_ID:$CLIENT_SECRET" } : {}),
    ...body
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Between quotes in which the shell fills in variables, where there is one. */
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

/** Gives every operation its sample, which documentation pages show instead of one with every parameter left blank. */
export const addSamples = (document: Document, baseUrl: string): void => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const sample = sampleOf(document, path, method, baseUrl)
      if (sample !== undefined) operation["x-codeSamples"] = [{ lang: "Shell", label: "curl", source: curlOf(sample) }]
    }
  }
}
