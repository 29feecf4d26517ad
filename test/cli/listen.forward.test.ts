/** `admin listen --forward --replay-since`, in this process and with the test's clock. The test delivers the events. */
import * as Id from "../../src/core/Id.ts"
import * as Signature from "../../src/webhooks/Signature.ts"
import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { Webhook as Verifier } from "standardwebhooks"
import { timeOf } from "../../src/cli/Command.ts"
import { urlOf } from "../../src/cli/listen.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { fixture } from "../core/auth/fixture.ts"
import { start } from "../support/Admin.ts"
import { eventually } from "../support/polling.ts"

/** Runs `listen` for a team; `deliver` posts an event as the delivery worker does. */
const listening = Effect.fnUntraced(function* (id: string, ...args: ReadonlyArray<string>) {
  const sql = yield* Database
  yield* TestClock.setTime(Date.now())
  const { fiber, lines } = yield* start(["listen", "--team", id, ...args])
  const secret = yield* eventually(() => {
    const [, secret] = /signed with (whsec_\S+)$/.exec(lines.err[1] ?? "") ?? []
    assert.isDefined(secret)
    return secret ?? ""
  })
  const [webhook] = yield* sql<{ url: string }>`
    select url from webhooks where team_id = ${Id.toUuid("team", id) ?? null} and deleted_at is null`
  const deliver = Effect.fnUntraced(function* (messageId: string, body: string, signedWith = secret) {
    const bytes = new TextEncoder().encode(body)
    const headers = Signature.headers({
      id: messageId,
      timestampSeconds: Math.floor(Date.now() / 1000),
      body: bytes,
      secrets: [signedWith],
      eventType: "contact.created"
    })
    yield* Effect.promise(() => fetch(webhook?.url ?? "", { method: "POST", headers, body: bytes }))
    return headers
  })
  return { fiber, lines, secret, deliver }
})

/** Inserts an event as a change at that time does. */
const anEvent = Effect.fnUntraced(function* (team: string, messageId: string, at: Date) {
  const sql = yield* Database
  const random = yield* SecureRandom.SecureRandom
  yield* sql`
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    values (${yield* random.uuidV7()}, pg_current_xact_id(), ${team}, ${messageId}, 'contact.created', 'contact', ${yield* random.uuidV7()}, ${at},
      ${bodyOf(messageId)})`
})

const bodyOf = (name: string) => `{"event":"contact.created",  "resource_id":"${name}","é":1}`

const ids = (receiver: Receiver.Receiver) => receiver.received.map(({ headers }) => headers["webhook-id"])

layer(fixture)("The command listen --forward", (it) => {
  it.effect("forwards each verified event unchanged and in order, and prints the result", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      const answers = [204, 500, 302]
      const target = yield* Receiver.make((response) => {
        response.writeHead(answers.shift() ?? 200, { Location: "/other" }).end()
      })
      const { deliver, fiber, lines, secret } = yield* listening(
        team,
        "--forward",
        `http://localhost:${target.port}/hook?a=b`
      )
      assert.include(
        lines.err[1],
        `Each event is forwarded to http://localhost:${target.port}/hook?a=b, signed with whsec_`
      )
      const sent = yield* deliver("msg_1", bodyOf("one"))
      yield* deliver("msg_2", bodyOf("two"))
      yield* deliver("msg_x", bodyOf("forged"), Signature.makeSecret(new Uint8Array(32)))
      yield* deliver("msg_3", bodyOf("three"))
      yield* eventually(() => assert.lengthOf(lines.out, 4))
      assert.match(
        lines.out[0] ?? "",
        /^\S+ contact\.created one {2}\(msg_1, signature verified, accepted: 204 in \d+ ms\)\n/
      )
      assert.match(lines.out[1] ?? "", /\(msg_2, signature verified, NOT ACCEPTED: 500 in \d+ ms\)/)
      assert.match(lines.out[2] ?? "", /\(msg_x, SIGNATURE WRONG\)$/)
      assert.match(lines.out[3] ?? "", /NOT ACCEPTED: 302 in/)
      assert.deepStrictEqual(ids(target), ["msg_1", "msg_2", "msg_3"])
      const [first] = target.received
      assert.deepInclude(first, { method: "POST", path: "/hook?a=b", body: Buffer.from(bodyOf("one")) })
      for (const [name, value] of Object.entries(sent)) assert.strictEqual(first?.headers[name.toLowerCase()], value)
      assert.strictEqual(first?.headers.host, `localhost:${target.port}`)
      for (const { body, headers } of target.received) {
        new Verifier(secret).verify(body, headers as Record<string, string>)
      }
      yield* Fiber.interrupt(fiber)
      const sql = yield* Database
      assert.lengthOf(
        yield* sql`select from webhooks where team_id = ${Id.toUuid("team", team) ?? null} and deleted_at is null`,
        0
      )
    })
  )

  it.effect("prints only payloads to standard output with --json, and signs events again that had to wait", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      const held: Array<(status: number) => void> = []
      const target = yield* Receiver.make((response) => held.push((status) => response.writeHead(status).end()))
      const { deliver, fiber, lines, secret } = yield* listening(
        team,
        "--json",
        "--forward",
        `http://127.0.0.1:${target.port}/`
      )
      yield* deliver("msg_1", bodyOf("one"))
      const stale = yield* deliver("msg_2", bodyOf("two"))
      yield* eventually(() => assert.lengthOf(held, 1))
      yield* TestClock.adjust("2 minutes")
      held[0]?.(204)
      yield* eventually(() => assert.lengthOf(held, 2))
      const headers = target.received[1]?.headers as Record<string, string>
      assert.isAbove(Number(headers["webhook-timestamp"]), Number(stale["webhook-timestamp"]) + 100)
      new Verifier(secret).verify(target.received[1]?.body ?? "", headers)
      held[1]?.(503)
      yield* eventually(() => assert.lengthOf(lines.out, 2))
      assert.deepStrictEqual(lines.out, [bodyOf("one"), bodyOf("two")])
      yield* eventually(() => assert.lengthOf(lines.err, 4))
      assert.match(lines.err[2] ?? "", /^msg_1 contact\.created: accepted: 204 in \d+ ms$/)
      assert.match(lines.err[3] ?? "", /^msg_2 contact\.created: NOT ACCEPTED: 503 in \d+ ms$/)
      // It can also be stopped in the middle of an event.
      yield* deliver("msg_3", bodyOf("three"))
      yield* eventually(() => assert.lengthOf(held, 3))
      yield* Fiber.interrupt(fiber)
      yield* eventually(() => assert.isTrue(target.connections.every((socket) => socket.destroyed)))
      assert.lengthOf(lines.out, 2)
    })
  )

  it.effect("reports that the program is unreachable, and continues", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      const port = yield* Effect.scoped(
        Effect.map(
          Receiver.makeRaw(() => {}),
          (gone) => gone.port
        )
      )
      const { deliver, fiber, lines } = yield* listening(team, "--forward", `http://127.0.0.1:${port}/`)
      yield* deliver("msg_1", bodyOf("one"))
      yield* deliver("msg_2", bodyOf("two"))
      yield* eventually(() => assert.lengthOf(lines.out, 2))
      const refused = "signature verified, NOT ACCEPTED: The receiver refused the connection (ECONNREFUSED))"
      for (const line of lines.out) assert.include(line, refused)
      yield* Fiber.interrupt(fiber)
    })
  )
})

layer(fixture)("The command listen --replay-since", (it) => {
  it.effect("prints the events since then, and then each new event once, including those of concurrent changes", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      const other = yield* Tenant.make()
      const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
      yield* anEvent(teamId, "msg_old", ago(61))
      yield* anEvent(teamId, "msg_b", ago(20))
      yield* anEvent(teamId, "msg_a", ago(40))
      yield* anEvent(other.teamId, "msg_other", ago(20))
      const target = yield* Receiver.make((response) => response.end())
      const { deliver, fiber, lines, secret } = yield* listening(
        team,
        "--replay-since",
        "1h",
        "--forward",
        `http://127.0.0.1:${target.port}/`
      )
      yield* eventually(() => assert.match(lines.err.at(-1) ?? "", /^2 events since \d{4}-\S+Z\. New events follow\.$/))
      assert.match(lines.out[0] ?? "", /contact\.created msg_a {2}\(msg_a, from the journal, accepted: 200 in/)
      for (const { body, headers } of target.received)
        new Verifier(secret).verify(body, headers as Record<string, string>)
      assert.strictEqual(String(target.received[0]?.body), bodyOf("msg_a"))

      yield* deliver("msg_c", bodyOf("msg_c"))
      // Delivered again by the subscription, or begun before it and committed after the journal was read.
      yield* deliver("msg_c", bodyOf("msg_c"))
      yield* anEvent(teamId, "msg_late", new Date(Date.now() - 15_000))
      yield* eventually(() => assert.lengthOf(lines.out, 3))
      yield* TestClock.adjust("30 seconds")
      yield* eventually(() => assert.lengthOf(lines.out, 4))
      yield* deliver("msg_late", bodyOf("msg_late"))
      yield* deliver("msg_d", bodyOf("msg_d"))
      yield* eventually(() => assert.lengthOf(lines.out, 5))
      assert.deepStrictEqual(ids(target), ["msg_a", "msg_b", "msg_c", "msg_late", "msg_d"])
      yield* Fiber.interrupt(fiber)
    })
  )
})

layer(fixture)("The command listen refuses", (it) => {
  it.effect.each([
    [["--forward", "localhost:8080"], /^[^\n]*--forward[^\n]*Must be an http:\/\/ or https:\/\/ URL[^\n]*$/],
    [["--forward", "ftp://localhost/"], /Must be an http/],
    [
      ["--replay-since", "yesterday"],
      /^[^\n]*--replay-since[^\n]*such as 2026-11-20T10:00Z, or an age: 30m, 2h, 1d\.[^\n]*$/
    ],
    [["--replay-since", "2999-01-01"], /^--replay-since: Must not be in the future\.$/]
  ] as const)("%j, in one line", ([args, line]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const { fiber, lines } = yield* start(["listen", ...args])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
      assert.lengthOf(lines.err, 1)
      assert.match(lines.err[0] ?? "", line)
      assert.lengthOf(lines.out, 0)
    })
  )
})

describe("A URL to forward to", () => {
  it.each(["http://localhost:8080/hook", "https://10.0.0.1/", "http://[::1]:80", "HTTP://host.docker.internal/a?b"])(
    "may be %s",
    (url) => assert.deepStrictEqual(urlOf(url), Option.some(url))
  )
  it.each(["", "localhost:8080", "/hook", "ftp://a/", "http://user@a/", "http://a/#b", "http://"])("is not %j", (url) =>
    assert.deepStrictEqual(urlOf(url), Option.none())
  )
})

describe("A time to replay from", () => {
  const now = new Date("2026-11-21T12:00:00Z")
  it.each([
    ["2026-11-20T10:00Z", "2026-11-20T10:00:00.000Z"],
    ["2026-11-20T10:00:30.5+02:00", "2026-11-20T08:00:30.500Z"],
    ["2026-11-20", "2026-11-20T00:00:00.000Z"],
    ["30m", "2026-11-21T11:30:00.000Z"],
    ["2h", "2026-11-21T10:00:00.000Z"],
    ["1d", "2026-11-20T12:00:00.000Z"]
  ])("may be %s", (text, moment) => assert.strictEqual(Option.getOrThrow(timeOf(text))(now).toISOString(), moment))

  it.each(["", "2h30m", "-1h", "h", "1w", "2026-11-20T10:00", "2026-02-30", "10:00", "1e3h"])("is not %j", (text) =>
    assert.isTrue(Option.isNone(timeOf(text)))
  )
})
