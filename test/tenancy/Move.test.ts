/** A team that is exported from one installation and imported into another. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, statSync } from "node:fs"
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { join as joinPath } from "node:path"
import { buffer } from "node:stream/consumers"
import yazl from "yazl"
import { writeArchive } from "../../src/cli/Command.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Tokens } from "../../src/identity/tokens/Tokens.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { tables as classified } from "../../src/privacy/classification.ts"
import { filesOf, linesOf, manifestOf } from "../../src/tenancy/Archive.ts"
import { userColumns } from "../../src/tenancy/archiveTables.ts"
import { TeamExports } from "../../src/tenancy/TeamExports.ts"
import { TeamImports } from "../../src/tenancy/TeamImports.ts"
import { TeamLifecycle } from "../../src/tenancy/TeamLifecycle.ts"
import { runToEnd } from "../support/Admin.ts"
import { untilSettled } from "../support/RecordsClient.ts"
import { scratch } from "../support/scratch.ts"
import { TestService } from "../support/TestService.ts"
import * as Tenant from "../support/Tenant.ts"
import { crawl } from "./crawl.ts"
import { dealingTeam } from "./dealingTeam.ts"

/** An installation of its own: a service with its database. */
const installation = Effect.gen(function* () {
  const memo = yield* Layer.makeMemoMap
  return yield* Layer.buildWithMemoMap(TestService.layerOwn, memo, yield* Effect.scope)
})

type Installation = Effect.Success<typeof installation>

/** Two installations. Commands of both keep files in one folder. */
class Installations extends Context.Service<
  Installations,
  { readonly source: Installation; readonly target: Installation }
>()("test/tenancy/Move/Installations") {
  static readonly layer = Layer.effect(Installations, Effect.all({ source: installation, target: installation }))
}

const admin = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.map(
    runToEnd([...args, "--json"], { SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), FILE_STORE: folder }),
    ({ out }) => JSON.parse(out.split("\n").at(-1) ?? "{}")
  )

const exporting = (team: string, path: string) =>
  Effect.flatMap(TeamExports, (exports) =>
    asOperator(exports.write(team, (bytes) => Effect.map(writeArchive(bytes, path), (size) => ({ size }))))
  )

const importing = (path: string) => Effect.flatMap(TeamImports, (imports) => asOperator(imports.read(path)))

const tokenOf = (email: string, teamId: string) =>
  Effect.flatMap(Tokens, (tokens) => asOperator(tokens.create({ email, name: "test", teamId }))).pipe(
    Effect.map(({ token }) => token)
  )

/** An archive with another manifest. */
const withManifest = async (from: string, to: string, change: (manifest: object) => object) => {
  const zip = new yazl.ZipFile()
  for await (const file of filesOf(from)) {
    const content = await buffer(await file.open())
    const changed =
      file.path === "manifest.json" ? Buffer.from(JSON.stringify(change(JSON.parse(content.toString())))) : content
    zip.addBuffer(changed, file.path)
  }
  zip.end()
  await writeFile(to, await buffer(zip.outputStream))
}

/** An archive has no secrets, and everybody whom its rows name. */
const secretsAndUsers = Effect.fnUntraced(function* (archive: string, member: string) {
  const sql = yield* Database
  const users = new Set((yield* sql<{ id: string }>`select id from users`).map(({ id }) => id))
  const manifest = yield* Effect.promise(() => manifestOf(archive))
  const secrets = Object.entries(classified).flatMap(([table, { columns }]) =>
    Object.entries(columns).flatMap(([column, is]) => (is === "secret" ? [`${table}.${column}`] : []))
  )
  const columns = Object.entries(manifest.tables).flatMap(([table, entry]) =>
    entry.columns.map((column) => `${table}.${column}`)
  )
  assert.deepStrictEqual(
    columns.filter((column) => secrets.includes(column)),
    [],
    "say in src/tenancy/archiveTables.ts what an import writes instead"
  )
  const archived = new Set<string>()
  const naming = new Set<string>()
  yield* Effect.promise(async () => {
    for await (const file of filesOf(archive)) {
      if (!file.path.endsWith(".ndjson")) continue
      for await (const lines of linesOf(await file.open(), 500)) {
        for (const line of lines) {
          for (const [column, value] of Object.entries(JSON.parse(line) as object)) {
            if (file.path === "users.ndjson" && column === "id") archived.add(String(value))
            else if (typeof value === "string" && users.has(value)) naming.add(column)
          }
        }
      }
    }
  })
  assert.deepStrictEqual(
    [...naming].filter((column) => !userColumns.includes(column)),
    [],
    "say in src/tenancy/archiveTables.ts that these columns name users"
  )
  assert.include([...archived], Id.toUuid("user", member))
})

layer(Installations.layer, { excludeTestServices: true })("A team that moves to another installation", (it) => {
  it.effect(
    "answers there as it did, and goes on",
    () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(joinPath(scratch, "move-"))
        const archive = joinPath(folder, "team.zip")
        const { source, target } = yield* Installations

        const { ids, before } = yield* Effect.gen(function* () {
          const sql = yield* Database
          const { buyer, seller, webhookId } = yield* dealingTeam
          yield* admin(folder, "client", "create", "--team", seller.team, "--name", "CRM", "--bot", "Bot")
          yield* seller.ask(
            "DELETE",
            `/api/v1/network/contacts/${(yield* seller.prospectFor("gone@example.com")).contactId}`
          )
          // Others do not touch what moves; what it is offered by them comes along.
          const readers = {
            seller: { email: seller.email, team: seller.team, token: seller.token },
            buyer: { email: buyer.email, team: buyer.team, token: buyer.token }
          }
          // The journal has the changes of transactions that have ended.
          yield* untilSettled("events")
          const answers = {
            seller: yield* crawl(readers.seller.token),
            buyer: yield* crawl(readers.buyer.token)
          }
          const exported = yield* exporting(seller.team, archive)
          assert.deepStrictEqual(exported.files.missing, [])
          yield* secretsAndUsers(archive, seller.user)
          const [used] = yield* inTeam(seller.teamId)(sql<{ count: number }>`
            select count(*)::int as count from contacts where team_id = ${seller.teamId}`)
          assert.strictEqual(exported.rows["contacts"], used?.count)
          assert.deepInclude(exported.leftOut, { offersAtInvestors: 2 })
          const ofBuyer = yield* exporting(buyer.team, `${archive}.buyer`)
          assert.isAbove(ofBuyer.rows["offers"] ?? 0, 0)
          return { ids: { ...readers, teamId: seller.teamId, webhookId }, before: answers }
        }).pipe(Effect.provide(source))
        assert.strictEqual(statSync(archive).mode & 0o777, 0o600)

        yield* Effect.gen(function* () {
          const sql = yield* Database
          // One of the people has an account there already, with another id.
          const { seller } = ids
          const dry = yield* admin(folder, "team", "import", archive, "--dry-run")
          assert.deepInclude(dry.result.users, { created: 3, matched: 0 }, JSON.stringify(dry))
          assert.lengthOf(yield* sql`select from teams where id = ${ids.teamId}`, 0)
          const imported = yield* importing(archive)
          assert.deepInclude(imported, { webhooksToRotate: 1, clientsToRotate: 1, offersOfUnknownTeams: 0 })
          const token = yield* tokenOf(seller.email, seller.team)
          const after = yield* crawl(token, before.seller.keys())
          for (const [path, answer] of before.seller) assert.deepStrictEqual(after.get(path), answer, path)
          assert.isAbove(before.seller.size, 60)

          const { request } = yield* TestService
          const webhooks = yield* sql<{ status: string; reason: string }>`
            select status, disabled_reason as reason from webhooks where team_id = ${ids.teamId}`.pipe(
            inTeam(ids.teamId)
          )
          assert.deepStrictEqual(webhooks, [{ status: "disabled", reason: "team_imported" }])

          const rotated = yield* request<{ status: string; secret: string; disabledReason: null }>(
            "POST",
            `/api/v1/webhooks/${ids.webhookId}/secret`,
            { token, json: {} }
          )
          assert.deepInclude(rotated.body, { status: "active", disabledReason: null })
          assert.match(rotated.body.secret, /^whsec_/)

          // It goes on: deltas, the journal and quotas know what is new.
          const list = yield* request<{ page: { nextSince: string } }>(
            "GET",
            "/api/v1/network/contacts?updated_since=1970-01-01T00:00:00Z",
            { token }
          )
          const created = yield* request<{ id: string }>("POST", "/api/v1/network/contacts", {
            token,
            json: { lastName: "New" }
          })
          assert.strictEqual(created.status, 201)
          yield* untilSettled("contacts")
          const delta = yield* request<{ data: ReadonlyArray<{ id: string }> }>(
            "GET",
            `/api/v1/network/contacts?updated_since=${encodeURIComponent(list.body.page.nextSince)}`,
            { token }
          )
          assert.deepStrictEqual(
            delta.body.data.map(({ id }) => id),
            [created.body.id]
          )
          const journal = yield* request<{ data: ReadonlyArray<{ seq: number; entity_id?: string }> }>(
            "GET",
            "/api/v1/changes?after=0&types=*&page_size=500",
            { token }
          )
          const numbers = journal.body.data.map(({ seq }) => seq)
          assert.deepStrictEqual(
            numbers,
            numbers.toSorted((a, b) => a - b)
          )
          assert.include(JSON.stringify(journal.body.data.at(-1)), created.body.id)
          const shown = yield* Effect.flatMap(TeamLifecycle, (teams) => asOperator(teams.show(seller.team)))
          const [contacts] = yield* inTeam(ids.teamId)(sql<{ count: number }>`
            select count(*)::int as count from contacts where team_id = ${ids.teamId}`)
          assert.strictEqual(shown.records["contacts"], contacts?.count)

          const again = yield* admin(folder, "team", "import", archive)
          assert.strictEqual(again.error.code, "team_exists")

          // The investor comes later, with the offers of a team that is here by then.
          yield* importing(`${archive}.buyer`)
          const tokenOfBuyer = yield* tokenOf(ids.buyer.email, ids.buyer.team)
          const ofBuyer = yield* crawl(tokenOfBuyer, before.buyer.keys())
          for (const [path, answer] of before.buyer) assert.deepStrictEqual(ofBuyer.get(path), answer, path)
        }).pipe(Effect.provide(target))
      }),
    120_000
  )

  it.effect(
    "matches people by their addresses, and refuses what is not whole or of a newer version",
    () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(joinPath(scratch, "move-"))
        const archive = joinPath(folder, "team.zip")
        const { source, target } = yield* Installations
        const { team, teamId, email, user } = yield* Effect.gen(function* () {
          const { request } = yield* TestService
          const tenant = yield* Tenant.make()
          const json = { lastName: "Berg", email: "berg@example.com" }
          const contact = yield* request<{ id: string }>("POST", "/api/v1/network/contacts", {
            token: tenant.token,
            json
          })
          yield* request("POST", "/api/v1/projects", {
            token: tenant.token,
            json: { name: "Alpha", ownerId: tenant.user }
          })
          const form = new FormData()
          form.append("file", new Blob(["content"]), "terms.txt")
          yield* request("POST", `/api/v1/network/contacts/${contact.body.id}/files`, { token: tenant.token, form })
          yield* Effect.flatMap(TeamLifecycle, (teams) =>
            asOperator(teams.delete(tenant.team, { now: false, confirm: undefined }))
          )
          const exported = yield* admin(folder, "team", "export", tenant.team, "--out", archive)
          assert.deepStrictEqual(exported.files, { count: 1, bytes: 7, missing: [] })
          return tenant
        }).pipe(Effect.provide(source))

        yield* Effect.gen(function* () {
          const sql = yield* Database
          const users = yield* Users
          const home = yield* Tenant.make()
          const here = yield* asOperator(
            users.create({
              email: email.toUpperCase(),
              name: "Anna B.",
              teamId: home.team,
              role: "member",
              broker: "active"
            })
          )
          const broken = joinPath(folder, "broken.zip")
          const refused = (name: string) => Effect.map(admin(folder, "team", "import", name), ({ error }) => error.code)
          yield* Effect.promise(() =>
            withManifest(archive, broken, (manifest) => ({ ...manifest, schemaVersion: "9999_later.sql" }))
          )
          assert.strictEqual(yield* refused(broken), "archive_newer")
          yield* Effect.promise(() => withManifest(archive, broken, (manifest) => ({ ...manifest, formatVersion: 2 })))
          assert.strictEqual(yield* refused(broken), "archive_newer")
          yield* Effect.promise(() =>
            withManifest(archive, broken, (manifest) => {
              const { tables } = manifest as { tables: { contacts: object } }
              const contacts = { ...tables.contacts, sha256: "0".repeat(64) }
              return { ...manifest, tables: { ...tables, contacts } }
            })
          )
          assert.strictEqual(yield* refused(broken), "archive_invalid")
          yield* Effect.promise(async () => writeFile(broken, (await readFile(archive)).subarray(0, 1000)))
          assert.strictEqual(yield* refused(broken), "archive_invalid")
          yield* Effect.promise(() => copyFile(archive, broken))
          assert.strictEqual(yield* refused(joinPath(folder, "nothing.zip")), "archive_invalid")
          assert.lengthOf(yield* sql`select from teams where id = ${teamId}`, 0)

          const imported = yield* admin(folder, "team", "import", archive)
          assert.deepStrictEqual(
            imported.users,
            { created: 0, matched: 1, withoutAccount: 0 },
            JSON.stringify(imported)
          )
          const { request } = yield* TestService
          const token = yield* tokenOf(email, team)
          const projects = yield* request<{ data: ReadonlyArray<object> }>("GET", "/api/v1/projects", { token })
          assert.deepInclude(projects.body.data[0], { name: "Alpha", ownerId: here.id })
          const contacts = yield* request<{ data: ReadonlyArray<{ id: string }> }>("GET", "/api/v1/network/contacts", {
            token
          })
          const timeline = yield* request("GET", `/api/v1/network/contacts/${contacts.body.data[0]?.id}/actions`, {
            token
          })
          assert.include(timeline.text, here.id)
          assert.notInclude(timeline.text, user)
          const me = yield* request<{ primaryTeam: { id: string } }>("GET", "/api/v1/auth/me", { token })
          assert.strictEqual(me.body.primaryTeam.id, home.team)
        }).pipe(Effect.provide(target))
      }),
    120_000
  )
})
