/** The operations that are measured on teams of different sizes. */
import { Effect } from "effect"
import type { Pool } from "undici"
import * as names from "../data/names.ts"
import type { TeamWithProject } from "../data/teams.ts"
import { type ExpectedRequest, ask, cursorOf } from "./Requests.ts"

/** A team, a connection pool, and data that is looked up before the measurement. */
export interface Prepared {
  readonly pool: Pool
  readonly team: TeamWithProject
  /** Public ids of contacts, in random order. */
  readonly ids: ReadonlyArray<string>
  /** The cursor of the middle page of the contacts. */
  readonly middle: string
  /** The time of the hundredth newest change. */
  readonly recently: string
}

/** An operation: its name, its description, and request number `count` of client number `client`. */
export interface Operation {
  readonly name: string
  readonly work: string
  /** Whether its cost has a target. */
  readonly counts: boolean
  readonly request: (prepared: Prepared, count: number, client: number) => ExpectedRequest
}

const contacts = "/api/v1/network/contacts"

const of = <A>(values: ReadonlyArray<A>, count: number): A => values[count % values.length] as A

const get = (path: string, { team }: Prepared, client: number): ExpectedRequest => ({
  method: "GET",
  path,
  token: of(team.tokens, client),
  expected: 200
})

const search = (prepared: Prepared, client: number, query: string): ExpectedRequest => ({
  method: "POST",
  path: `${contacts}:search`,
  token: of(prepared.team.tokens, client),
  body: JSON.stringify({ query, page_size: 100 }),
  expected: 200
})

// One in fifty or sixty of all prospects.
const filters = "stage=teaser&classification=contacted&tags=core"

const rareQuery = (count: number) => of(names.rareSurnames, count).toLowerCase()

const person = (count: number, word: string) => ({
  firstName: of(names.firstNames, count),
  lastName: `${of(names.onsets, count * 7)}${of(names.vowels, count * 3)}${of(names.codas, count)}${of(names.endings, count * 11)}`,
  email: `${word}.${count}@${of(names.domains, count)}`,
  phone: `+49 30 ${5_000_000 + count}`,
  primaryLanguage: "de-DE",
  tags: [of(names.tags, count), of(names.tags, count + 5)],
  externalRefs: [{ namespace: "crm", externalId: `${word}-${count}` }]
})

/** All operations. `word` must be new in the database. */
export const operations = (word: string): ReadonlyArray<Operation> => [
  {
    name: "read",
    work: "GET one contact by id, any of the team's",
    counts: true,
    request: (prepared, count, client) => get(`${contacts}/${of(prepared.ids, count)}`, prepared, client)
  },
  {
    name: "list",
    work: "a page of 100 contacts: the first, and the one in the middle, in turns",
    counts: true,
    request: (prepared, count, client) =>
      get(`${contacts}?page_size=100${count % 2 === 0 ? "" : `&cursor=${prepared.middle}`}`, prepared, client)
  },
  {
    name: "filtered",
    work: "a page of 100 of a project's prospects, by stage, classification and tag",
    counts: true,
    request: (prepared, _, client) =>
      get(`/api/v1/projects/${prepared.team.project}/prospects?page_size=100&${filters}`, prepared, client)
  },
  {
    name: "search",
    work: `search for a surname that ${names.holders} contacts have at each size`,
    counts: true,
    request: (prepared, count, client) => search(prepared, client, rareQuery(count))
  },
  {
    name: "create",
    work: "POST a contact with a reference",
    counts: true,
    request: (prepared, count, client) => ({
      method: "POST",
      path: contacts,
      token: of(prepared.team.tokens, client),
      body: JSON.stringify(person(count, word)),
      expected: 201
    })
  },
  {
    name: "delta",
    work: "a page of 100 of what changed: since the last 100 changes, and since the beginning, in turns",
    counts: true,
    request: (prepared, count, client) =>
      get(
        `${contacts}?page_size=100&updated_since=${count % 2 === 0 ? prepared.recently : "1970-01-01"}`,
        prepared,
        client
      )
  },
  {
    name: "search-common",
    work: "search for a first name that one contact in eleven has, a page of 100",
    counts: false,
    request: (prepared, _, client) => search(prepared, client, "anna")
  }
]

const rowsOf = (text: string): number => {
  const { data } = JSON.parse(text) as { readonly data: ReadonlyArray<unknown> }
  return data.length
}

/** Looks up the data that the operations need. */
export const prepare = Effect.fnUntraced(function* (
  pool: Pool,
  team: TeamWithProject,
  { ids, recently }: Pick<Prepared, "ids" | "recently">
) {
  const token = team.tokens[0] ?? ""
  const pageSize = Math.min(500, team.rows / 4)
  const middle = yield* cursorOf(pool, { path: contacts, token, pageSize }, Math.floor(team.rows / pageSize / 2) + 1)
  // The cursor is bound to the list and its filters, not to the size of its pages.
  const prepared: Prepared = { pool, team, ids, middle, recently }
  return prepared
})

/** Dies unless the pages have the expected numbers of rows. */
export const check = (prepared: Prepared, operations: ReadonlyArray<Operation>): Effect.Effect<void> =>
  Effect.promise(async () => {
    const wanted: Readonly<Record<string, number>> = {
      list: 100,
      filtered: 100,
      search: names.holders,
      delta: 100,
      "search-common": 100
    }
    for (const { name, request } of operations) {
      const rows = wanted[name]
      if (rows === undefined) continue
      for (const count of [0, 1, 2, 3, 4]) {
        const found = rowsOf(await ask(prepared.pool, request(prepared, count, 0)))
        if (found < Math.min(rows, prepared.team.rows / 100)) {
          throw new Error(`${name} answers ${found} rows, not ${rows}, in the team of ${prepared.team.rows}`)
        }
      }
    }
  })
