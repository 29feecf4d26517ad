/** The pages of operators, and what they record. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { pages } from "../../src/Pages.ts"
import { Users } from "../../src/identity/users/Users.ts"
import * as TeasersClient from "../deals/teasers/TeasersClient.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { linkOf, password, signedIn } from "./people.ts"

/** An operator, in a browser that is signed in. */
const anOperator = Effect.gen(function* () {
  const person = yield* signedIn
  yield* asOperator(Effect.flatMap(Users, ({ setOperator }) => setOperator(person.email, true)))
  return person
})

layer(TestService.layer, { excludeTestServices: true })("The console of operators", (it) => {
  it.effect("is not there for anybody else, whatever the address and the method", () =>
    Effect.gen(function* () {
      const { browser } = yield* signedIn
      const start = yield* browser.get((yield* browser.get("/console")).headers.get("location") ?? "")
      assert.notInclude(start.text, "/console/operation")
      const routes = pages.filter(({ path }) => path.startsWith("/console/operation"))
      assert.isAbove(routes.length, 1)
      for (const { method, path } of routes) {
        const at = path.replaceAll(/:\w+/g, "x")
        const reply = yield* method === "GET" ? browser.get(at) : browser.post(at, {})
        assert.strictEqual(reply.status, 404, `${method} ${path}`)
      }
    })
  )

  it.effect("shows the audit log of all teams, by filters, and exports it", () =>
    Effect.gen(function* () {
      const { browser, email, team, user } = yield* anOperator
      const found = yield* browser.get(`/console/operation/audit?user=${email}&action=user.*&outcome=success`)
      assert.strictEqual(found.status, 200, found.text)
      assert.include(found.text, "user.created")
      assert.notInclude(found.text, ">session.started</a>")
      const [, id = ""] = /<tr id="(audit_\w+)"/.exec(found.text) ?? []
      const opened = yield* browser.get(`/console/operation/audit?user=${email}&action=user.*&open=${id}`)
      assert.include(opened.text, user.id)
      assert.include(opened.text, "Eva Brandt")
      // What an entry is about is a link to its page.
      assert.include(opened.text, `<a href="/console/operation/users/${user.id}">Eva Brandt</a>`)
      assert.include(
        (yield* browser.get(`/console/operation/audit?team=${team.id}&action=team.*`)).text,
        `<a href="/console/operation/teams/${team.id}">`
      )
      const lines = yield* browser.get(`/console/operation/audit/export?user=${email}&format=ndjson`)
      assert.strictEqual(lines.headers.get("content-type"), "application/x-ndjson")
      const entries = lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly action: string })
      assert.include(
        entries.map(({ action }) => action),
        "operator.appointed"
      )
      const all = yield* browser.get(`/console/operation/audit/export?team=${team.id}&action=team.*&format=json`)
      assert.deepStrictEqual(
        (JSON.parse(all.text) as typeof entries).map(({ action }) => action),
        ["team.created"]
      )
      const wrong = yield* browser.get("/console/operation/audit?user=nobody@example.com&since=yesterday")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "nobody@example.com")
    })
  )

  it.effect("approves a capability once, and the audit log names the person who did", () =>
    Effect.gen(function* () {
      const { browser, team, user } = yield* anOperator
      const users = yield* Users
      const create = (name: string) =>
        asOperator(
          users.create({
            email: `${name}.${team.id}@example.com`,
            name,
            teamId: team.id,
            role: "member",
            broker: "pending"
          })
        )
      const [yes, no] = [yield* create("Yes"), yield* create("No")]
      const page = yield* browser.get("/console/operation/approvals")
      const form = (id: string) => Browser.formsOf(page.text).find(({ fields }) => fields["user"] === id)
      const decide = (id: string, decision: string) =>
        browser.post("/console/operation/approvals", { ...form(id)?.fields, decision })
      const approved = yield* decide(yes.id, "approve")
      assert.strictEqual(approved.status, 303)
      const said = yield* browser.get("/console/operation/approvals")
      assert.match(said.text, /Approved: Broker for Yes, by Eva Brandt, [^<]*\d{4}[^<]*\d:\d\d[^<]*\./)
      assert.strictEqual((yield* decide(no.id, "refuse")).status, 303)
      assert.strictEqual((yield* decide(yes.id, "refuse")).status, 409)
      // Who decided stays on the page, with links to both.
      const lately = (yield* browser.get("/console/operation/approvals")).text.split('id="lately"')[1] ?? ""
      for (const one of [yes, no]) assert.include(lately, `href="/console/operation/users/${one.id}"`)
      assert.include(lately, `href="/console/operation/users/${user.id}">Eva Brandt</a>`)
      assert.deepStrictEqual((yield* asOperator(users.show(yes.id))).capabilities, { broker: "active" })
      assert.deepStrictEqual((yield* asOperator(users.show(no.id))).capabilities, {})
      const log = yield* browser.get(`/console/operation/audit/export?user=${yes.id}&action=capability.*`)
      const entry = JSON.parse(log.text) as {
        readonly actor: unknown
        readonly via: { readonly session: string | null }
      }
      assert.deepStrictEqual(entry.actor, { kind: "user", id: user.id, name: "Eva Brandt" })
      assert.isNotNull(entry.via.session)
    })
  )

  it.effect("creates, closes and deletes accounts, and shows a sign-in link once", () =>
    Effect.gen(function* () {
      const { browser, team, user: own } = yield* anOperator
      const root = "/console/operation/users"
      const email = `new.${team.id}@example.com`
      const form = yield* browser.get(`${root}/new?team=${team.id}`)
      const refused = yield* browser.submit(form.text, `${root}/new`, {
        email: "no address",
        name: "N",
        role: "member"
      })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, 'value="no address"')
      const created = yield* browser.submit(form.text, `${root}/new`, { email, name: "New", role: "member" })
      const at = created.headers.get("location") ?? ""
      const page = yield* browser.get(at)
      assert.include(page.text, email)
      assert.include((yield* browser.get(`${root}?text=${email.slice(0, 20)}`)).text, at)
      const link = yield* browser.submit(page.text, `${at}/link`)
      assert.strictEqual(link.headers.get("cache-control"), "no-store")
      const [, path = ""] = /value="[^"]*(\/signin\/password\?link=[^"]+)"/.exec(link.text) ?? []
      assert.strictEqual((yield* browser.get(path)).status, 200)
      yield* browser.submit(page.text, `${at}/state`)
      assert.include((yield* browser.get(at)).text, "Deactivated")
      const confirm = yield* browser.get(`${at}/delete`)
      assert.strictEqual((yield* browser.submit(confirm.text, `${at}/delete`, { confirm: "no" })).status, 400)
      const deleted = yield* browser.submit(confirm.text, `${at}/delete`, { confirm: email })
      assert.strictEqual(deleted.headers.get("location"), root)
      assert.include((yield* browser.get(at)).text, "Deleted")
      const self = yield* browser.post(`${root}/${own.id}/state`, {
        ...Browser.formsOf(page.text)[0]?.fields,
        move: "deactivate"
      })
      assert.strictEqual(self.status, 409)
    })
  )

  it.effect("makes a team once, sets its quotas and members, closes it by its name, and restores it", () =>
    Effect.gen(function* () {
      const { browser, email } = yield* anOperator
      const root = "/console/operation/teams"
      const form = yield* browser.get(`${root}/new`)
      const made = yield* browser.submit(form.text, `${root}/new`, { name: "Nord <Brokers>", plan: "plus" })
      const again = yield* browser.submit(form.text, `${root}/new`, { name: "Nord <Brokers>", plan: "plus" })
      const at = made.headers.get("location") ?? ""
      assert.strictEqual(again.headers.get("location"), at)
      const page = yield* browser.get(at)
      assert.include(page.text, "Nord &lt;Brokers&gt;")
      const members = (fields: Browser.Fields) => browser.submit(page.text, `${at}/members`, { email, ...fields })
      yield* members({ move: "invite", role: "member" })
      yield* members({ move: "accept" })
      yield* members({ move: "admin" })
      assert.include((yield* browser.get(at)).text, email)
      const asked = yield* members({ move: "remove" })
      yield* browser.submit(asked.text, `${at}/members`)
      assert.notInclude((yield* browser.get(at)).text, email)
      assert.strictEqual((yield* members({ move: "remove", confirmed: email })).status, 409)
      yield* browser.submit(page.text, `${at}/quotas`, { kind: "contacts", quota: "1234" })
      assert.include((yield* browser.get(at)).text, "1,234")
      const wrong = yield* browser.submit(page.text, `${at}/quotas`, { kind: "contacts", quota: "-1" })
      assert.strictEqual(wrong.status, 400)
      const confirm = yield* browser.get(`${at}/delete`)
      const fields = Browser.formsOf(confirm.text).find(({ action }) => action === `${at}/delete`)?.fields
      // A browser does not send a box that is not ticked.
      const { now: _, ...sent } = fields ?? {}
      const remove = (name: string) => browser.post(`${at}/delete`, { ...sent, confirm: name })
      assert.strictEqual((yield* remove("Nord")).status, 400)
      yield* remove("Nord <Brokers>")
      const deleted = yield* browser.get(at)
      yield* browser.submit(deleted.text, `${at}/restore`)
      assert.notInclude((yield* browser.get(at)).text, `"${at}/restore"`)
      assert.include((yield* browser.get(`${root}?text=nord+%3Cb&state=active`)).text, at)
      const id = at.split("/").at(-1) ?? ""
      const log = yield* browser.get(`/console/operation/audit/export?team=${id}&action=team.*&user=${email}`)
      const actions = log.text
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { readonly action: string }).action)
      assert.deepStrictEqual(actions, ["team.restored", "team.deleted", "team.created"])
    })
  )

  it.effect("shows how the installation is, its jobs and its statements, and runs a failed job again", () =>
    Effect.gen(function* () {
      const { browser, user } = yield* anOperator
      const overview = yield* browser.get("/console/operation")
      assert.strictEqual(overview.status, 200, overview.text)
      assert.match(overview.text, /00\d\d_\w+\.sql/)
      const statements = yield* browser.get("/console/operation/statements")
      assert.strictEqual(statements.status, 200, statements.text)
      const sql = yield* Database
      const name = `test/${user.id}`
      const [job] = yield* sql<{ readonly id: string }>`
        select id::text from graphile_worker.add_job(${name}, '{}'::json, max_attempts => 1, run_at => now() + interval '1 day')`
      const id = job?.id ?? ""
      yield* sql`select from graphile_worker.permanently_fail_jobs(array[${id}::bigint], 'Cannot <read> it')`
      yield* sql`update graphile_worker._private_jobs set attempts = 1 where id = ${id}::bigint`
      const jobs = yield* browser.get("/console/operation/jobs")
      assert.include(jobs.text, "Cannot &lt;read&gt; it")
      const form = Browser.formsOf(jobs.text).find(({ fields }) => fields["id"] === id)
      const retry = () => browser.post("/console/operation/jobs", form?.fields ?? {})
      assert.strictEqual((yield* retry()).status, 303)
      assert.notInclude((yield* browser.get("/console/operation/jobs")).text, `job-${id}"`)
      assert.strictEqual((yield* retry()).status, 409)
      yield* sql`select from graphile_worker.complete_jobs(array[${id}::bigint])`
    })
  )

  it.effect("verifies a teaser of any team, and takes it back", () =>
    Effect.gen(function* () {
      const { browser, user } = yield* anOperator
      const { get, move, project, property } = yield* TeasersClient.make()
      const id = yield* project(yield* property())
      yield* move(id, "publish")
      const root = "/console/operation/teasers"
      assert.strictEqual((yield* browser.get(root)).status, 200)
      const submit = (text: string) => browser.submit(text, `${root}/${id}`)
      const shown = (yield* browser.get(`${root}/${id}`)).text
      assert.match(shown, /<dt>Price<\/dt>\s*<dd>[^<]*\d,\d{3}[^<]* EUR/)
      yield* submit((yield* browser.get(`${root}/${id}`)).text)
      assert.strictEqual((yield* get(id)).body.stage, "verified")
      assert.include((yield* browser.get(`${root}?view=verified`)).text, "<h1>Teasers</h1>")
      yield* submit((yield* browser.get(`${root}/${id}`)).text)
      assert.strictEqual((yield* get(id)).body.stage, "published")
      yield* move(id, "unpublish")
      const refused = yield* browser.post(`${root}/${id}`, {
        ...Browser.formsOf((yield* browser.get(root)).text)[0]?.fields,
        move: "verify"
      })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "teaser_not_published")
      const log = yield* browser.get(`/console/operation/audit/export?user=${user.id}&action=teaser.*`)
      assert.strictEqual(log.text.trim().split("\n").length, 2)
    })
  )

  it.effect("lists webhooks and deliveries of all teams, and says what is not there", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* anOperator
      const webhooks = yield* browser.get(`/console/operation/webhooks?team=${team.id}`)
      assert.include(webhooks.text, "No webhooks")
      const deliveries = yield* browser.get(
        `/console/operation/deliveries?team=${team.id}&status=failed&since=2026-01-01`
      )
      assert.include(deliveries.text, "No deliveries")
      assert.strictEqual((yield* browser.get("/console/operation/deliveries?since=x")).status, 400)
      assert.strictEqual((yield* browser.get("/console/operation/deliveries/dlv_x")).status, 404)
    })
  )

  it.effect("shows a team's own log to its administrators alone", () =>
    Effect.gen(function* () {
      const person = yield* signedIn
      const { browser, team } = person
      const users = yield* Users
      const other = yield* signedIn
      const page = yield* browser.get(`/console/${team.id}/audit`)
      assert.include(page.text, "team.created")
      assert.include(page.text, `<a href="/console/${team.id}/profile">`)
      assert.notInclude(page.text, other.user.id)
      assert.strictEqual((yield* browser.get(`/console/${other.team.id}/audit`)).status, 404)
      const email = `second.${person.email}`
      yield* asOperator(users.create({ email, name: "Second", teamId: team.id, role: "member" }))
      const member = yield* Browser.open
      yield* member.submit((yield* member.get(yield* linkOf(email))).text, "/signin/password", { password })
      assert.strictEqual((yield* member.get(`/console/${team.id}/audit`)).status, 403)
      assert.notInclude((yield* member.get(`/console/${team.id}`)).text, "/audit")
    })
  )
})
