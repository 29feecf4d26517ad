/** The pages of a team: its profile, members, invitations and quotas, as a browser without scripts sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../src/core/Id.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { OwnTokens } from "../../src/identity/tokens/Tokens.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { TestService } from "../support/TestService.ts"
import * as Browser from "./Browser.ts"
import { linkOf, password, signedIn } from "./people.ts"

const linkIn = (page: string) =>
  /href|value="[^"]*(\/signin\/invitation\?link=pni_\w+)"/.exec(page)?.[1] ??
  /(\/signin\/invitation\?link=pni_\w+)/.exec(page)?.[1] ??
  ""

/** The path of an invitation that an administrator makes. */
const invite = Effect.fnUntraced(function* (
  browser: Browser.Browser,
  base: string,
  email: string,
  role: "admin" | "member" = "member"
) {
  const form = yield* browser.get(`${base}/members/invite`)
  const made = yield* browser.submit(form.text, `${base}/members/invite`, { email, role })
  assert.strictEqual(made.status, 200, made.text)
  return { link: linkIn(made.text), form: form.text, page: made }
})

/** Another member of the team of a person, in a browser. */
const colleague = Effect.fnUntraced(function* (teamId: string, email: string) {
  const users = yield* Users
  const user = yield* asOperator(users.create({ email, name: "Jan Vogt", teamId, role: "member" }))
  const browser = yield* Browser.open
  const page = yield* browser.get(yield* linkOf(email))
  yield* browser.submit(page.text, "/signin/password", { password })
  return { browser, user }
})

layer(TestService.layer, { excludeTestServices: true })("The team in the console", (it) => {
  it.effect("lets its administrators change the profile, and shows it to members", () =>
    Effect.gen(function* () {
      const { browser, email, team } = yield* signedIn
      const base = `/console/${team.id}`
      const page = yield* browser.get(`${base}/profile`)
      assert.strictEqual(page.status, 200)
      const values = {
        name: "Nord <Makler>",
        legalName: "Nord GmbH",
        country: "DE",
        "leasableArea.min": "2000",
        "leasableArea.max": "10000",
        "investmentCapacity.max": "25",
        "investmentCapacity.currency": "EUR",
        "investmentCapacity.scale": "million",
        categories: "family"
      }
      const wrong = yield* browser.submit(page.text, `${base}/profile`, { ...values, country: "Deutschland" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, 'value="Nord &lt;Makler&gt;"')
      const saved = yield* browser.submit(page.text, `${base}/profile`, values)
      assert.deepStrictEqual([saved.status, saved.headers.get("location")], [303, `${base}/profile`])
      const stale = yield* browser.submit(page.text, `${base}/profile`, { ...values, legalName: "Other" })
      assert.strictEqual(stale.status, 412, "another form was saved meanwhile")
      const { browser: member } = yield* colleague(team.id, `jan.${email}`)
      const shown = (yield* member.get(`${base}/profile`)).text
      for (const text of [
        "Nord &lt;Makler&gt;",
        "Nord GmbH",
        "2,000 – 10,000 m²",
        "up to 25 million EUR",
        "Family office"
      ]) {
        assert.include(shown, text)
      }
      assert.notInclude(shown, "Two letters")
      const refused = yield* member.submit(page.text, `${base}/profile`, values)
      assert.strictEqual(refused.status, 403)
    })
  )

  it.effect("lets a member request a capability", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const base = `/console/${team.id}`
      const page = yield* browser.get(`${base}/profile`)
      const reply = yield* browser.submit(page.text, `${base}/profile/capability`, { kind: "investor" })
      assert.strictEqual(reply.status, 303)
      const after = (yield* browser.get(`${base}/profile`)).text
      assert.include(after, "Your request waits for the operator.")
      assert.isUndefined(Browser.formsOf(after).find(({ action }) => action.endsWith("/capability")))
      const start = (yield* browser.get(base)).text
      assert.include(start, "Your request to become an investor waits for an operator of this service, who decides.")
      assert.notInclude(start, "Your request to become a broker")
    })
  )

  it.effect("keeps an administrator, whoever is removed or demoted", () =>
    Effect.gen(function* () {
      const { browser, email, team, user } = yield* signedIn
      const base = `/console/${team.id}`
      const { browser: jan, user: other } = yield* colleague(team.id, `jan.${email}`)
      const drawer = (id: string) => browser.get(`${base}/members?open=${id}`)
      const own = (yield* drawer(user.id)).text
      const refused = yield* browser.submit(own, `${base}/members/role`, { role: "member" })
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "only_administrator")
      const promoted = yield* browser.submit((yield* drawer(other.id)).text, `${base}/members/role`, { role: "admin" })
      assert.strictEqual(promoted.status, 303)
      assert.strictEqual((yield* browser.submit(own, `${base}/members/role`, { role: "member" })).status, 303)
      assert.strictEqual((yield* browser.get(`${base}/members/invite`)).status, 403)
      const asked = yield* jan.submit(
        (yield* jan.get(`${base}/members?open=${user.id}`)).text,
        `${base}/members/remove`
      )
      assert.include(asked.text, "Remove Eva Brandt from the team?")
      assert.strictEqual((yield* jan.submit(asked.text, `${base}/members/remove`)).status, 303)
      assert.strictEqual((yield* browser.get(`${base}/members`)).status, 404)
    })
  )

  it.effect("shows what its quotas allow, and the apps that members connected", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const base = `/console/${team.id}`
      const quotas = (yield* browser.get(`${base}/quotas`)).text
      assert.include(quotas, "5,000,000")
      assert.include(quotas, "100 GB")
      assert.include((yield* browser.get(`${base}/apps`)).text, "No app is connected.")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("An invitation", (it) => {
  it.effect("gives whoever has no account one, once, and shows its link to the same form alone", () =>
    Effect.gen(function* () {
      const { browser, email, team } = yield* signedIn
      const base = `/console/${team.id}`
      const address = `neu.${email}`
      const { form, link, page } = yield* invite(browser, base, address)
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      assert.strictEqual(
        linkIn((yield* browser.submit(form, `${base}/members/invite`, { email: address, role: "member" })).text),
        link
      )
      const sql = yield* Database
      const [stored] = yield* sql<{ readonly text: string }>`
        select string_agg(invitations::text, '') as text from invitations where email = ${address}`
      assert.notInclude(stored?.text ?? link, link.split("link=")[1] ?? link)
      assert.include((yield* browser.get(`${base}/members`)).text, address)

      const guest = yield* Browser.open
      const opened = yield* guest.get(link)
      assert.include(opened.text, `Eva Brandt invites you as ${address}.`)
      const weak = yield* guest.submit(opened.text, "/signin/invitation", { name: "Nia Neu", password: "short" })
      assert.strictEqual(weak.status, 422)
      const joined = yield* guest.submit(weak.text, "/signin/invitation", { name: "Nia Neu", password })
      assert.deepStrictEqual([joined.status, joined.headers.get("location")], [303, base])
      assert.include((yield* guest.get(`${base}/members`)).text, "Nia Neu")
      assert.strictEqual((yield* (yield* Browser.open).get(link)).status, 410)
      const [user] = yield* sql<{ readonly confirmed: boolean; readonly broker: string | null }>`
        select email_confirmed as confirmed, broker from users where email = ${address}`
      assert.deepStrictEqual(user, { confirmed: false, broker: null }, "nobody vouched for the address")
      const [audited] = yield* sql<{ readonly actions: ReadonlyArray<string> }>`
        select array_agg(action order by id) as actions from audit_log where team_id = ${Id.toUuid("team", team.id) ?? ""}`
      assert.includeMembers(
        [...(audited?.actions ?? [])],
        ["invitation.created", "user.created", "member.accepted"],
        "who joined by which invitation is in the audit log"
      )
    })
  )

  it.effect("lets whoever has the account join after signing in, and nobody else", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const guest = yield* signedIn
      const stranger = yield* signedIn
      const base = `/console/${team.id}`
      const { link } = yield* invite(browser, base, guest.email.toUpperCase(), "admin")
      const other = yield* stranger.browser.get(link)
      assert.include(other.text, "signed in with another address")
      const fresh = yield* Browser.open
      assert.include((yield* fresh.get(link)).text, `/signin?next=${encodeURIComponent(link)}`)
      const page = yield* guest.browser.get(link)
      const token = Browser.formsOf(other.text)[0]?.fields["form_token"] ?? ""
      const forged = yield* stranger.browser.post("/signin/invitation", {
        form_token: token,
        link: link.split("link=")[1] ?? ""
      })
      assert.include(forged.text, "signed in with another address")
      const joined = yield* guest.browser.submit(page.text, "/signin/invitation")
      assert.deepStrictEqual([joined.status, joined.headers.get("location")], [303, base])
      assert.strictEqual((yield* guest.browser.get(`${base}/members/invite`)).status, 200)
    })
  )

  it.effect("ends when it is taken back, replaced, too old, or whoever made it administers no longer", () =>
    Effect.gen(function* () {
      const { browser, email, team, user } = yield* signedIn
      const base = `/console/${team.id}`
      const guest = yield* Browser.open
      const statusOf = (link: string) => Effect.map(guest.get(link), ({ status }) => status)
      const first = yield* invite(browser, base, `a.${email}`)
      const second = yield* invite(browser, base, `A.${email}`)
      assert.deepStrictEqual([yield* statusOf(first.link), yield* statusOf(second.link)], [410, 200])
      const members = (yield* browser.get(`${base}/members`)).text
      yield* browser.submit(members, `${base}/members/invitations/revoke`)
      assert.strictEqual(yield* statusOf(second.link), 410)

      const sql = yield* Database
      const old = yield* invite(browser, base, `b.${email}`)
      yield* sql`update invitations set expires_at = now() - interval '1 second' where email = ${`b.${email}`}`
      assert.strictEqual(yield* statusOf(old.link), 410)
      const last = yield* invite(browser, base, `c.${email}`)
      const teams = yield* Teams
      yield* asOperator(teams.setRole({ teamId: team.id, email, role: "member" }))
      assert.strictEqual(yield* statusOf(last.link), 410)
      assert.isString(user.id)
    })
  )
})

const secretIn = (page: string) => /pns_\w+/.exec(page)?.[0] ?? ""

layer(TestService.layer, { excludeTestServices: true })("A client in the console", (it) => {
  it.effect("is created by an administrator with what they may do, rotated with an overlap, and cut off", () =>
    Effect.gen(function* () {
      const { browser, team } = yield* signedIn
      const { request } = yield* TestService
      const base = `/console/${team.id}`
      const tokenOf = (id: string, secret: string) =>
        request<{ readonly access_token?: string }>("POST", "/openid/token", {
          headers: { "content-type": "application/x-www-form-urlencoded" },
          text: new URLSearchParams({
            grant_type: "client_credentials",
            client_id: id,
            client_secret: secret
          }).toString()
        })
      const form = (yield* browser.get(`${base}/clients/new`)).text
      const fields = { name: "CRM <sync>", botName: "" }
      const made = yield* browser.submit(form, `${base}/clients/new`, { ...fields, capabilities: "investor" })
      assert.strictEqual(made.status, 200, made.text)
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      const again = yield* browser.submit(form, `${base}/clients/new`, { ...fields, capabilities: "investor" })
      const secret = secretIn(made.text)
      assert.strictEqual(secretIn(again.text), secret, "the same form shows the same secret")
      const id = /client_\w{26}/.exec(made.text)?.[0] ?? ""
      const token = (yield* tokenOf(id, secret)).body.access_token ?? ""
      const me = yield* request<{ readonly id: string; readonly capabilities: object }>("GET", "/api/v1/auth/me", {
        token
      })
      assert.deepStrictEqual(me.body.capabilities, { investor: "pending" }, "its maker is no investor")

      const page = (yield* browser.get(`${base}/clients/${id}`)).text
      assert.include(page, "CRM &lt;sync&gt;")
      assert.notInclude(page, secret)
      const rotated = yield* browser.submit(page, `${base}/clients/${id}/rotate`, { overlap: "24h" })
      const next = secretIn(rotated.text)
      assert.notStrictEqual(next, secret)
      assert.deepStrictEqual([(yield* tokenOf(id, secret)).status, (yield* tokenOf(id, next)).status], [200, 200])

      const sql = yield* Database
      yield* sql`update users set broker = 'active' where id = ${Id.toUuid("user", me.body.id) ?? ""}`
      const hook = { name: "Made by it", url: "http://127.0.0.1:9/in", events: ["contact.created"] }
      const webhook = yield* request<{ readonly id: string }>("POST", "/api/v1/webhooks", { token, json: hook })
      assert.strictEqual(webhook.status, 201, webhook.text)
      const withWebhook = (yield* browser.get(`${base}/clients/${id}`)).text
      assert.include(withWebhook, "Made by it")
      const asked = yield* browser.submit(withWebhook, `${base}/clients/${id}/revoke`, { webhooks: "on" })
      assert.include(asked.text, "Revoke CRM &lt;sync&gt;?")
      assert.strictEqual((yield* browser.submit(asked.text, `${base}/clients/${id}/revoke`)).status, 303)
      assert.strictEqual((yield* tokenOf(id, next)).status, 401)
      assert.strictEqual(
        (yield* browser.get(`${base}/webhooks/${webhook.body.id}`)).status,
        404,
        "it went with its client"
      )
      assert.include((yield* browser.get(`${base}/clients`)).text, "Revoked")

      const other = yield* signedIn
      const elsewhere = `/console/${other.team.id}/clients/${id}`
      assert.strictEqual((yield* other.browser.get(elsewhere)).status, 404, "it is of another team")
      const { browser: member } = yield* colleague(team.id, `jan.${other.email}`)
      assert.strictEqual((yield* member.get(`${base}/clients/${id}`)).status, 403)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Tags in the console", (it) => {
  it.effect("are renamed and merged on all records, with their timelines and events, once the count is confirmed", () =>
    Effect.gen(function* () {
      const { browser, team, user } = yield* signedIn
      const { request } = yield* TestService
      const tokens = yield* OwnTokens
      const { token } = yield* tokens.create(
        Id.toUuid("user", user.id) ?? "",
        { name: "Test", teamId: team.id },
        "tags"
      )
      const ask = <Body extends object>(method: string, path: string, json?: unknown) =>
        Effect.map(
          request<Body>(method, `/api/v1${path}`, { token, ...(json === undefined ? {} : { json }) }),
          ({ body }) => body
        )
      interface Tagged {
        readonly id: string
        readonly tags: ReadonlyArray<string>
      }
      const contact = yield* ask<Tagged>("POST", "/network/contacts", {
        email: `tagged@${team.id.replaceAll("_", "-")}.example`,
        tags: ["a <b>", "Core", "x"]
      })
      const company = yield* ask<Tagged>("POST", "/network/companies", { name: "Tagged GmbH", tags: ["a <b>"] })
      const project = yield* ask<{ readonly id: string }>("POST", "/projects", { name: "Tagged" })
      const prospect = yield* ask<{ readonly id: string; readonly projectTags: ReadonlyArray<string> }>(
        "POST",
        `/projects/${project.id}/prospects`,
        { contactId: contact.id, projectTags: ["core", "a <b>"] }
      )
      const base = `/console/${team.id}`
      const open = (yield* browser.get(`${base}/tags?open=${encodeURIComponent("a <b>")}`)).text
      assert.include(open, "a &lt;b&gt;")
      const preview = yield* browser.submit(open, `${base}/tags/rename`, { to: "Core" })
      assert.include(preview.text, "Merge “a &lt;b&gt;” into “Core”?")
      assert.strictEqual(
        Browser.formsOf(preview.text).find(({ action }) => action.endsWith("/rename"))?.fields["confirmed"],
        "3"
      )
      // Somebody else gives the tag to another record meanwhile.
      yield* ask("POST", "/network/companies", { name: "Another One AG", tags: ["a <b>"] })
      const again = yield* browser.submit(preview.text, `${base}/tags/rename`)
      assert.include(again.text, "The numbers have changed meanwhile.")
      const done = yield* browser.submit(again.text, `${base}/tags/rename`)
      assert.deepStrictEqual([done.status, done.headers.get("location")], [303, `${base}/tags`])
      const after = yield* Effect.all([
        ask<Tagged>("GET", `/network/contacts/${contact.id}`),
        ask<Tagged>("GET", `/network/companies/${company.id}`)
      ])
      assert.deepStrictEqual(
        after.map(({ tags }) => tags),
        [["Core", "x"], ["Core"]]
      )
      const ofProspect = yield* ask<{
        readonly projectTags: ReadonlyArray<string>
        readonly tags: ReadonlyArray<string>
      }>("GET", `/projects/${project.id}/prospects/${prospect.id}`)
      assert.deepStrictEqual([ofProspect.projectTags, ofProspect.tags], [["core"], ["Core", "x"]])
      const timeline = yield* ask<{ readonly data: ReadonlyArray<object> }>(
        "GET",
        `/network/contacts/${contact.id}/actions`
      )
      assert.include(JSON.stringify(timeline), "tags")
      const sql = yield* Database
      const [events] = yield* inTeam(Id.toUuid("team", team.id) ?? "")(sql<{ readonly types: ReadonlyArray<string> }>`
        select array_agg(distinct type) as types from events where team_id = ${Id.toUuid("team", team.id) ?? ""} and type like '%.updated'`)
      assert.deepStrictEqual(events?.types, ["company.updated", "contact.updated", "prospect.updated"])
      const { browser: member } = yield* colleague(team.id, `jan.${team.id}@example.com`)
      assert.strictEqual((yield* member.get(`${base}/tags`)).status, 403, "this member is no broker")
    })
  )
})
