/** Offers over HTTP and in the name of people: who receives them, what they show, and what the answers do. */
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { offerFilters } from "../../../src/deals/offers/Offer.ts"
import { TestService } from "../../support/TestService.ts"
import { broker, deal, investor } from "./OffersClient.ts"

const eventsOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  rows.map((row) => [row["event"], (row["action"] as { readonly type?: unknown } | undefined)?.type ?? null])

layer(TestService.layer, { excludeTestServices: true })("An offer", (it) => {
  it.effect("reaches the investor when the teaser is communicated, and shows the teaser alone", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const [offer] = yield* buyer.offers()
      assert.deepInclude(offer, {
        id: offerId,
        status: "unanswered",
        category: "buying",
        capabilities: [],
        brokerContact: null,
        recipient: { id: buyer.user, name: "Anna Berg" },
        roomId: null,
        matchedMandateIds: [],
        readUtc: null,
        answeredUtc: null,
        rejectionReason: null
      })
      const [received, ends] = [offer?.receivedUtc ?? "", offer?.expiresUtc ?? ""]
      assert.strictEqual(Date.parse(ends) - Date.parse(received), 30 * 86_400_000)
      assert.deepInclude(offer?.teaser, { title: "Office, Germany", country: "DE", region: null, locality: null })
      const after = yield* seller.prospect(prospect.id)
      assert.deepInclude(after, { stage: "teaser", communicated: true, accepted: false, chat: false })
      assert.deepStrictEqual(eventsOf(yield* buyer.events), [["offer.created", null]])
    })
  )

  it.effect("is marked as read by the first look at it, once, and answers 304 while it is unchanged", () =>
    Effect.gen(function* () {
      const { buyer, offerId } = yield* deal()
      assert.strictEqual((yield* buyer.offers("unread")).length, 1)
      const looks = yield* Effect.all([buyer.get(offerId), buyer.get(offerId), buyer.get(offerId)], {
        concurrency: "unbounded"
      })
      for (const { body, headers, status } of looks) {
        assert.strictEqual(status, 200)
        assert.isNotNull(body.readUtc)
        assert.strictEqual(headers.get("etag"), body.etag)
      }
      assert.deepStrictEqual(
        eventsOf(yield* buyer.events).filter(([event]) => event === "offer.read"),
        [["offer.read", "read"]]
      )
      assert.deepStrictEqual(yield* buyer.offers("unread"), [])
      const { body } = yield* buyer.get(offerId)
      assert.strictEqual((yield* buyer.get(offerId, { "if-none-match": body.etag })).status, 304)
      const mandate = yield* Effect.flatMap(TestService, ({ request }) =>
        request<{ readonly id: string }>("POST", "/api/v1/mandates", {
          token: buyer.token,
          json: { name: "Offices", categories: ["office"], country: "DE" }
        })
      )
      const matched = yield* buyer.get(offerId, { "if-none-match": body.etag })
      assert.strictEqual(matched.status, 200)
      assert.deepStrictEqual(matched.body.matchedMandateIds, [mandate.body.id])
    })
  )

  it.effect("is accepted with everything that this means for the broker, in one transaction", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const accepted = yield* buyer.accept(offerId)
      assert.deepInclude(accepted, { status: "accepted", capabilities: ["chat"], brokerContact: null })
      yield* seller.ask("PATCH", `/api/v1/projects/${seller.projectId}`, { ownerId: "me" })
      const shown = (yield* buyer.get(offerId)).body
      assert.deepInclude(shown.brokerContact, { id: seller.user, name: "Anna Berg", email: seller.email })
      const after = yield* seller.prospect(prospect.id)
      assert.deepInclude(after, { accepted: true, chat: true, invitation: false })
      const [row] = yield* seller.rows(prospect.id)
      assert.deepInclude(row, { event: "prospect.accepted", type: "audit", actor: { id: null, name: null } })
      const sent = (yield* seller.brokerEvents).filter(({ resource_id }) => resource_id === prospect.id).slice(-2)
      assert.deepStrictEqual(eventsOf(sent), [
        ["prospect.updated", "accepted"],
        ["prospect.accepted", "accepted"]
      ])
      assert.deepInclude(sent[0], { changed_fields: ["accepted", "chat"], actor_user_id: null })
      // The same again changes nothing, the other answer is refused.
      const before = (yield* seller.brokerEvents).length
      assert.strictEqual((yield* buyer.accept(offerId)).answeredUtc, accepted.answeredUtc)
      assert.deepInclude(yield* Effect.flip(buyer.reject(offerId)), { code: "offer_answered", answer: "accepted" })
      assert.strictEqual((yield* seller.brokerEvents).length, before)
    })
  )

  it.effect("is rejected with its reason, and records an interest where there is none", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const rejected = yield* buyer.reject(offerId, "Too far north")
      assert.deepInclude(rejected, { status: "rejected", rejectionReason: "Too far north", brokerContact: null })
      assert.deepInclude(yield* seller.prospect(prospect.id), { interest: "not_interested", accepted: false })
      const rows = yield* seller.rows(prospect.id)
      assert.sameMembers(
        rows.slice(0, 2).map(({ event }) => event),
        ["prospect.rejected", "prospect.interest_changed"]
      )
      assert.deepStrictEqual(rows.find(({ event }) => event === "prospect.rejected")?.["details"], {
        kind: "audit",
        message: "Too far north"
      })
      assert.notInclude(JSON.stringify(yield* seller.brokerEvents), "Too far north")
      assert.notInclude(JSON.stringify(yield* buyer.events), "Too far north")

      const other = yield* deal()
      yield* other.seller.ask("PATCH", `${other.seller.path}/${other.prospect.id}`, { interest: "maybe" })
      yield* other.buyer.reject(other.offerId)
      assert.strictEqual((yield* other.seller.prospect(other.prospect.id)).interest, "maybe")
    })
  )

  it.effect("is refreshed by communicating again, and nothing is written twice where nothing changed", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const state = Effect.gen(function* () {
        return {
          rows: (yield* seller.rows(prospect.id)).length,
          events: (yield* seller.brokerEvents).length,
          received: (yield* buyer.events).length,
          etag: (yield* buyer.list()).body.data[0]?.etag
        }
      })
      const before = yield* state
      const again = yield* Effect.all([seller.communicate(), seller.communicate({ all: true, expires: "30d" })], {
        concurrency: "unbounded"
      })
      for (const sent of again) {
        assert.deepStrictEqual(sent, { communicated: [{ prospectId: prospect.id, offerIds: [offerId] }], failed: [] })
      }
      assert.deepStrictEqual(yield* state, before)

      yield* seller.patch(seller.projectId, { options: { location: "locality" } })
      assert.strictEqual((yield* buyer.offers())[0]?.teaser?.locality, null)
      yield* seller.communicate({ prospectIds: [prospect.id] })
      const [shown] = yield* buyer.offers()
      assert.deepInclude(shown?.teaser, { locality: "München", title: "Office, München" })
      assert.strictEqual((yield* seller.rows(prospect.id)).length, before.rows + 1)
      assert.deepInclude((yield* buyer.events).at(-1), {
        event: "offer.updated",
        changed_fields: ["teaser", "matched_mandate_ids"],
        action: { type: "communicated" }
      })
    })
  )

  it.effect("goes to the prospects that are named, and the answer says why others got nothing", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const [one, two] = [yield* investor(), yield* investor()]
      const [first, second] = [yield* seller.prospectFor(one.email), yield* seller.prospectFor(two.email)]
      yield* seller.ask("POST", `${seller.path}/${second.id}/remove`)
      const unknown = first.id.replace(/.{4}$/, "0000")
      const sent = yield* seller.communicate({ prospectIds: [first.id, second.id, unknown, "prospect_x", first.id] })
      assert.deepStrictEqual(
        sent.communicated.map(({ prospectId }) => prospectId),
        [first.id]
      )
      assert.deepStrictEqual(
        sent.failed.map(({ code, prospectId }) => [prospectId, code]),
        [
          [second.id, "prospect_removed"],
          [unknown, "not_found"],
          ["prospect_x", "not_found"]
        ]
      )
      assert.deepStrictEqual(yield* two.offers(), [])

      const other = yield* broker()
      assert.deepStrictEqual((yield* other.communicate({ prospectIds: [unknown] })).communicated, [])
      const project = yield* other.ask<{ readonly communicatedUtc: unknown }>(
        "GET",
        `/api/v1/projects/${other.projectId}`
      )
      assert.isNull(project.body.communicatedUtc)
    })
  )

  it.effect("is not made of a teaser that is not published, of a closed project, or with an end in the past", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      yield* seller.prospectFor("nobody@example.com")
      const draft = yield* seller.project(yield* seller.property())
      assert.deepInclude(yield* Effect.flip(seller.communicate({ all: true }, draft)), { code: "teaser_not_published" })
      const fault = { in: "body", pointer: "/expires", code: "invalid_expiry" }
      for (const expires of ["soon", "2020-01-01", "0s"]) {
        const refused = yield* Effect.flip(seller.communicate({ all: true, expires }))
        assert.deepInclude((refused as { readonly errors?: ReadonlyArray<object> }).errors?.[0], fault)
      }
      for (const none of [{}, { all: false }, { all: true, prospectIds: ["prospect_x"] }]) {
        assert.deepInclude(yield* Effect.flip(seller.communicate(none)), { code: "invalid_request" })
      }
      yield* seller.ask("POST", `/api/v1/projects/${seller.projectId}/close`)
      assert.deepInclude(yield* Effect.flip(seller.communicate()), { code: "project_closed" })
    })
  )

  it.effect("of a company reaches each team of its contacts once, whatever the case of their addresses", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const [one, two] = [yield* investor(), yield* investor()]
      const sql = yield* Database
      // A colleague of the first one.
      const colleague = yield* investor()
      yield* Effect.orDie(sql`update memberships set team_id = ${one.teamId} where user_id = ${colleague.userId}`)
      const prospect = yield* seller.companyFor([
        one.email.toUpperCase(),
        colleague.email,
        two.email,
        "nobody@example.com"
      ])
      const sent = yield* seller.communicate()
      assert.strictEqual(sent.communicated[0]?.offerIds.length, 2)
      const [offer] = yield* one.offers()
      assert.include([one.user, colleague.user], offer?.recipient.id)
      assert.strictEqual((yield* one.offers()).length, 1)
      assert.strictEqual((yield* two.offers()).length, 1)

      // Both teams may answer; each answer is its own.
      yield* one.accept(offer?.id ?? "")
      const [others] = yield* two.offers()
      assert.deepInclude(others, { status: "unanswered", brokerContact: null })
      yield* two.reject(others?.id ?? "")
      assert.deepInclude(yield* seller.prospect(prospect.id), { accepted: true, interest: "not_interested" })
    })
  )

  it.effect("is listed by every filter, the newest first, and in pages", () =>
    Effect.gen(function* () {
      const buyer = yield* investor()
      const sellers = yield* Effect.forEach(Array.from({ length: 5 }), () => broker())
      const ids: Array<string> = []
      for (const seller of sellers) {
        yield* seller.prospectFor(buyer.email)
        const sent = yield* seller.communicate()
        ids.push(sent.communicated[0]?.offerIds[0] ?? "")
      }
      for (const seller of [yield* broker(), yield* broker()]) {
        const prospect = yield* seller.prospectFor(buyer.email)
        yield* seller.invite(prospect.id)
        ids.push((yield* buyer.offers())[0]?.id ?? "")
      }
      const [oldest = "", accepted = "", rejected = "", removed = "", looked = "", joined = "", invited = ""] = ids
      yield* buyer.accept(accepted)
      yield* buyer.reject(rejected)
      yield* buyer.remove(removed)
      yield* buyer.get(looked)
      yield* buyer.accept(joined)
      const expected: { readonly [Filter in (typeof offerFilters)[number]]: ReadonlyArray<string> } = {
        all: [invited, joined, looked, rejected, accepted, oldest],
        active: [invited, joined, looked, accepted, oldest],
        ongoing: [joined, accepted],
        inactive: [rejected],
        removed: [removed],
        unread: [invited, oldest],
        unanswered: [oldest],
        invitations: [invited],
        selling: []
      }
      for (const filter of offerFilters) {
        assert.deepStrictEqual(
          (yield* buyer.offers(filter)).map(({ id }) => id),
          expected[filter],
          filter
        )
      }
      const paged: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const {
          body
        }: {
          readonly body: {
            readonly data: ReadonlyArray<{ readonly id: string }>
            readonly page: { readonly nextCursor: string | null }
          }
        } = yield* buyer.list(`?page_size=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
        paged.push(...body.data.map(({ id }) => id))
        cursor = body.page.nextCursor
      }
      assert.deepStrictEqual(paged, expected.all)
      assert.strictEqual((yield* buyer.list("?filter=mine")).status, 400)
      assert.strictEqual((yield* buyer.get(removed)).body.status, "removed")
    })
  )

  it.effect("has a timeline of what its investor may see, and of nothing that nobody listed", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      yield* seller.ask("POST", `${seller.path}/${prospect.id}/notes`, { message: "Pays too little" })
      const before = (yield* buyer.actions(offerId)).body.data
      assert.deepStrictEqual(
        before.map(({ actor, event }) => [event, actor]),
        [["offer.created", { id: null, name: null }]]
      )
      yield* seller.ask("PATCH", `/api/v1/projects/${seller.projectId}`, { ownerId: "me" })
      yield* buyer.get(offerId)
      yield* buyer.accept(offerId)
      const sql = yield* Database
      const uuid = Id.toUuid("offer", offerId) ?? ""
      // A row of a kind that nobody listed.
      yield* Effect.orDie(sql`
        with planted as (
          insert into actions (id, number, team_id, type, event, occurred_at, origin, details)
          select new_uuid_v7(now()), nextval('action_numbers'), ${buyer.teamId}::uuid, 'audit', 'prospect.bid_recorded', now(), 'app',
            '{"kind": "audit", "message": "4711"}'
          returning id, occurred_at
        )
        insert into action_subjects (subject_type, subject_id, action_id, team_id, occurred_at, partition)
        select 'offer', ${uuid}::uuid, id, ${buyer.teamId}::uuid, occurred_at, 'audit' from planted`)
      const { text, body } = yield* buyer.actions(offerId)
      assert.deepStrictEqual(
        body.data.map(({ actor, event }) => [event, actor]),
        [
          ["offer.accepted", { id: buyer.user, name: "Anna Berg" }],
          ["offer.read", { id: buyer.user, name: "Anna Berg" }],
          ["offer.created", { id: null, name: "Anna Berg" }]
        ]
      )
      for (const row of body.data) assert.doesNotHaveAnyKeys(row, ["etag", "subject", "subjectId"])
      assert.notInclude(text, "4711")
      assert.deepStrictEqual((yield* buyer.actions(offerId, "?type=notes")).body.data, [])
      assert.strictEqual((yield* buyer.actions(offerId, "?include_rollups=false&include_archived=true")).status, 200)
    })
  )
})
