import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DryRun, emptyOutcome } from "../../src/core/mutation/ChangeRecord.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { maxPerTeam } from "../../src/webhooks/Webhook.ts"
import { advance } from "../support/advance.ts"
import { aTeam, serviceWithWorker } from "./fixture.ts"

const url = "https://hooks.example.com/in"
const body = { url, events: ["contact.created"] }

/** The faults of a validation problem, each as `pointer code`, sorted. */
const faults = <A, E, R>(refused: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(refused), (error) =>
    (error as { readonly errors?: ReadonlyArray<{ pointer: string; code: string }> }).errors
      ?.map(({ code, pointer }) => `${pointer} ${code}`)
      .sort()
  )

const tagOf = <A, E extends { readonly _tag: string }, R>(refused: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(refused), ({ _tag }) => _tag)

layer(serviceWithWorker)("A webhook", (it) => {
  describe("when it is created", () => {
    it.effect("is active, and shows its secret", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const { replayed, value } = yield* team.subscribe({ ...body, name: "CRM" })
        assert.isFalse(replayed)
        assert.match(value.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.deepInclude(value, {
          ...body,
          name: "CRM",
          status: "active",
          disabledReason: null,
          disabledUtc: null,
          consecutiveExhausted: 0,
          etag: '"v1"',
          changeType: "created"
        })
        const read = yield* team.webhook(value.id)
        assert.notProperty(read, "secret")
        assert.deepStrictEqual({ ...read, secret: value.secret }, value)
      })
    )

    it.effect("is returned again with its secret for the same Idempotency-Key", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const first = yield* team.subscribe(body, "key")
        const second = yield* team.subscribe(body, "key")
        assert.isTrue(second.replayed)
        assert.deepStrictEqual(second.value, first.value)
      })
    )

    it.effect("has no plain secret in the database", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const { value } = yield* team.subscribe(body, "key")
        const [row] = yield* sql<{ everything: string }>`
          select string_agg(encode(sealed, 'escape'), ' ') as everything from (
            select secret_sealed as sealed from webhooks where team_id = ${team.teamId}
            union all select answer from idempotency_keys where team_id = ${team.teamId}
          ) as kept`
        assert.isNotEmpty(row?.everything)
        assert.notInclude(row?.everything, value.secret.slice("whsec_".length, 30))
      })
    )

    it.effect("is refused with all faults of the body at once", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        assert.deepStrictEqual(yield* faults(team.subscribe({ url: "http://10.0.0.1/", events: [], nam: "x" })), [
          "/events too_few",
          "/nam unknown_member",
          "/url forbidden_address"
        ])
        assert.deepStrictEqual(yield* faults(team.subscribe({ url, events: ["contact.created", "contact.created"] })), [
          "/events not_unique"
        ])
        assert.deepStrictEqual(yield* faults(team.subscribe({ url, events: ["contact.create", "task.*"] })), [
          "/events/0 not_allowed",
          "/events/1 not_allowed"
        ])
        assert.deepStrictEqual(yield* faults(team.subscribe({ ...body, url: "https://user@hooks.example.com/" })), [
          "/url credentials"
        ])
        assert.deepStrictEqual(yield* faults(team.subscribe({ ...body, url: `${url}?${"x".repeat(2048)}` })), [
          "/url too_long"
        ])
        assert.deepStrictEqual(yield* faults(team.subscribe({ events: ["contact.created"] })), ["/url required"])
      })
    )

    it.effect("is refused beyond twenty per team, even for concurrent requests", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const refused = yield* Effect.forEach(
          Array.from({ length: maxPerTeam + 5 }),
          () => Effect.match(team.subscribe(body), { onSuccess: () => "created", onFailure: ({ _tag }) => _tag }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          refused.filter((result) => result === "created"),
          maxPerTeam
        )
        assert.lengthOf(
          refused.filter((result) => result === "WebhookLimitReached"),
          5
        )
        const { data, page } = yield* team.list({ page_size: 15 })
        const rest = yield* team.list({ page_size: 15, cursor: page.nextCursor ?? "" })
        assert.lengthOf(new Set([...data, ...rest.data].map(({ id }) => id)), maxPerTeam)
        assert.isFalse(rest.page.hasMore)
        yield* team.unsubscribe(data[0]?.id ?? "")
        yield* team.subscribe(body)
      })
    )

    it.effect("is not stored in a dry run", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const outcome = emptyOutcome()
        const { value } = yield* Effect.provideService(team.subscribe(body), DryRun, outcome)
        assert.deepStrictEqual(outcome, {
          events: [],
          affected: [{ type: "webhook", id: value.id as `webhook_${string}`, change: "created" }],
          later: []
        })
        assert.strictEqual(yield* tagOf(team.webhook(value.id)), "NotFound")
      })
    )
  })

  describe("when it is changed", () => {
    it.effect("accepts the resource as it was read, created or disabled", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const { value } = yield* team.subscribe(body)
        assert.strictEqual((yield* team.patch(value.id, value)).etag, value.etag)
        yield* sql`update webhooks set status = 'disabled' where team_id = ${team.teamId}`
        const disabled = yield* team.webhook(value.id)
        assert.strictEqual((yield* team.patch(value.id, disabled)).etag, value.etag)
        const named = yield* team.patch(value.id, { ...disabled, name: "x" })
        assert.deepInclude(named, { status: "disabled", name: "x", etag: '"v2"' })
      })
    )

    it.effect("cannot be disabled or given another secret by a client", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const { value } = yield* team.subscribe(body)
        assert.deepStrictEqual(yield* faults(team.patch(value.id, { status: "disabled" })), ["/status not_allowed"])
        assert.deepStrictEqual(yield* faults(team.patch(value.id, { secret: "whsec_x" })), ["/secret read_only"])
        assert.deepStrictEqual(
          yield* faults(team.patch(value.id, { url: "https://127.0.0.9/", events: null, name: "" })),
          ["/events wrong_type", "/name blank", "/url forbidden_address"]
        )
      })
    )

    it.effect("keeps omitted members, and clears its name with null", () =>
      Effect.gen(function* () {
        const team = yield* aTeam()
        const { value } = yield* team.subscribe({ ...body, name: "CRM" })
        yield* advance("1 second")
        const changed = yield* team.patch(value.id, { name: null, events: ["link.deleted", "contact.created"] })
        assert.deepInclude(changed, { url, name: null, status: "active", etag: '"v2"', changeType: "updated" })
        assert.deepStrictEqual(changed.events, ["link.deleted", "contact.created"])
        assert.deepStrictEqual(yield* team.webhook(value.id), changed)
      })
    )

    it.effect("may subscribe, unsubscribe and subscribe again within one millisecond", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const team = yield* aTeam()
        const { value } = yield* team.subscribe(body)
        yield* team.patch(value.id, { events: ["link.created"] })
        yield* team.patch(value.id, { events: ["contact.created"] })
        assert.deepStrictEqual(
          yield* sql`
            select event_type from webhook_subscriptions
            where team_id = ${team.teamId} and until_at is null`,
          [{ event_type: "contact.created" }]
        )
      })
    )
  })

  it.effect("is gone after its deletion, with its secret", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const team = yield* aTeam()
      const { value } = yield* team.subscribe(body)
      yield* team.unsubscribe(value.id)
      assert.strictEqual(yield* tagOf(team.webhook(value.id)), "NotFound")
      assert.strictEqual(yield* tagOf(team.unsubscribe(value.id)), "NotFound")
      assert.isEmpty((yield* team.list({})).data)
      assert.deepStrictEqual(
        yield* sql`select length(secret_sealed) as secret, url, name from webhooks where team_id = ${team.teamId}`,
        [{ secret: 0, url: "", name: null }]
      )
    })
  )

  it.effect("belongs to its team, whose active members see it, and whose administrators and brokers manage it", () =>
    Effect.gen(function* () {
      const team = yield* aTeam({ broker: null })
      const { value } = yield* team.subscribe(body)
      const stranger = yield* aTeam()
      assert.strictEqual(yield* tagOf(stranger.webhook(value.id)), "NotFound")
      assert.strictEqual(yield* tagOf(stranger.patch(value.id, {})), "NotFound")
      assert.strictEqual(yield* tagOf(stranger.unsubscribe(value.id)), "NotFound")
      const broker = yield* aTeam({ role: "member" })
      yield* broker.unsubscribe((yield* broker.subscribe(body)).value.id)
      const member = yield* aTeam({ role: "member", broker: null, investor: "active" })
      assert.deepStrictEqual((yield* member.list({})).data, [])
      assert.strictEqual(yield* tagOf(member.subscribe(body)), "CapabilityRequired")
      const invited = yield* aTeam({ membership: "pending" })
      assert.strictEqual(yield* tagOf(invited.list({})), "MembershipPending")
      assert.strictEqual(yield* tagOf(invited.subscribe(body)), "MembershipPending")
    })
  )
})
