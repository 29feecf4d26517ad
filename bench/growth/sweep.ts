/** `sweep` and `sweep-million`: what every operation of the API costs on data and on ten times as much. See bench/README.md. */
import * as App from "../../src/App.ts"
import * as Service from "../Service.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Copies from "../data/copies.ts"
import * as Scene from "./Scene.ts"
import { Effect, Layer, Redacted } from "effect"
import { writeFile } from "node:fs/promises"
import { Database } from "../../src/platform/db/Database.ts"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { options as serviceOptions, TestService } from "../../test/support/TestService.ts"
import type { Line, Measured, Measurement, Options } from "../Measurement.ts"
import { count, median, quantile, say, table } from "../Report.ts"

/** How many times as long an operation may take on the larger data. */
const limit = 2

/** Up to which an operation clearly keeps the limit, so that a reason of it is an error: between the two, another run may be above. */
const clearly = 1.5

type Reasons = { readonly [operation: string]: string }

/** A sweep of teams of two sizes. */
interface Sweep {
  readonly name: string
  readonly summary: string
  /** The contacts of the teams. */
  readonly sizes: ReadonlyArray<number>
  /** Why an operation may take longer. */
  readonly reasons: Reasons
}

const reasons: Reasons = {
  "properties.search": "sorts by a member that no index has, and each property of the team has the word: all are read",
  "rooms.list": "counts what is in each room of the page; one of them has ten times as many members and documents"
}

const countsNotes = "counts the notes of one record: 37,040, by default at most 10,000"
const countsTasks = "counts the open tasks of one prospect: 55,560, by default at most 10,000"

const reasonsOfMillion: Reasons = {
  "companies.addNote": countsNotes,
  "contacts.addNote": countsNotes,
  "projects.addNote": countsNotes,
  "properties.addNote": countsNotes,
  "prospects.addNote": countsNotes,
  "tasks.cancel": countsTasks,
  "tasks.complete": countsTasks,
  "tasks.create": countsTasks,
  "tasks.reopen": countsTasks,
  "tasks.update": countsTasks
}

const paceOf = ({ quick }: Options) => (quick ? { warmUp: 1, requests: 2 } : { warmUp: 4, requests: 20 })

/** A service with a team of this size. */
interface Stage {
  readonly contacts: number
  readonly rows: number
  readonly scene: Scene.Scene
  readonly kept: ReadonlySet<string>
  readonly copies: number
  readonly origin: string
  readonly session: Bulk.Session
}

/** The blocks that statements have read since the last call, and the statement that read most, with its share. */
const blocksOf = Effect.fnUntraced(function* ({ session: { query } }: Stage) {
  const [found] = yield* query<{ blocks: string; statement: string; most: string }>(
    `select sum(blocks) as blocks, max(blocks) as most, (array_agg(query order by blocks desc))[1] as statement
     from (
       select query, shared_blks_hit + shared_blks_read as blocks from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%'
     ) as statements`
  )
  yield* query("select pg_stat_statements_reset()")
  return {
    blocks: Number(found?.blocks ?? 0),
    most: Number(found?.most ?? 0),
    statement: (found?.statement ?? "").replaceAll(/\s+/g, " ").trim().slice(0, 200)
  }
})

const stage = Effect.fnUntraced(function* (contacts: number) {
  const service = yield* Service.make(
    {
      RATE_LIMIT_CLIENT: "1000000",
      SECRET_KEY: Buffer.from(Redacted.value(serviceOptions.secretKeys.current)).toString("base64"),
      DATA_DIR: yield* Service.folder
    },
    { shared_preload_libraries: "pg_stat_statements" }
  )
  const layer = App.layer(serviceOptions).pipe(
    Layer.provideMerge(Jobs.layerMemory),
    Layer.provideMerge(Database.layer({ url: service.url, applicationName: "property-network bench" })),
    Layer.provide(Layer.succeed(ChangeClock, "database")),
    Layer.provideMerge(Layer.succeed(TestService, TestService.clientOf(service.origin)))
  )
  return yield* Effect.gen(function* () {
    const scene = yield* Scene.make
    const session = yield* Bulk.session(service.url)
    // One record has a note or a task from each copy.
    yield* session.query("insert into team_quotas (team_id, kind, quota) select $1::uuid, unnest($2::text[]), $3", [
      scene.owner.teamId,
      ["notes_of_resource", "tasks_of_prospect"],
      contacts
    ])
    yield* session.query("create extension pg_stat_statements")
    const [made] = yield* session.query<{ contacts: string }>(
      "select count(*) as contacts from contacts where team_id = $1",
      [scene.owner.teamId]
    )
    const copies = Math.ceil(contacts / Number(made?.contacts ?? 1))
    const users = yield* session.query<{ id: string }>("select id from users")
    const kept = [...scene.kept, ...users.map(({ id }) => id), scene.owner.teamId]
    yield* say(`${copies} copies for ${count(contacts)} contacts`)
    yield* Copies.multiply(session, yield* Database, { team: scene.owner.teamId, kept, copies })
    const [all] = yield* session.query<{ rows: string }>("select sum(n_live_tup) as rows from pg_stat_user_tables")
    const prepared: Stage = {
      contacts,
      rows: Number(all?.rows),
      scene,
      kept: new Set(kept),
      copies,
      origin: service.origin,
      session
    }
    yield* say(`${count(prepared.rows)} rows`)
    return prepared
  }).pipe(Effect.provide(layer))
})

/** Sends a request, and returns its answer and the milliseconds that it took. */
const send = async (origin: string, { operation, options, path }: Scene.Asked) => {
  const body = options.form ?? options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json))
  const init: RequestInit = {
    method: operation.method,
    headers: {
      ...(operation.hasCaller ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.json === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers
    },
    ...(body === undefined ? {} : { body })
  }
  const begun = performance.now()
  const response = await fetch(`${origin}${path}`, init)
  const text = await response.text()
  const millis = performance.now() - begun
  if (!response.ok) throw new Error(`${operation.id}: ${operation.method} ${path}: ${response.status} ${text}`)
  return { millis, text }
}

/** Asks an operation of copy number `copy`, and returns the milliseconds. */
const ask = async (stage: Stage, place: number, copy: number): Promise<number> => {
  const { kept, origin, scene } = stage
  const asked = scene.asked[place]
  if (asked === undefined) return Number.NaN
  // A team has few webhooks, so that each is deleted, and each that is deleted created before.
  const [created, deleted] = ["webhooks.create", "webhooks.delete"].map((id) =>
    scene.asked.find((one) => one.operation.id === id)
  )
  const idOf = (text: string) => (JSON.parse(text) as { readonly id: string }).id
  if (created !== undefined && deleted !== undefined && (asked === created || asked === deleted)) {
    const creation = await send(origin, created)
    const deletion = await send(origin, {
      ...deleted,
      path: deleted.path.replace(/webhook_\w+/, idOf(creation.text))
    })
    return asked === created ? creation.millis : deletion.millis
  }
  return (await send(origin, Scene.ofCopy({ asked, kept }, copy))).millis
}

/** What an operation took, by size. */
interface Found {
  readonly id: string
  readonly line: string
  readonly times: ReadonlyArray<ReadonlyArray<number>>
  /** The blocks that its statements read, for each request. */
  readonly blocks: ReadonlyArray<number>
  /** What read most of them at the largest size. */
  readonly most: string
  readonly failure?: string
}

const measureOne = Effect.fnUntraced(function* (stages: ReadonlyArray<Stage>, place: number, options: Options) {
  const { requests, warmUp } = paceOf(options)
  const times = stages.map((): Array<number> => [])
  yield* Effect.forEach(stages, blocksOf, { discard: true })
  const failure = yield* Effect.promise(async () => {
    try {
      for (let number = 0; number < warmUp + requests; number++) {
        // In turns, from another one each time.
        for (let turn = 0; turn < stages.length; turn++) {
          const index = (number + turn) % stages.length
          const one = stages[index]
          if (one === undefined) continue
          // Copies from all over the team, each once.
          const copy = 1 + ((number * Math.max(1, Math.floor(one.copies / (warmUp + requests)))) % one.copies)
          const millis = await ask(one, place, copy)
          if (number >= warmUp) times[index]?.push(millis)
        }
      }
    } catch (error) {
      return String(error)
    }
    return undefined
  })
  const read = yield* Effect.forEach(stages, blocksOf)
  const operation = stages[0]?.scene.asked[place]?.operation
  const found: Found = {
    id: operation?.id ?? "",
    line: `${operation?.method} ${operation?.path}`,
    times,
    blocks: read.map(({ blocks }) => blocks / (warmUp + requests)),
    most: read.at(-1)?.statement ?? "",
    ...(failure === undefined ? {} : { failure })
  }
  return found
})

/** The figure of an operation: of the faster half of its requests, so that other load of the machine has little part in it. */
const figure = (times: ReadonlyArray<number>): number => quantile(times, 0.25)

interface Row {
  readonly id: string
  readonly line: string
  readonly figures: ReadonlyArray<number>
  readonly medians: ReadonlyArray<number>
  readonly ratio: number
  readonly blocks: ReadonlyArray<number>
  readonly most: string
}

const rowOf = ({ blocks, id, line, most, times }: Found): Row => {
  const figures = times.map(figure)
  const base = figures[0] ?? Number.NaN
  const ratio = Math.max(...figures.slice(1)) / base
  return { id, line, figures, medians: times.map(median), ratio, blocks, most }
}

const millis = (value: number) => value.toFixed(value < 10 ? 2 : 1)

const tableOf = (rows: ReadonlyArray<Row>, sizes: ReadonlyArray<number>, reasons: Reasons) =>
  table(
    [
      "operation",
      "request",
      ...sizes.map((size) => `${count(size)}: ms`),
      "ratio",
      ...sizes.map(() => "blocks"),
      "reason"
    ],
    rows.map(({ blocks, figures, id, line, ratio }) => [
      id,
      `\`${line}\``,
      ...figures.map(millis),
      ratio.toFixed(2),
      ...blocks.map(Math.round),
      reasons[id] ?? (ratio > limit ? "**none**" : "")
    ]),
    2
  )

/** What is wrong with the rows. */
const faultsOf = (rows: ReadonlyArray<Row>, reasons: Reasons): ReadonlyArray<string> => [
  ...rows.flatMap(({ id, ratio }) =>
    ratio > limit && reasons[id] === undefined ? [`${id} takes ${ratio.toFixed(2)} times as long`] : []
  ),
  ...Object.keys(reasons).flatMap((id) => {
    const row = rows.find((one) => one.id === id)
    if (row === undefined) return [`${id}, which has a reason, is no operation`]
    return row.ratio > clearly ? [] : [`${id} has a reason, and takes ${row.ratio.toFixed(2)} times as long`]
  })
]

const written = (rows: ReadonlyArray<Row>, stages: ReadonlyArray<Stage>, { name, reasons }: Sweep) =>
  [
    "# Every operation on more data",
    "",
    `Written by \`npm run bench -- ${name}\`. Teams with ${stages.map(({ contacts, rows }) => `${count(contacts)} contacts (${count(rows)} rows)`).join(" and ")};`,
    "the lower quartile of requests one at a time, in turns. [README.md](../README.md#every-operation) says more.",
    "",
    ...tableOf(
      rows,
      stages.map(({ contacts }) => contacts),
      reasons
    ),
    ""
  ].join("\n")

const measurementOf = (sweep: Sweep): Measurement => ({
  name: sweep.name,
  summary: sweep.summary,
  run: (options) =>
    Effect.gen(function* () {
      const stages = yield* Effect.forEach(options.quick ? [1_000, 4_000] : sweep.sizes, stage)
      const found: Array<Found> = []
      for (const place of stages[0]?.scene.asked.keys() ?? []) found.push(yield* measureOne(stages, place, options))
      const failures = found.flatMap(({ failure }) => failure ?? [])
      if (failures.length > 0) return yield* Effect.die(new Error(failures.join("\n")))
      const rows = found.map(rowOf).toSorted((a, b) => b.ratio - a.ratio)
      const faults = options.quick ? [] : faultsOf(rows, sweep.reasons)
      for (const fault of faults) yield* say(fault)
      for (const { blocks, id, most, ratio } of rows) {
        const grown = (blocks.at(-1) ?? 0) / Math.max(1, blocks[0] ?? 1)
        if (ratio > limit || grown > limit)
          yield* say(`${id}: ${blocks.map(Math.round).join(" and ")} blocks, most of them by ${most}`)
      }
      const report = written(rows, stages, sweep)
      if (!options.quick) {
        yield* Effect.promise(() => writeFile(new URL(`${sweep.name}.md`, import.meta.url), report))
      }
      const ratios = rows.map(({ ratio }) => ratio)
      const line: Line = {
        name: sweep.name,
        work: `operations of ${rows.length} that take more than ${limit} times as long on ${count(stages.at(-1)?.contacts ?? 0)} contacts, and as many records of other kinds, without a reason in [the table](growth/${sweep.name}.md)`,
        beside: `${count(stages[0]?.contacts ?? 0)} contacts`,
        ours: String(faults.length),
        value: { amount: faults.length, unit: "" },
        target: { most: 0 },
        details: {
          medianRatio: median(ratios),
          operations: Object.fromEntries(
            rows.map(({ blocks, figures, id, medians, ratio }) => [id, { figures, medians, ratio, blocks }])
          )
        }
      }
      const measured: Measured = { lines: [line], report }
      return measured
    })
})

/** The cost of every operation on data of two sizes. */
export const sweep = measurementOf({
  name: "sweep",
  summary: "what every operation of the API costs at 10⁴ and 10⁵ records",
  sizes: [10_000, 100_000],
  reasons
})

/** As {@link sweep}, on ten times the data. */
export const sweepMillion = measurementOf({
  name: "sweep-million",
  summary: "what every operation of the API costs at 10⁵ and 10⁶ records",
  sizes: [100_000, 1_000_000],
  reasons: { ...reasons, ...reasonsOfMillion }
})
