/** The inbox of a team: an address for trying webhooks, and what comes there. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { actAs, operatorOf } from "../../../src/core/auth/CurrentActor.ts"
import * as Id from "../../../src/core/Id.ts"
import { Inbox } from "../../../src/webhooks/inbox/Inbox.ts"
import { options, TestService } from "../../support/TestService.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"
import { signedIn } from "../../console/people.ts"

/** A person at the inbox of their team. */
const atInbox = Effect.gen(function* () {
  const { baseUrl, request } = yield* TestService
  const { browser, team } = yield* signedIn
  const path = `/console/${team.id}/inbox`
  const { text } = yield* browser.get(path)
  const address = new RegExp(`${baseUrl}(/inbox/${team.id}/[\\w-]{43})`).exec(text)?.[1] ?? ""
  const send = (body: string, headers: Record<string, string> = {}) =>
    request("POST", address, { text: body, headers: { "content-type": "text/plain", ...headers } })
  return { address, browser, path, send, teamId: team.id }
})

const rowsIn = (text: string) => text.match(/<tr id="message-\d+"/g)?.length ?? 0

layer(TestService.layer, { excludeTestServices: true })("The inbox", (it) => {
  it.effect("takes any message to its address, shows it as it came, and forgets it", () =>
    Effect.gen(function* () {
      const { address, browser, path, send } = yield* atInbox
      const { request } = yield* TestService
      assert.strictEqual((yield* send("<script>1</script>", { "X-Service-Event": "contact.<b>" })).status, 204)
      const page = yield* browser.get(`${path}?open=1`)
      assert.strictEqual(rowsIn(page.text), 1)
      assert.include(page.text, "&lt;script&gt;1&lt;/script&gt;")
      assert.include(page.text, "contact.&lt;b&gt;")
      assert.strictEqual((yield* request("POST", `${address.slice(0, -1)}_`, { text: "x" })).status, 404)
      assert.strictEqual((yield* send("x".repeat(65_537))).status, 413)
      yield* browser.submit(page.text, `${path}/answer`, { answer: "500" })
      assert.strictEqual((yield* send("again")).status, 500)
      yield* browser.submit(page.text, `${path}/clear`)
      assert.strictEqual(rowsIn((yield* browser.get(path)).text), 0)
      yield* Effect.forEach(Array.from({ length: 102 }, String), (text) => send(text), { concurrency: 20 })
      assert.strictEqual(rowsIn((yield* browser.get(path)).text), 100)
    })
  )

  it.effect("gets a webhook in one click, whose messages it verifies", () =>
    Effect.gen(function* () {
      const { browser, path, send } = yield* atInbox
      const empty = yield* browser.get(path)
      const created = yield* browser.submit(empty.text, `${path}/webhook`)
      assert.strictEqual(created.status, 303, created.text)
      const tested = yield* browser.submit((yield* browser.get(path)).text, `${path}/test`)
      assert.strictEqual(tested.status, 303, tested.text)
      yield* send("{}", { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" })
      const { text } = yield* browser.get(path)
      assert.deepStrictEqual(
        [...text.matchAll(/<span class="pill (?:good|bad)">(\w+)<\/span>/g)].map(([, word]) => word),
        ["Wrong", "Verified"]
      )
    })
  )

  it.effect("is of a trial alone: elsewhere it takes nothing, and has no address", () =>
    Effect.gen(function* () {
      const { address, teamId } = yield* atInbox
      const { open, receive } = yield* Inbox
      const team = Id.toUuid("team", teamId) ?? ""
      const opened = yield* Effect.flip(actAs(operatorOf(team))(open("http://127.0.0.1")))
      const message = { headers: [], body: new Uint8Array() }
      const received = yield* Effect.flip(receive({ team: teamId, token: address.split("/").at(-1) ?? "" }, message))
      assert.deepStrictEqual([opened.code, received.code], ["not_found", "not_found"])
    }).pipe(Effect.provide(Inbox.layer(undefined)), Effect.provide(SecretBox.layer(options.secretKeys)))
  )
})
