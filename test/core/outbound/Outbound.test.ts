import * as tls from "node:tls"
import * as Receiver from "./Receiver.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { gzipSync } from "node:zlib"
import { vi } from "vitest"
import type { Attempt } from "../../../src/core/outbound/rules.ts"
import { Outbound, type OutboundOptions } from "../../../src/core/outbound/Outbound.ts"
import { certificate } from "./certificate.ts"

const body = new TextEncoder().encode("{}")

const sending = (options: Partial<OutboundOptions> = {}) =>
  Effect.provide(
    Outbound.layer({
      allowHttp: true,
      allowedNetworks: ["127.0.0.1/32"],
      resolve: async () => ["127.0.0.1"],
      ...options
    })
  )

const post = (
  port: number,
  more: { host?: string; path?: string; headers?: Record<string, string>; body?: Uint8Array } = {}
) =>
  Effect.flatMap(Outbound, (outbound) =>
    outbound.post({
      url: `http://${more.host ?? "receiver.example"}:${port}${more.path ?? "/hook"}`,
      headers: more.headers ?? {},
      body: more.body ?? body
    })
  )

const failure = (attempt: Attempt) => (attempt.outcome === "failed" ? attempt.error : `answered ${attempt.statusCode}`)

describe("an attempt", () => {
  it.live("sends headers, path and raw bytes unchanged, and returns the response", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(202, { "X-Custom": "yes", "Set-Cookie": ["a=1", "b=2"] }).end("thanks \0 Zoë")
      })
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      const attempt = yield* post(receiver.port, {
        path: "/hook/%7Ea?x=1&y=%20",
        headers: { "Content-Type": "application/json", "webhook-id": "msg_1" },
        body: bytes
      })
      assert.deepInclude(attempt, { outcome: "answered", statusCode: 202, responseBody: "thanks \uFFFD Zoë" })
      assert.deepInclude(attempt.outcome === "answered" ? attempt.responseHeaders : {}, {
        "x-custom": "yes",
        "set-cookie": "a=1, b=2"
      })
      assert.isAtLeast(attempt.durationMs, 0)
      assert.isTrue(Number.isInteger(attempt.durationMs))
      const [request] = receiver.received
      assert.deepInclude(request, { method: "POST", path: "/hook/%7Ea?x=1&y=%20" })
      assert.deepEqual(new Uint8Array(request?.body ?? []), bytes)
      assert.deepInclude(request?.headers, {
        "content-type": "application/json",
        "content-length": "256",
        "webhook-id": "msg_1",
        host: `receiver.example:${receiver.port}`
      })
    }).pipe(sending())
  )

  it.live("connects to an address in the URL without DNS", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      const attempt = yield* post(receiver.port, { host: "127.1" })
      assert.deepInclude(attempt, { outcome: "answered", statusCode: 200, responseBody: "" })
    }).pipe(sending({ resolve: () => Promise.reject(new Error("not to be called")) }))
  )

  it.live("does not follow a redirect", () =>
    Effect.gen(function* () {
      const target = yield* Receiver.make((response) => response.end())
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(307, { Location: `http://receiver.example:${target.port}/` }).end()
      })
      const attempt = yield* post(receiver.port)
      assert.deepInclude(attempt, { outcome: "answered", statusCode: 307 })
      assert.strictEqual(target.received.length, 0)
    }).pipe(sending())
  )

  it.live("returns the Retry-After of the response in seconds", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.writeHead(503, { "Retry-After": "90" }).end())
      assert.deepInclude(yield* post(receiver.port), { statusCode: 503, retryAfterSeconds: 90 })
    }).pipe(sending())
  )

  it.effect("takes its start and duration from the clock of the service", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(429, { "Retry-After": "Tue, 14 Nov 2023 22:14:20 GMT" }).end()
      })
      assert.deepInclude(yield* post(receiver.port), {
        startedAt: new Date(1_700_000_000_000),
        durationMs: 0,
        retryAfterSeconds: 60
      })
    }).pipe(sending())
  )
})

describe("the response", () => {
  it.live("is read up to 16 KiB, of which 4 KiB are kept, and then the connection is closed", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => {
        const more = () => {
          while (!response.destroyed && response.write("é".repeat(4096)));
        }
        response.on("drain", more)
        more()
      })
      const attempt = yield* post(receiver.port)
      assert.deepInclude(attempt, { outcome: "answered", statusCode: 200, responseBody: "é".repeat(2048) })
      yield* receiver.untilClosed
    }).pipe(sending())
  )

  it.live("may end without a Content-Length", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\nbye"))
      })
      assert.deepInclude(yield* post(receiver.port), { outcome: "answered", responseBody: "bye" })
    }).pipe(sending())
  )

  it.live("closes the connection if it arrives before the request has been read", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.once("data", () => {
          socket.pause()
          socket.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
        })
      })
      const attempt = yield* post(receiver.port, { body: new Uint8Array(20_000_000) })
      assert.deepInclude(attempt, { outcome: "answered", statusCode: 413 })
      receiver.connections[0]?.resume()
      yield* receiver.untilClosed
    }).pipe(sending())
  )

  it.live("that breaks off is a failure after a 2xx, and counts by its status otherwise", () =>
    Effect.gen(function* () {
      const breaking = (status: string, body = "Content-Length: 100\r\n\r\nhalf") =>
        Receiver.makeRaw((socket) => {
          socket.once("data", () => socket.end(`HTTP/1.1 ${status}\r\n${body}`))
        })
      const accepted = yield* breaking("200 OK")
      const cutOff = yield* post(accepted.port)
      assert.deepInclude(cutOff, {
        outcome: "failed",
        statusCode: 200,
        error: "The receiver closed the connection without a complete answer.",
        responseBody: "half"
      })
      assert.deepInclude(cutOff.responseHeaders, { "content-length": "100" })
      for (const body of ["Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n6\r\nhalf"]) {
        const last = yield* breaking("200 OK", `Connection: close\r\n${body}`)
        assert.strictEqual(failure(yield* post(last.port)), cutOff.outcome === "failed" ? cutOff.error : "")
      }
      const gone = yield* breaking("410 Gone")
      assert.deepInclude(yield* post(gone.port), { outcome: "answered", statusCode: 410, responseBody: "half" })
    }).pipe(sending())
  )

  it.live("that is complete stays valid, whatever arrives after it", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"))
      })
      assert.deepInclude(yield* post(receiver.port), { outcome: "answered", statusCode: 204, responseBody: "" })
    }).pipe(sending())
  )

  it.live.each([
    {
      what: "another protocol",
      answer: "SSH-2.0-OpenSSH_9.6\r\n",
      error: "The answer is not valid HTTP (Expected HTTP/"
    },
    {
      what: "an endless head",
      answer: `HTTP/1.1 200 OK\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
      error: "The answer is not valid HTTP (its head is too long)."
    },
    { what: "nothing", answer: "", error: "closed the connection" },
    {
      what: "a switch of protocols",
      answer: "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      error: "closed the connection"
    }
  ])("that is $what is a failure that says so", ({ answer, error }) =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.once("data", () => socket.end(answer))
      })
      assert.include(failure(yield* post(receiver.port)), error)
    }).pipe(sending({ deadlineMillis: 5000 }))
  )
})

describe("data outside the response body", () => {
  /** A receiver that sends `head` and then repeats `piece` endlessly. */
  const flooding = (head: string, piece: string) =>
    Receiver.makeRaw((socket) => {
      socket.once("data", () => {
        socket.write(head)
        const more = () => {
          while (!socket.destroyed && socket.write(piece.repeat(1000)));
        }
        socket.on("drain", more)
        more()
      })
    })

  const chunked = "Transfer-Encoding: chunked\r\n\r\n"
  const piece = `1;${"x".repeat(8000)}\r\na\r\n`

  it.live.each([
    { what: "interim answers", head: "", piece: "HTTP/1.1 102 Processing\r\n\r\n" },
    { what: "empty lines", head: "", piece: "\r\n" },
    { what: "the zeros of a chunk's size", head: `HTTP/1.1 200 OK\r\n${chunked}`, piece: "0".repeat(100) },
    { what: "the extensions of chunks", head: `HTTP/1.1 200 OK\r\n${chunked}`, piece }
  ])("such as $what without an end, is not read to the deadline", ({ head, piece }) =>
    Effect.gen(function* () {
      const receiver = yield* flooding(head, piece)
      assert.strictEqual(failure(yield* post(receiver.port)), "The receiver sent too much besides its answer.")
      yield* receiver.untilClosed
    }).pipe(sending({ deadlineMillis: 5000 }))
  )

  it.live("does not change the verdict of a 4xx", () =>
    Effect.gen(function* () {
      const receiver = yield* flooding(`HTTP/1.1 410 Gone\r\n${chunked}`, piece)
      assert.deepInclude(yield* post(receiver.port), { outcome: "answered", statusCode: 410 })
    }).pipe(sending({ deadlineMillis: 5000 }))
  )

  it.live("is ignored if it is short", () =>
    Effect.gen(function* () {
      const early = `HTTP/1.1 100 Continue\r\n\r\n${"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(5)}HTTP/1.1 100 Continue\r\n\r\n`
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.on("data", () => socket.write(`${early}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`))
      })
      assert.deepInclude(yield* post(receiver.port), { statusCode: 200, responseBody: "ok" })
      assert.deepInclude(yield* post(receiver.port), { statusCode: 200, responseBody: "ok" })
      assert.strictEqual(receiver.connections.length, 1)
    }).pipe(sending())
  )

  it.live("is not taken for the response to the next request", () =>
    Effect.gen(function* () {
      const answer = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n${body}`
      for (const apart of [true, false]) {
        const receiver = yield* Receiver.makeRaw((socket, index) => {
          socket.on("data", () => {
            if (!apart) return socket.write(answer(`own${index}`) + answer("more"))
            socket.write(answer(`own${index}`), () => setImmediate(() => socket.write(answer("more"))))
          })
        })
        assert.deepInclude(yield* post(receiver.port), { responseBody: "own0" })
        yield* receiver.until("the end of the first connection", () => receiver.connections[0]?.destroyed === true)
        assert.deepInclude(yield* post(receiver.port), { responseBody: "own1" })
      }
    }).pipe(sending())
  )

  it.live("does not matter for a compressed body, which is kept as it is", () =>
    Effect.gen(function* () {
      // It would inflate to more than 16 KiB.
      const bomb = gzipSync(Buffer.alloc(1_000_000))
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb)
      })
      const attempt = yield* post(receiver.port)
      assert.deepInclude(attempt, {
        outcome: "answered",
        responseBody: new TextDecoder().decode(bomb).replaceAll("\0", "\uFFFD")
      })
      assert.isUndefined(receiver.received[0]?.headers["accept-encoding"])
    }).pipe(sending())
  )
})

describe("the deadline", () => {
  it.live("ends an attempt if the receiver never responds", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw(() => {})
      const attempt = yield* post(receiver.port)
      assert.strictEqual(failure(attempt), "Timeout: no answer had come after 0.2 seconds.")
      assert.isAtLeast(attempt.durationMs, 190)
      yield* receiver.untilClosed
    }).pipe(sending({ deadlineMillis: 200 }))
  )

  it.effect("runs on the wall clock even if the clock of the service stands still", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw(() => {})
      assert.include(failure(yield* post(receiver.port)), "Timeout")
    }).pipe(sending({ deadlineMillis: 50 }))
  )

  it.live("is not extended by a slow body", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write("."), 5)
        response.on("close", () => clearInterval(timer))
      })
      assert.deepInclude(yield* post(receiver.port), {
        outcome: "failed",
        statusCode: 200,
        error: "Timeout: the answer had begun but not ended after 0.2 seconds."
      })
      yield* receiver.untilClosed
    }).pipe(sending({ deadlineMillis: 200 }))
  )

  it.live("is not extended by a slow head", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX: ")
        const timer = setInterval(() => socket.write("."), 5)
        socket.on("close", () => clearInterval(timer))
      })
      assert.strictEqual(failure(yield* post(receiver.port)), "Timeout: no answer had come after 0.1 seconds.")
      yield* receiver.untilClosed
    }).pipe(sending({ deadlineMillis: 100 }))
  )

  it.live("does not change the verdict of a 4xx with a slow body", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.writeHead(410).write("gone"))
      assert.deepInclude(yield* post(receiver.port), { outcome: "answered", statusCode: 410, responseBody: "gone" })
    }).pipe(sending({ deadlineMillis: 100 }))
  )

  it.live("covers DNS", () =>
    Effect.gen(function* () {
      assert.strictEqual(failure(yield* post(1)), "Timeout: DNS had not answered after 0.05 seconds.")
    }).pipe(sending({ deadlineMillis: 50, resolve: () => new Promise(() => {}) }))
  )

  it.live("covers the TLS handshake", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw(() => {})
      const outbound = yield* Outbound
      const attempt = yield* outbound.post({ url: `https://receiver.example:${receiver.port}/`, headers: {}, body })
      assert.strictEqual(failure(attempt), "Timeout: the TLS handshake had not ended after 0.1 seconds.")
    }).pipe(sending({ deadlineMillis: 100 }))
  )
})

describe("an interrupted attempt", () => {
  it.live("closes its connection", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.makeRaw((socket) => socket.resume())
      const fiber = yield* Effect.forkChild(post(receiver.port))
      yield* receiver.until("a connection", () => receiver.connections.length === 1)
      yield* Fiber.interrupt(fiber)
      yield* receiver.untilClosed
    }).pipe(sending())
  )

  it.live("opens no connection if it was still waiting for DNS", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      const asked = Promise.withResolvers<void>()
      const answer = Promise.withResolvers<ReadonlyArray<string>>()
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(post(receiver.port, { host: "slow.example" }))
        yield* Effect.promise(() => asked.promise)
        yield* Fiber.interrupt(fiber)
        answer.resolve(["127.0.0.1"])
        yield* post(receiver.port)
      }).pipe(
        sending({
          resolve: (name) => {
            if (name !== "slow.example") return Promise.resolve(["127.0.0.1"])
            asked.resolve()
            return answer.promise
          }
        })
      )
      assert.strictEqual(receiver.connections.length, 1)
    })
  )
})

describe("the connection", () => {
  it.live("is refused if the host name resolves to a forbidden address since the check", () => {
    const answers = [["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1", "127.0.0.2"]]
    return Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      const outbound = yield* Outbound
      yield* outbound.check(`http://receiver.example:${receiver.port}/`)
      const error = "Its host must resolve, and to public addresses only."
      assert.strictEqual(failure(yield* post(receiver.port)), error)
      assert.strictEqual(failure(yield* post(receiver.port)), error)
      assert.strictEqual(receiver.connections.length, 0)
    }).pipe(sending({ resolve: async () => answers.shift() ?? [] }))
  })

  it.live("is refused if the host name resolves to a forbidden address since the previous attempt", () => {
    const answers = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]]
    return Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => {
        response.writeHead(500, { Connection: "close" }).end()
      })
      const error = "Its host must resolve, and to public addresses only."
      for (const expected of ["answered 500", error, error, "answered 500"]) {
        assert.strictEqual(failure(yield* post(receiver.port)), expected)
      }
      assert.strictEqual(receiver.connections.length, 2)
    }).pipe(sending({ resolve: async () => answers.shift() ?? [] }))
  })

  it.live("that is reused still ends at the checked address, whatever the host name resolves to", () => {
    const answers = [["127.0.0.1"]]
    return Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      assert.strictEqual(failure(yield* post(receiver.port)), "answered 200")
      assert.strictEqual(failure(yield* post(receiver.port)), "answered 200")
      assert.strictEqual(receiver.connections.length, 1)
      // Another host name needs another connection.
      assert.match(failure(yield* post(receiver.port, { host: "other.example" })), /public addresses only/)
    }).pipe(sending({ resolve: async () => answers.shift() ?? ["10.0.0.1"] }))
  })

  it.live("goes to the checked address, and the host name is resolved once", () => {
    const answers = [["127.0.0.1"]]
    return Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      assert.strictEqual(failure(yield* post(receiver.port)), "answered 200")
      assert.deepEqual(answers, [])
    }).pipe(sending({ resolve: async () => answers.shift() ?? ["10.0.0.1"] }))
  })

  it.live("tries the other addresses of a host name if the first one refuses", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      assert.strictEqual(failure(yield* post(receiver.port)), "answered 200")
    }).pipe(sending({ allowedNetworks: ["127.0.0.0/8"], resolve: async () => ["127.0.0.2", "127.0.0.1"] }))
  )

  it.live("that is refused is a failure whose message contains no address", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(
        Effect.map(
          Receiver.makeRaw(() => {}),
          (receiver) => receiver.port
        )
      )
      const error = "The receiver refused the connection (ECONNREFUSED)."
      assert.strictEqual(failure(yield* post(port)), error)
      assert.strictEqual(failure(yield* post(port, { host: "127.0.0.1" })), error)
    }).pipe(sending())
  )

  it.live("is reused by attempts to the same receiver", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end("ok"))
      for (let index = 0; index < 5; index++) yield* post(receiver.port)
      assert.strictEqual(receiver.received.length, 5)
      assert.strictEqual(receiver.connections.length, 1)
    }).pipe(sending())
  )

  it.live("that the receiver closed while idle is replaced by a new one, once", () =>
    Effect.gen(function* () {
      const requests: Array<number> = []
      const receiver = yield* Receiver.makeRaw((socket, index) => {
        socket.on("data", () => {
          requests.push(index)
          // The first connection responds once and is reset by the next request. All later connections are reset at once.
          if (requests.length === 1 || requests.length === 3) {
            socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          } else socket.resetAndDestroy()
        })
      })
      const outcomes = [yield* post(receiver.port), yield* post(receiver.port), yield* post(receiver.port)].map(failure)
      assert.deepEqual(outcomes, [
        "answered 200",
        "answered 200",
        "The receiver closed the connection without a complete answer."
      ])
      assert.deepEqual(requests, [0, 0, 1, 1, 2])
    }).pipe(sending())
  )

  it.live("is closed when the service stops", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end("ok"))
      yield* post(receiver.port).pipe(sending())
      yield* receiver.untilClosed
    })
  )
})

describe("TLS", () => {
  const https = (port: number, host = "receiver.example") =>
    Effect.flatMap(Outbound, (outbound) => outbound.post({ url: `https://${host}:${port}/`, headers: {}, body }))

  const trusting = Effect.acquireRelease(
    Effect.sync(() => {
      const before = tls.getCACertificates("default")
      tls.setDefaultCACertificates([...before, certificate])
      return before
    }),
    (before) => Effect.sync(() => tls.setDefaultCACertificates(before))
  )

  it.live("refuses an untrusted certificate", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end(), { tls: true })
      assert.match(
        failure(yield* https(receiver.port)),
        /^TLS failed: self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/
      )
      assert.strictEqual(receiver.received.length, 0)
    }).pipe(sending())
  )

  it.live("refuses it even with NODE_TLS_REJECT_UNAUTHORIZED=0", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
          return vi.spyOn(process, "emitWarning").mockImplementation(() => {})
        }),
        (warnings) =>
          Effect.sync(() => {
            warnings.mockRestore()
            vi.unstubAllEnvs()
          })
      )
      const receiver = yield* Receiver.make((response) => response.end(), { tls: true })
      assert.match(failure(yield* https(receiver.port)), /^TLS failed: self-signed certificate/)
    }).pipe(sending())
  )

  it.live("checks the certificate against the host name, and sends the host name as SNI", () =>
    Effect.gen(function* () {
      yield* trusting
      const receiver = yield* Receiver.make((response) => response.end("ok"), { tls: true })
      assert.strictEqual(failure(yield* https(receiver.port)), "answered 200")
      assert.strictEqual(failure(yield* https(receiver.port, "receiver.example.")), "answered 200")
      assert.strictEqual(receiver.received[1]?.servername, "receiver.example")
      assert.match(
        failure(yield* https(receiver.port, "other.example")),
        /^TLS failed: .*altnames: DNS:receiver\.example \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/
      )
      assert.match(
        failure(yield* https(receiver.port, "127.0.0.1")),
        /^TLS failed: .*\(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/
      )
      assert.strictEqual(receiver.received.length, 2)
    }).pipe(sending())
  )

  it.live("fails with a clear error if the receiver does not support it", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.make((response) => response.end())
      assert.match(failure(yield* https(receiver.port)), /^TLS failed: wrong version number \(/)
    }).pipe(sending())
  )
})
