/** What the tests of `admin import` and `admin export` share: teams, files, and commands on the database of the test. */
import * as Id from "../../src/core/Id.ts"
import { ConfigProvider, Console, Effect, Exit, Redacted } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../../src/admin.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { header, rowOf } from "../support/people.ts"
import { testUrl } from "../support/TestDatabase.ts"

/** A receipt of a row. */
export interface ReceiptLine {
  readonly line: number
  readonly status: string
  readonly id: string | null
  readonly problem?: { readonly code: string; readonly detail: string; readonly line?: number }
}

/** The JSON document that a command answers. */
export type Answer = Readonly<Record<string, unknown>>

/** The settings of a command that uses the database of the test. */
export const environment = Effect.map(testUrl, (url) => ({
  DATABASE_URL: Redacted.value(url),
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
}))

/** Runs a command line; `answer` is the JSON document on the last line. */
export const admin = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const lines = { out: [] as Array<string>, err: [] as Array<string> }
  const exit = yield* Effect.exit(run([...args, "--json"])).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(yield* environment)),
    Effect.provideService(Console.Console, {
      ...globalThis.console,
      log: (line: string) => void lines.out.push(line),
      error: (line: string) => void lines.err.push(line)
    })
  )
  return {
    ok: Exit.isSuccess(exit),
    err: lines.err.join("\n"),
    answer: JSON.parse(lines.out.join("\n").split("\n").at(-1) ?? "") as Answer
  }
})

/** A folder for the files of a test. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-import-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A new team. */
export const aTeam = Effect.fnUntraced(function* (name: string) {
  const teams = yield* Teams
  const { id } = yield* asOperator(teams.create({ name, plan: "plus" }))
  return { id, uuid: Id.toUuid("team", id) ?? "" }
})

/** The options that make ids of a file external references. */
export const withKey = ["--namespace", "crm", "--map", "externalId=CRM ID"]

/** A file of generated contacts with a fault in every `every`th row, and the line numbers of its rows. */
export const people = Effect.fnUntraced(function* (path: string, count: number, every = 50) {
  const rows = Array.from({ length: count }, (_, index) => rowOf(index, every))
  let line = 2
  const lines = rows.map((row) => {
    const begins = line
    line += row.filter((byte) => byte === 0x0a).length
    return begins
  })
  yield* Effect.promise(() => writeFile(path, Buffer.concat([Buffer.from(header), ...rows])))
  return lines
})

/** The receipts in a file. */
export const receiptsIn = (path: string) =>
  Effect.promise(async () => {
    const lines = (await readFile(path, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as ReceiptLine)
    return lines.filter(({ status }) => status !== undefined)
  })

/** The number of a team's rows in the tables that an import writes. */
export const traces = Effect.fnUntraced(function* (team: string) {
  const sql = yield* Database
  const [row] = yield* sql<Record<"contacts" | "companies" | "actions" | "events" | "keys" | "jobs", string>>`
    select (select count(*)::text from contacts where team_id = ${team}) as contacts,
      (select count(*)::text from companies where team_id = ${team}) as companies,
      (select count(*)::text from actions where team_id = ${team}) as actions,
      (select count(*)::text from events where team_id = ${team}) as events,
      (select count(*)::text from idempotency_keys where team_id = ${team}) as keys,
      (select count(*)::text from graphile_worker.jobs) as jobs`
  return row ?? (yield* Effect.die("no row"))
})
