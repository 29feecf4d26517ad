/** Secrets that leaked or are lost: docs/incidents.md. */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { answerOf, type Site, until } from "./Site.ts"

const contacts = "/network/contacts"

/** A personal token leaks, and then another one that nobody knows. */
export const personalToken = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const { email, token, tokenId } = yield* site.person(team.id)
  const status = (one: string) => Effect.map(site.request(one, "GET", contacts), ({ status }) => status)
  const other = String(
    answerOf(yield* site.shell.run(`admin token create --user ${email} --name phone --json`))["token"]
  )
  const shown = yield* next("A personal token", { PERSON: email })
  assert.match(shown.out, new RegExp(tokenId))
  assert.equal(yield* status(token), 200)
  yield* next("A personal token", { TOKEN_ID: tokenId })
  assert.deepEqual([yield* status(token), yield* status(other)], [401, 200])
  yield* next("A personal token")
  assert.equal(yield* status(other), 401)
  yield* next("A personal token")
  assert.deepEqual([yield* status(token), yield* status(other)], [401, 200])
})

/** A client's secret leaks, is replaced, and turns out to be in use elsewhere. */
export const clientSecret = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const made = answerOf(
    yield* site.shell.run(`admin client create --team ${team.id} --name "CRM sync" --bot "CRM bot" --json`)
  )
  const client = String(made["client_id"])
  const tokenOf = (secret: string) =>
    Effect.promise(async () => {
      const response = await fetch(`${site.base}/openid/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", client_id: client, client_secret: secret })
      })
      return String(((await response.json()) as Record<string, unknown>)["access_token"])
    })
  const secret = String(made["client_secret"])
  const token = yield* tokenOf(secret)
  const { id } = yield* site.webhook({ id: team.id, token, administrator: team.administrator })
  const shown = yield* next("A client's secret", { CLIENT: client })
  assert.match(shown.out, new RegExp(id))
  assert.match(shown.out, /127\.0\.0\.1/)
  const rotated = yield* next("A client's secret")
  const renewed = /pns_\w+/.exec(rotated.out)?.[0] ?? ""
  assert.notEqual(renewed, secret)
  for (const one of [secret, renewed]) assert.match(yield* tokenOf(one), /^pna_/)
  yield* next("A client's secret")
  assert.deepEqual([yield* tokenOf(renewed), yield* tokenOf(secret)], ["undefined", "undefined"])
  assert.equal((yield* site.request(token, "GET", contacts)).status, 401)
  assert.equal((yield* site.request(team.token, "GET", `/webhooks/${id}`)).status, 404)
})

/** A webhook's secret leaks. */
export const webhookSecret = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const { id, receiver } = yield* site.webhook(team)
  const changed = yield* next("A webhook's secret", { PERSON: team.administrator, WEBHOOK: id })
  const secret = String(answerOf(changed)["secret"])
  yield* site.request(team.token, "POST", contacts, { firstName: "Anna" })
  yield* until("a message that the old secret does not verify", () => receiver.forgeries() > 0)
  const forgeries = receiver.forgeries()
  receiver.trust(secret)
  const delivered = receiver.received.length
  yield* next("A webhook's secret")
  assert.equal(receiver.received.length, delivered + 1)
  assert.equal(receiver.forgeries(), forgeries)
  yield* site.shell.run("! api GET /auth/me")
})

/** The secret key leaks, and is rotated with an interruption. */
export const secretKey = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const { receiver } = yield* site.webhook(team)
  const old = site.settings()["SECRET_KEY"]
  const made = (yield* next("The secret key")).out.trim()
  yield* site.run({ SECRET_KEY: made, SECRET_KEY_PREVIOUS: old })
  yield* next("The secret key")
  const status = answerOf(yield* site.shell.run("admin secrets status --json"))
  assert.equal((status["webhookSecrets"] as Record<string, number>)["previous"], 0)
  yield* site.run({ SECRET_KEY_PREVIOUS: undefined })
  const before = receiver.received.length
  yield* site.request(team.token, "POST", contacts, { firstName: "Anna" })
  yield* until("a delivery under the new key", () => receiver.received.length > before)
  assert.equal(receiver.forgeries(), 0)
})

/** The key is looked for, found, and then lost for good. */
export const lostKey = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const { id, receiver } = yield* site.webhook(team)
  const pid = yield* site.run()
  const found = (yield* next("A lost key", { PID: String(pid) })).out.trim().replace("SECRET_KEY=", "")
  assert.equal(found, site.settings()["SECRET_KEY"])
  yield* next("A lost key", { SECRET_KEY: found })
  yield* site.stop
  yield* next("A lost key")
  const key = (yield* site.shell.run("echo $SECRET_KEY")).out.trim()
  assert.notEqual(key, found)
  yield* site.run({ SECRET_KEY: key, WEBHOOKS: "off" })
  assert.equal((yield* site.request(team.token, "POST", contacts, { firstName: "Anna" })).status, 201)
  const { body, status } = yield* site.request(team.token, "POST", `/webhooks/${id}/secret`)
  assert.equal(status, 200, JSON.stringify(body))
  receiver.trust(String(body["secret"]))
  const before = receiver.received.length
  yield* site.run({ WEBHOOKS: undefined })
  yield* until("what waited", () => receiver.received.length > before)
  assert.equal(receiver.forgeries(), 0)
})
