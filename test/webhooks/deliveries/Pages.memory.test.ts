/** The pages of deliveries: what was sent and answered, what failed and why, and how it is sent again. */
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import * as Browser from "../../console/Browser.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { handlers } from "../../../workers/handlers.ts"
import { linkOf, password } from "../../console/people.ts"
import { TestService } from "../../support/TestService.ts"

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

/** A person with a webhook of their team, whose receiver answers with HTML and the present status. */
const atDeliveries = Effect.gen(function* () {
  const { email, team, token } = yield* Tenant.make()
  const { request } = yield* TestService
  const browser = yield* Browser.open
  const signIn = yield* browser.get(yield* linkOf(email))
  yield* browser.submit(signIn.text, "/signin/password", { password })
  const answer = { status: 400 }
  const receiver = yield* Receiver.make((response) =>
    response.writeHead(answer.status, { "x-trap": "<b>" }).end("<script>alert(1)</script>")
  )
  const subscribed = yield* request<{ readonly id: string }>("POST", "/api/v1/webhooks", {
    token,
    json: { url: `http://127.0.0.1:${receiver.port}/in`, events: ["contact.*"] }
  })
  const add = Effect.fnUntraced(function* (firstName: string) {
    const { body } = yield* request<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
      token,
      json: { firstName }
    })
    return body.id
  })
  const at = `/console/${team}/webhooks/${subscribed.body.id}`
  return { add, answer, at, browser, receiver }
})

const deliveriesIn = (text: string) => [...new Set(text.match(/dlv_[0-9a-z]{26}/g))]

layer(service, { excludeTestServices: true })("In the console, the deliveries of a webhook", (it) => {
  it.effect("are found by outcome and by text, shown byte for byte, and sent again one by one or ticked", () =>
    Effect.gen(function* () {
      const { add, answer, at, browser, receiver } = yield* atDeliveries
      const first = yield* add("Anna")
      yield* drain
      answer.status = 204
      yield* add("Bert")
      yield* drain
      const all = yield* browser.get(at)
      assert.strictEqual(all.status, 200, all.text)
      assert.lengthOf(deliveriesIn(all.text), 2)
      assert.include(all.text, "1 delivered, 1 failed, 0 waiting")
      assert.lengthOf(deliveriesIn((yield* browser.get(`${at}?status=failed`)).text), 1)
      const found = yield* browser.get(`${at}?body_contains=${first.toUpperCase()}&created_after=2020-01-01T00:00`)
      const [id = ""] = deliveriesIn(found.text)
      assert.lengthOf(deliveriesIn(found.text), 1)
      assert.include((yield* browser.get(`${at}?body_contains=nowhere`)).text, "Nothing matches the filters")
      const one = yield* browser.get(`${at}/deliveries/${id}`)
      const sent = receiver.received[0]
      assert.include(one.text, sent?.body.toString().replaceAll('"', "&quot;") ?? "?")
      assert.include(one.text, String(sent?.headers["webhook-signature"]))
      assert.include(one.text, "&lt;script&gt;alert(1)&lt;/script&gt;")
      assert.include(one.text, "x-trap: &lt;b&gt;")
      assert.notInclude(one.text, "<script>alert")
      yield* browser.submit(one.text, `${at}/deliveries/${id}/retry`)
      yield* drain
      const after = yield* browser.get(`${at}/deliveries/${id}`)
      assert.include(after.text, "Attempt 2")
      assert.include(after.text, "Delivered")
      const bulk = Browser.formsOf(found.text).find(({ action }) => action === `${at}/deliveries`)
      const { all: _, ...fields } = bulk?.fields ?? {}
      const ticked = yield* browser.post(`${at}/deliveries`, { ...fields, pick: id, back: `${at}?status=failed` })
      assert.strictEqual(ticked.headers.get("location"), `${at}?status=failed`, ticked.text)
      yield* drain
      assert.lengthOf(receiver.received, 4)
    })
  )

  it.effect("that match are counted, confirmed by their number, and sent again together", () =>
    Effect.gen(function* () {
      const { add, answer, at, browser, receiver } = yield* atDeliveries
      yield* add("Anna")
      yield* add("Bert")
      yield* drain
      const list = yield* browser.get(`${at}?status=failed`)
      const asked = yield* browser.submit(list.text, `${at}/deliveries`, { all: "on" })
      assert.include(asked.text, "Send 2 deliveries again?")
      yield* add("Carl")
      yield* drain
      const askedAgain = yield* browser.submit(asked.text, `${at}/deliveries`)
      assert.include(askedAgain.text, "Send 3 deliveries again?")
      assert.include(askedAgain.text, "another number than you confirmed")
      assert.lengthOf(receiver.received, 3)
      answer.status = 204
      const sent = yield* browser.submit(askedAgain.text, `${at}/deliveries`)
      assert.strictEqual(sent.headers.get("location"), `${at}?status=failed`, sent.text)
      assert.include((yield* browser.get(at)).text, "Queued again: 3.")
      yield* drain
      assert.lengthOf(receiver.received, 6)
      const none = yield* browser.submit(list.text, `${at}/deliveries`, { all: "on" })
      assert.strictEqual(none.status, 303)
      assert.include((yield* browser.get(at)).text, "There is nothing to send again.")
    })
  )

  it.effect("that failed are grouped by cause, each with its number, an example and the way to all of them", () =>
    Effect.gen(function* () {
      const { add, answer, at, browser } = yield* atDeliveries
      assert.include((yield* browser.get(`${at}/errors`)).text, "Nothing has failed")
      yield* add("Anna")
      yield* add("Bert")
      yield* drain
      answer.status = 404
      yield* add("Carl")
      yield* drain
      const errors = yield* browser.get(`${at}/errors`)
      assert.include(errors.text, "Answered with an error (400)")
      assert.include(errors.text, "The receiver answered 404.")
      assert.isBelow(errors.text.indexOf("(400)"), errors.text.indexOf("(404)"), "the most frequent first")
      const of400 = yield* browser.get(`${at}?last_error=${encodeURIComponent("The receiver answered 400.")}`)
      assert.lengthOf(deliveriesIn(of400.text), 2)
    })
  )
})
