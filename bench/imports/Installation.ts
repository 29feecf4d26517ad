/** What the measurements of imports run on: a Postgres with two databases, one for the service and one for `COPY`, and the command. */
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { Effect, Redacted } from "effect"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Bulk from "../data/Bulk.ts"
import * as Programs from "../Programs.ts"
import * as Service from "../Service.ts"

/** What work took. */
export interface Turn {
  readonly rows: number
  /** Of the work itself, without the start of a process. */
  readonly seconds: number
  /** The processor time of the process, its start included, and of Postgres, in seconds. */
  readonly processor: { readonly own: number; readonly postgres: number }
}

/** An import. */
export interface ImportTurn extends Turn {
  /** How many rows became what. */
  readonly counts: { readonly [status: string]: number }
  /** The resident memory of the process, every tenth of a second, in bytes. */
  readonly memory: ReadonlyArray<number>
}

/** The kinds of records whose imports are measured. */
export type Kind = "contacts" | "properties"

// What an import writes besides the table of its records. Answers to idempotency keys, outbox rows and jobs are a few a batch.
const tablesOf = (kind: Kind) => [kind, "external_references", "actions", "action_subjects", "events"]

const columnsOf = `
  select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`

/** The command's last line on standard error: `100,000 rows in 20 s, 5,000 rows/s`. */
const paceLine = /[\d,]+ rows in .*, ([\d,]+) rows\/s/

/** Makes them. */
export const make = Effect.fnUntraced(function* (database: Readonly<Record<string, string>> = {}) {
  const folder = yield* Service.folder
  const service = yield* Service.make({ FILE_STORE: yield* Service.folder }, database)
  const own = yield* Bulk.session(service.url)
  yield* own.query("create database copied")
  const copyUrl = Redacted.make(Redacted.value(service.url).replace(/\/[^/?]+(?=\?|$)/, "/copied"))
  yield* Migrations.run(copyUrl)
  const copied = yield* Bulk.session(copyUrl)
  const [backend] = yield* own.query<{ pid: number }>("select pg_backend_pid() as pid")
  const postmaster = Programs.parentOf(backend?.pid ?? 0)
  const postgresSeconds = () => Programs.secondsOfAll(postmaster)
  // The server, which may run as another user, writes and reads them.
  const files = join(folder, "files")
  yield* Effect.promise(async () => {
    await mkdir(files)
    await chmod(files, 0o777)
    await chmod(folder, 0o755)
  })
  const { environment } = service

  const newTeam = Tenant.make().pipe(Effect.provide(Service.store(service)))

  /** Writes a file to import, and returns its path. */
  const fileOf = (name: string, content: string) => {
    const path = join(folder, name)
    return Effect.as(
      Effect.promise(() => writeFile(path, content)),
      path
    )
  }

  /** Imports a file by the operator's command. */
  const importFile = Effect.fnUntraced(function* (
    kind: Kind,
    { path, rows, team }: { readonly path: string; readonly rows: number; readonly team: string }
  ) {
    yield* own.query("checkpoint")
    const before = postgresSeconds()
    const { memory, processor, stderr, stdout } = yield* Programs.runToEnd(
      "src/admin.ts",
      ["import", kind, path, "--team", team, "--json", "--restart"],
      environment
    )
    const rate = paceLine.exec(stderr)?.[1]?.replaceAll(",", "")
    const { created, failed, unchanged, updated } = JSON.parse(stdout) as { readonly [status: string]: number }
    const turn: ImportTurn = {
      rows,
      seconds: rows / Number(rate),
      processor: { own: processor, postgres: postgresSeconds() - before },
      counts: { created: created ?? 0, failed: failed ?? 0, unchanged: unchanged ?? 0, updated: updated ?? 0 },
      memory: memory.filter(Number.isFinite)
    }
    return turn
  })

  /** Copies what an import wrote for a team (UUID) into the same tables of the other database, with `COPY`, in one transaction. */
  const copyOf = Effect.fnUntraced(function* (kind: Kind, teamId: string, rows: number) {
    const statements: Array<string> = []
    for (const table of ["teams", ...tablesOf(kind)]) {
      const [found] = yield* own.query<{ columns: string }>(columnsOf, [table])
      const file = join(files, `${teamId}.${table}`)
      const condition = `${table === "teams" ? "id" : "team_id"} = '${teamId}'`
      yield* own.query(`copy (select ${found?.columns} from ${table} where ${condition}) to '${file}'`)
      if (table === "teams") yield* copied.query(`copy teams (${found?.columns}) from '${file}'`)
      else statements.push(`copy ${table} (${found?.columns}) from '${file}'`)
    }
    yield* copied.query("checkpoint")
    const before = postgresSeconds()
    const begun = performance.now()
    yield* copied.query("begin")
    for (const statement of statements) yield* copied.query(statement)
    yield* copied.query("commit")
    const turn: Turn = {
      rows,
      seconds: (performance.now() - begun) / 1000,
      processor: { own: 0, postgres: postgresSeconds() - before }
    }
    return turn
  })

  return { service, own, newTeam, fileOf, importFile, copyOf, postgresSeconds }
})

/** The stage of the measurements. */
export type Installation = Effect.Success<ReturnType<typeof make>>
