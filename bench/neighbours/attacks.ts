/** What a neighbour does to the others, within its own rate limit. */

/** What an attack is aimed with. */
export interface Target {
  readonly origin: string
  readonly tokens: ReadonlyArray<string>
  readonly client: { readonly id: string; readonly secret: string }
  readonly ids: { readonly [name in "contact" | "company" | "deleted" | "merged" | "property" | "rehearsed"]: string }
}

/** One request. */
export interface Shot {
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Buffer
  /** Reads the answer at 320 KB a second; or sends all of the body but its last byte. */
  readonly manner?: "slow-reader" | "stopped-body"
}

/** An attack. */
export interface Attack {
  readonly name: string
  readonly summary: string
  readonly team: "large" | "fat"
  /** How many clients of the team take part, each at its limit. */
  readonly clients: number
  /** Requests per minute and client, 600 unless said otherwise; none for those that no limit counts. */
  readonly perMinute?: number
  readonly inFlight: number
  readonly shots: (target: Target) => (number: number) => Shot
}

const json = { "content-type": "application/json" }

const bufferOf = (value: unknown) => Buffer.from(JSON.stringify(value))

const contacts = "/api/v1/network/contacts"
const companies = "/api/v1/network/companies"

const posting =
  (path: string, value: unknown, headers: Shot["headers"] = {}) =>
  (): ((number: number) => Shot) => {
    const body = bufferOf(value)
    return () => ({ method: "POST", path, headers: { ...json, ...headers }, body })
  }

// Sixteen members, and four of them twice.
const conditions = Object.fromEntries(
  ["name", "firstName", "lastName", "email", "phone", "strategy", "linkedInUrl", "profilePictureUrl"].map((member) => [
    member,
    { contains: "zq", gte: "0" }
  ])
)

const moreConditions = {
  ...conditions,
  primaryLanguage: { contains: "z", lte: "zz" },
  changeType: { contains: "z", gte: "a" }
}

const smallValues = () => {
  const members = Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`)
  return Buffer.from(`{${members.join(",")}}`.slice(0, 3_670_016).replace(/,[^,]*$/, "}"))
}

/** A ring of 5,000 positions around Munich, the most that an area may have. */
const area = () => {
  const ring = Array.from({ length: 4_999 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 4_999
    const distance = 8 + (index % 2)
    return [11.5 + 1.5 * distance * Math.cos(angle), 48 + distance * Math.sin(angle)].map((degrees) =>
      Number(degrees.toFixed(6))
    )
  })
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] }
}

const faulty = () => {
  const item = Object.fromEntries(Array.from({ length: 98 }, (_, index) => [`unknown_${index}`.padEnd(90, "x"), 0]))
  return { items: Array.from({ length: 100 }, () => item) }
}

const long = (index: number) => ({
  firstName: `Anna ${index}`,
  strategy: "ä".repeat(19_000),
  tags: Array.from({ length: 50 }, (_, tag) => `tag ${tag} ${"x".repeat(40)}`)
})

/** Ten that were measured first, and those whose operations cost most since (bench/README.md). */
export const attacks: ReadonlyArray<Attack> = [
  {
    name: "search-fat",
    summary: "a search for a part of texts of 20,000 characters that are not ASCII",
    team: "fat",
    clients: 1,
    inFlight: 64,
    shots: posting(`${contacts}:search`, { filter: { strategy: { contains: "zq" } }, page_size: 500 })
  },
  {
    name: "search-conditions",
    summary: "a search with 20 conditions",
    team: "large",
    clients: 1,
    inFlight: 64,
    shots: posting(`${contacts}:search`, { filter: moreConditions, page_size: 500 })
  },
  {
    name: "bodies",
    summary: "bodies of 3.5 MB of small values",
    team: "large",
    clients: 1,
    inFlight: 16,
    shots: () => {
      const body = smallValues()
      return () => ({ method: "POST", path: contacts, headers: json, body })
    }
  },
  {
    name: "rehearsed-deletion",
    summary: "the rehearsed deletion of a company with 8,000 links",
    team: "large",
    clients: 2,
    inFlight: 64,
    shots:
      ({ ids }) =>
      () => ({ method: "DELETE", path: `${companies}/${ids.rehearsed}`, headers: { prefer: "dry-run" } })
  },
  {
    name: "pages",
    summary: "pages of 500 contacts with long texts",
    team: "fat",
    clients: 1,
    inFlight: 64,
    shots: () => () => ({ method: "GET", path: `${contacts}?page_size=500` })
  },
  {
    name: "slow-readers",
    summary: "the same pages, read slowly",
    team: "fat",
    clients: 2,
    inFlight: 200,
    shots: () => () => ({ method: "GET", path: `${contacts}?page_size=500`, manner: "slow-reader" })
  },
  {
    name: "stopped-bodies",
    summary: "400 bodies of 4 MB, stopped one byte before their end",
    team: "large",
    clients: 4,
    inFlight: 400,
    shots: () => {
      const body = Buffer.from(`{"firstName":"${"a".repeat(4_194_000)}"}`)
      return () => ({ method: "POST", path: contacts, headers: json, body, manner: "stopped-body" })
    }
  },
  {
    name: "faults",
    summary: "batches of 1 MB with 98 faults an item and an idempotency key",
    team: "large",
    clients: 1,
    inFlight: 32,
    shots: () => {
      const body = bufferOf(faulty())
      return (number) => ({
        method: "POST",
        path: `${contacts}/batch/upsert`,
        headers: { ...json, "idempotency-key": `neighbour-${number}` },
        body
      })
    }
  },
  {
    name: "deletion",
    summary: "the deletion of a company with 95,000 links",
    team: "large",
    clients: 1,
    perMinute: 60,
    inFlight: 8,
    shots:
      ({ ids }) =>
      () => ({ method: "DELETE", path: `${companies}/${ids.deleted}` })
  },
  {
    name: "merge",
    summary: "the merge of a company with 95,000 links into another",
    team: "large",
    clients: 1,
    perMinute: 60,
    inFlight: 8,
    shots: ({ ids }) => posting(`${companies}/${ids.company}/merge`, { from: [ids.merged] })()
  },
  {
    name: "token-endpoint",
    summary: "new access tokens, as many as there can be",
    team: "large",
    clients: 1,
    perMinute: 60_000,
    inFlight: 32,
    shots: ({ client }) => {
      const form = { grant_type: "client_credentials", client_id: client.id, client_secret: client.secret }
      const body = Buffer.from(new URLSearchParams(form).toString())
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      return () => ({ method: "POST", path: "/openid/token", headers, body })
    }
  },
  {
    name: "matches",
    summary: "the mandates that fit a property in Munich",
    team: "large",
    clients: 2,
    inFlight: 64,
    shots:
      ({ ids }) =>
      () => ({ method: "GET", path: `/api/v1/properties/${ids.property}/matches?page_size=500` })
  },
  {
    name: "offers",
    summary: "pages of 500 offers, each compared with 500 mandates",
    team: "large",
    clients: 1,
    inFlight: 64,
    shots: () => () => ({ method: "GET", path: "/api/v1/offers?page_size=500" })
  },
  {
    name: "areas",
    summary: "searches of mandates by an area of 5,000 corners",
    team: "large",
    clients: 1,
    inFlight: 64,
    shots: posting("/api/v1/mandates/search", { geography: area(), page_size: 500 })
  },
  {
    name: "duplicates",
    summary: "questions for duplicates of a company with a long name",
    team: "large",
    clients: 2,
    inFlight: 64,
    shots: posting("/api/v1/companies/find-duplicates", { name: "Nord Berg Kontor Kapital Fonds ".repeat(6).trim() })
  },
  {
    name: "long-batches",
    summary: "batches of 100 contacts with long texts and 50 tags each",
    team: "large",
    clients: 1,
    inFlight: 32,
    shots: posting(`${contacts}/batch/upsert`, { items: Array.from({ length: 95 }, (_, index) => long(index)) })
  },
  {
    name: "deltas",
    summary: "the longest delta, 500 rows a page",
    team: "large",
    clients: 2,
    inFlight: 64,
    shots: () => () => ({
      method: "GET",
      path: `${contacts}?updated_since=1970-01-01&include_deleted=true&page_size=500`
    })
  }
]
