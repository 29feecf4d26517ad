import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as App from "../../../src/App.ts"
import * as Client from "./client.ts"
import { makeFolder, makeMemory } from "../../../src/platform/fileStore/Drivers.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Data, Deferred, Effect, Layer, Logger, Stream } from "effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { ChangeClock } from "../../../src/core/mutation/Changes.ts"
import type { File } from "../../../src/content/files/File.ts"
import { type Driver, FileStore, FileStoreFailure } from "../../../src/platform/fileStore/FileStore.ts"
import { layer as httpLayer } from "../../../src/Http.ts"
import { AnswerTimeout } from "../../../src/http/Edge.ts"
import { BodyTimeouts } from "../../../src/http/RequestState.ts"
import { maxFileBytes } from "../../../src/core/usecase/UseCaseRequest.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { eventually } from "../../support/polling.ts"
import { scratch } from "../../support/scratch.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { options, TestService } from "../../support/TestService.ts"
import { lanes, LaneSizes, TeamBudget } from "../../../src/core/usecase/TeamBudget.ts"

const logged: Array<string> = []

/** The service with another file store, and a log in memory. */
const serviceWith = (fileStore: Layer.Layer<FileStore>) =>
  TestService.layerServer.pipe(
    Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(App.layer({ ...options, fileStore })),
    Layer.provideMerge(Jobs.layerMemory),
    Layer.provideMerge(TestDatabase.layer),
    Layer.provide(Layer.succeed(ChangeClock, "database")),
    Layer.provide(Logger.layer([Logger.map(Logger.formatJson, (line) => void logged.push(line))]))
  )

const head = Buffer.from(
  `--${Client.boundary}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`
)
const tail = Buffer.from(`\r\n--${Client.boundary}--\r\n`)

interface Target {
  readonly baseUrl: string
  readonly path: string
  readonly token: string
}

/** Starts an upload whose body the test writes. */
const begin = ({ baseUrl, path, token }: Target, length?: number): ClientRequest =>
  request(`${baseUrl}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...Client.formType,
      ...(length === undefined ? {} : { "content-length": head.length + length + tail.length })
    }
  })

const answerOf = async (sent: ClientRequest) => {
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  let text = ""
  for await (const chunk of response.setEncoding("utf8")) text += chunk
  // The rest of the body is not sent.
  sent.destroy()
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(text) as File & { readonly code?: string }
  }
}

const piece = Buffer.alloc(65_536, "x")

/** How many bytes may be between the two ends: the buffers of the sockets. */
const maxInFlight = 16e6

function* form(length: number, inFlight: (sent: number) => void = () => undefined) {
  yield head
  for (let sent = 0; sent < length; sent += piece.length) {
    yield length - sent < piece.length ? piece.subarray(0, length - sent) : piece
    inFlight(sent)
  }
  yield tail
}

/** Uploads `length` bytes with backpressure. A server that refuses early closes the connection. */
const send = (target: Target, length: number, inFlight?: (sent: number) => void) =>
  Effect.promise(async () => {
    const sent = begin(target, length)
    const answer = answerOf(sent)
    await Promise.all([answer, pipeline(Readable.from(form(length, inFlight)), sent).catch(() => undefined)])
    return await answer
  })

/** How many bytes were written to the store and read from it. */
const transferred = { written: 0, read: 0 }

const counting = (driver: Driver): Driver => ({
  ...driver,
  write: (key, content) =>
    driver.write(
      key,
      Stream.map(content, (bytes) => {
        transferred.written += bytes.length
        return bytes
      })
    ),
  read: (key, range) =>
    Stream.map(driver.read(key, range), (bytes) => {
      transferred.read += bytes.length
      return bytes
    })
})

const folder = await mkdtemp(join(scratch, "property-network-streams-"))
const storedNames = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name }) => name)

const counted = Layer.effect(
  FileStore,
  Effect.map(makeFolder(folder), (driver) => FileStore.make(counting(driver)))
).pipe(Layer.provide(NodeFileSystem.layer))

const inFolder = serviceWith(counted).pipe(
  Layer.provideMerge(
    Layer.effectDiscard(Effect.addFinalizer(() => Effect.promise(() => rm(folder, { recursive: true, force: true }))))
  )
)

layer(inFolder, { excludeTestServices: true })("A large file", (it) => {
  it.effect("of 104,857,600 bytes is streamed up and down, and one byte more is refused", () =>
    Effect.gen(function* () {
      const client = yield* Client.make()
      let maxBuffered = 0
      const up = yield* send(client, maxFileBytes, (sent) => {
        maxBuffered = Math.max(maxBuffered, sent - transferred.written)
      })
      assert.deepStrictEqual([up.status, up.body.size], [201, maxFileBytes])
      assert.isBelow(maxBuffered, maxInFlight)
      maxBuffered = 0
      const hash = createHash("sha256")
      yield* Effect.promise(async () => {
        const sent = request(`${client.baseUrl}/api/v1/files/${up.body.id}/content`, {
          headers: { authorization: `Bearer ${client.token}` }
        }).end()
        const [response] = (await once(sent, "response")) as [IncomingMessage]
        let received = 0
        for await (const chunk of response as AsyncIterable<Buffer>) {
          hash.update(chunk)
          received += chunk.length
          maxBuffered = Math.max(maxBuffered, transferred.read - received)
        }
      })
      assert.strictEqual(hash.digest("hex"), up.body.sha256)
      assert.isBelow(maxBuffered, maxInFlight)
      const before = yield* Effect.promise(storedNames)
      const more = yield* send(client, maxFileBytes + 1)
      assert.deepStrictEqual([more.status, more.body.code], [413, "payload_too_large"])
      assert.deepStrictEqual(yield* Effect.promise(storedNames), before)
      assert.lengthOf((yield* client.list()).body.data, 1)
    })
  )

  it.effect("with too large a Content-Length is refused before its body arrives", () =>
    Effect.gen(function* () {
      const client = yield* Client.make()
      const refused = yield* Effect.promise(async () => {
        const sent = begin(client, 2 * maxFileBytes)
        sent.on("error", () => undefined)
        sent.flushHeaders()
        return await answerOf(sent)
      })
      assert.deepStrictEqual([refused.status, refused.body.code], [413, "payload_too_large"])
    })
  )

  it.effect("that breaks off leaves nothing in the store", () =>
    Effect.gen(function* () {
      const client = yield* Client.make()
      const before = yield* Effect.promise(storedNames)
      const sent = begin(client)
      sent.on("error", () => undefined)
      sent.write(head)
      sent.write(piece)
      yield* eventually(async () => assert.lengthOf(await storedNames(), before.length + 1))
      sent.destroy()
      yield* eventually(async () => assert.sameMembers(await storedNames(), before))
      assert.deepStrictEqual((yield* client.list()).body.data, [])
    })
  )

  it.effect("is refused, and leaves nothing, when its contact is deleted during the upload", () =>
    Effect.gen(function* () {
      const client = yield* Client.make()
      const before = yield* Effect.promise(storedNames)
      const sent = begin(client)
      const answer = answerOf(sent)
      sent.write(head)
      sent.write(piece)
      yield* eventually(async () => assert.lengthOf(await storedNames(), before.length + 1))
      const deleted = yield* client.request("DELETE", `/api/v1/network/contacts/${client.contact}`)
      assert.strictEqual(deleted.status, 204)
      sent.end(tail)
      assert.strictEqual((yield* Effect.promise(() => answer)).status, 404)
      assert.deepStrictEqual(yield* Effect.promise(storedNames), before)
    })
  )
})

class NoSpace extends Data.Error<{ readonly code: string }> {}

/** A disk that is full after the first chunk. */
const full: Driver = {
  ...makeMemory(),
  write: (_, content) =>
    Effect.andThen(
      Stream.runDrain(Stream.take(content, 1)),
      new FileStoreFailure({ operation: "write", cause: new NoSpace({ code: "ENOSPC" }) })
    ),
  read: () => Stream.fail(new FileStoreFailure({ operation: "read", cause: "not found" }))
}

layer(serviceWith(Layer.succeed(FileStore, FileStore.make(full))), { excludeTestServices: true })(
  "A full disk",
  (it) => {
    it.effect("is answered with 503 and Retry-After, and logged", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        logged.length = 0
        const reply = yield* client.upload("Hello")
        assert.deepStrictEqual([reply.status, reply.body["code" as "name"]], [503, "storage_full"])
        assert.strictEqual(reply.body["store" as "name"], "files")
        assert.strictEqual(reply.headers.get("retry-after"), "5")
        assert.deepStrictEqual((yield* client.list()).body.data, [])
        const [line = ""] = logged.filter((one) => one.includes("The file store failed."))
        assert.include(line, "ENOSPC")
        assert.include(line, reply.headers.get("x-request-id") ?? "none")
      })
    )
  }
)

/** A store that completes writes once `held.gate` is open, and loses every object. */
const held = { gate: Deferred.makeUnsafe<void>(), bytes: 0 }
const holding: Driver = {
  ...makeMemory(),
  write: (_, content) =>
    Effect.andThen(
      Stream.runForEach(content, (bytes) =>
        Effect.sync(() => {
          held.bytes += bytes.length
        })
      ),
      Deferred.await(held.gate)
    ),
  read: () => Stream.fail(new FileStoreFailure({ operation: "read", cause: "not found" }))
}

const sizes = {
  ...lanes,
  bodies: { ...lanes.bodies, team: 1000, process: 1500 },
  answers: { ...lanes.answers, team: 100_000, process: 150_000 }
}

const withShortTimeouts = serviceWith(Layer.succeed(FileStore, FileStore.make(holding))).pipe(
  Layer.provide(Layer.succeed(AnswerTimeout, 400)),
  Layer.provide(Layer.succeed(BodyTimeouts, { whole: 600_000, pauseInWhole: 1000, pause: 1200 })),
  Layer.provide(Layer.succeed(LaneSizes, sizes))
)

layer(withShortTimeouts, { excludeTestServices: true })("The deadline", (it) => {
  const at = (time: number) => sleep(time - performance.now())

  describe("of an answer", () => {
    it.effect("excludes the time of the upload, and includes that of the store", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const answer = yield* Effect.promise(async () => {
          const begun = performance.now()
          const sent = begin(client)
          const answer = answerOf(sent)
          sent.write(head)
          for (const pause of [300, 600, 900]) {
            await at(begun + pause)
            sent.write("some bytes")
          }
          await Effect.runPromise(eventually(() => assert.isAbove(held.bytes, 0)))
          const ended = performance.now()
          sent.end(tail)
          const { body, status } = await answer
          return { status, code: body.code, after: performance.now() - ended }
        })
        assert.deepStrictEqual([answer.status, answer.code], [503, "unavailable"])
        assert.isAbove(answer.after, 390)
        assert.isBelow(answer.after, 1000)
      })
    )

    it.effect("allows a slow upload", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        Deferred.doneUnsafe(held.gate, Effect.void)
        const answer = yield* Effect.promise(async () => {
          const sent = begin(client)
          const answer = answerOf(sent)
          sent.write(head)
          await at(performance.now() + 900)
          sent.end(tail)
          return await answer
        })
        assert.strictEqual(answer.status, 201)
        const lost = yield* client.download(answer.body.id)
        assert.deepStrictEqual([lost.status, lost.body["code"]], [503, "storage_unavailable"])
      })
    )

    it.effect("answers 408 when an upload stalls", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const answer = yield* Effect.promise(async () => {
          const sent = begin(client)
          sent.on("error", () => undefined)
          sent.write(head)
          return await answerOf(sent)
        })
        assert.deepStrictEqual([answer.status, answer.body.code], [408, "request_timeout"])
      })
    )

    const json = "/api/v1/network/contacts"

    const beginJson = ({ baseUrl, token }: Pick<Target, "baseUrl" | "token">, headers: OutgoingHttpHeaders) => {
      const sent = request(`${baseUrl}${json}`, {
        method: "POST",
        agent: new Agent({ keepAlive: true }),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers }
      })
      sent.on("error", () => undefined)
      sent.write("{")
      return sent
    }

    it.effect("answers 408 when a JSON body stalls, and closes the connection", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        for (const headers of [{ "content-length": 100 }, { "transfer-encoding": "chunked" }]) {
          const answer = yield* Effect.promise(() => answerOf(beginJson(client, headers)))
          assert.deepStrictEqual(
            [answer.status, answer.body.code, answer.headers.connection],
            [408, "request_timeout", "close"]
          )
        }
      })
    )

    it.effect("leaves room for the bodies of other requests, of the same team and of others", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { bodies } = yield* TeamBudget
        const other = yield* Client.make()
        const refused = (target: typeof client, headers: OutgoingHttpHeaders, body = "") =>
          Effect.promise(async () => {
            const sent = beginJson(target, headers)
            sent.write(body)
            const answer = await answerOf(sent)
            return [answer.status, answer.body.code, answer.headers["retry-after"]]
          })
        const created = (target: typeof client, length: number) =>
          Effect.map(
            target.request("POST", json, {
              token: target.token,
              text: '{"firstName":"Anna"}'.padEnd(length),
              headers: { "content-type": "application/json" }
            }),
            ({ status }) => status
          )
        const first = beginJson(client, { "content-length": 900 })
        const drip = setInterval(() => first.write(" "), 50)
        // Once it is being read, its team has no room.
        yield* eventually(() => {
          const lacking = bodies.take(client.teamId, 101)
          if (lacking === undefined) bodies.release(client.teamId, 101)
          assert.strictEqual(lacking, "team")
        })
        assert.deepStrictEqual(yield* refused(client, { "content-length": 101 }), [429, "rate_limited", "1"])
        assert.deepStrictEqual(yield* refused(client, {}, " ".repeat(200)), [429, "rate_limited", "1"])
        assert.deepStrictEqual(yield* refused(other, { "content-length": 601 }), [503, "unavailable", "5"])
        assert.deepStrictEqual([yield* created(client, 100), yield* created(other, 600)], [201, 201])
        clearInterval(drip)
        first.destroy()
        yield* eventually(() => assert.isUndefined(bodies.take(client.teamId, 1000)))
        bodies.release(client.teamId, 1000)
        assert.strictEqual(yield* created(client, 1000), 201)
      })
    )

    it.effect("answers no more than the team still waits for", () =>
      Effect.gen(function* () {
        const client = yield* Client.make()
        const { answers } = yield* TeamBudget
        const ask = (method: string, to: string, body?: unknown) =>
          Effect.map(
            client.request(method, to, { token: client.token, ...(body === undefined ? {} : { json: body }) }),
            ({ body: { code }, headers, status }) => [status, code, headers.get("retry-after")]
          )
        // Small bodies, so that the budget of bodies has room for them.
        for (let index = 0; index < 80; index++) {
          assert.strictEqual((yield* ask("POST", json, { firstName: "Anna", strategy: "x".repeat(600) }))[0], 201)
        }
        const page = `${json}?page_size=80`
        assert.isUndefined(answers.take(client.teamId, 50_000))
        assert.deepStrictEqual(yield* ask("GET", page), [429, "rate_limited", "1"])
        assert.deepStrictEqual(yield* ask("POST", `${json}:search`, { page_size: 80 }), [429, "rate_limited", "1"])
        assert.deepStrictEqual(yield* ask("GET", `${json}?page_size=1`), [200, undefined, null])
        assert.isUndefined(answers.take(undefined, 90_000))
        answers.release(client.teamId, 50_000)
        assert.deepStrictEqual(yield* ask("GET", page), [503, "unavailable", "5"])
        answers.release(undefined, 90_000)
        assert.deepStrictEqual(yield* ask("GET", page), [200, undefined, null])
        yield* eventually(() => {
          assert.isUndefined(answers.take(client.teamId, 100_000))
          answers.release(client.teamId, 100_000)
        })
      })
    )
  })
})
