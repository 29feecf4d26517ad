/** Refusals of requests whose bodies are still on their way: clients get the problem, and not a broken connection. */
import * as App from "../../src/App.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { Worker } from "node:worker_threads"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { DiscardLimits } from "../../src/http/Body.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, TestService } from "../support/TestService.ts"

const contacts = "/api/v1/network/contacts"

interface Refused {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly status: number
  readonly code: string
}

/** A request for each refusal that comes before the body was read, or in the middle of it. */
const refusals = Effect.gen(function* () {
  const { request } = yield* TestService
  const { token } = yield* Tenant.make()
  const contact = yield* request<{ readonly id: string }>("POST", contacts, { token, json: { firstName: "Anna" } })
  const files = `${contacts}/${contact.body.id}/files`
  const nobody = `${contacts}/contact_01kb3n7x2ferwt5z8q4j6m9d0c`
  const bearer = { authorization: `Bearer ${token}` }
  const json = { "content-type": "application/json" }
  const form = { "content-type": "multipart/form-data; boundary=x" }
  const rows: ReadonlyArray<readonly [string, string, string, Record<string, string>, number, string]> = [
    ["a large header", "POST", contacts, { ...json, "x-long": "x".repeat(20_000) }, 431, "headers_too_large"],
    ["no token", "POST", contacts, json, 401, "unauthorized"],
    ["no such token", "POST", contacts, { ...json, authorization: "Bearer nobody" }, 401, "unauthorized"],
    ["no token for the tools", "POST", "/mcp", json, 401, "unauthorized"],
    ["no such path", "POST", "/api/v1/nothing", json, 404, "not_found"],
    ["no such record", "PATCH", nobody, { ...json, ...bearer }, 404, "not_found"],
    ["no such method", "PUT", contacts, json, 405, "method_not_allowed"],
    ["too large", "POST", contacts, { ...json, ...bearer }, 413, "payload_too_large"],
    [
      "another media type",
      "POST",
      contacts,
      { ...bearer, "content-type": "text/plain" },
      415,
      "unsupported_media_type"
    ],
    ["no form", "POST", files, { ...json, ...bearer }, 415, "unsupported_media_type"],
    ["no such owner of a file", "POST", `${nobody}/files`, { ...form, ...bearer }, 404, "not_found"],
    ["no part of a form", "POST", files, { ...form, ...bearer }, 400, "malformed_multipart"]
  ]
  return rows.map(([name, method, path, headers, status, code]): Refused => ({
    name,
    method,
    path,
    headers,
    status,
    code
  }))
})

const size = 6 * 1024 * 1024

const answerOf = ({ code, name, status }: Refused) => `${name}: ${status} ${code}`

/** A client that is busy with other things while it sends: a thread, because it stops its own clock, for all of its requests at once. */
const busyClient = `
  const { parentPort, workerData: { baseUrl, requests, size } } = require("node:worker_threads")
  const busy = new Int32Array(new SharedArrayBuffer(4))
  let pause
  const busyOnce = () =>
    (pause ??= new Promise((resolve) =>
      setTimeout(() => {
        Atomics.wait(busy, 0, 0, 700)
        pause = undefined
        resolve()
      }, 100)
    ))
  const slowly = async function* () {
    for (let piece = 0; piece < 3; piece++) {
      yield new Uint8Array(size / 3).fill(120)
      await busyOnce()
    }
  }
  const send = ({ headers, method, path }) =>
    fetch(baseUrl + path, { method, headers, body: ReadableStream.from(slowly()), duplex: "half" })
      .then(async (response) => response.status + " " + (await response.json()).code)
      .catch((error) => error.message + " " + error.cause)
  Promise.all(requests.map(send)).then((answers) => parentPort.postMessage(answers))
`

layer(TestService.layer, { excludeTestServices: true })("A request that is refused before its body was read", (it) => {
  it.effect("gets its problem through fetch, on new and on reused connections", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const refused = yield* refusals
      const body = Buffer.alloc(size, "x")
      for (const concurrency of ["unbounded", 1] as const) {
        const answers = yield* Effect.forEach(
          refused,
          ({ headers, method, name, path }) =>
            Effect.promise(async () => {
              const init: RequestInit = { method, headers, body }
              const response = await fetch(`${baseUrl}${path}`, init)
              return `${name}: ${response.status} ${((await response.json()) as { readonly code: string }).code}`
            }),
          { concurrency }
        )
        assert.deepStrictEqual(answers, refused.map(answerOf))
      }
    })
  )

  it.effect("gets its problem also when its client is busy while it sends", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const refused = yield* refusals
      const answers = yield* Effect.promise(async () => {
        const worker = new Worker(busyClient, { eval: true, workerData: { requests: refused, baseUrl, size } })
        const [answers] = (await once(worker, "message")) as [ReadonlyArray<string>]
        return answers
      })
      assert.deepStrictEqual(
        answers,
        refused.map(({ code, status }) => `${status} ${code}`)
      )
    })
  )
})

const limits = { bytes: 200_000, whole: 600, pause: 300 }

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(ChangeClock, "database")),
  Layer.provide(Layer.succeed(DiscardLimits, limits)),
  Layer.provide(Logger.layer([]))
)

layer(service, { excludeTestServices: true })("The rest of a body that nobody reads", (it) => {
  /** Opens a connection, with what it has received and when it ended. */
  const open = Effect.gen(function* () {
    const { baseUrl } = yield* TestService
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname)
    const received = { text: "" }
    socket.setEncoding("utf8").on("data", (chunk: string) => (received.text += chunk))
    // The service ends some of these connections while the client writes.
    socket.on("error", () => undefined)
    const closed = once(socket, "close")
    const until = async (pattern: RegExp) => {
      while (!pattern.test(received.text)) await once(socket, "data")
    }
    return { socket, received, closed, until }
  })

  const head = (length: number, ...headers: ReadonlyArray<string>) =>
    [`POST ${contacts} HTTP/1.1`, "Host: x", `Content-Length: ${length}`, ...headers, "", ""].join("\r\n")

  const next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

  const statusesOf = ({ text }: { readonly text: string }) =>
    Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

  it.effect("is discarded after the answer, so that the connection serves the next request", () =>
    Effect.gen(function* () {
      const { closed, received, socket, until } = yield* open
      yield* Effect.promise(async () => {
        socket.write(head(1000) + "x".repeat(400))
        await until(/"unauthorized"/)
        socket.write("x".repeat(600) + next)
        await until(/"ok"/)
        socket.end()
        await closed
      })
      assert.deepStrictEqual(statusesOf(received), [401, 200])
      assert.notMatch(received.text, /connection: close/i)
    })
  )

  it.effect("is discarded before a connection ends that its client wants to end", () =>
    Effect.gen(function* () {
      const { closed, received, socket, until } = yield* open
      yield* Effect.promise(async () => {
        socket.write(head(1000, "Connection: close") + "x".repeat(400))
        await until(/"unauthorized"/)
        socket.write("x".repeat(600))
        await closed
      })
      assert.deepStrictEqual(statusesOf(received), [401])
    })
  )

  it.effect("is not waited for when the client waits for leave to send it", () =>
    Effect.gen(function* () {
      const { closed, received, socket } = yield* open
      socket.write(head(1000, "Expect: 100-continue"))
      yield* Effect.promise(() => closed)
      assert.deepStrictEqual(statusesOf(received), [401])
      assert.match(received.text, /connection: close/i)
    })
  )

  it.effect("ends the connection when it stops, drips for too long, or is too much", () =>
    Effect.gen(function* () {
      const stopping = yield* open
      stopping.socket.write(head(1_000_000) + "x")

      const dripping = yield* open
      dripping.socket.write(head(1_000_000))
      const drip = setInterval(() => dripping.socket.write("x"), 50)

      const pouring = yield* open
      pouring.socket.write(head(100_000_000))
      const pour = setInterval(() => pouring.socket.write("x".repeat(65_536)), 5)

      for (const { closed, received } of [stopping, dripping, pouring]) {
        yield* Effect.promise(() => closed)
        assert.deepStrictEqual(statusesOf(received), [401])
        assert.include(received.text, '"unauthorized"')
      }
      clearInterval(drip)
      clearInterval(pour)
    })
  )
})
