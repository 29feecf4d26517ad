/** The commands `teaser communicate` and `offer list|accept|reject|remove`, what they cost, and the flags of all moves of people. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as rooms from "../rooms/fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Offers } from "../../../src/deals/offers/Offers.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { Questions } from "../../../src/deals/rooms/questions/Questions.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { allowLoopback, runToEnd } from "../../support/Admin.ts"
import { digestOf } from "../../support/Digest.ts"
import { scratch } from "../../support/scratch.ts"
import { statementsSentBy } from "../../support/Statements.ts"
import { TestService } from "../../support/TestService.ts"
import { as, broker, deal, investor } from "./OffersClient.ts"

/** Runs a command in the name of a person, and returns its answer or refusal. */
const command = (email: string, ...args: ReadonlyArray<string>) =>
  Effect.map(runToEnd([...args, "--as", email, "--json"]), ({ ok, out }) => {
    const [answer = ""] = out.split("\n").slice(-1)
    return { ok, answer: JSON.parse(answer) as Readonly<Record<string, unknown>> }
  })

layer(TestService.layerOwn, { excludeTestServices: true })("The commands of offers", (it) => {
  it.effect("communicate a teaser, and list, accept, reject and remove what was received", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const [one, two] = [yield* investor(), yield* investor()]
      const [first, second] = [yield* seller.prospectFor(one.email), yield* seller.prospectFor(two.email)]
      const communicate = ["teaser", "communicate", seller.projectId]
      const dry = yield* command(seller.email, ...communicate, "--all", "--dry-run")
      const { affected, events } = dry.answer as {
        affected: ReadonlyArray<{ type: string }>
        events: ReadonlyArray<object>
      }
      assert.notInclude(
        affected.map(({ type }) => type),
        "offer"
      )
      assert.isNotEmpty(events)
      assert.deepStrictEqual(yield* one.offers(), [])

      const named = yield* command(seller.email, ...communicate, "--prospect", first.id, "--expires", "2h")
      const [{ offerIds: [offer = ""] = [] } = {}] = named.answer["communicated"] as ReadonlyArray<{
        readonly offerIds?: ReadonlyArray<string>
      }>
      const key = ["--idempotency-key", "k1"]
      const all = yield* command(seller.email, ...communicate, "--all", ...key)
      assert.deepStrictEqual(yield* command(seller.email, ...communicate, "--all", ...key), all)
      assert.deepStrictEqual(
        (all.answer["communicated"] as ReadonlyArray<{ readonly prospectId: string }>)
          .map(({ prospectId }) => prospectId)
          .toSorted(),
        [first.id, second.id].toSorted()
      )
      for (const none of [[], ["--all", "--prospect", first.id]]) {
        assert.strictEqual((yield* command(seller.email, ...communicate, ...none)).ok, false)
      }

      const listed = yield* command(one.email, "offer", "list", "--filter", "unanswered")
      assert.deepStrictEqual<unknown>(listed.answer, yield* one.offers())
      assert.deepInclude((yield* command(one.email, "offer", "accept", offer, "--dry-run")).answer["result"], {
        status: "accepted"
      })
      assert.strictEqual((yield* one.get(offer)).body.status, "unanswered")
      assert.deepInclude((yield* command(one.email, "offer", "accept", offer)).answer, { status: "accepted" })
      const refused = yield* command(one.email, "offer", "reject", offer, "--reason", "Too late")
      assert.deepInclude(refused.answer["error"], { code: "offer_answered" })
      assert.deepInclude((yield* command(one.email, "offer", "remove", offer)).answer, { status: "removed" })
      const other = (yield* two.offers())[0]?.id ?? ""
      assert.deepInclude((yield* command(two.email, "offer", "reject", other, "--reason", "Too small")).answer, {
        status: "rejected",
        rejectionReason: "Too small"
      })
      // Neither without the capability, nor for another team.
      assert.strictEqual((yield* command(seller.email, "offer", "list")).ok, false)
      assert.deepInclude((yield* command(two.email, "offer", "accept", offer)).answer["error"], { code: "not_found" })
      assert.strictEqual((yield* command(one.email, ...communicate, "--all")).ok, false)
    })
  )

  it.effect("have --as, --json and --dry-run as all moves of people, which then change nothing", () =>
    Effect.gen(function* () {
      const { buyer, offerId: accepted, prospect, seller } = yield* deal()
      yield* buyer.accept(accepted)
      const other = yield* broker()
      yield* other.prospectFor(buyer.email)
      const unanswered = (yield* other.communicate()).communicated[0]?.offerIds[0] ?? ""
      const [draft, published, verified] = yield* Effect.forEach(
        ["drafting", "published", "verified"] as const,
        (stage) =>
          Effect.gen(function* () {
            const id = yield* seller.project(yield* seller.property())
            yield* seller.reach(id, stage)
            return id
          })
      )
      const { id: room } = yield* rooms.open(
        { teamId: seller.teamId, userId: Id.toUuid("user", seller.user) ?? "" },
        seller.projectId
      )
      const request = (body: { readonly [member: string]: Json }) =>
        UseCaseRequest.make({ operation: "test", query: {}, body })
      yield* as(seller.email, (yield* AccessLifecycle).grant(room, request({ prospectIds: [prospect.id] })))
      const { value: question } = yield* as(
        buyer.email,
        (yield* Questions).ask(room, request({ text: "Which tenants may leave?" }))
      )
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(scratch, "property-network-moves-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const file = join(folder, "terms.pdf")
      yield* Effect.promise(() => writeFile(file, "%PDF"))

      const ofBroker = [
        ["teaser", "publish", draft],
        ["teaser", "unpublish", published],
        ["teaser", "verify", published],
        ["teaser", "unverify", verified],
        ["teaser", "communicate", other.projectId, "--all"],
        ["room", "open", seller.projectId, "--name", "Core"],
        ["room", "close", room],
        ["room", "grant", room, "--prospect", prospect.id, "--until", "3d"],
        ["room", "revoke", room, "--prospect", prospect.id],
        ["room", "upload", room, file],
        ["room", "list", seller.projectId],
        ["question", "ask", room, "--text", "Which?", "--prospect", prospect.id],
        ["question", "answer", question.id, "--text", "None."],
        ["question", "close", question.id],
        ["message", "send", prospect.id, "--text", "Hello"],
        ["file", "share", prospect.id, file],
        ["call", "log", prospect.id, "--note", "Wants a second visit"],
        ["im", "share", prospect.id],
        ["bid", "record", prospect.id, "--amount", "12500000", "--currency", "EUR"]
      ]
      const ofInvestor = [
        ["offer", "list"],
        ["offer", "accept", unanswered],
        ["offer", "reject", unanswered, "--reason", "Too small"],
        ["offer", "remove", unanswered],
        ["question", "ask", room, "--text", "And what?"],
        ["message", "send", accepted, "--text", "Hello"],
        ["file", "share", accepted, file]
      ]
      const digest = Effect.forEach([seller.teamId, other.teamId, buyer.teamId], digestOf)
      const before = yield* digest
      for (const [email, moves] of [
        [seller.email, ofBroker],
        [buyer.email, ofInvestor]
      ] as const) {
        for (const [noun = "", verb = "", ...args] of moves) {
          const person = noun === "teaser" && args[0] === other.projectId ? other.email : email
          const { err, ok, out } = yield* runToEnd(
            [noun, verb, ...args.flatMap((arg) => arg ?? []), "--as", person, "--json", "--dry-run"],
            { ...allowLoopback, DATA_DIR: folder }
          )
          assert.isTrue(ok, `${noun} ${verb}: ${err}`)
          assert.hasAllKeys(
            JSON.parse(out.split("\n").at(-1) ?? ""),
            ["result", "events", "affected"],
            `${noun} ${verb}`
          )
        }
      }
      assert.deepStrictEqual(yield* digest, before)
    })
  )

  it.effect("cost as many statements for many prospects and offers as for few", () =>
    Effect.gen(function* () {
      const communicated = Effect.fnUntraced(function* (count: number) {
        const seller = yield* broker()
        for (const buyer of yield* Effect.forEach(Array.from({ length: count }), () => investor())) {
          yield* seller.prospectFor(buyer.email)
        }
        return (yield* statementsSentBy(seller.communicate())).statements.length
      })
      assert.strictEqual(yield* communicated(12), yield* communicated(2))
      const { buyer } = yield* deal()
      const { list } = yield* Offers
      const listed = Effect.map(
        statementsSentBy(as(buyer.email, list(UseCaseRequest.make({ operation: "list", query: {} })))),
        ({ statements }) => statements.length
      )
      const few = yield* listed
      for (let more = 0; more < 4; more++) {
        const seller = yield* broker()
        yield* seller.prospectFor(buyer.email)
        yield* seller.communicate()
      }
      assert.strictEqual((yield* buyer.offers()).length, 5)
      assert.strictEqual(yield* listed, few)
    })
  )
})
