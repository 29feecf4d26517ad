/** A deal by pages alone, without scripts: the teaser, the investor's answer, the data room, a question and its answer. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Browser from "../console/Browser.ts"
import { linkOf, password } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"
import { broker, investor } from "./offers/OffersClient.ts"

/** The pages of a person who is signed in, in their team. */
const pagesOf = Effect.fnUntraced(function* ({ email, team }: { readonly email: string; readonly team: string }) {
  const browser = yield* Browser.open
  const page = yield* browser.get(yield* linkOf(email))
  yield* browser.submit(page.text, "/signin/password", { password })
  const base = `/console/${team}`
  const at = (path: string) => browser.get(`${base}${path}`)
  /** Sends the form of a page that goes to `action`; the page to which that leads. */
  const send = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields = {}) {
    const form = Browser.formsOf(text).find((one) => one.action === `${base}${action}`)
    assert.isDefined(form, `no form for ${action}: ${text}`)
    const reply = yield* browser.post(`${base}${action}`, { ...form.fields, ...values })
    const to = reply.headers.get("location")
    return to === null ? reply : yield* browser.get(to.split("#")[0] ?? "")
  })
  const upload = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields, name: string) {
    const form = Browser.formsOf(text).find((one) => one.action === `${base}${action}`)
    assert.isDefined(form, `no form for ${action}`)
    const { file: _, ...fields } = { ...form.fields, ...values }
    const parts = Object.entries(fields).map(
      ([field, value]) => `--x\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
    )
    const sent = yield* browser.send("POST", `${base}${action}`, {
      text: `${parts.join("")}--x\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\r\n--x--\r\n`,
      headers: { "content-type": "multipart/form-data; boundary=x", "sec-fetch-site": "same-origin", origin: "null" }
    })
    assert.strictEqual(sent.status, 303, sent.text)
    return yield* browser.get((sent.headers.get("location") ?? "").split("#")[0] ?? "")
  })
  return { at, send, upload, browser, base }
})

layer(TestService.layer, { excludeTestServices: true })("A deal in the console", (it) => {
  it.effect("goes from the teaser to the answered question, and each side sees what is theirs", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyer = yield* investor()
      const prospect = yield* seller.prospectFor(buyer.email)
      const asBroker = yield* pagesOf(seller)
      const asInvestor = yield* pagesOf(buyer)

      const teaser = yield* asBroker.at(`/teasers/${seller.projectId}`)
      assert.include(teaser.text, "What the investor sees")
      const titled = yield* asBroker.send(teaser.text, `/teasers/${seller.projectId}`, { title: "Core <office>" })
      assert.include(titled.text, "Core &lt;office&gt;")
      const receivers = yield* asBroker.at(`/teasers/${seller.projectId}/communicate`)
      assert.include(receivers.text, buyer.email)
      const asked = yield* asBroker.send(receivers.text, `/teasers/${seller.projectId}/communicate`, { expires: "30d" })
      assert.include(asked.text, "This would happen")
      assert.lengthOf(yield* buyer.offers(), 0)
      const sent = yield* asBroker.send(asked.text, `/teasers/${seller.projectId}/communicate`)
      assert.include(sent.text, "Communicated to 1 prospects.")

      const [offer] = yield* buyer.offers()
      assert.isDefined(offer)
      const list = yield* asInvestor.at("/offers?offers=unanswered")
      assert.include(list.text, "Core &lt;office&gt;")
      const unanswered = yield* asInvestor.at(`/offers/${offer.id}`)
      assert.notInclude(unanswered.text, "The broker</h2>")
      assert.notInclude(unanswered.text, seller.projectId)
      const accepted = yield* asInvestor.send(unanswered.text, `/offers/${offer.id}/accept`)
      assert.include(accepted.text, "You accepted the offer.")
      const wrote = yield* asInvestor.send(accepted.text, `/offers/${offer.id}/messages`, {
        text: "When can we visit?"
      })
      assert.include(wrote.text, "The message was sent.")

      const rooms = yield* asBroker.at(`/projects/${seller.projectId}/rooms`)
      const room = yield* asBroker.send(rooms.text, `/projects/${seller.projectId}/rooms`, { name: "Due diligence" })
      const [, roomId = ""] = /\/rooms\/(room_\w+)\/questions/.exec(room.text) ?? []
      const withAccess = yield* asBroker.send(room.text, `/rooms/${roomId}/grant`, { pick: prospect.id })
      assert.include(withAccess.text, "Access was given.")
      const filed = yield* asBroker.upload(
        withAccess.text,
        `/rooms/${roomId}/documents`,
        { path: "Leases/rents.pdf" },
        "rents.pdf"
      )
      assert.match(filed.text, /<h3>Leases<\/h3>[\s\S]*rents\.pdf/)

      const inRoom = yield* asInvestor.at(`/offers/${offer.id}`)
      const [, file = ""] = /\/files\/(file_\w+)"/.exec(inRoom.text) ?? []
      const viewed = yield* asInvestor.at(`/files/${file}/view`)
      assert.strictEqual(viewed.text, "%PDF-1.7")
      assert.strictEqual(viewed.headers.get("content-disposition"), "inline")
      assert.match(viewed.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
      yield* asInvestor.send(inRoom.text, `/offers/${offer.id}/questions`, {
        text: "Who may <b>leave</b>?",
        category: "leases"
      })

      const questions = yield* asBroker.at(`/rooms/${roomId}/questions?status=open`)
      const [, questionId = ""] = /\/questions\/(question_\w+)/.exec(questions.text) ?? []
      const question = yield* asBroker.at(`/questions/${questionId}`)
      assert.include(question.text, "Who may &lt;b&gt;leave&lt;/b&gt;?")
      const drafted = yield* asBroker.send(question.text, `/questions/${questionId}/answer`, {
        text: "To be checked",
        do: "draft"
      })
      assert.include(drafted.text, "Only your team sees it.")
      assert.notInclude((yield* asInvestor.at(`/offers/${offer.id}`)).text, "To be checked")
      yield* asBroker.send(drafted.text, `/questions/${questionId}/answer`, {
        text: "Nobody before 2028",
        audience: "all"
      })
      assert.include((yield* asInvestor.at(`/offers/${offer.id}`)).text, "Nobody before 2028")

      const closing = yield* asBroker.send((yield* asBroker.at(`/rooms/${roomId}`)).text, `/rooms/${roomId}/close`)
      assert.include(closing.text, "Close Due diligence?")
      yield* asBroker.send(closing.text, `/rooms/${roomId}/close`)
      assert.strictEqual((yield* asInvestor.at(`/files/${file}`)).status, 404)
      // What is the broker's is nothing to the investor.
      for (const path of [`/rooms/${roomId}`, `/questions/${questionId}`, `/teasers/${seller.projectId}`]) {
        const seen = yield* asInvestor.at(path)
        assert.include([403, 404], seen.status, path)
      }
    })
  )

  it.effect("shows again what an investor typed where the broker cannot take it, and removes an offer", () =>
    Effect.gen(function* () {
      const seller = yield* broker()
      const buyer = yield* investor()
      yield* seller.prospectFor(buyer.email)
      yield* seller.communicate()
      const [offer] = yield* buyer.offers()
      assert.isDefined(offer)
      const { at, send } = yield* pagesOf(buyer)
      const rejected = yield* send((yield* at(`/offers/${offer.id}`)).text, `/offers/${offer.id}/reject`, {
        reason: "Too small"
      })
      assert.include(rejected.text, "You declined the offer.")
      const removed = yield* send(rejected.text, `/offers/${offer.id}/remove`)
      assert.include(removed.text, "The offer was removed.")
      assert.notInclude((yield* at("/offers")).text, offer.id)
      assert.include((yield* at("/offers?offers=removed")).text, offer.id)
    })
  )
})
