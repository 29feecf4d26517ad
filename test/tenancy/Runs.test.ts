/** Exports and imports of teams, and restores, as operators without scripts ask for them in the console. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../src/core/Id.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { TeamLifecycle } from "../../src/tenancy/TeamLifecycle.ts"
import { isRunning } from "../../src/tenancy/TeamRun.ts"
import { TeamRuns } from "../../src/tenancy/TeamRuns.ts"
import * as Browser from "../console/Browser.ts"
import { signedIn } from "../console/people.ts"
import { pollUntil } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"

const root = "/console/operation/runs"
const teams = "/console/operation/teams"

const anOperator = Effect.gen(function* () {
  const person = yield* signedIn
  yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(person.email, true)))
  return person
})

/** An operator who has contacts in a team of their own. */
const withContacts = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const person = yield* anOperator
  const { browser, team } = person
  const base = `/console/${team.id}`
  const contacts = yield* Effect.forEach(names, (lastName) =>
    Effect.gen(function* () {
      const form = yield* browser.get(`${base}/contacts/new`)
      const made = yield* browser.submit(form.text, `${base}/contacts/new`, { lastName })
      assert.strictEqual(made.status, 303, made.text)
      return made.headers.get("location") ?? ""
    })
  )
  return { ...person, base, contacts, name: "Süd <Brokers> & Co" }
})

const locationOf = ({ headers, text }: { readonly headers: Headers; readonly text: string }) =>
  headers.get("location") ?? assert.fail(text)

/** What the worker does with one: a process works on one at a time, and another test may be at it. */
const work = Effect.fnUntraced(function* (path: string) {
  const { get, perform } = yield* TeamRuns
  const runId = path.split("/").at(-1) ?? ""
  const once = Effect.andThen(perform({ runId }), asOperator(get(runId)))
  yield* pollUntil("the end of a run", once, (run) => !isRunning(run))
})

/** The bytes of a file, as the browser saves them. */
const bytesOf = ({ baseUrl, jar }: Browser.Browser, path: string) =>
  Effect.promise(async () => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const answer = await fetch(`${baseUrl}${path}`, { headers: { cookie } })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  })

/** Uploads an archive. */
const upload = Effect.fnUntraced(function* (browser: Browser.Browser, content: Buffer) {
  const page = yield* browser.get(`${teams}/import`)
  const token =
    Browser.formsOf(page.text).find(({ action }) => action === `${teams}/import`)?.fields["form_token"] ?? ""
  const form = new FormData()
  form.append("form_token", token)
  form.append("file", new Blob([content]), "team <1>.zip")
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join("; ")
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${browser.baseUrl}${teams}/import`, {
      method: "POST",
      body: form,
      redirect: "manual",
      headers: { cookie, "sec-fetch-site": "same-origin", origin: "null" }
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })
})

const actionsIn = (log: string) =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly action: string; readonly actor: { readonly kind: string } })

layer(TestService.layer, { excludeTestServices: true })("Exports and imports of teams in the console", (it) => {
  it.effect("write an archive for the one who asked, and read it where the team is gone, after a rehearsal", () =>
    Effect.gen(function* () {
      const { base, browser, contacts, email, name, team } = yield* withContacts(["Lovelace"])
      const at = `${teams}/${team.id}`
      const confirm = yield* browser.get(`${at}/export`)
      const run = locationOf(yield* browser.submit(confirm.text, `${at}/export`))
      const waiting = yield* browser.get(run)
      assert.include(waiting.text, `data-follow="${run}/latest"`)
      assert.notInclude(waiting.text, `${run}/file`)
      assert.strictEqual((yield* browser.get(`${run}/file`)).status, 404)
      yield* work(run)
      const done = yield* browser.get(run)
      assert.include(done.text, `href="${run}/file"`)
      assert.match(done.text, /<dt>contacts<\/dt>\s*<dd>1<\/dd>/)
      const { bytes, headers, status } = yield* bytesOf(browser, `${run}/file`)
      assert.deepStrictEqual([status, headers.get("cache-control")], [200, "no-store"])
      assert.strictEqual(bytes.subarray(0, 2).toString(), "PK")
      // Another operator sees that it was made, and does not get it.
      const other = yield* anOperator
      assert.notInclude((yield* other.browser.get(run)).text, `href="${run}/file"`)
      assert.strictEqual((yield* bytesOf(other.browser, `${run}/file`)).status, 404)

      // Where the team is, its archive is refused.
      const refused = locationOf(yield* upload(browser, bytes))
      yield* work(refused)
      const said = yield* browser.get(refused)
      assert.include(said.text, "team &lt;1&gt;.zip")
      assert.match(said.text, /There is a team team_\w+ here already/)
      assert.notInclude(said.text, `${refused}/start`)

      const lifecycle = yield* TeamLifecycle
      yield* asOperator(lifecycle.delete(team.id, { now: true, confirm: name }))
      yield* lifecycle.finish()
      const back = locationOf(yield* upload(browser, bytes))
      yield* work(back)
      const checked = yield* browser.get(back)
      assert.include(checked.text, "This would be imported")
      assert.strictEqual((yield* browser.get(at)).status, 404, "a rehearsal writes nothing")
      const start = (typed: string) => browser.submit(checked.text, `${back}/start`, { confirm: typed })
      assert.strictEqual((yield* start("Süd")).status, 400)
      assert.strictEqual((yield* start(name)).status, 303)
      yield* work(back)
      // An attempt that comes again does nothing, nor does the form.
      yield* work(back)
      assert.strictEqual((yield* start(name)).status, 409)
      assert.include((yield* browser.get(back)).text, `href="${at}"`)
      assert.strictEqual((yield* browser.get(at)).status, 200)
      assert.strictEqual((yield* browser.get(`${base}/contacts`)).status, 200)
      assert.include((yield* browser.get(contacts[0] ?? "")).text, "Lovelace")
      const log = yield* browser.get(`/console/operation/audit/export?user=${email}&team=${team.id}&action=team.*`)
      assert.sameMembers(
        actionsIn(log.text).map(({ action }) => action),
        ["team.exported", "team.imported"]
      )
      assert.strictEqual((yield* browser.submit(said.text, `${refused}/delete`)).status, 303)
      assert.strictEqual((yield* browser.get(refused)).status, 404)
    })
  )

  it.effect("say what is no archive, stop for who is no operator any more, and end after a day", () =>
    Effect.gen(function* () {
      const { browser, email, team } = yield* anOperator
      const broken = locationOf(yield* upload(browser, Buffer.from("no zip")))
      yield* work(broken)
      assert.match((yield* browser.get(broken)).text, /The archive cannot be read/)
      const form = yield* browser.get(`${teams}/${team.id}/export`)
      const run = locationOf(yield* browser.submit(form.text, `${teams}/${team.id}/export`))
      const setOperator = (on: boolean) => asOperator(Effect.flatMap(Users, (users) => users.setOperator(email, on)))
      yield* setOperator(false)
      yield* work(run)
      yield* setOperator(true)
      assert.include((yield* browser.get(run)).text, "no operator any more")
      const sql = yield* Database
      const old = Id.minUuidOf(new Date(Date.now() - 25 * 3_600_000))
      yield* sql`
        update team_runs set id = ${old}, created_at = now() - interval '25 hours', changed_at = now() - interval '25 hours'
        where id = ${broken.split("/").at(-1) ?? ""}`
      assert.strictEqual((yield* browser.get(`${root}/${old}`)).status, 200)
      assert.isAtLeast(yield* Effect.flatMap(TeamRuns, ({ purge }) => purge(1000)), 1)
      assert.strictEqual((yield* browser.get(`${root}/${old}`)).status, 404)
      assert.include((yield* browser.get(root)).text, run)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Restores in the console", (it) => {
  it.effect("bring back what a user deleted, after a rehearsal and by the name of the team", () =>
    Effect.gen(function* () {
      const { browser, contacts, email, name, team, user } = yield* withContacts(["One", "Two", "Three"])
      for (const contact of contacts.slice(0, 2)) {
        const asked = yield* browser.submit((yield* browser.get(contact)).text, `${contact}/delete`)
        assert.strictEqual((yield* browser.submit(asked.text, `${contact}/delete`)).status, 303, asked.text)
      }
      const at = `${teams}/${team.id}/restore-records`
      const form = yield* browser.get(at)
      const unknown = yield* browser.submit(form.text, at, { deletedBy: "nobody" })
      assert.isAtLeast(unknown.status, 400)
      assert.strictEqual((yield* browser.submit(form.text, at, { deletedBy: email, since: "x" })).status, 400)
      const rehearsal = yield* browser.submit(form.text, at, { deletedBy: email })
      assert.match(rehearsal.text, /This would be restored[\s\S]*<dt>Contacts<\/dt>\s*<dd>2<\/dd>/)
      const begin = (confirm: string) => browser.submit(rehearsal.text, at, { confirm })
      assert.strictEqual((yield* begin("Süd")).status, 400)
      const run = locationOf(yield* begin(name))
      yield* work(run)
      const done = yield* browser.get(run)
      assert.match(done.text, /<dt>Contacts<\/dt>\s*<dd>2 of 2<\/dd>/)
      assert.include(done.text, user.id, "an address would stay when the person is erased")
      assert.notInclude(done.text, email)
      for (const contact of contacts) assert.include((yield* browser.get(contact)).text, `${contact}/edit`)
      assert.include((yield* browser.submit(form.text, at, { deletedBy: email })).text, "There is nothing to restore")
      const log = yield* browser.get(
        `/console/operation/audit/export?team=${team.id}&action=records.restored&user=${email}`
      )
      assert.deepStrictEqual(
        actionsIn(log.text).map(({ action, actor }) => [action, actor.kind]),
        [["records.restored", "user"]]
      )
    })
  )
})
