/** The journal in the console: what happened, the latest first, and rows that come by themselves. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Browser } from "../../console/Browser.ts"
import { signedIn } from "../../console/people.ts"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Tokens } from "../../../src/identity/tokens/Tokens.ts"
import { TestService } from "../../support/TestService.ts"
import { pollUntil } from "../../support/polling.ts"

/** A person at the journal of their team. */
const atJournal = Effect.gen(function* () {
  const { request } = yield* TestService
  const { browser, email, team } = yield* signedIn
  const { create } = yield* Tokens
  const { token } = yield* asOperator(create({ email, teamId: team.id, name: "import" }))
  const write = (kind: "companies" | "contacts", json: object) =>
    Effect.map(
      request<{ readonly id: string }>("POST", `/api/v1/network/${kind}`, { token, json }),
      ({ body }) => body.id
    )
  return { browser, write, path: `/console/${team.id}/journal` }
})

/** What a stream of events has sent, piece by piece, until it ends. */
const streamOf = ({ baseUrl, jar }: Browser, path: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const aborted = new AbortController()
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(baseUrl + path, { headers: { cookie }, signal: aborted.signal, redirect: "manual" })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      return { aborted, response, read: async () => (await reader?.read())?.value }
    }),
    ({ aborted }) => Effect.sync(() => aborted.abort())
  )

const rowsIn = (text: string) => [...text.matchAll(/<tr id="event-(\d+)"/g)].map(([, seq]) => Number(seq))

layer(TestService.layer, { excludeTestServices: true })("The journal in the console", (it) => {
  it.effect("shows the latest events first, filtered by type, resource and day, and one with its payload", () =>
    Effect.gen(function* () {
      const { browser, path, write } = yield* atJournal
      assert.include((yield* browser.get(path)).text, "Nothing has happened yet")
      const id = yield* write("contacts", { firstName: "Anna" })
      yield* write("contacts", { firstName: "Ben" })
      yield* write("companies", { name: "Nord" })
      const page = yield* pollUntil("three events", browser.get(path), ({ text }) => rowsIn(text).length === 3)
      assert.deepStrictEqual(rowsIn(page.text), [3, 2, 1])
      assert.deepStrictEqual(rowsIn((yield* browser.get(`${path}?types=company.*`)).text), [3])
      // Tomorrow in UTC has begun already where the reader is.
      const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
      assert.include((yield* browser.get(`${path}?since=${later}`)).text, "Nothing matches the filters")
      assert.deepStrictEqual(rowsIn((yield* browser.get(`${path}?before=3`)).text), [2, 1])
      assert.deepStrictEqual(rowsIn((yield* browser.get(`${path}?resource_id=${id}`)).text), [1])
      const opened = yield* browser.get(`${path}?open=3`)
      assert.include(opened.text, "&quot;event&quot;: &quot;company.created&quot;")
      assert.include(opened.text, "/api/v1/changes?after=2&amp;page_size=1&amp;types=company.created&#39;")
      assert.include(opened.text, "await client.changes.list({ query: { after: 2")
    })
  )

  it.effect("sends new rows to who watches, from the last one that they have, until they are signed out", () =>
    Effect.gen(function* () {
      const { browser, path, write } = yield* atJournal
      yield* write("contacts", { firstName: "Anna" })
      yield* write("contacts", { firstName: "Ben" })
      yield* pollUntil("two events", browser.get(path), ({ text }) => rowsIn(text).length === 2)
      const { read, response } = yield* streamOf(browser, `${path}/live?after=1&types=contact.*`)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      const first = yield* Effect.promise(read)
      assert.deepStrictEqual(rowsIn(first ?? ""), [2])
      assert.match(first ?? "", /^retry: 3000\n\nevent: row\nid: 2\ndata: <tr id="event-2"/)
      yield* write("companies", { name: "Nord" })
      yield* write("contacts", { firstName: "Cleo" })
      assert.deepStrictEqual(rowsIn((yield* Effect.promise(read)) ?? ""), [4])
      const streams = yield* Effect.all(
        Array.from({ length: 9 }, () => streamOf(browser, `${path}/live`)),
        { concurrency: 9 }
      )
      // Each counts from its first bytes on.
      yield* Effect.forEach(streams, (one) => Effect.promise(one.read))
      assert.strictEqual((yield* browser.get(`${path}/live`)).status, 429, "a session has ten")
      const account = yield* browser.get("/console/account")
      yield* browser.submit(account.text, "/signout")
      assert.isUndefined(yield* Effect.promise(read), "the stream ends")
    }).pipe(Effect.scoped)
  )
})
