/** Arbitrary requests to the operations of the OpenAPI document: nearly valid ones and hostile ones. */
import fc from "fast-check"
import { applied, mutation } from "./mutations.ts"
import { idOf, isObject, odd, type Schema, type Schemas, texts, times, type Value, textOf, valueOf } from "./values.ts"

/** An operation of the OpenAPI document, with what it shares in place of references. */
export interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }>
  readonly requestBody?: {
    readonly content: { readonly [type: string]: { readonly schema: Schema; readonly example?: Value } }
  }
}

/** Who sends a request. */
export const callers = ["owner", "client", "reader", "investor", "stranger", "pending", "nobody", "forger"] as const

export type CallerName = (typeof callers)[number]

/**
 * A request with placeholders: `{p0}`, `{p1}` … for the ids of the resource, `{etag}`, `{cursor}` and `{since}` for what the
 * service answered before, `{token}` for the caller's token, and example ids for records of the team.
 */
export interface Case {
  readonly operation: string
  readonly caller: CallerName
  /** Which of the operation's resources it addresses. */
  readonly resource: number
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
  /** How the body becomes bytes; `latin1` for bytes that are no UTF-8. */
  readonly encoding?: "utf8" | "latin1"
  /** Whether it may be answered like a request to no operation, or to another. */
  readonly isHostile: boolean
}

const caller: fc.Arbitrary<CallerName> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<CallerName>("owner") },
  { weight: 3, arbitrary: fc.constant<CallerName>("client") },
  { weight: 3, arbitrary: fc.constantFrom<CallerName>(...callers) }
)

/** The header with the caller's token, or without. */
export const authorizationOf = (name: CallerName): Case["headers"] =>
  name === "nobody" ? [] : [["authorization", "Bearer {token}"]]

const sometimes = <A>(weight: number, arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

const percent = (text: string) => encodeURIComponent(text.toWellFormed())

const cursors = ["{cursor}", "{cursor}x", "x{cursor}", "{since}", "x", "e30", "eyJhIjoxfQ.AAAA", "%", "ä"]

const queryValue = (schemas: Schemas, name: string, schema: Schema): fc.Arbitrary<string> => {
  const asText = (value: Value) =>
    typeof value === "string" ? value : Array.isArray(value) ? value.map(String).join(",") : textOf(value)
  const near = valueOf(schemas, schema, name).map(asText)
  const wild = fc.oneof(fc.constantFrom(...texts), odd.map(asText))
  const usual =
    name === "cursor"
      ? fc.constantFrom(...cursors)
      : name === "updated_since"
        ? fc.constantFrom("{since}", "{since}x", "{cursor}", ...times)
        : name === "external_ref"
          ? fc.constantFrom("crm:7", "crm:", ":7", "crm", "crm:7:8", "CRM:7")
          : name.endsWith("_id")
            ? fc.nat(9).map((number) => idOf(name.slice(0, -3), number))
            : near
  // What is longer than all header fields may be is for hostile requests.
  return fc
    .oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: near }, { weight: 1, arbitrary: wild })
    .map((text) => text.slice(0, 300))
}

const queryOf = (schemas: Schemas, { parameters }: Described): fc.Arbitrary<string> => {
  const known = parameters.filter((one) => one.in === "query")
  const pairs = known.map(({ name, schema }) =>
    sometimes(
      3,
      queryValue(schemas, name, schema).map((value) => [name, value] as const)
    )
  )
  const stray = sometimes(
    1,
    fc.constantFrom(["unknown", "1"], ["page_size", "10"], ["page_size", "1e2"], ["pageSize", "5"], [
      "\u0000",
      "x"
    ] as const)
  )
  return fc.tuple(fc.tuple(...pairs), stray, fc.nat(20)).map(([pairs, stray, repeat]) => {
    const given = [...pairs, stray].filter((one) => one !== undefined)
    const all = repeat === 0 && given[0] !== undefined ? [...given, given[0]] : given
    const text = all
      .map(
        ([name = "", value = ""]) => `${percent(name)}=${percent(value).replaceAll(/%7B(cursor|since)%7D/g, "{$1}")}`
      )
      .join("&")
    return text === "" ? "" : `?${text}`
  })
}

const pathOf = ({ path }: Described) => {
  let count = 0
  return path.replaceAll(/\{\w+\}/g, () => `{p${count++}}`)
}

const etags = ["{etag}", "{etag}", "{etag}", "*", '"v0"', "W/{etag}", '{etag}, "v0"', "v1", '"', '"v1";', '"ä"']

const keys = ["one", "two", '"one"', "three-{now}", "four-{now}", "{now}", "ä", "x".repeat(256), '"', "a b"]

const preferences = ["dry-run", "dry-run", "dryrun", "return=minimal, dry-run", "Dry-Run", "dry-run=1", ";", "wait=10"]

const ranges = ["bytes=0-0", "bytes=-1", "bytes=5-2", "bytes=0-0,2-3", "bytes=999999999999-", "bytes=", "items=0-1"]

const headerValues: { readonly [name: string]: ReadonlyArray<string> } = {
  "if-match": etags,
  "if-none-match": etags,
  "if-range": etags,
  "idempotency-key": keys,
  prefer: preferences,
  range: ranges,
  authorization: [
    "Basic {basic}",
    "basic {basic}",
    "Basic !",
    "Basic",
    `Basic ${btoa(":")}`,
    `Basic ${btoa("%zz:%00")}`,
    "Bearer {token}"
  ]
}

const parameterHeaders = ({ parameters }: Described): fc.Arbitrary<Case["headers"]> => {
  const named = parameters.filter((one) => one.in === "header").map(({ name }) => name.toLowerCase())
  return fc
    .tuple(
      ...named.map((name) =>
        sometimes(
          name === "if-range" || name === "authorization" ? 1 : name === "if-match" ? 5 : 3,
          fc.constantFrom(...(headerValues[name] ?? texts)).map((value) => [name, value] as const)
        )
      )
    )
    .map((pairs) => pairs.filter((one) => one !== undefined))
}

interface Body {
  readonly type: string
  readonly body: string
  readonly encoding?: "utf8" | "latin1"
}

/** What a text may be damaged by, beside its values. */
const bytes = (text: string): fc.Arbitrary<Pick<Body, "body" | "encoding">> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant({ body: text }) },
    {
      weight: 3,
      arbitrary: fc.nat(9).map((tenths) => ({ body: text.slice(0, Math.floor((text.length * tenths) / 10)) }))
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { body: "" },
        { body: `\ufeff${text}` },
        { body: `${text}${text}` },
        { body: ` \n\t${text}\u0000` },
        { body: `${text.slice(0, -1)}\xff\xfe`, encoding: "latin1" as const },
        { body: `"\xed\xa0\x80"`, encoding: "latin1" as const },
        { body: `{"a":"\xc0\x80"}`, encoding: "latin1" as const }
      )
    }
  )

const jsonBody = (
  schemas: Schemas,
  schema: Schema,
  example: Value | undefined
): fc.Arbitrary<Pick<Body, "body" | "encoding">> => {
  const given = fc.oneof(
    { weight: 5, arbitrary: valueOf(schemas, schema) },
    ...(example === undefined ? [] : [{ weight: 3, arbitrary: fc.constant(example) }])
  )
  // Unique texts, so that creates are not all refused as duplicates.
  const made = given.map((value) =>
    isObject(value) && Array.isArray(value["externalRefs"]) ? { ...value, externalRefs: [] } : value
  )
  const damages = fc.oneof(
    { weight: 4, arbitrary: fc.tuple() },
    { weight: 5, arbitrary: fc.tuple(mutation) },
    { weight: 1, arbitrary: fc.tuple(mutation, mutation) }
  )
  return fc
    .tuple(made, damages)
    .map(([value, damages]) => textOf(damages.reduce(applied, value)))
    .chain(bytes)
}

const resolved = (schemas: Schemas, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.slice("#/components/schemas/".length)] ?? {})

const formBody = ({ properties = {} }: Schema): fc.Arbitrary<Pick<Body, "body">> => {
  const usual: { readonly [name: string]: ReadonlyArray<string> } = {
    grant_type: [
      "client_credentials",
      "client_credentials",
      "client_credentials",
      "authorization_code",
      "refresh_token"
    ],
    scope: ["api:public", "api:read", "api:public api:read", "offline_access"],
    token: ["{access}", "pna_x", "pnp_x"],
    client_id: ["{client_id}"],
    client_secret: ["{client_secret}", "pns_x"]
  }
  const members = Object.keys(properties).map((name) =>
    sometimes(
      usual[name] === undefined ? 1 : 8,
      fc
        .oneof(
          { weight: 6, arbitrary: fc.constantFrom(...(usual[name] ?? ["x"])) },
          { weight: 1, arbitrary: fc.constantFrom(...texts) }
        )
        .map((value) => [name, value] as const)
    )
  )
  return fc
    .tuple(
      fc.tuple(...members),
      sometimes(1, fc.constantFrom("&grant_type=client_credentials", "&%zz=%", "&&=", "&a%00=b"))
    )
    .map(([members, stray]) => ({
      body:
        members
          .filter((one) => one !== undefined)
          .map(([name, value]) => `${name}=${percent(value).replaceAll(/%7B(\w+)%7D/g, "{$1}")}`)
          .join("&") + (stray ?? "")
    }))
}

const boundary = "----fuzz"

const part = (headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`

const formFile = (disposition: string, type: string, content: string) =>
  part(`Content-Disposition: form-data; ${disposition}${type === "" ? "" : `\r\nContent-Type: ${type}`}`, content)

const multipartBody: fc.Arbitrary<Pick<Body, "body" | "encoding">> = fc
  .tuple(
    fc.constantFrom(
      'name="file"; filename="terms.txt"',
      'name="file"; filename="../../etc/passwd"',
      'name="file"; filename=""',
      'name="file"',
      'name="other"; filename="a.txt"',
      `name="file"; filename="${"ä".repeat(300)}.txt"`,
      "name=\"file\"; filename*=UTF-8''%00.txt",
      'name="file"; filename="a\u0000.txt"',
      'name=file; filename=a.txt; filename="b.txt"',
      ""
    ),
    fc.constantFrom("text/plain", "", "x", 'text/html; charset="', "image/svg+xml", "a/b".repeat(200)),
    fc.constantFrom("The terms.", "", "\xff\x00\x01", `--${boundary}`, "x".repeat(70_000)),
    fc.constantFrom<(one: string) => string>(
      (one) => `${one}--${boundary}--\r\n`,
      (one) => `${one}--${boundary}--\r\n`,
      (one) => `${one}--${boundary}--\r\n`,
      (one) => `${one}${one}--${boundary}--\r\n`,
      (one) => one,
      (one) => `${one.slice(0, -8)}`,
      (one) => `preamble\r\n${one}--${boundary}--\r\nepilogue`,
      (one) => one.replaceAll("\r\n", "\n"),
      () => `--${boundary}--`,
      () => ""
    )
  )
  .map(([disposition, type, content, frame]) => ({
    body: frame(formFile(disposition, type, content)),
    encoding: "latin1" as const
  }))

const bodyOf = (schemas: Schemas, { method, requestBody }: Described): fc.Arbitrary<Body | undefined> => {
  const types = Object.entries(requestBody?.content ?? {})
  if (types.length === 0) {
    return method === "GET"
      ? fc.constant(undefined)
      : sometimes(
          1,
          fc.constantFrom("{}", "null", "", '{"a":1}', "[").map((body) => ({ type: "application/json", body }))
        )
  }
  return fc.oneof(
    ...types.map(([type, { example, schema }]) =>
      (type === "multipart/form-data"
        ? multipartBody
        : type === "application/x-www-form-urlencoded"
          ? formBody(resolved(schemas, schema))
          : jsonBody(schemas, schema, example)
      ).map((body): Body => ({
        type: type === "multipart/form-data" ? `${type}; boundary=${boundary}` : type,
        ...body
      }))
    )
  )
}

/** A request that is valid but for one or two damages, or valid. */
export const nearValid = (schemas: Schemas, operation: Described): fc.Arbitrary<Case> =>
  fc
    .record({
      caller,
      resource: fc.nat(3),
      query: queryOf(schemas, operation),
      headers: parameterHeaders(operation),
      body: bodyOf(schemas, operation)
    })
    .map(({ body, caller, headers, query, resource }) => ({
      operation: operation.id,
      caller,
      resource,
      method: operation.method,
      target: `${pathOf(operation)}${query}`,
      headers: [
        ...(operation.path.startsWith("/openid/") ? [] : authorizationOf(caller)),
        ...(body === undefined ? [] : [["content-type", body.type] as const]),
        ...headers
      ],
      ...(body === undefined ? {} : { body: body.body }),
      ...(body?.encoding === undefined ? {} : { encoding: body.encoding }),
      isHostile: false
    }))

const contentTypes = [
  "",
  "application/json; charset=utf-16",
  "application/json; charset=utf-8; charset=latin1",
  "APPLICATION/JSON",
  "application/json,text/plain",
  "application/merge-patch+json",
  "application/vnd.api+json",
  "text/json",
  "multipart/form-data",
  `multipart/form-data; boundary=${"b".repeat(300)}`,
  'multipart/form-data; boundary=""',
  "application/x-www-form-urlencoded",
  ";",
  "\u00e4"
]

const strayHeaders: ReadonlyArray<readonly [string, string]> = [
  ...["gzip", "br", "identity", "gzip, gzip", "deflate", "x", ""].map((value) => ["content-encoding", value] as const),
  ...["gzip", "*;q=0", "identity;q=0", "br;q=2", "\u00e4"].map((value) => ["accept-encoding", value] as const),
  ...["text/html", "application/xml", "*/*;q=0", "application/json;q=", "x".repeat(5_000)].map(
    (value) => ["accept", value] as const
  ),
  ["expect", "100-continue"],
  ["expect", "200-maybe"],
  ["upgrade", "websocket"],
  ["connection", "upgrade, close"],
  ["te", "trailers"],
  ["trailer", "content-length"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "127.0.0.1, unknown, [::1]:80, " + "1.2.3.4,".repeat(300)],
  ["x-forwarded-host", "evil.example\u00e4"],
  ["x-forwarded-proto", "gopher"],
  ["forwarded", 'for="[::1]";host="\\"'],
  ["x-request-id", "a".repeat(129)],
  ["x-request-id", "a b"],
  ["traceparent", "00-ffffffffffffffffffffffffffffffff-0000000000000000-zz"],
  ["traceparent", "\u00ff"],
  ["tracestate", "a=b,".repeat(500)],
  ["cookie", "pn_session=x; ".repeat(200)],
  ["origin", "null"],
  ["access-control-request-method", "DELETE"],
  ["if-modified-since", "Sat, 31 Feb 0000 99:99:99 GMT"],
  ["if-unmodified-since", "now"],
  ["range", "bytes=0-,-1,5-2"],
  ["x-a", "\u0080\u00ff"],
  ["x-long", "x".repeat(15_000)],
  ["x-long", "x".repeat(20_000)],
  ["mcp-session-id", "x"],
  ["authorization", "Bearer"],
  ["authorization", "Bearer  {token}"],
  ["authorization", "bearer {token}"],
  ["authorization", "Bearer {token},Bearer {token}"],
  ["authorization", `Bearer ${"x".repeat(9_000)}`],
  ["authorization", "Bearer pnp_%00"],
  ["authorization", 'Digest username="a"'],
  ["authorization", "Basic {basic}"]
]

const twist: fc.Arbitrary<(one: Case) => Case> = fc.oneof(
  fc.constantFrom(...contentTypes).map((type) => (one: Case) => ({
    ...one,
    headers: [...one.headers.filter(([name]) => name !== "content-type"), ["content-type", type] as const]
  })),
  fc.constantFrom(...strayHeaders).map((header) => (one: Case) => ({
    ...one,
    headers: [...one.headers.filter(([name]) => name !== header[0]), header]
  })),
  fc
    .constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "LINK")
    .map((method) => (one: Case) => ({ ...one, method })),
  fc
    .constantFrom<(target: string) => string>(
      (target) => target.replace(/\{p0\}/, "{p0}%00"),
      (target) => target.replace(/\{p0\}/, "%2f"),
      (target) => target.replace(/\{p0\}/, ".."),
      (target) => target.replace(/\{p0\}/, "%2e%2e"),
      (target) => target.replace(/\{p0\}/, "%"),
      (target) => target.replace(/\{p0\}/, "%ff"),
      (target) => target.replace(/\{p0\}/, "%ed%a0%80"),
      (target) => target.replace(/\{p0\}/, "x".repeat(1_025)),
      (target) => target.replace(/\{p0\}/, "contact_7zzzzzzzzzzzzzzzzzzzzzzzzz"),
      (target) => target.replace(/\{p0\}/, "contact_8zzzzzzzzzzzzzzzzzzzzzzzzz"),
      (target) => target.replace(/\{p0\}/, "{p0};a=b"),
      (target) => target.replace(/\{p0\}/, "\u00e4"),
      (target) => target.replace(/\/\w+(?=[/?]|$)/, (segment) => segment.toUpperCase()),
      (target) => target.replace("/api", "//api"),
      (target) => target.replace("/api", "/./api/../api"),
      (target) => target.replace("/v1", "/v1/%2e%2e/v1"),
      (target) => target.replace(/$|\?/, "/$&"),
      (target) => target.replace(/$|\?/, "%20$&"),
      (target) => target.replace(/$|\?/, ":$&"),
      (target) => `${target}#fragment?a=b`,
      (target) => `http://example.com${target}`,
      (target) => `${target}?${"&".repeat(500)}`,
      (target) => `${target}?a=${"b".repeat(7_000)}`,
      (target) => `${target}?${"page_size=1&".repeat(1_000)}`,
      (target) => `${target}?page_size[]=1&page_size[$gt]=2&a.b=c`,
      (target) => `${target}?%00=%00&%zz=%&=&=a`,
      (target) => `${target}?cursor=%ff%fe`,
      (target) => `${target}?\u00e4=\u00ff`,
      () => "*",
      () => "/",
      () => "/..%2f..%2fetc/passwd",
      () => "/help/%2e%2e%2fpackage",
      () => "/docs/..%5c",
      () => "/oauth/authorize?response_type=code&client_id=x&redirect_uri=%00",
      () => "/mcp"
    )
    .map((change) => (one: Case) => ({ ...one, target: change(one.target) }))
)

/** A request that breaks rules of HTTP or of this API beside those of the operation. */
export const hostile = (schemas: Schemas, operation: Described): fc.Arbitrary<Case> =>
  fc
    .tuple(nearValid(schemas, operation), fc.array(twist, { minLength: 1, maxLength: 2 }))
    .map(([valid, twists]) => ({ ...twists.reduce((one, change) => change(one), valid), isHostile: true }))
