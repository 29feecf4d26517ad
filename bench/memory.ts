/** `memory`: the memory of the API process after many requests of all kinds. See bench/README.md. */
import { Effect, Schedule } from "effect"
import { type Dispatcher, Pool } from "undici"
import * as Id from "../src/core/Id.ts"
import { Database } from "../src/platform/db/Database.ts"
import { count } from "./Report.ts"
import type { Line, Measurement, Options } from "./Measurement.ts"
import { residentOf } from "./Programs.ts"
import * as Service from "./Service.ts"
import * as Teams from "./data/teams.ts"

const settingsOf = ({ quick }: Options) =>
  quick
    ? ({ rows: 2000, requests: 2000, every: "50 millis" } as const)
    : ({ rows: 10_000, requests: 200_000, every: "1 second" } as const)

const connections = 32

const path = "/api/v1/network/contacts"

/** A contact of the team with its last known ETag. */
interface Known {
  readonly id: string
  etag: string
}

interface Ask {
  readonly method: Dispatcher.HttpMethod
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: object
  /** The expected statuses. */
  readonly expected: ReadonlyArray<number>
}

type Make = (known: Known, number: number) => Ask

const read: Make = ({ id }) => ({ method: "GET", path: `${path}/${id}`, expected: [200] })

// A contact that another client has patched in the meantime is returned in full.
const unchanged: Make = ({ etag, id }) => ({
  method: "GET",
  path: `${path}/${id}`,
  headers: { "if-none-match": etag },
  expected: [200, 304]
})

const list: Make = (_, number) => ({
  method: "GET",
  path: `${path}?page_size=${number % 2 === 0 ? 50 : 100}`,
  expected: [200]
})

const delta: Make = () => ({ method: "GET", path: `${path}?page_size=50&updated_since=1970-01-01`, expected: [200] })

const search: Make = (_, number) => ({
  method: "POST",
  path: `${path}:search`,
  body: { query: ["grollton", "klixhofer", "maria", "anna b"][number % 4], page_size: 50 },
  expected: [200]
})

const create: Make = (_, number) => ({
  method: "POST",
  path,
  body: {
    firstName: "Maria",
    lastName: `Rossi ${number}`,
    email: `maria.rossi.${number}@mail.example`,
    tags: ["logistics", "core-plus"],
    externalRefs: [{ namespace: "memory", externalId: String(number) }]
  },
  expected: [201]
})

const patch: Make = ({ id }, number) => ({
  method: "PATCH",
  path: `${path}/${id}`,
  body: { phone: `+49 30 ${1_000_000 + number}` },
  expected: [200]
})

const unknown: Make = (_, number) => ({
  method: "GET",
  path: `${path}/contact_01kb3n7x2ferwt5z8q4j6m9d${10 + (number % 90)}`,
  expected: [404]
})

const invalid: Make = () => ({ method: "POST", path, body: { email: "nobody", tags: "none" }, expected: [400] })

/** Twenty requests, which repeat. bench/README.md has their shares. */
const mix: ReadonlyArray<Make> = [
  read,
  unchanged,
  list,
  read,
  create,
  read,
  patch,
  unchanged,
  search,
  read,
  list,
  read,
  unknown,
  create,
  unchanged,
  list,
  delta,
  read,
  patch,
  invalid
]

/** The memory after a number of requests. */
interface Sample {
  readonly answered: number
  readonly bytes: number
}

const drive = (options: {
  readonly origin: string
  readonly tokens: ReadonlyArray<string>
  readonly contacts: ReadonlyArray<Known>
  readonly requests: number
}) => {
  const { contacts, requests, tokens } = options
  const pool = new Pool(options.origin, { connections, pipelining: 1 })
  let begun = 0
  let answered = 0

  const ask = async (number: number, token: string) => {
    // Shifted for each client, so that concurrent clients send different requests.
    const known = contacts[(number * 7919) % contacts.length]
    const make = mix[number % mix.length]
    if (known === undefined || make === undefined) return
    const { body, expected, headers, method, path } = make(known, number)
    const response = await pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.body.text()
    if (!expected.includes(response.statusCode)) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    const { etag } = response.headers
    if (typeof etag === "string" && path.endsWith(known.id)) known.etag = etag
    answered++
  }

  const asker = async (_: unknown, place: number) => {
    while (begun < requests) await ask(begun++, tokens[place % tokens.length] ?? "")
  }
  const done = Effect.promise(async () => {
    await Promise.all(Array.from({ length: connections }, asker))
    await pool.close()
  })
  return { done, answered: () => answered }
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const megabytes = (bytes: number) => Number((bytes / 1e6).toFixed(1))

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const { every, requests, rows } = settingsOf(options)
  const [team] = yield* Teams.withContacts({ url: service.url, rows: [rows] })
  const sql = yield* Database
  const ids = yield* sql<{ id: string; version: string }>`
    select id, version::text from contacts where team_id = ${team?.uuid ?? ""}`
  const load = drive({
    origin: service.origin,
    tokens: team?.tokens ?? [],
    contacts: ids.map(({ id, version }) => ({ id: Id.fromUuid("contact", id), etag: `"v${version}"` })),
    requests
  })
  const samples: Array<Sample> = []
  const sample = Effect.sync(() => samples.push({ answered: load.answered(), bytes: residentOf(service.api.pid) }))
  yield* sample
  yield* Effect.raceFirst(load.done, sample.pipe(Effect.repeat(Schedule.spaced(every)), Effect.andThen(Effect.never)))
  yield* sample

  const during = (from: number, to: number) =>
    mean(
      samples
        .filter(({ answered }) => answered >= from * requests && answered <= to * requests)
        .map(({ bytes }) => bytes)
    )
  const end = during(0.9, 1)
  const growth = (end / during(0.5, 0.6) - 1) * 100
  const greatest = Math.max(...samples.map(({ bytes }) => bytes))
  const details = {
    megabytesAtTenths: Array.from({ length: 10 }, (_, tenth) => megabytes(during(tenth / 10, (tenth + 1) / 10))),
    begin: megabytes(samples[0]?.bytes ?? Number.NaN),
    greatest: megabytes(greatest)
  }
  const last = megabytes(samples.at(-1)?.bytes ?? Number.NaN)
  const size: Line = {
    name: "memory",
    work: `memory of the API after ${count(requests)} requests of all kinds, ${connections} at a time`,
    ours: `${last} MB; ${details.begin} MB at first, ${details.greatest} MB at most`,
    value: { amount: last, unit: "MB" },
    target: { most: 260 },
    details
  }
  const growing: Line = {
    name: "memory-growth",
    work: "its growth over the last half: the last tenth beside the first tenth of that half",
    ours: `${growth.toFixed(1)} %`,
    value: { amount: Number(growth.toFixed(1)), unit: "%" },
    target: { most: 5 }
  }
  return { lines: [size, growing] }
})

/** The memory of the API process after 200,000 requests of all kinds, and whether it still grows. */
export const memory: Measurement = {
  name: "memory",
  summary: "what the API takes of memory after 200,000 requests of all kinds, and whether it still grows",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make()
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
