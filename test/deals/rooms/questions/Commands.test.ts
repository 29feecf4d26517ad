/** The commands `question ask|answer|close|settings`. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { questionCategories } from "../../../../src/deals/rooms/Room.ts"
import { investor } from "../../offers/OffersClient.ts"
import { runToEnd } from "../../../support/Admin.ts"
import { TestService } from "../../../support/TestService.ts"
import { make } from "./fixture.ts"

interface Answer {
  readonly [member: string]: unknown
  readonly id: string
  readonly status: string
  readonly error: { readonly code: string; readonly detail: string }
}

/** Runs a command about questions, and returns its answer or refusal. */
const question = (as: string, ...args: ReadonlyArray<string>) =>
  Effect.map(runToEnd(["question", ...args, "--as", as, "--json"]), ({ ok, out }) => {
    const [answer = ""] = out.split("\n").slice(-1)
    return { ok, answer: JSON.parse(answer) as Answer }
  })

layer(TestService.layerOwn, { excludeTestServices: true })("The commands of questions", (it) => {
  it.effect("ask as an investor or for one, answer and close", () =>
    Effect.gen(function* () {
      const { email, get, list, member, roomId } = yield* make()
      const maria = yield* investor()
      const prospect = yield* member({ firstName: "Maria", email: maria.email })
      const [ask, key] = [
        ["ask", roomId, "--text"],
        ["--idempotency-key", "k1"]
      ]
      const asked = yield* question(maria.email, ...ask, "Which tenants?", "--category", "leases", ...key)
      assert.deepInclude(asked.answer, { roomId, number: 1, category: "leases", status: "open" })
      assert.notProperty(asked.answer, "askedBy")
      assert.deepStrictEqual(
        yield* question(maria.email, ...ask, "Which tenants?", "--category", "leases", ...key),
        asked
      )
      const forMaria = yield* question(email, ...ask, "And whom else?", "--prospect", prospect)
      assert.deepInclude(forMaria.answer, { number: 2, askedBy: { prospectId: prospect, name: "Maria" } })
      const { id } = asked.answer
      const answered = yield* question(email, "answer", id, "--text", "None.", "--audience", "all")
      assert.deepStrictEqual<unknown>(answered.answer, (yield* get(id)).body)
      assert.deepInclude(yield* question(email, "answer", id, "--text", "Other."), { ok: false })
      assert.strictEqual((yield* question(email, "close", id)).answer.status, "closed")
      assert.lengthOf((yield* list()).body.data, 2)
      const [row] = (yield* maria.actions((yield* maria.offers())[0]?.id ?? "")).body.data
      assert.deepStrictEqual<unknown>(row?.["details"], {
        kind: "audit",
        question: { number: 1, text: "Which tenants?", answer: "None." }
      })
    })
  )

  it.effect("change nothing with --dry-run, and show the caller's side only", () =>
    Effect.gen(function* () {
      const { ask, email, get, list, member, roomId } = yield* make()
      const maria = yield* investor()
      const prospect = yield* member({ firstName: "Maria", email: maria.email })
      const { id } = yield* ask(prospect)
      const planned = yield* question(email, "answer", id, "--text", "None.", "--dry-run")
      assert.deepNestedInclude(planned.answer, {
        "result.status": "answered",
        events: [{ event: "room.question_answered", resource_id: roomId }]
      })
      const asking = yield* question(maria.email, "ask", roomId, "--text", "Which?", "--dry-run")
      assert.deepNestedInclude(asking.answer, { "result.number": 2, events: [], affected: [] })
      assert.strictEqual((yield* get(id)).body.status, "open")
      assert.lengthOf((yield* list()).body.data, 1)
    })
  )

  it.effect("set what a room takes, and name the flag of a fault", () =>
    Effect.gen(function* () {
      const { ask, email, member, roomId } = yield* make()
      const set = (...flags: ReadonlyArray<string>) => question(email, "settings", roomId, ...flags)
      const blank = {
        enabled: true,
        open: 0,
        drafted: 0,
        answered: 0,
        overdue: 0,
        limitPerProspect: null,
        deadlineUtc: null,
        categories: [...questionCategories]
      }
      assert.deepStrictEqual<unknown>((yield* set()).answer, blank)
      const flags = ["--limit", "3", "--deadline", "2030-01-01", "--category", "tax", "--category", "legal"]
      assert.deepStrictEqual<unknown>((yield* set(...flags, "--questions", "off")).answer, {
        ...blank,
        enabled: false,
        limitPerProspect: 3,
        deadlineUtc: "2030-01-01T00:00:00.000Z",
        categories: ["tax", "legal"]
      })
      const unset = ["--limit", "none", "--deadline", "none", "--category", "all", "--questions", "on"]
      assert.deepStrictEqual<unknown>((yield* set(...unset)).answer, blank)
      const detailOf = (flag: string, value: string) =>
        Effect.map(set(flag, value), ({ answer }) => `${answer.error.code} ${answer.error.detail}`)
      assert.match(yield* detailOf("--limit", "many"), /^invalid_request --limit: /)
      assert.match(yield* detailOf("--deadline", "soon"), /^invalid_request --deadline: /)
      const refused = yield* question(email, "ask", roomId, "--text", "Which?", "--prospect", "prospect_x")
      assert.match(refused.answer.error.detail, /^--prospect: /)
      yield* ask(yield* member())
    })
  )
})
