/** What is kept of a form that was sent after the session had ended, and how a page shows it again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { TestClock } from "effect/testing"
import type { HttpServerRequest } from "effect/http"
import * as Id from "../../src/core/Id.ts"
import { html } from "../../src/console/Html.ts"
import { filled, type KeptForm, keptOf, seal } from "../../src/console/KeptForms.ts"
import { box, field, hidden, select, textarea } from "../../src/console/Parts.ts"
import type { Visit } from "../../src/console/Visit.ts"
import { SecretBox } from "../../src/platform/secrets/SecretBox.ts"

const [userId, otherId] = ["0198c2f0-0000-7000-8000-000000000001", "0198c2f0-0000-7000-8000-000000000002"]
const by = Id.fromUuid("user", userId)

const kept: KeptForm = {
  page: "/console/team_x/contacts/contact_a",
  action: "/console/team_x/notes",
  fields: [
    ["form_token", "token"],
    ["id", "contact_a"],
    ["etag", '"7"'],
    ["text", 'Wants "halls"\n</textarea> & <b>more</b>'],
    ["name", "Zoë"],
    ["kind", "b"],
    ["pick", "2"],
    ["password", "hunter2"]
  ]
}

const visitWith = (cookie: string | undefined) =>
  ({
    baseUrl: "http://127.0.0.1:3000",
    request: { cookies: cookie === undefined ? {} : { pn_kept: cookie } } as HttpServerRequest.HttpServerRequest
  }) as Visit

const provideBoxOf = (byte: number) =>
  Effect.provide(SecretBox.layer({ current: Redacted.make(new Uint8Array(32).fill(byte)), previous: undefined }))
const provideBox = provideBoxOf(7)

const formOf = (id: string) =>
  html`<form method="post" action="${kept.action}">
    ${hidden("form_token", "new")} ${hidden("id", id)} ${hidden("etag", '"9"')}
    ${textarea({ id: `text-${id}`, name: "text", label: "Text", value: "" })}
    ${field({ id: `name-${id}`, name: "name", label: "Name", value: "Ada" })}
    ${field({ id: `password-${id}`, name: "password", label: "Password", type: "password" })}
    ${select({
      id: `kind-${id}`,
      name: "kind",
      label: "Kind",
      value: "a",
      options: [
        ["a", "A"],
        ["b", "B"]
      ]
    })}
    ${["1", "2"].map((value) => box({ id: `pick-${id}-${value}`, name: "pick", label: value, value, isTicked: value === "1" }))}
  </form>`

describe("A form that was sent without a session", () => {
  it.effect("is kept for its person alone, for 15 minutes, without secrets", () =>
    Effect.gen(function* () {
      const cookie = yield* seal(kept, by)
      const { kept: opened } = yield* keptOf(visitWith(cookie), userId)
      assert.deepStrictEqual(
        opened?.fields.map(([name]) => name),
        ["id", "etag", "text", "name", "kind", "pick"]
      )
      const stale = { kept: undefined, isStale: true }
      assert.deepStrictEqual(yield* keptOf(visitWith(cookie), otherId), stale)
      assert.deepStrictEqual(yield* keptOf(visitWith(cookie), userId).pipe(provideBoxOf(8)), stale)
      assert.deepStrictEqual(yield* keptOf(visitWith(`${cookie?.slice(0, -4)}AAAA`), userId), stale)
      assert.deepStrictEqual(yield* keptOf(visitWith(undefined), userId), { kept: undefined, isStale: false })
      yield* TestClock.adjust("16 minutes")
      assert.deepStrictEqual(yield* keptOf(visitWith(cookie), userId), stale)
    }).pipe(provideBox)
  )

  it("has a choice again whose value is the text that it shows", () => {
    const choice = select({
      id: "event",
      name: "kind",
      label: "Event",
      value: "contact.created",
      options: [
        ["contact.created", "contact.created"],
        ["b & c", "b & c"]
      ]
    })
    const form = html`<form method="post" action="${kept.action}">${choice}</form>`
    const shown = filled(form.text, { ...kept, fields: [["kind", "b & c"]] }, html``) ?? ""
    assert.match(shown, /<option[^>]*\sselected[^>]*>\s*b &amp; c/)
    assert.lengthOf(shown.match(/\sselected/g) ?? [], 1)
  })

  it.effect("is not kept where it is longer than a cookie may be", () =>
    Effect.gen(function* () {
      const noise = Array.from({ length: 60 }, (_, index) =>
        createHash("sha512").update(String(index)).digest("base64")
      )
      assert.isUndefined(yield* seal({ ...kept, fields: [["text", noise.join("")]] }, by))
      assert.isUndefined(yield* seal({ ...kept, fields: [["text", "a".repeat(20_000)]] }, by))
      assert.isDefined(yield* seal({ ...kept, fields: [["text", "Halls near Berlin. ".repeat(100)]] }, by))
    }).pipe(provideBox)
  )

  it("is shown in its own form, unfolded, and in no other", () => {
    const page = html`<details id="a">
        <summary>Other</summary>
        ${formOf("contact_b")}
      </details>
      <details id="b">
        <summary>Own</summary>
        ${formOf("contact_a")}
      </details>`
    const shown = filled(page.text, kept, html`<p>Yours</p>`) ?? ""
    const [before = "", own = ""] = shown.split(' id="b"')
    assert.strictEqual(before, `${page.text.split(' id="b"')[0]} open`)
    assert.include(own, "Wants &quot;halls&quot;\n&lt;/textarea&gt; &amp; &lt;b&gt;more&lt;/b&gt;</textarea>")
    assert.match(own, /name="name"[^>]*value="Zoë"/)
    assert.match(own, /name="etag" value="&quot;7&quot;"/)
    assert.match(own, /name="form_token" value="new"/)
    assert.match(own, /value="b" selected/)
    assert.notMatch(own, /value="a"\s+selected/)
    assert.match(own, /value="2"[^>]*checked/)
    assert.notMatch(own, /value="1"[^>]*checked/)
    assert.notInclude(own, "hunter2")
    assert.match(own, /<form[^>]*><p>Yours<\/p>/)
    const grouped = html`<form method="post" action="/x">
      <details id="g">
        <summary>A</summary>
        <input name="name" />
      </details>
      <details id="h">
        <summary>B</summary>
        <input name="other" />
      </details>
    </form>`
    const opened = filled(grouped.text, { ...kept, action: "/x", fields: [["name", "Zoë"]] }, html``) ?? ""
    assert.match(opened, /<details id="g" open>/)
    assert.match(opened, /<details id="h">/)
    assert.isUndefined(filled(page.text, { ...kept, action: "/console/team_x/tasks" }, html``))
  })
})
