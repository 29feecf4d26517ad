/** `import`: files as records of a team, beside `COPY` of the same rows; the same by batches of the API. See bench/README.md. */
import * as Files from "./files.ts"
import * as Installation from "./Installation.ts"
import * as Quiet from "../neighbours/Quiet.ts"
import { Effect, type Scope } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "undici"
import { type Line, type Measured, type Measurement, type Options, ratioOf, spreadOf } from "../Measurement.ts"
import { secondsOf } from "../Programs.ts"
import { count, duration, median, say } from "../Report.ts"

const sizesOf = ({ quick }: Options) =>
  quick ? { contacts: 1000, properties: 300, rounds: 1 } : { contacts: 100_000, properties: 20_000, rounds: 3 }

const rateOf = ({ rows, seconds }: Installation.Turn): number => rows / seconds

const ratesOf = (turns: ReadonlyArray<Installation.Turn>) => turns.map(rateOf)

const perSecond = (turns: ReadonlyArray<Installation.Turn>) => `${count(Math.round(median(ratesOf(turns))))} rows/s`

const microsOf = (turns: ReadonlyArray<Installation.Turn>, part: "own" | "postgres") =>
  Math.round(median(turns.map(({ processor, rows }) => (1e6 * processor[part]) / rows)))

/** The figures of the rounds, for the stored results. Processor time depends less on other load of the machine. */
const detailsOf = (turns: ReadonlyArray<Installation.Turn>) => ({
  perSecond: ratesOf(turns).map(Math.round),
  cpuMicrosPerRow: microsOf(turns, "own"),
  postgresMicrosPerRow: microsOf(turns, "postgres")
})

const checked = (turn: Installation.ImportTurn, status: "created" | "unchanged") =>
  turn.counts[status] === turn.rows
    ? Effect.succeed(turn)
    : Effect.die(new Error(`Of ${turn.rows} rows, not all are ${status}: ${JSON.stringify(turn.counts)}`))

type Stage = Installation.Installation

/** Imports a file into a new team in each round, and copies what that wrote. */
const besideCopy = Effect.fnUntraced(function* (
  stage: Stage,
  kind: Installation.Kind,
  path: string,
  { rounds, rows }: { readonly rows: number; readonly rounds: number }
) {
  const imports: Array<Installation.ImportTurn> = []
  const copies: Array<Installation.Turn> = []
  for (let round = 0; round < rounds; round++) {
    const { team, teamId } = yield* stage.newTeam
    imports.push(
      yield* Effect.flatMap(stage.importFile(kind, { path, rows, team }), (turn) => checked(turn, "created"))
    )
    copies.push(yield* stage.copyOf(kind, teamId, rows))
    yield* say(`import of ${kind}: round ${round + 1} of ${rounds}`)
  }
  const details = { imports: detailsOf(imports), copies: detailsOf(copies) }
  return { imports, copies, details }
})

const linesBesideCopy = (
  kind: Installation.Kind,
  rows: number,
  least: number,
  { copies, details, imports }: Effect.Success<ReturnType<typeof besideCopy>>
): ReadonlyArray<Line> => [
  {
    name: `import-${kind}`,
    work: `import of ${count(rows)} ${kind} from CSV`,
    ours: perSecond(imports),
    value: { amount: Math.round(median(ratesOf(imports))), unit: "rows/s" },
    target: { least },
    details
  },
  {
    name: `import-${kind}-copy`,
    work: "the same",
    beside: "COPY of its rows",
    ours: perSecond(imports),
    theirs: perSecond(copies),
    ratio: ratioOf(ratesOf(imports), ratesOf(copies)),
    target: { least: 0.25 },
    details
  }
]

const contacts = Effect.fnUntraced(function* (stage: Stage, options: Options) {
  const { contacts: rows, rounds } = sizesOf(options)
  const path = yield* stage.fileOf("contacts.csv", Files.contacts(rows))
  const found = yield* besideCopy(stage, "contacts", path, { rows, rounds })
  // The first quarter has the start; what is kept of each row of the file is 40 bytes.
  const growths = found.imports.map(({ memory }) => {
    const quarter = Math.ceil(memory.length / 4)
    return median(memory.slice(-quarter)) / median(memory.slice(quarter, 2 * quarter))
  })
  const memory: Line = {
    name: "import-memory",
    work: `the memory of the last quarter of an import of ${count(rows)} contacts`,
    beside: "of its second quarter",
    ours: `${count(Math.round(median(found.imports.map(({ memory }) => Math.max(...memory))) / 1e6))} MB at most`,
    ratio: spreadOf(growths),
    target: { most: 1.15 }
  }
  return [...linesBesideCopy("contacts", rows, 5000, found), memory]
})

const properties = Effect.fnUntraced(function* (stage: Stage, options: Options) {
  const { properties: rows, rounds } = sizesOf(options)
  const path = yield* stage.fileOf("properties.csv", Files.properties(rows))
  return linesBesideCopy("properties", rows, 2500, yield* besideCopy(stage, "properties", path, { rows, rounds }))
})

const againOf = Effect.fnUntraced(function* (
  stage: Stage,
  kind: Installation.Kind,
  {
    content,
    name,
    rounds,
    rows
  }: {
    readonly name: string
    readonly content: (rows: number) => string
    readonly rows: number
    readonly rounds: number
  }
) {
  const path = yield* stage.fileOf(`again-${kind}.csv`, content(rows))
  const turns = { first: Array<Installation.ImportTurn>(), second: Array<Installation.ImportTurn>() }
  for (let round = 0; round < rounds; round++) {
    const { team } = yield* stage.newTeam
    const run = stage.importFile(kind, { path, rows, team })
    turns.first.push(yield* Effect.flatMap(run, (turn) => checked(turn, "created")))
    turns.second.push(yield* Effect.flatMap(run, (turn) => checked(turn, "unchanged")))
  }
  const line: Line = {
    name,
    work: `the second import of a file of ${count(rows)} ${kind}, which changes nothing`,
    beside: "the first import",
    ours: perSecond(turns.second),
    theirs: perSecond(turns.first),
    ratio: ratioOf(ratesOf(turns.second), ratesOf(turns.first)),
    target: { least: 4 },
    details: { first: detailsOf(turns.first), second: detailsOf(turns.second) }
  }
  return line
})

const again = Effect.fnUntraced(function* (stage: Stage, options: Options) {
  const { contacts: rows, properties: propertyRows, rounds } = sizesOf(options)
  return [
    yield* againOf(stage, "contacts", { name: "import-again", content: Files.contacts, rows, rounds }),
    yield* againOf(stage, "properties", {
      name: "import-again-properties",
      content: Files.properties,
      rows: propertyRows,
      rounds
    })
  ]
})

/** How long the quiet tenant is alone, in milliseconds. */
const alone = ({ quick }: Options) => (quick ? 2000 : 20_000)

const quiet = Effect.fnUntraced(function* (stage: Stage, options: Options) {
  const { contacts: rows } = sizesOf(options)
  const path = yield* stage.fileOf("quiet.csv", Files.contacts(rows))
  const [small, large] = [yield* stage.newTeam, yield* stage.newTeam]
  const ids: Array<string> = []
  for (let number = 0; number < 40; number++) {
    const person = { firstName: "Anna", lastName: `Berg ${number}` }
    const { body } = yield* Effect.promise(() =>
      stage.service.request("POST", "/api/v1/network/contacts?force=true", small.token, person)
    )
    ids.push(String(body["id"]))
  }
  const tenant = yield* Effect.acquireRelease(
    Effect.sync(() => Quiet.begin(stage.service.origin, [small.token], ids)),
    ({ stop }) => Effect.promise(stop)
  )
  const figuresWhile = <A, E>(work: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const from = performance.now()
      yield* work
      return Quiet.figuresOf(yield* Effect.promise(() => tenant.between(from, performance.now())))
    })
  const rest = Effect.promise(() => sleep(alone(options)))
  yield* rest
  const before = yield* figuresWhile(rest)
  const beside = yield* figuresWhile(stage.importFile("contacts", { path, rows, team: large.team }))
  const after = yield* figuresWhile(rest)
  if (beside.failures > 0) return yield* Effect.die(new Error(`${beside.failures} requests beside the import failed`))
  const p95s = [before.p95, after.p95]
  const line: Line = {
    name: "import-quiet",
    work: "the 95th percentile of a quiet tenant beside an import",
    beside: "the same without it",
    ours: duration(beside.p95),
    theirs: duration(median(p95s)),
    ratio: spreadOf(p95s.map((p95) => beside.p95 / p95)),
    target: { most: 5 },
    details: { before, beside, after }
  }
  return [line]
}, Effect.scoped)

/** How many batches a client of the API has under way. */
const underWay = 2

/** Upserts contacts by batches of a hundred. */
const upsertAll = Effect.fnUntraced(function* (stage: Stage, token: string, rows: number) {
  const batches = Array.from({ length: Math.ceil(rows / 100) }, (_, batch) =>
    JSON.stringify({
      items: Array.from({ length: Math.min(100, rows - batch * 100) }, (_, row) => Files.contactOf(batch * 100 + row))
    })
  )
  const { api, origin } = stage.service
  const [own, postgres] = [secondsOf(api.pid) ?? 0, stage.postgresSeconds()]
  const begun = performance.now()
  yield* Effect.promise(async () => {
    const pool = new Pool(origin, { connections: underWay, pipelining: 1 })
    const queue = batches.values()
    const send = async () => {
      for (const body of queue) {
        const answer = await pool.request({
          method: "POST",
          path: "/api/v1/network/contacts/batch/upsert",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body
        })
        const text = await answer.body.text()
        const created = text.match(/"status":"created"/g)?.length ?? 0
        if (answer.statusCode !== 207 || created < Math.min(100, rows)) {
          throw new Error(`${answer.statusCode}: ${text.slice(0, 500)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: underWay }, send))
    await pool.close()
  })
  const turn: Installation.Turn = {
    rows,
    seconds: (performance.now() - begun) / 1000,
    processor: { own: (secondsOf(api.pid) ?? 0) - own, postgres: stage.postgresSeconds() - postgres }
  }
  return turn
})

const upserts = Effect.fnUntraced(function* (stage: Stage, options: Options) {
  const rows = sizesOf(options).properties
  const path = yield* stage.fileOf("upserted.csv", Files.contacts(rows))
  const turns = { upserts: Array<Installation.Turn>(), imports: Array<Installation.Turn>() }
  // The first requests of a process are slow, and an import has a start of its own, which does not count.
  yield* upsertAll(stage, (yield* stage.newTeam).token, Math.min(rows, 2000))
  for (let round = 0; round < 2 * sizesOf(options).rounds; round++) {
    const [ofImport, ofUpsert] = [yield* stage.newTeam, yield* stage.newTeam]
    turns.imports.push(yield* stage.importFile("contacts", { path, rows, team: ofImport.team }))
    turns.upserts.push(yield* upsertAll(stage, ofUpsert.token, rows))
  }
  const line: Line = {
    name: "batch-upsert",
    work: `${count(rows)} contacts by batches of 100 of the API, two at a time`,
    beside: "the import of the same",
    ours: perSecond(turns.upserts),
    theirs: perSecond(turns.imports),
    ratio: ratioOf(ratesOf(turns.upserts), ratesOf(turns.imports)),
    target: { least: 0.6 },
    details: { upserts: detailsOf(turns.upserts), imports: detailsOf(turns.imports) }
  }
  return [line]
})

type Part = (stage: Stage, options: Options) => Effect.Effect<ReadonlyArray<Line>, Error, Scope.Scope>

const parts = {
  "import-contacts": { summary: "imports of contacts from CSV, beside COPY", run: contacts },
  "import-properties": { summary: "imports of properties from CSV, beside COPY", run: properties },
  "import-again": { summary: "the second import of a file, beside the first", run: again },
  "import-quiet": { summary: "what a quiet tenant notices of an import", run: quiet },
  "batch-upsert": { summary: "batches of the API, beside the import of the same contacts", run: upserts }
} satisfies { readonly [name: string]: { readonly summary: string; readonly run: Part } }

const measure = (chosen: ReadonlyArray<Part>, options: Options) =>
  Effect.gen(function* () {
    const stage = yield* Installation.make()
    const lines = yield* Effect.forEach(chosen, (run) => run(stage, options))
    const measured: Measured = { lines: lines.flat() }
    return measured
  })

/** Each part of {@link imports} by itself. */
export const importLines: ReadonlyArray<Measurement> = Object.entries(parts).map(([name, { run, summary }]) => ({
  name,
  summary,
  run: (options) => measure([run], options)
}))

/** Imports of contacts and properties, and batches of the API. */
export const imports: Measurement = {
  name: "import",
  summary: "imports of files beside COPY, a second import beside the first, batches of the API beside imports",
  run: (options) =>
    measure(
      Object.values(parts).map(({ run }) => run),
      options
    )
}
