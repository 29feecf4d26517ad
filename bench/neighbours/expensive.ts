/** The most expensive requests that each operation of the OpenAPI document admits. */
import type { Described } from "../../test/fuzz/cases.ts"

/** Ids of a large team: for each path up to a parameter, the id of that parameter; and many ids of a type. */
export interface Ids {
  readonly of: { readonly [path: string]: string }
  readonly many: { readonly [type: string]: ReadonlyArray<string> }
  /** Of a client of the team, its id and secret, and an access token that may be revoked. */
  readonly client: { readonly id: string; readonly secret: string; readonly token: string }
}

/** A request, with a name that says what makes it expensive. */
export interface Expensive {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | FormData | URLSearchParams
}

const text = "ä".repeat(19_000)

const tags = Array.from({ length: 50 }, (_, tag) => `tag ${tag} ${"x".repeat(40)}`)

const part = { contains: "zq", gte: "0" }

/** Conditions on all texts of a kind of records. */
const conditionsOn = (...members: ReadonlyArray<string>) => Object.fromEntries(members.map((member) => [member, part]))

const conditions: { readonly [resource: string]: object } = {
  contacts: conditionsOn(
    "name",
    "firstName",
    "lastName",
    "email",
    "phone",
    "strategy",
    "linkedInUrl",
    "profilePictureUrl",
    "primaryLanguage",
    "changeType"
  ),
  companies: conditionsOn(
    "name",
    "legalName",
    "domain",
    "homepageUrl",
    "strategy",
    "linkedInUrl",
    "country",
    "profilePictureUrl",
    "changeType",
    "changeOrigin"
  ),
  properties: conditionsOn("name", "description", "locality", "country", "changeType", "changeOrigin")
}

const items = (resource: string): ReadonlyArray<object> =>
  Array.from({ length: 95 }, (_, index) => {
    switch (resource) {
      case "contacts":
        return { firstName: `Anna ${index}`, strategy: text, tags }
      case "companies":
        return { name: `Kontor ${index}`, strategy: text, tags }
      case "properties":
        return { name: `Haus ${index}`, description: text }
      default:
        return { name: `Mandate ${index}`, near: { latitude: 48, longitude: 11 + index / 100 }, radius: 50_000 }
    }
  })

/** As many items as a batch takes, of as many values as a body takes. */
const filled = (item: object): ReadonlyArray<object> => Array.from({ length: 100 }, () => item)

const withFaults = { firstName: "Anna", name: "Anna", tags: Array.from({ length: 495 }, (_, tag) => tag) }

const withUnknown = Object.fromEntries(Array.from({ length: 498 }, (_, index) => [`unknown${index}`, index]))

const ring = () => {
  const positions = Array.from({ length: 4_999 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 4_999
    const distance = 8 + (index % 2)
    return [11.5 + 1.5 * distance * Math.cos(angle), 48 + distance * Math.sin(angle)].map((one) =>
      Number(one.toFixed(6))
    )
  })
  return [...positions, positions[0]]
}

const bodiesOf = (id: string, { many }: Ids): ReadonlyArray<readonly [what: string, body: unknown]> => {
  const [resource = "", name] = id.split(".")
  const type = {
    contacts: "contact",
    companies: "company",
    properties: "property",
    links: "link",
    mandates: "mandate"
  }[resource]
  const ids = many[type ?? ""] ?? []
  switch (name) {
    case "search":
      return resource === "mandates"
        ? [
            ["an area of 5,000 corners", { geography: { type: "Polygon", coordinates: [ring()] }, page_size: 500 }],
            ["a country", { location: "Germany", page_size: 500 }]
          ]
        : [
            ["500 rows", { page_size: 500 }],
            ["20 conditions that nothing meets", { filter: conditions[resource], page_size: 500 }],
            [
              "one letter, sorted by a text",
              { query: "a", sort: [{ field: "name", direction: "desc" }], page_size: 500 }
            ],
            [
              "a text that nothing contains, sorted",
              {
                filter: { name: { contains: "zq" } },
                sort: [{ field: "changeType" }, { field: "name" }],
                page_size: 500
              }
            ]
          ]
    case "batchGet":
    case "batchDelete":
      return [["100 ids", { ids: ids.slice(0, 100) }]]
    case "batchUpsert":
      return resource === "links" || resource === "prospects"
        ? []
        : [
            ["95 items with long texts", { items: items(resource) }],
            ["49,900 values, each at fault", { items: filled(withFaults) }],
            ["49,900 members that are unknown", { items: filled(withUnknown) }]
          ]
    case "batchCreate":
      return [["100 contacts", { items: (many["contact"] ?? []).slice(-100).map((contactId) => ({ contactId })) }]]
    case "classify":
      return [["100 prospects", { prospectIds: (many["prospect"] ?? []).slice(0, 100), classification: "contacted" }]]
    case "merge":
      return [["one record", { from: ids.slice(-1) }]]
    case "findDuplicates":
      return [["a name of 200 characters", { name: "Nord Berg Kontor Kapital Fonds ".repeat(6).trim() }]]
    case "create":
    case "update":
      return items(resource).length > 0 && ["contacts", "companies", "properties", "mandates"].includes(resource)
        ? [["long texts", items(resource)[0]]]
        : []
    case "addNote":
      return [["a long text", { message: text }]]
    default:
      return []
  }
}

const rareValues: { readonly [name: string]: string } = {
  email: "zq@zq.example",
  domain: "zq.example",
  external_ref: "zq:zq",
  created_after: "1970-01-01",
  created_before: "2070-01-01"
}

const rareValueOf = ({ name, schema }: Described["parameters"][number]): string => {
  const choices = schema.enum ?? schema.items?.enum
  if (choices !== undefined) return String(choices.at(-1))
  if (schema.type === "boolean") return "true"
  return schema.type === "integer" ? "1" : (rareValues[name] ?? "zq")
}

const queriesOf = ({ method, parameters }: Described): ReadonlyArray<readonly [what: string, query: string]> => {
  const inQuery = parameters.filter((one) => one.in === "query")
  const size = inQuery.find(({ name }) => name === "page_size")
  if (method !== "GET" || size === undefined) return [["", ""]]
  const page = `?page_size=${size.schema.maximum ?? 50}`
  const others = ["cursor", "page_size", "limit", "updated_since", "include_deleted", "after"]
  return [
    ["the largest page", page],
    ...(inQuery.some(({ name }) => name === "updated_since")
      ? [["the longest delta", `${page}&updated_since=1970-01-01&include_deleted=true`] as const]
      : []),
    ...inQuery
      .filter(({ name }) => !others.includes(name))
      .map(
        (one) => [`${one.name} that is rare`, `${page}&${one.name}=${encodeURIComponent(rareValueOf(one))}`] as const
      )
  ]
}

/** As large as a file may be. */
const uploadedBytes = 100 * 1024 * 1024

/** The body of an operation that takes a form; undefined if it is not known. */
const formOf = (id: string, { client }: Ids): FormData | URLSearchParams | undefined => {
  if (id.endsWith(".uploadFile")) {
    const form = new FormData()
    form.set("file", new Blob([Buffer.alloc(uploadedBytes, "x")], { type: "text/plain" }), "exposé.txt")
    return form
  }
  if (id === "oauth.issueToken") return new URLSearchParams({ grant_type: "client_credentials" })
  if (id.startsWith("oauth.")) return new URLSearchParams({ token: client.token })
  return undefined
}

/** The requests; none if the team has no record for a parameter of the path. */
export const requestsOf = (operation: Described, ids: Ids): ReadonlyArray<Expensive> => {
  const { id, method, parameters, path, requestBody } = operation
  const places = [...path.matchAll(/\{\w+\}/g)].map(({ 0: all, index }) => path.slice(0, index + all.length))
  if (places.some((place) => ids.of[place] === undefined)) return []
  const target = places.reduce((rest, place) => rest.replace(/\{\w+\}/, ids.of[place] ?? ""), path)
  const isRehearsable = parameters.some(({ name }) => name === "Prefer")
  const [media = "", content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const headers = {
    ...(isRehearsable ? { prefer: "dry-run" } : {}),
    ...(parameters.some(({ name }) => name === "If-Match") ? { "if-match": "*" } : {})
  }
  if (media !== "" && !media.includes("json")) {
    const form = formOf(id, ids)
    if (form === undefined) return []
    const { client } = ids
    const basic = { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}` }
    const isOfClient = form instanceof URLSearchParams
    return [
      {
        what: isOfClient ? "" : "the largest file",
        method,
        path: target,
        headers: { ...headers, ...(isOfClient ? basic : {}) },
        body: form
      }
    ]
  }
  if (media === "") {
    return queriesOf(operation).map(([what, query]) => ({ what, method, path: `${target}${query}`, headers }))
  }
  const bodies = bodiesOf(id, ids)
  const force = parameters.some(({ name }) => name === "force") ? "?force=true" : ""
  return (bodies.length > 0 ? bodies : [["the example", content?.example] as const]).map(([what, body]) => ({
    what,
    method,
    path: `${target}${force}`,
    headers: { ...headers, "content-type": media },
    body: JSON.stringify(body)
      .replace(/https:\/\/hooks[^"]+/, "http://127.0.0.1:9/hook")
      .replaceAll(/\b([a-z]+)_01kb3n[0-9a-z]{20}\b/g, (all, type: string) => ids.many[type]?.[0] ?? all)
  }))
}
