/** The shared set-up of the HTTP measurements: a Postgres with data, the API and its peers. */
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../src/platform/db/EmbeddedPostgres.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Programs from "../Programs.ts"
import * as Contacts from "./Contacts.ts"
import * as Loads from "./Loads.ts"
import { folder } from "../TemporaryFolder.ts"

/** A running server. */
export interface Server {
  /** Its base URL. */
  readonly url: string
  readonly pid: number
}

/** A response. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The path of the contacts. */
export const path = "/api/v1/network/contacts"

const freePort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
})

const answers = (url: string) =>
  Effect.promise(() =>
    fetch(url).then(
      () => true,
      () => false
    )
  )

const make = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const home = yield* folder
  // Durable as in production: a commit waits for the disk.
  const { url } = yield* EmbeddedPostgres.start({ dataDir: home })
  const database = Redacted.make(url)
  yield* Migrations.run(database)
  const sql = Context.get(
    yield* Layer.build(Database.layer({ url: database, applicationName: "property-network bench" })),
    Database
  )
  const contacts = yield* Contacts.load(quick ? 1000 : 10_000).pipe(
    Effect.provideService(Database, sql),
    Effect.provide(SecureRandom.layerWebCrypto)
  )
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    RATE_LIMIT_PAT: "1000000"
  }

  let started = 0
  const start = Effect.fnUntraced(function* (entry: string, settings: Readonly<Record<string, string>>) {
    const program = yield* Programs.start(
      entry,
      { ...environment, ...settings },
      { log: join(home, `${++started}.log`) }
    )
    if (settings["LOG_LEVEL"] === undefined) {
      const [, port] = yield* program.ready(/listens on port (\d+)/)
      const server: Server = { url: `http://127.0.0.1:${port}`, pid: program.pid }
      return server
    }
    // It does not report that it is ready.
    const server: Server = { url: `http://127.0.0.1:${settings["PORT"]}`, pid: program.pid }
    yield* Effect.repeat(answers(server.url), { schedule: Schedule.spaced("50 millis"), until: (there) => there })
    return server
  })

  const request = (server: Server, target: string, init: RequestInit = {}) =>
    Effect.promise(async (): Promise<Reply> => {
      const response = await fetch(`${server.url}${target}`, {
        ...init,
        headers: {
          authorization: `Bearer ${contacts.tokens[0]}`,
          ...(init.headers as Record<string, string> | undefined)
        }
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })

  /** Starts another server, with a log line for each request unless it is quiet. */
  const serve = Effect.fnUntraced(function* (
    entry: string,
    settings: Readonly<Record<string, string>>,
    quiet: boolean
  ) {
    return yield* start(entry, quiet ? { ...settings, LOG_LEVEL: "warn", PORT: String(yield* freePort) } : settings)
  })

  /** Starts another API process. */
  const api = ({ quiet = false }: { readonly quiet?: boolean } = {}) => serve("src/server.ts", {}, quiet)

  /** Starts a peer: `strict` or `shortcut`. */
  const peer = (way: "strict" | "shortcut", { quiet = false }: { readonly quiet?: boolean } = {}) =>
    serve("bench/peer/server.ts", { PEER: way }, quiet)

  const servers = { ours: yield* api(), strict: yield* peer("strict"), shortcut: yield* peer("shortcut") }
  const load = yield* Loads.make
  const one = yield* request(servers.ours, `${path}/${contacts.ids[0]}`)
  yield* Contacts.check(JSON.parse(one.text) as { readonly [member: string]: unknown })
  return { url, sql, contacts, servers, api, peer, request, load }
})

/** The shared set-up of all HTTP measurements. */
export class Setup extends Context.Service<Setup, Effect.Success<ReturnType<typeof make>>>()("bench/http/Setup") {
  static readonly layer = (options: { readonly quick: boolean }) => Layer.effect(Setup, make(options))
}
