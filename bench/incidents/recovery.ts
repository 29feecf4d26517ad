/** Full disks, and the way back to an earlier state: docs/incidents.md. */
import assert from "node:assert/strict"
import * as Files from "../chaos/Files.ts"
import * as Guide from "./Guide.ts"
import * as Server from "./Server.ts"
import * as Site from "./Site.ts"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { freePort } from "../deployment/Installation.ts"
import { folder } from "../Service.ts"

const contacts = "/network/contacts"

/** Creates a contact, and returns its id. */
const create = (site: Site.Site, team: Site.Team, body: unknown) =>
  Effect.map(site.request(team.token, "POST", contacts, body), ({ body }) => String(body["id"]))

const person = "maria@rossi.example"

/** The disk of the database is full. */
export const fullDisk = Effect.gen(function* () {
  const disk = yield* Files.disk("full", 400, execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }).trim())
  const server = yield* Server.start(disk)
  const site = yield* Site.start({ url: server.url })
  yield* site.run()
  const team = yield* site.team
  Files.fill(disk)
  const write = () => Effect.runPromise(site.request(team.token, "POST", contacts, { lastName: "x".repeat(100) }))
  yield* Site.until("a write without room", async () => (await write()).body["code"] === "storage_full")
  assert.match((yield* site.shell.next("A full disk")).out, /storage_full/)
  Files.free(disk)
  yield* Site.until("room", async () => (await fetch(`${site.base}/readyz`)).status === 200)
  assert.doesNotMatch((yield* site.shell.next("A full disk")).out, /storage_full/)
  yield* site.shell.next("A full disk", { TEAM: team.id })
  assert.equal((yield* Effect.promise(write)).status, 201)
  return site.shell
})

/** A backup is restored, and whoever was erased since is erased again. */
export const backup = Effect.gen(function* () {
  const site = yield* Site.start()
  yield* site.run()
  const team = yield* site.team
  const kept = yield* create(site, team, { firstName: "Anna" })
  const erased = yield* create(site, team, { firstName: "Maria", email: person })
  const place = join(yield* folder, "backup")
  yield* site.shell.next("From a backup", { BACKUP: place })
  const later = yield* create(site, team, { firstName: "Later" })
  yield* site.shell.run(`admin privacy erase ${person} --all`)
  yield* site.stop
  const url = (site.settings()["DATABASE_URL"] ?? "").replace(/\/[^/]*$/, "/network_restored")
  yield* site.shell.next("From a backup", { BACKUP: place, DATABASE_URL: url })
  yield* site.run({ DATABASE_URL: url })
  const statusOf = (id: string) =>
    Effect.map(site.request(team.token, "GET", `${contacts}/${id}`), ({ status }) => status)
  assert.deepEqual([yield* statusOf(kept), yield* statusOf(erased), yield* statusOf(later)], [200, 404, 404])
  return site.shell
})

/** A server is recovered beside, as of a moment before a contact was overwritten and a person erased. */
export const pointInTime = Effect.gen(function* () {
  const place = yield* folder
  const server = yield* Server.start(place)
  const recoveredPort = yield* freePort
  const shell = yield* Guide.open({
    user: server.user,
    env: server.env,
    paths: { "port = 5433": `port = ${recoveredPort}` }
  })
  yield* shell.run(`mkdir ${place}/archive`)
  yield* shell.next("To a point in time", { PGDATA: server.data, ARCHIVE: `${place}/archive` })
  server.restart()

  const site = yield* Site.start({ url: server.url })
  yield* site.run()
  const team = yield* site.team
  const contact = yield* create(site, team, { firstName: "Anna" })
  const erased = yield* create(site, team, { firstName: "Maria", email: person })
  yield* shell.next("To a point in time", { BASE: `${place}/base` })
  const since = yield* create(site, team, { firstName: "Since" })
  const moment = (yield* shell.run("psql -qAtc 'select clock_timestamp()'")).out.trim().replace(" ", "T")
  yield* site.request(team.token, "PATCH", `${contacts}/${contact}`, { firstName: "Overwritten" })
  yield* site.shell.run(`admin privacy erase ${person} --all`)
  yield* shell.run("psql -qAtc 'select pg_switch_wal()'")

  const recovered = `${place}/recovered`
  yield* Effect.addFinalizer(() => Effect.sync(() => server.stop(recovered)))
  yield* shell.next("To a point in time", { RECOVERED: recovered, MOMENT: moment })
  site.shell.done.set("To a point in time", 3)
  const url = server.urlAt(recoveredPort)
  const looked = yield* site.shell.next("To a point in time", { DATABASE_URL: url, TEAM: team.id })
  assert.match(looked.err, /Erased again/)
  yield* site.run({ DATABASE_URL: url })
  const read = (id: string) => site.request(team.token, "GET", `${contacts}/${id}`)
  assert.equal((yield* read(contact)).body["firstName"], "Anna")
  assert.equal((yield* read(since)).status, 200)
  assert.equal((yield* read(erased)).status, 404)
  return site.shell
})
