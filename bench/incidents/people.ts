/** People who leave, or ask for what is held about them: docs/incidents.md. */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { answerOf, type Site } from "./Site.ts"

const contacts = "/network/contacts"

/** A member of a team leaves. */
export const leaver = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const { email, token } = yield* site.person(team.id)
  assert.equal((yield* site.request(token, "GET", contacts)).status, 200)
  const shown = yield* next("A leaver", { PERSON: email })
  assert.match(shown.out, new RegExp(team.id))
  const refused = yield* site.request(token, "GET", contacts)
  assert.deepEqual([refused.status, refused.body["code"]], [401, "user_deactivated"])
  yield* next("A leaver", { TEAM: team.id })
  yield* next("A leaver")
  assert.match((yield* site.shell.run(`! admin user show ${email} --json`)).out, /"code"/)
})

/** A person asks what is held about them, and to be forgotten. */
export const request = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const email = "maria@rossi.example"
  const create = (path: string, body: unknown) =>
    Effect.map(site.request(team.token, "POST", path, body), ({ body }) => String(body["id"]))
  const contact = yield* create(contacts, { firstName: "Maria", lastName: "Rossi", email })
  yield* create(`${contacts}/${contact}/notes`, { message: "Prefers to be called in the morning." })
  const company = yield* create("/network/companies", { name: "Rossi Capital" })
  yield* create(`/network/companies/${company}/notes`, { message: "Maria Rossi decides here." })
  const exported = yield* next("A request of a person", { PERSON: email })
  assert.match(exported.out, /index\.json/)
  yield* next("A request of a person")
  const receipt = answerOf(yield* site.shell.run("cat ~/receipt.json"))
  assert.deepEqual(receipt["contacts"], [contact])
  assert.equal((receipt["remaining"] as ReadonlyArray<unknown>).length, 1)
  assert.equal((yield* site.request(team.token, "GET", `${contacts}/${contact}`)).status, 404)
  assert.equal(readFileSync(`${(yield* site.shell.run("echo ~")).out.trim()}/person.zip`).length > 0, true)
})
