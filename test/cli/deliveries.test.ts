/** The commands `deliveries list`, `show` and `retry`. */
import * as Id from "../../src/core/Id.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Database } from "../../src/platform/db/Database.ts"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import type { ReportedDelivery, ReportedDeliveryDetails } from "../../src/webhooks/deliveries/Delivery.ts"
import { runToEnd } from "../support/Admin.ts"
import { aTeam, serviceWithWorker } from "../webhooks/fixture.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const run = (...args: ReadonlyArray<string>) => runToEnd(["deliveries", ...args])

/** The answer of a command with `--json`, which succeeds. */
const answerOf = Effect.fnUntraced(function* <A>(...args: ReadonlyArray<string>) {
  const { err, ok, out } = yield* run(...args, "--json")
  assert.isTrue(ok, err)
  return JSON.parse(out) as A
})

const list = (...args: ReadonlyArray<string>) => answerOf<ReadonlyArray<ReportedDelivery>>("list", ...args)

/** A team with a webhook, and a receiver that responds with the current `answer`. */
const aSubscriber = Effect.fnUntraced(function* (first: number) {
  const answer = { status: first }
  const receiver = yield* Receiver.make((response) => response.writeHead(answer.status).end("out of order"))
  const team = yield* aTeam()
  const url = `http://hooks.example.com:${receiver.port}/in`
  const { id } = (yield* team.subscribe({ url, name: "CRM", events: ["contact.*"] })).value
  return { ...team, answer, received: receiver.received, id, url, team: Id.fromUuid("team", team.teamId) }
})

/** Three deliveries, each a second after the one before. */
const threeIn = (team: Effect.Success<ReturnType<typeof aSubscriber>>) =>
  Effect.repeat(
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      yield* team.addContact
      yield* drain
    }),
    { times: 2 }
  )

layer(serviceWithWorker)("deliveries", (it) => {
  it.effect("lists those of all teams, the newest first, as JSON, as lines of JSON and as a table", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aSubscriber(400), yield* aSubscriber(204)]
      yield* threeIn(one)
      yield* threeIn(other)
      const all = yield* list("--limit", "6")
      assert.deepStrictEqual(
        all.map(({ status, teamId }) => `${teamId} ${status}`),
        [...Array(3).fill(`${other.team} delivered`), ...Array(3).fill(`${one.team} failed`)]
      )
      assert.deepStrictEqual(
        all.map(({ createdUtc }) => createdUtc),
        all
          .map(({ createdUtc }) => createdUtc)
          .toSorted()
          .reverse()
      )
      // The members of the API, and whose delivery it is.
      const [ofApi] = (yield* one.log(one.id)).data
      expect(all[3]).toEqual({ ...ofApi, teamId: one.team, webhookId: one.id, webhookName: "CRM" })
      const lines = (yield* run("list", "--limit", "6", "--ndjson")).out.split("\n")
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line)),
        [...all]
      )
      const { out } = yield* run("list", "--team", one.team)
      const [head, row, ...rest] = out.split("\n")
      assert.lengthOf(rest, 2)
      assert.deepStrictEqual(head?.split(/ {2,}/).slice(0, 3), ["STATUS", "ATTEMPTS", "LAST"])
      assert.deepStrictEqual(row?.split(/ {2,}/).slice(0, 4), ["failed", "1", "400", "The receiver answered 400."])
    })
  )

  it.effect("lists by team, webhook, state, type of event and time, more than are read at once", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aSubscriber(500), yield* aSubscriber(204)]
      yield* threeIn(one)
      yield* threeIn(other)
      const between = (yield* list("--team", one.team))[0]?.createdUtc ?? ""
      const contact = yield* other.addContact
      yield* other.renameContact(contact.id, "Other")
      yield* drain
      const countOf = (...args: ReadonlyArray<string>) => Effect.map(list(...args), (found) => found.length)
      assert.strictEqual(yield* countOf("--team", one.team), 3)
      assert.strictEqual(yield* countOf("--webhook", other.id), 5)
      assert.strictEqual(yield* countOf("--webhook", other.id, "--outcome", "failed"), 0)
      assert.strictEqual(yield* countOf("--team", one.team, "--outcome", "failed"), 3)
      assert.strictEqual(yield* countOf("--webhook", one.id, "--team", other.team), 0)
      assert.strictEqual(yield* countOf("--webhook", other.id, "--event", "contact.updated"), 1)
      assert.strictEqual(yield* countOf("--webhook", one.id, "--since", between), 1)
      assert.strictEqual(yield* countOf("--webhook", one.id, "--limit", "2"), 2)
      const sql = yield* Database
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* sql`
        with inserted as (
          insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
          select gen_random_uuid(), pg_current_xact_id(), ${one.teamId}::uuid, 'msg_' || gen_random_uuid(), 'contact.deleted',
            'contact', gen_random_uuid(), ${at}::timestamptz, '{}'
          from generate_series(1, 700)
          returning id
        )
        insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at)
        select gen_random_uuid(), ${one.teamId}::uuid, ${Id.toUuid("webhook", one.id)}::uuid, id, 'contact.deleted', 'exhausted',
          ${at}::timestamptz
        from inserted`
      const exhausted = yield* list("--outcome", "exhausted", "--limit", "1000", "--team", one.team)
      assert.strictEqual(new Set(exhausted.map(({ id }) => id)).size, 700)
    })
  )

  it.effect("shows one of any team with every attempt, and the payload byte for byte", () =>
    Effect.gen(function* () {
      const team = yield* aSubscriber(500)
      yield* team.addContact
      yield* drain
      const [{ id = "" } = {}] = yield* list("--webhook", team.id)
      const shown = yield* answerOf<ReportedDeliveryDetails>("show", id)
      expect(shown).toEqual({
        ...(yield* team.delivery(team.id, id)),
        teamId: team.team,
        webhookId: team.id,
        webhookName: "CRM",
        webhookStatus: "active",
        url: team.url
      })
      assert.strictEqual(shown.request.body, team.received[0]?.body.toString())
      const lines = (yield* run("show", id)).out.split("\n")
      assert.strictEqual(lines.at(-1), shown.request.body)
      const attempt = lines.find((line) => line.startsWith("1  ")) ?? ""
      assert.deepStrictEqual(attempt.split(/ {2,}/), [
        "1",
        shown.attempts[0]?.startedUtc,
        "500",
        `${shown.attempts[0]?.durationMs} ms`,
        "The receiver answered 500.",
        "out of order"
      ])
    })
  )

  it.effect("refuses what is not there", () =>
    Effect.gen(function* () {
      for (const [args, error] of [
        [["show", "dlv_x"], "There is no delivery with this id."],
        [
          ["list", "--event", "contact.creatd"],
          'Invalid value for flag --event: "contact.creatd". Expected: a type that docs/behaviour/webhooks.md#event-types lists (See `deliveries list --help`.)'
        ],
        [["retry", "dlv_x"], "There is no delivery with this id."],
        [["list", "--webhook", "webhook_x"], "There is no webhook with this id."],
        [["list", "--team", "team_x"], "--team: There is no team with this id."],
        [["retry", "--webhook", "webhook_x", "--failed", "--since", "1h"], "There is no webhook with this id."]
      ] as const) {
        const { err, ok } = yield* run(...args)
        assert.deepStrictEqual([ok, err], [false, error])
      }
    })
  )

  it.effect("sends deliveries again as the API does, and nothing in a dry run", () =>
    Effect.gen(function* () {
      const team = yield* aSubscriber(500)
      yield* threeIn(team)
      const [first, second, third] = (yield* list("--team", team.team)).map(({ id }) => id)
      if (first === undefined || second === undefined || third === undefined) return yield* Effect.die("no deliveries")
      const before = yield* list("--team", team.team)
      const dry = yield* answerOf<{ result: object; affected: ReadonlyArray<object> }>(
        "retry",
        first,
        second,
        "--dry-run"
      )
      assert.deepStrictEqual(dry.result, { queued: 2, refused: [] })
      expect(dry.affected).toEqual([first, second].map((id) => ({ type: "delivery", id, change: "updated" })))
      assert.deepStrictEqual(yield* list("--team", team.team), before)
      team.answer.status = 204
      assert.deepStrictEqual(yield* answerOf("retry", first, "dlv_x", second), {
        queued: 2,
        refused: [{ id: "dlv_x", code: "not_found", detail: "There is no delivery with this id." }]
      })
      yield* team.retry(team.id, third)
      yield* drain
      const entries = yield* runToEnd(["audit", "list", "--action", "delivery.retried", "--team", team.team, "--json"])
      assert.sameDeepMembers(
        (JSON.parse(entries.out) as ReadonlyArray<{ target: { id: string }; actor: { kind: string } }>).map(
          ({ actor, target }) => [target.id, actor.kind]
        ),
        [
          [first, "operator"],
          [second, "operator"],
          [third, "user"]
        ]
      )
      const states = yield* Effect.forEach(
        yield* list("--team", team.team),
        ({ createdUtc: _, eventId: __, id, ...row }) =>
          Effect.map(team.delivery(team.id, id), ({ attempts }) => ({
            ...row,
            lastAttemptUtc: undefined,
            deliveredUtc: undefined,
            attempts: attempts.map(({ statusCode }) => statusCode)
          }))
      )
      const [byCommand, , byApi] = states
      expect(byCommand).toMatchObject({ status: "delivered", attemptCount: 1, attempts: [500, 204] })
      assert.deepStrictEqual(byApi, { ...byCommand, attempts: byApi?.attempts ?? [] })
      assert.deepStrictEqual(byApi?.attempts.at(-1), 204)
      assert.strictEqual(
        new Set(team.received.map(({ headers }) => headers["webhook-id"])).size,
        3,
        "the same messages again"
      )
    })
  )

  it.effect("sends the failed deliveries of a webhook since a time again", () =>
    Effect.gen(function* () {
      const team = yield* aSubscriber(400)
      yield* threeIn(team)
      const [, second] = yield* list("--team", team.team)
      const since = second?.createdUtc ?? ""
      const bulk = ["retry", "--webhook", team.id, "--failed", "--since", since]
      expect(yield* answerOf(...bulk, "--dry-run")).toMatchObject({ result: { queued: 2, refused: [] } })
      team.answer.status = 204
      assert.strictEqual((yield* run(...bulk)).out, "2 deliveries were queued.")
      yield* drain
      assert.deepStrictEqual(
        (yield* list("--team", team.team)).map(({ status }) => status),
        ["delivered", "delivered", "failed"]
      )
      yield* team.patch(team.id, { status: "paused" })
      const paused = yield* run(...bulk)
      assert.deepStrictEqual([paused.ok, paused.err], [false, (yield* run("retry", second?.id ?? "")).err])
      assert.include(paused.err, "paused")
    })
  )

  it.effect("says how it wants to be called", () =>
    Effect.gen(function* () {
      for (const [args, error] of [
        [["retry"], "ID: Name deliveries, or a webhook with --failed and --since."],
        [["retry", "dlv_1", "--failed"], "ID: Name deliveries, or a webhook, but not both."],
        [
          ["retry", "--webhook", "webhook_1", "--since", "1h"],
          "--failed: Is required with --webhook: only those are sent again."
        ],
        [["retry", "--failed", "--since", "1h"], "--webhook: Is required with --failed and --since."]
      ] as const) {
        assert.strictEqual((yield* run(...args)).err, error)
      }
    })
  )
})
