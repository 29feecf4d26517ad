/** An API in the bench's own process, which counts the statements of a request. */
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { CurrentTransformer } from "effect/sql/Statement"
import * as App from "../src/App.ts"
import { Database } from "../src/platform/db/Database.ts"
import * as MemoryFileStore from "../src/platform/fileStore/Memory.ts"
import * as Http from "../src/Http.ts"
import { Jobs } from "../src/platform/jobs/Jobs.ts"

/** Starts it until the scope ends. `secretKey` is that of the other processes. Returns a function that sends a request. */
export const make = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, secretKey: Uint8Array) {
  let statements = 0
  const counted = Layer.succeed(CurrentTransformer, (statement) =>
    Effect.sync(() => {
      statements++
      return statement
    })
  )
  const api = Http.layer({ baseUrl: undefined, host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(
      App.layer({
        secretKeys: { current: Redacted.make(secretKey), previous: undefined },
        webhooks: true,
        webhookAllowHttp: true,
        webhookAllowedNetworks: ["127.0.0.0/8"],
        webhookRetryDelays: undefined,
        rateLimits: { pat: 1_000_000, client: 1_000_000 },
        fileStore: MemoryFileStore.layer
      })
    ),
    Layer.provide(Jobs.layer),
    Layer.provide(counted),
    Layer.provide(Database.layer({ url, applicationName: "property-network counted" })),
    Layer.provide(Logger.layer([]))
  )
  const { address } = Context.get(yield* Layer.build(api), HttpServer.HttpServer)
  const port = "port" in address ? address.port : 0
  return (method: string, path: string, token: string) =>
    Effect.promise(async () => {
      const before = statements
      const began = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` }
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return { statements: statements - before, seconds: (performance.now() - began) / 1000 }
    })
})
