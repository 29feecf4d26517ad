/** The pages of webhooks: created, tested, changed and deleted by forms alone. */
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { formsOf } from "../console/Browser.ts"
import { signedIn } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"

/** What a hostile receiver answers. */
const hostile = `<script>alert(1)</script>"'&`

/** A person at the pages of webhooks of their team, and a receiver that answers 500 and HTML. */
const atWebhooks = Effect.gen(function* () {
  const { browser, team } = yield* signedIn
  const receiver = yield* Receiver.make((response) =>
    response.writeHead(500, { "x-trap": "<img src=x onerror=alert(1)>" }).end(hostile)
  )
  const base = `/console/${team.id}/webhooks`
  const url = `http://127.0.0.1:${receiver.port}/in`
  const create = Effect.gen(function* () {
    const form = yield* browser.get(`${base}/new`)
    return yield* browser.submit(form.text, base, { url, name: "CRM <sync>", events: "contact.*" })
  })
  return { base, browser, create, receiver, url }
})

const secretIn = (text: string) => /whsec_[A-Za-z0-9+/]+=/.exec(text)?.[0]

const idIn = (text: string) => /webhook_[0-9a-z]{26}/.exec(text)?.[0] ?? ""

layer(TestService.layer, { excludeTestServices: true })("In the console, a webhook", (it) => {
  it.effect("is created with events by wildcard; its secret is shown once, and again to the same form", () =>
    Effect.gen(function* () {
      const { base, browser, url } = yield* atWebhooks
      const empty = yield* browser.get(base)
      assert.include(empty.text, "No webhooks yet")
      const form = yield* browser.get(`${base}/new`)
      assert.include(form.text, "A contact was created")
      // The hint says what this installation takes.
      for (const hint of ["https or http, on a public address", "127.0.0.0/8, ::1/128", "http://127.0.0.1:3000"]) {
        assert.include(form.text, hint)
      }
      const refused = yield* browser.submit(form.text, base, { url: "http://10.0.0.1/", events: "contact.*" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, 'value="http://10.0.0.1/"')
      assert.match(refused.text, /id="event-contact-all"[^>]*checked/)
      const created = yield* browser.submit(refused.text, base, { url, name: "CRM <sync>", events: "contact.*" })
      assert.strictEqual(created.status, 200, created.text)
      assert.strictEqual(created.headers.get("cache-control"), "no-store")
      const secret = secretIn(created.text)
      assert.isDefined(secret)
      assert.include(created.text, "CRM &lt;sync&gt;")
      assert.include(created.text, 'href="/docs/webhooks.md#a-receiver"')
      const again = yield* browser.submit(refused.text, base, { url, name: "CRM <sync>", events: "contact.*" })
      assert.strictEqual(secretIn(again.text), secret)
      const all = yield* browser.get(base)
      assert.include(all.text, "CRM &lt;sync&gt;")
      assert.isUndefined(secretIn(all.text))
      assert.include(all.text, 'class="bars"')
    })
  )

  it.effect("is tested at once, and the answer is shown byte for byte, as text", () =>
    Effect.gen(function* () {
      const { browser, create, receiver } = yield* atWebhooks
      const created = yield* create
      const action = formsOf(created.text).find((form) => form.action.endsWith("/test"))?.action ?? ""
      const tested = yield* browser.submit(created.text, action, { event_type: "contact.deleted" })
      assert.strictEqual(tested.status, 200, tested.text)
      assert.strictEqual(receiver.received[0]?.headers["x-service-event"], "contact.deleted")
      assert.include(tested.text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;")
      assert.include(tested.text, "x-trap: &lt;img src=x onerror=alert(1)&gt;")
      assert.notInclude(tested.text, hostile)
      const sent = receiver.received[0]?.body.toString().replaceAll('"', "&quot;") ?? ""
      assert.include(tested.text, sent)
    })
  )

  it.effect("is saved if nobody else changed it, or both mean the same; else both versions are shown", () =>
    Effect.gen(function* () {
      const { base, browser, create, url } = yield* atWebhooks
      const id = idIn((yield* create).text)
      const settings = `${base}/${id}/settings`
      const [mine, theirs] = [yield* browser.get(settings), yield* browser.get(settings)]
      const change = (page: { readonly text: string }, name: string) =>
        browser.submit(page.text, settings, { url, name, events: "contact.*" })
      assert.strictEqual((yield* change(theirs, "Theirs")).status, 303)
      assert.strictEqual((yield* change(mine, "Theirs")).status, 303, "the same change twice is saved")
      const conflict = yield* change(mine, "Mine")
      assert.strictEqual(conflict.status, 412)
      assert.include(conflict.text, "Theirs")
      assert.include(conflict.text, "Mine")
      const [action] = formsOf(conflict.text).filter((form) => form.action === settings)
      const saved = yield* browser.post(settings, action?.fields ?? {})
      assert.strictEqual(saved.status, 303, saved.text)
      assert.include((yield* browser.get(base)).text, "Mine")
      // What the service itself changed is no other version.
      const early = yield* browser.get(settings)
      yield* browser.submit(early.text, `${base}/${id}/status`, { status: "paused" })
      assert.strictEqual((yield* change(early, "Later")).status, 303)
    })
  )

  it.effect("is paused, gets another secret with an overlap, once for each form, and is deleted after a question", () =>
    Effect.gen(function* () {
      const { base, browser, create } = yield* atWebhooks
      const created = yield* create
      const [at, secret] = [`${base}/${idIn(created.text)}`, secretIn(created.text)]
      const page = yield* browser.get(`${at}/settings`)
      yield* browser.submit(page.text, `${at}/status`, { status: "paused" })
      const paused = yield* browser.get(`${at}/settings`)
      assert.include(paused.text, "The webhook is paused. Events wait.")
      assert.notInclude((yield* browser.get(`${at}/settings`)).text, "The webhook is paused. Events wait.")
      const rotated = yield* browser.submit(page.text, `${at}/secret`, { overlap: "24h" })
      assert.strictEqual(rotated.headers.get("cache-control"), "no-store")
      assert.notStrictEqual(secretIn(rotated.text), secret)
      const repeated = yield* browser.submit(page.text, `${at}/secret`, { overlap: "24h" })
      assert.strictEqual(secretIn(repeated.text), secretIn(rotated.text))
      assert.include(rotated.text, "Replaced secrets sign until")
      const asked = yield* browser.submit(page.text, `${at}/delete`)
      assert.include(asked.text, "Delete the webhook CRM &lt;sync&gt;?")
      const deleted = yield* browser.submit(asked.text, `${at}/delete`)
      assert.strictEqual(deleted.headers.get("location"), base)
      assert.include((yield* browser.get(base)).text, "No webhooks yet")
    })
  )
})
