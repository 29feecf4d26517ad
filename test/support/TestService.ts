/** The whole service over HTTP on a free port, on the store of the run. */
import * as App from "../../src/App.ts"
import * as TeamStatements from "./TeamStatements.ts"
import { layerMemory } from "../../src/platform/fileStore/Drivers.ts"
import * as undici from "undici"
import { Context, Effect, Layer, Logger, Redacted, Scope } from "effect"
import { HttpServer } from "effect/http"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { OpenRegistration } from "../../src/identity/apps/Apps.ts"
import { WritePause } from "../../src/core/requests/RequestRecords.ts"
import { UpstreamProvider } from "../../src/identity/signIn/UpstreamSignIn.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import type { SecretKeys } from "../../src/platform/secrets/SecretKeys.ts"
import { repositories } from "./repositories.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** The secret keys of all tests. */
export const secretKeys: SecretKeys = { current: Redacted.make(new Uint8Array(32).fill(7)), previous: undefined }

/**
 * The configuration of the tests: webhooks may go to this machine, apps register themselves, people may sign in with a provider, which
 * nobody reaches, and rate limits are out of reach.
 */
export const options: App.Options = {
  secretKeys,
  webhooks: true,
  webhookAllowHttp: true,
  isTrial: true,
  webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
  webhookRetryDelays: undefined,
  rateLimits: { pat: 100_000, client: 100_000, session: 100_000 },
  identity: Layer.mergeAll(
    // Tests count statements.
    Layer.succeed(WritePause, undefined),
    Layer.succeed(OpenRegistration, true),
    Layer.succeed(UpstreamProvider, {
      issuer: "https://id.example.com",
      clientId: "property-network",
      clientSecret: Redacted.make("secret")
    })
  ),
  fileStore: layerMemory
}

/** A response with its whole body. */
export interface Reply<Body = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

/** Everything of a request except its method and path. */
export interface RequestOptions {
  readonly token?: string | undefined
  readonly json?: unknown
  readonly text?: string | Uint8Array<ArrayBuffer>
  readonly form?: FormData
  readonly headers?: Record<string, string>
}

interface Sending {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData
  readonly signal: AbortSignal
}

/** Sends a request: by `fetch` only what it encodes or decodes, because that takes three times as long, 0.3 ms for each request. */
const send = async (url: string, { body, headers, method, signal }: Sending) => {
  if (body instanceof FormData || Object.keys(headers).some((name) => /^accept-encoding$/i.test(name))) {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      redirect: "manual",
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const response = await undici.request(url, {
    method: method as undici.Dispatcher.HttpMethod,
    headers,
    signal,
    body: body ?? null
  })
  const received = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of [value ?? []].flat()) received.append(name, one)
  }
  return { status: response.statusCode, headers: received, text: await response.body.text() }
}

let shared: Promise<Context.Context<Layer.Success<typeof TestService.layerOwn>>> | undefined

/** The URL of the service, and a client. */
export class TestService extends Context.Service<
  TestService,
  {
    readonly baseUrl: string
    readonly request: <Body = Record<string, unknown>>(
      method: string,
      path: string,
      options?: RequestOptions
    ) => Effect.Effect<Reply<Body>>
  }
>()("test/support/TestService") {
  /** A client of the service with this base URL. */
  static readonly clientOf = (baseUrl: string): typeof TestService.Service => {
    const request = <Body>(method: string, path: string, options: RequestOptions = {}): Effect.Effect<Reply<Body>> =>
      Effect.promise(async (signal) => {
        const body = options.json === undefined ? (options.text ?? options.form) : JSON.stringify(options.json)
        const { headers, status, text } = await send(`${baseUrl}${path}`, {
          method,
          signal,
          headers: {
            ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
            ...(options.json === undefined ? {} : { "content-type": "application/json" }),
            ...options.headers
          },
          ...(body === undefined ? {} : { body })
        })
        const isJson = /[/+]json\b/.test(headers.get("content-type") ?? "") && text !== ""
        return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as Body }
      })
    return { baseUrl, request }
  }

  static readonly layerServer = Layer.effect(
    TestService,
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      TestService.clientOf(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
    )
  )

  /**
   * A new service on a new database, with the layers of its parts. `observability` is its logger or tracer.
   */
  static readonly layerWith = (observability: Layer.Layer<never>) =>
    TestService.layerOn(TestDatabase.layer, observability)

  private static readonly layerOn = (database: typeof TestDatabase.layer, observability: Layer.Layer<never>) =>
    TestService.layerServer.pipe(
      Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0, trustedProxies: 1 })),
      Layer.provideMerge(Layer.merge(App.layer(options), repositories)),
      Layer.provideMerge(Jobs.layerMemory),
      Layer.provideMerge(database),
      Layer.provide(Layer.succeed(ChangeClock, "database")),
      Layer.provide(observability)
    )

  /** The texts of the statements that services of `layerRecorded` have sent. */
  static readonly sent = new Set<string>()

  /** A new service whose statements are recorded. */
  static readonly layerRecorded = TestService.layerOn(
    TestDatabase.layer,
    Layer.merge(Logger.layer([]), TeamStatements.recordingIn(TestService.sent))
  )

  /** As {@link TestService.layerWith}, without logs. */
  static readonly layerOwn = TestService.layerWith(Logger.layer([]))

  /**
   * One service without logs for all test files of this process, because building it takes longer than most of them. It ends
   * with the process. A test that reads rows of all teams, or moves the clock, needs a service of its own (`layerOwn`).
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
