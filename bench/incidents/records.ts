/** Records that were deleted by mistake: docs/incidents.md. */
import assert from "node:assert/strict"
import { Effect } from "effect"
import { type Site, until } from "./Site.ts"

const contacts = "/network/contacts"

/** A user's program deletes contacts, one of which has a link, and a project's prospect. */
export const deletion = Effect.fnUntraced(function* (site: Site) {
  const { next } = site.shell
  const team = yield* site.team
  const create = (path: string, body: unknown) =>
    Effect.map(site.request(team.token, "POST", path, body), ({ body }) => String(body["id"]))
  const user = String((yield* site.request(team.token, "GET", "/auth/me")).body["id"])
  const ids = yield* Effect.forEach(Array.from({ length: 150 }), (_, index) =>
    create(contacts, { firstName: `Contact ${index}` })
  )
  const company = yield* create("/network/companies", { name: "Rossi Capital" })
  const link = yield* create("/network/links", { contactId: ids[0], companyId: company })
  const project = yield* create("/projects", { name: "Quartier Süd", exclusivity: "exclusive" })
  yield* create(`/projects/${project}/prospects`, { contactId: ids[1] })
  yield* site.request(team.token, "POST", `${contacts}/batch/delete`, { ids: ids.slice(0, 100) })
  const list = (path: string) =>
    Effect.map(
      site.request(team.token, "GET", `${path}?page_size=500`),
      ({ body }) => (body["data"] as ReadonlyArray<unknown>).length
    )
  const prospects = `/projects/${project}/prospects`
  assert.deepEqual([yield* list(contacts), yield* list(prospects)], [50, 0])

  yield* until("the line of the log", () => site.logged().some((line) => line.includes("/batch/delete")))
  const found = yield* next("A deletion by mistake", { SINCE: "1 hour ago" })
  assert.match(found.out, new RegExp(`1\\s+${team.id}\\s+${user}`))
  yield* next("A deletion by mistake", { TEAM: team.id, WHO: user })
  const refused = yield* site.request(team.token, "DELETE", `${contacts}/${ids[120]}`)
  assert.deepEqual([refused.status, refused.body["code"]], [429, "deletion_limit_reached"])
  yield* next("A deletion by mistake", { SINCE: "1h" })
  assert.deepEqual([yield* list(contacts), yield* list(prospects)], [150, 1])
  yield* next("A deletion by mistake")
  assert.equal((yield* site.request(team.token, "DELETE", `${contacts}/${ids[120]}`)).status, 204)
  assert.equal((yield* site.request(team.token, "GET", `/network/links/${link}`)).status, 200)
})
