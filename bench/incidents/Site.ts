/** An installation as an operator has it: settings in a file, a Postgres, an API and a worker as processes, a team with people. */
import * as Installation from "../deployment/Installation.ts"
import type * as Programs from "../Programs.ts"
import * as Guide from "./Guide.ts"
import * as Subscribers from "../deliveries/Subscribers.ts"
import { Effect, Exit, Scope } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { folder } from "../Service.ts"

const root = resolve(import.meta.dirname, "../..")

/** A team of the installation. */
export interface Team extends Subscribers.Team {
  readonly administrator: string
}

const quoted = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`

/** What a JSON document on the last line of an output says. */
export const answerOf = (printed: Guide.Printed): Record<string, unknown> & ReadonlyArray<Record<string, unknown>> =>
  JSON.parse(printed.out.trim().split("\n").at(-1) ?? "")

/** Starts an installation for the scope, with the shell of its operator. */
export const start = Effect.fnUntraced(function* (options: { readonly url?: string; readonly files?: string } = {}) {
  const place = yield* folder
  const file = join(place, "environment")
  const port = yield* Installation.freePort
  const base = `http://127.0.0.1:${port}`
  const url = options.url ?? (yield* Installation.postgres)
  let settings: Readonly<Record<string, string>> = {
    ...Installation.environmentOf(url),
    BASE_URL: base,
    FILE_STORE: options.files ?? (yield* folder),
    DRAIN_SECONDS: "0"
  }
  const save = (changed: Readonly<Record<string, string | undefined>> = {}) => {
    const merged = Object.entries({ ...settings, ...changed })
    settings = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined))
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`)
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  }
  save()
  const shell = yield* Guide.open({
    paths: {
      "/opt/property-network": root,
      "/etc/property-network/environment": file,
      "journalctl -u 'property-network-api@*' -o cat --since \"$SINCE\"": `cat ${place}/*.log`
    }
  })
  yield* shell.next("Before you begin")
  yield* shell.run("admin migrate")

  let processes: { readonly scope: Scope.Closeable; readonly programs: ReadonlyArray<Programs.Program> } | undefined
  let starts = 0
  /** Stops the processes. */
  const stop = Effect.gen(function* () {
    if (processes === undefined) return
    const { programs, scope } = processes
    processes = undefined
    yield* Effect.forEach(programs, ({ stop }) => stop, { concurrency: "unbounded" })
    yield* Scope.close(scope, Exit.void)
  })
  /** Starts the processes, with changed settings. */
  const run = Effect.fnUntraced(function* (changed: Readonly<Record<string, string | undefined>> = {}) {
    yield* stop
    save(changed)
    const scope = yield* Scope.make()
    const log = join(place, `${++starts}`)
    const api = yield* Scope.provide(Installation.startApi(settings, port, { log: `${log}-api.log` }), scope)
    const worker = yield* Scope.provide(Installation.startWorker(settings, { log: `${log}-worker.log` }), scope)
    processes = { scope, programs: [api.program, worker] }
    return api.program.pid
  })
  yield* Effect.addFinalizer(() => stop)

  /** Sends a request, and returns its status and body, whatever they are. */
  const request = (token: string, method: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> }
    })

  let people = 0
  /** Creates a person of a team with a token. */
  const person = Effect.fnUntraced(function* (team: string, role: "admin" | "member" = "member") {
    const email = `person-${++people}@brokers.example`
    yield* shell.run(`admin user create ${email} --team ${team} --role ${role} --name "Eva Brandt" --broker active`)
    const token = answerOf(yield* shell.run(`admin token create --user ${email} --name laptop --json`))
    return { email, token: String(token["token"]), tokenId: String(token["id"]) }
  })

  /** Creates a team with an administrator. */
  const team = Effect.gen(function* () {
    const { id } = answerOf(yield* shell.run('admin team create "Brokers" --plan plus --json'))
    const { email, token } = yield* person(String(id), "admin")
    const made: Team = { id: String(id), token, administrator: email }
    return made
  })

  /** Creates a webhook of a team, with a receiver that verifies what it gets. */
  const webhook = (of: Team) =>
    Subscribers.subscribe(
      { request: Installation.requestTo(base) } as Parameters<typeof Subscribers.subscribe>[0],
      of,
      {
        kind: "healthy",
        events: ["contact.created", "contact.updated", "contact.deleted"]
      }
    )

  /** The lines that the processes have logged. */
  const logged = () =>
    readdirSync(place)
      .filter((name) => name.endsWith(".log"))
      .flatMap((name) => readFileSync(join(place, name), "utf8").split("\n"))

  return { logged, base, shell, settings: () => settings, run, stop, request, person, team, webhook }
})

/** An installation. */
export type Site = Effect.Success<ReturnType<typeof start>>

/** Waits until something is so, for 150 seconds at most. */
export const until = Effect.fnUntraced(function* (what: string, isSo: () => boolean | Promise<boolean>) {
  const end = performance.now() + 150_000
  while (!(yield* Effect.promise(async () => isSo()))) {
    if (performance.now() > end) return yield* Effect.die(new Error(`Waited 150 s for ${what}.`))
    yield* Effect.sleep("50 millis")
  }
})
