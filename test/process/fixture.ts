/** Starts API and worker processes on the database of a test. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { run } from "../support/Process.ts"
import { eventually } from "../support/polling.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"

/** `SECRET_KEY` of all tests. */
export const secretKey = Buffer.alloc(32, 7).toString("base64")

type Environment = Readonly<Record<string, string>>

const environment = (more: Environment) =>
  Effect.map(testUrl, (url): Environment => ({
    DATABASE_URL: Redacted.value(url),
    SECRET_KEY: secretKey,
    PORT: "0",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    ...more
  }))

/** A response of an API. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly [member: string]: unknown }
}

/** Starts a worker, and waits until it is ready. */
export const startWorkerProcess = Effect.fnUntraced(function* (more: Environment = {}) {
  const process = yield* run("workers/main.ts", yield* environment(more))
  yield* eventually(() => assert.include(process.output.stderr, "The worker is ready.", process.output.stderr))
  return process
})

/** Starts an API, waits until it listens, and returns a client for it. */
export const startApi = Effect.fnUntraced(function* (more: Environment = {}) {
  const process = yield* run("src/server.ts", yield* environment({ DRAIN_SECONDS: "0", ...more }))
  const port = yield* eventually(() => {
    const [, port] = /listens on port (\d+)/.exec(process.output.stderr) ?? []
    assert.isDefined(port, process.output.stderr)
    return port
  })
  const request = async (
    method: string,
    path: string,
    token: string,
    body?: unknown,
    headers: Environment = {}
  ): Promise<Reply> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) }
  }
  return { ...process, port: Number(port), request }
})

/** A running API. */
type Api = Effect.Success<ReturnType<typeof startApi>>

/** Two API processes on one database. */
export class Apis extends Context.Service<Apis, { readonly a: Api; readonly b: Api }>()("test/process/Apis") {
  /** With these settings, on a database that tests can reach, too. */
  static readonly layer = (settings: Environment) =>
    Layer.effect(
      Apis,
      Effect.map(Effect.all([startApi(settings), startApi(settings)], { concurrency: 2 }), ([a, b]) => ({ a, b }))
    ).pipe(Layer.provideMerge(TestDatabase.layer), Layer.provideMerge(SecureRandom.layerWebCrypto))
}
