/** The service as in production: a separate Postgres in a temporary folder, an API process, worker processes. */
import * as App from "../src/App.ts"
import * as Migrations from "../src/platform/db/Migrations.ts"
import * as Programs from "./Programs.ts"
import { Effect, Layer, Logger, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OrphanGuard } from "../src/process/Program.ts"
import { Database } from "../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../src/platform/db/embedded/EmbeddedPostgres.ts"
import { layerMemory } from "../src/platform/fileStore/Drivers.ts"
import { Jobs } from "../src/platform/jobs/Jobs.ts"

/** A folder that is removed at the end of the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A server of the measurement itself: listens on a free port of the loopback until the scope ends, and returns the port. */
export const listen = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(address !== null && typeof address === "object" ? Effect.succeed(address.port) : Effect.die("No port"))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** A response of the API. */
export interface Reply {
  readonly status: number
  readonly body: { readonly [member: string]: unknown }
}

/**
 * Starts Postgres and the API on free ports until the scope ends. `settings` are further environment variables, `database`
 * further settings of Postgres.
 */
export const make = Effect.fnUntraced(function* (
  settings: Readonly<Record<string, string>> = {},
  database: Readonly<Record<string, string>> = {}
) {
  yield* OrphanGuard.watch
  // Durable as in production: a commit waits for the disk.
  const { url } = yield* EmbeddedPostgres.start({ dataDir: yield* folder, settings: database })
  yield* Migrations.run(Redacted.make(url))
  const environment = {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    RATE_LIMIT_PAT: "1000000",
    ...settings
  }
  yield* Programs.compile("src/server.ts")
  const api = yield* Programs.start("src/server.ts", environment)
  const [, port] = yield* api.ready(/listens on port (\d+)/)
  const origin = `http://127.0.0.1:${port}`

  const worker = Effect.gen(function* () {
    const program = yield* Programs.start("workers/main.ts", environment)
    yield* program.ready(/The worker is ready/)
    return program
  })

  const request = async (method: string, path: string, token: string, body?: unknown): Promise<Reply> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) }
  }

  return { url: Redacted.make(url), origin, api, worker, request, environment }
})

/** The service of a measurement. */
export type Service = Effect.Success<ReturnType<typeof make>>

/** Its database, for queries that the measurement makes directly. */
export const store = ({ url }: Pick<Service, "url">) =>
  Layer.merge(Database.layer({ url, applicationName: "property-network bench" }), SecureRandom.layerWebCrypto)

/** The use-cases in this process, without an API or workers, on a Postgres of their own until the scope ends. */
export const inProcess = Effect.gen(function* () {
  const started = yield* EmbeddedPostgres.start({ dataDir: yield* folder })
  const url = Redacted.make(started.url)
  yield* Migrations.run(url)
  const services = App.layer({
    secretKeys: { current: Redacted.make(new Uint8Array(randomBytes(32))), previous: undefined },
    webhooks: false,
    webhookAllowHttp: false,
    webhookAllowedNetworks: [],
    webhookRetryDelays: undefined,
    rateLimits: { pat: 100, client: 100, session: 100 },
    fileStore: layerMemory
  }).pipe(
    Layer.provideMerge(Jobs.layer),
    Layer.provideMerge(Database.layer({ url, applicationName: "property-network bench" })),
    Layer.provideMerge(Logger.layer([]))
  )
  return { url, services }
})
