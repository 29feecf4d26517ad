import * as Resolver from "../../../src/core/outbound/Resolver.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { errorCode, NameServersAway } from "../../../src/core/outbound/rules.ts"

const noError = 0
const serverFailure = 2
const noSuchName = 3
const typeA = 1

/**
 * A name server on the loopback that responds with 192.0.2.7 to every A query, or with the error `code`. It responds with no
 * records to other queries, or not at all if it is `silent`. To questions about the root zone, it responds with `rootCode`.
 */
const nameServer = (code: number, silent = false, rootCode = code) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (query, from) => {
        const question = query.subarray(12, query.indexOf(0, 12) + 5)
        const found = code === noError && question.readUInt16BE(question.length - 4) === typeA
        if (silent && !found) return
        const head = Buffer.alloc(12)
        query.copy(head, 0, 0, 2)
        const isRoot = question.length === 5
        head.writeUInt16BE(0x8180 | (isRoot ? rootCode : code), 2)
        head.writeUInt16BE(1, 4)
        head.writeUInt16BE(found ? 1 : 0, 6)
        const answer = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
        socket.send(Buffer.concat([head, question, ...(found ? [answer] : [])]), from.port, from.address)
      })
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  ).pipe(Effect.map((socket) => `127.0.0.1:${socket.address().port}`))

/** The result of resolving a name (or the code of the error), and the names that the system resolved for it. */
const resolving = Effect.fnUntraced(function* (hostname: string, code: number, privateNames: boolean) {
  const asked: Array<string> = []
  const resolve = Resolver.make({
    privateNames,
    nameServers: [yield* nameServer(code, false, noError)],
    system: async (name) => {
      asked.push(name)
      return ["192.0.2.99"]
    }
  })
  const found = yield* Effect.tryPromise({ try: () => resolve(hostname), catch: errorCode }).pipe(
    Effect.catch((error) => Effect.succeed([error]))
  )
  return { found, asked }
})

describe("a host name", () => {
  it.live("is resolved by the name servers, not by the system", () =>
    Effect.gen(function* () {
      for (const privateNames of [true, false]) {
        const expected = { found: ["192.0.2.7"], asked: [] }
        assert.deepEqual(yield* resolving("receiver.example", noError, privateNames), expected)
      }
    })
  )

  it.live("resolves without the address family for which a name server never responds", () =>
    Effect.gen(function* () {
      const nameServers = [yield* nameServer(noError, true)]
      const resolve = Resolver.make({ privateNames: false, nameServers, otherFamilyMillis: 20 })
      const began = performance.now()
      assert.deepEqual(yield* Effect.promise(() => resolve("receiver.example")), ["192.0.2.7"])
      assert.isBelow(performance.now() - began, 1000)
    })
  )

  it.live("is not passed to the system if the name servers fail", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* resolving("receiver.example", serverFailure, true), { found: ["ESERVFAIL"], asked: [] })
    })
  )
})

describe("with private names, a host name", () => {
  it.live("that the name servers do not know is resolved by the system", () =>
    Effect.gen(function* () {
      const expected = { found: ["192.0.2.99"], asked: ["receiver.example"] }
      assert.deepEqual(yield* resolving("receiver.example", noSuchName, true), expected)
    })
  )

  it.live("without a dot is resolved by the system at once", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* resolving("receiver", noError, true), { found: ["192.0.2.99"], asked: ["receiver"] })
      assert.deepEqual(yield* resolving("receiver.", noError, true), { found: ["192.0.2.99"], asked: ["receiver."] })
    })
  )

  it.live("of this machine is resolved by the system", () =>
    Effect.gen(function* () {
      const found = yield* Effect.promise(() => Resolver.make({ privateNames: true })("localhost"))
      assert.isNotEmpty(found)
      for (const address of found) assert.include(["127.0.0.1", "::1"], address)
    })
  )
})

describe("without private names, a host name", () => {
  it.live("that the name servers do not know does not resolve", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* resolving("receiver.example", noSuchName, false), { found: ["ENOTFOUND"], asked: [] })
    })
  )

  it.live("without a dot does not resolve", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* resolving("receiver", noError, false), { found: ["ENOTFOUND"], asked: [] })
      assert.deepEqual(yield* resolving("receiver.", noError, false), { found: ["ENOTFOUND"], asked: [] })
    })
  )

  it.live("is said to be unknown only by name servers that work", () =>
    Effect.gen(function* () {
      const codeOf = (nameServers: ReadonlyArray<string>, system?: Resolver.Resolve) =>
        Effect.promise(() =>
          Resolver.make({
            privateNames: system !== undefined,
            nameServers,
            ...(system === undefined ? {} : { system })
          })("receiver.example").then(
            (found) => found.join(),
            (error: unknown) => (error instanceof NameServersAway ? "away" : errorCode(error))
          )
        )
      const gone = yield* Effect.scoped(nameServer(noError))
      assert.strictEqual(yield* codeOf([gone]), "away")
      assert.strictEqual(yield* codeOf([yield* nameServer(serverFailure)]), "away")
      assert.strictEqual(yield* codeOf([yield* nameServer(serverFailure, false, noError)]), "ESERVFAIL")
      assert.strictEqual(yield* codeOf([yield* nameServer(noSuchName)]), "ENOTFOUND")
      assert.strictEqual(yield* codeOf([gone], async () => ["192.0.2.99"]), "192.0.2.99")
      assert.strictEqual(
        yield* codeOf([gone], () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }))),
        "away"
      )
    }).pipe(Effect.scoped)
  )
})
