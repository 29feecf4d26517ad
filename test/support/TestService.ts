/** The whole service for a test: over HTTP on a free port, on the run's store. */
import { Context, Effect, Layer, Logger, Redacted, Scope } from "effect"
import { HttpServer } from "effect/http"
import * as App from "../../src/App.ts"
import { ChangeClock } from "../../src/changes/Changes.ts"
import * as MemoryFileStore from "../../src/files/store/Memory.ts"
import { Jobs } from "../../src/jobs/Jobs.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import type { SecretKeys } from "../../src/secrets/SecretKeys.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** The secret keys of all tests. */
export const secretKeys: SecretKeys = { current: Redacted.make(new Uint8Array(32).fill(7)), previous: undefined }

/** The configuration of all tests: webhooks may go to this machine, and nobody runs into a rate limit by chance. */
export const options: App.Options = {
  secretKeys,
  webhookAllowHttp: true,
  webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
  webhookRetryDelays: undefined,
  rateLimits: { pat: 100_000, client: 100_000 },
  fileStore: MemoryFileStore.layer
}

/** An answer, read whole. */
export interface Reply<Body = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** What a request says besides its method and path. */
export interface Ask {
  readonly token?: string | undefined
  readonly json?: unknown
  readonly text?: string | Uint8Array<ArrayBuffer>
  readonly form?: FormData
  readonly headers?: Record<string, string>
}

let shared: Promise<Context.Context<Layer.Success<typeof TestService.layerOwn>>> | undefined

/** Where the service listens, and a client of it. */
export class TestService extends Context.Service<
  TestService,
  {
    readonly baseUrl: string
    readonly request: <Body = Record<string, unknown>>(
      method: string,
      path: string,
      ask?: Ask
    ) => Effect.Effect<Reply<Body>>
  }
>()("test/support/TestService") {
  static readonly layerServer = Layer.effect(
    TestService,
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const baseUrl = `http://127.0.0.1:${"port" in address ? address.port : 0}`
      const request = <Body>(method: string, path: string, ask: Ask = {}): Effect.Effect<Reply<Body>> =>
        Effect.promise(async (signal) => {
          const response = await fetch(`${baseUrl}${path}`, {
            method,
            signal,
            redirect: "manual",
            headers: {
              ...(ask.token === undefined ? {} : { authorization: `Bearer ${ask.token}` }),
              ...(ask.json === undefined ? {} : { "content-type": "application/json" }),
              ...ask.headers
            },
            ...(ask.json === undefined ? {} : { body: JSON.stringify(ask.json) }),
            ...(ask.text === undefined ? {} : { body: ask.text }),
            ...(ask.form === undefined ? {} : { body: ask.form })
          })
          const text = await response.text()
          const isJson = response.headers.get("content-type")?.includes("json") === true && text !== ""
          return {
            status: response.status,
            headers: response.headers,
            text,
            body: (isJson ? JSON.parse(text) : {}) as Body
          }
        })
      return { baseUrl, request }
    })
  )

  /**
   * The service, with what tests of single parts need, the database and the use-cases; `observing` is told of what it
   * does.
   */
  static readonly layerObserved = (observing: Layer.Layer<never>) => TestService.layerOn(TestDatabase.layer, observing)

  private static readonly layerOn = (database: typeof TestDatabase.layer, observing: Layer.Layer<never>) =>
    TestService.layerServer.pipe(
      Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
      Layer.provideMerge(App.layer(options)),
      Layer.provideMerge(Jobs.layerMemory),
      Layer.provideMerge(database),
      Layer.provide(Layer.succeed(ChangeClock, "database")),
      Layer.provide(observing)
    )

  /** As {@link TestService.layerObserved}, in silence. */
  static readonly layerOwn = TestService.layerObserved(Logger.layer([]))

  /**
   * The service, in silence, and one for all files that this process runs, one after the other: building it takes
   * longer than most of them. It ends with the process. A test that is about all teams, or moves the clock, has a
   * service of its own.
   */
  static readonly layer: typeof TestService.layerOwn = Layer.effectContext(
    Effect.promise(
      () =>
        (shared ??= Effect.runPromise(
          Layer.buildWithScope(TestService.layerOn(TestDatabase.layerShared, Logger.layer([])), Scope.makeUnsafe())
        ))
    )
  )
}
