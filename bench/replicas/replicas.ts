/** `npm run bench:replicas`: what lists and deltas cost with standbys, beside none. See bench/README.md. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { loadavg } from "node:os"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../src/platform/db/EmbeddedPostgres.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import { caughtUp, type Server, start as startPostgres } from "../../test/support/StreamingPostgres.ts"
import * as Cpu from "../Cpu.ts"
import { count, median, table } from "../Figures.ts"
import * as Contacts from "../http/Contacts.ts"
import * as Loads from "../http/Loads.ts"
import * as Machine from "../Machine.ts"
import * as Programs from "../Programs.ts"
import { interleave, type Pace, ratioOf } from "../Rounds.ts"
import { say } from "../Progress.ts"
import { folder } from "../TemporaryFolder.ts"

const flags = {
  quick: Flag.Boolean("quick").pipe(
    Flag.withDescription("Only see that it works: little data and short rounds, whose figures are not kept"),
    Flag.withDefault(false)
  )
}

const path = "/api/v1/network/contacts"

const pageSize = 100

/** A stopped cluster with contacts of one team. */
const fill = Effect.fnUntraced(function* (dataDir: string, contacts: number) {
  const { url } = yield* EmbeddedPostgres.start({ dataDir })
  yield* Migrations.run(Redacted.make(url))
  return yield* Effect.provide(
    Effect.gen(function* () {
      const loaded = yield* Contacts.load(contacts)
      const sql = yield* Database
      yield* sql`vacuum analyze`
      return loaded
    }),
    [Database.layer({ url: Redacted.make(url), maxConnections: 4 }), SecureRandom.layerWebCrypto]
  )
}, Effect.scoped)

/** The processor time of a server's processes, in seconds. */
const secondsOf = ({ processes }: Server) =>
  Effect.promise(async () => (await processes()).reduce((sum, pid) => sum + (Cpu.secondsOf(pid) ?? 0), 0))

const measure = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const home = yield* folder
  const source = join(home, "source")
  yield* say("Loading contacts")
  const { tokens } = yield* fill(source, quick ? 1_000 : 10_000)
  // As durable as an operator's.
  const durable = { source, parent: home, settings: { fsync: "on", full_page_writes: "on" } }
  const primary = yield* startPostgres("primary", durable)
  const standbys = [
    yield* startPostgres("first", { ...durable, follows: primary }),
    yield* startPostgres("second", { ...durable, follows: primary })
  ]
  for (const standby of standbys) yield* caughtUp(primary, standby)
  const environment = {
    DATABASE_URL: primary.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    RATE_LIMIT_PAT: "1000000"
  }
  const api = Effect.fnUntraced(function* (number: number) {
    const urls = standbys.slice(0, number).map(({ url }) => url)
    const program = yield* Programs.start("src/server.ts", {
      ...environment,
      ...(number === 0 ? {} : { DATABASE_REPLICA_URLS: urls.join(",") })
    })
    const [, port] = yield* program.ready(/listens on port (\d+)/)
    return `http://127.0.0.1:${port}`
  })
  const apis = { none: yield* api(0), one: yield* api(1), two: yield* api(2) }
  const load = yield* Loads.make
  const authorization = (index: number) => ({ authorization: `Bearer ${tokens[index % tokens.length]}` })

  /** The paths of all pages of a list or of a delta. */
  const pagesOf = (query: string) =>
    Effect.promise(async () => {
      const paths = [`${path}?page_size=${pageSize}${query}`]
      for (;;) {
        const response = await fetch(`${apis.none}${paths.at(-1)}`, { headers: authorization(0) })
        const { page } = (await response.json()) as { readonly page: { readonly nextCursor: string | null } }
        if (page.nextCursor === null) return paths
        paths.push(`${paths[0]}&cursor=${page.nextCursor}`)
      }
    })
  const pace: Pace = quick ? { warmUp: 1, seconds: 1, rounds: 2 } : { warmUp: 3, seconds: 2, rounds: 7 }
  const rows: Array<ReadonlyArray<string>> = []
  for (const [name, query] of [
    ["a page of a list", ""],
    ["a page of a delta", "&updated_since=2000-01-01&include_deleted=true"]
  ] as const) {
    yield* say(name)
    const requests = (yield* pagesOf(query)).map((page, index) => ({ path: page, headers: authorization(index) }))
    const contestant = (url: string) => (seconds: number) =>
      Effect.gen(function* () {
        const servers = [primary, ...standbys]
        const before = yield* Effect.forEach(servers, secondsOf)
        const report = yield* load({ urls: [url], seconds, requests: { kind: "get", requests }, expected: 200 })
        const after = yield* Effect.forEach(servers, secondsOf)
        const micros = after.map((value, index) => (1e6 * (value - (before[index] ?? 0))) / report.answers)
        return { ...report, primaryMicros: micros[0] ?? 0, standbyMicros: (micros[1] ?? 0) + (micros[2] ?? 0) }
      })
    const found = yield* interleave(
      { none: contestant(apis.none), one: contestant(apis.one), two: contestant(apis.two) },
      pace
    )
    const rates = (name: keyof typeof found) => found[name].map(({ rate }) => rate)
    for (const number of ["none", "one", "two"] as const) {
      const ratio = ratioOf(rates(number), rates("none"))
      rows.push([
        name,
        number,
        count(Math.round(median(rates(number)))),
        number === "none" ? "" : `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)})`,
        `${median(found[number].map(({ p50 }) => p50)).toFixed(1)}`,
        `${median(found[number].map(({ p99 }) => p99)).toFixed(1)}`,
        count(Math.round(median(found[number].map(({ primaryMicros }) => primaryMicros)))),
        count(Math.round(median(found[number].map(({ standbyMicros }) => standbyMicros))))
      ])
    }
  }
  const machine = yield* Effect.promise(() => Machine.describe())
  const lines = [
    ...table(
      [
        "request",
        "standbys",
        "answers/s",
        "beside none (median, least–greatest)",
        "p50 ms",
        "p99 ms",
        "primary: µs of processor per answer",
        "standbys: µs of processor per answer"
      ],
      rows,
      2
    ),
    "",
    `${machine.processor}, ${machine.cores} cores, ${machine.memory} GiB; Postgres ${machine.postgres}, Node ${machine.node}; commit ${yield* Effect.promise(() => Machine.commit())}, ${new Date().toISOString().slice(0, 10)}. Load average at the end, of which the measurement is about 3: ${loadavg()[0]?.toFixed(1)}.`
  ]
  yield* Console.log(lines.join("\n"))
  if (!quick) {
    const text = `# Reads from standbys\n\nWritten by \`npm run bench:replicas\`; [README.md](../README.md#replicas) says how to read it.\n\n${lines.join("\n")}\n`
    yield* Effect.promise(() => writeFile(join(import.meta.dirname, "results.md"), text))
  }
}, Effect.scoped)

const replicas = Command.make("replicas", flags, measure).pipe(
  Command.withDescription("Measure lists and deltas with zero, one and two standbys")
)

NodeRuntime.runMain(Command.run(replicas, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
