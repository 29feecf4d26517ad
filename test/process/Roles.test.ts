/** The service as a role that can change nothing but rows: docs/deployment.md#roles-of-the-database. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import { runToEnd } from "../support/Admin.ts"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import { eventually } from "../support/polling.ts"
import { query } from "../support/query.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { secretKey, startApi, startWorkerProcess } from "./fixture.ts"

const script = new URL("../../deploy/postgres/roles.sql", import.meta.url)

/** A server with an empty database, on which the roles were made. */
const server = Effect.gen(function* () {
  const { url } = yield* OwnPostgres.start()
  const addressOf = (user: string) => {
    const address = new URL(url)
    if (user !== "") [address.username, address.password] = [user, "secret"]
    address.pathname = "/apart"
    return address.href
  }
  const administer = (statement: string) => Effect.promise(() => query(addressOf(""), statement))
  const makeRoles = Effect.flatMap(
    Effect.promise(() => readFile(script, "utf8")),
    administer
  )
  yield* Effect.promise(() => query(url, "create database apart"))
  yield* makeRoles
  yield* administer(
    "alter role property_network_owner password 'secret'; alter role property_network_app password 'secret'"
  )
  return { app: addressOf("property_network_app"), owner: addressOf("property_network_owner"), makeRoles }
})

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })("roles", (it) => {
  it.effect("one owns the database and migrates, the other runs the service", () =>
    Effect.gen(function* () {
      const { app, makeRoles, owner } = yield* server
      yield* Migrations.run(Redacted.make(owner))
      yield* makeRoles
      const folder = yield* OwnPostgres.dataFolder
      const env = { DATABASE_URL: app, SECRET_KEY: secretKey, FILE_STORE: join(folder, "files") }
      const worker = yield* startWorkerProcess(env)
      const api = yield* startApi(env)
      const { token } = yield* Tenant.make().pipe(Effect.provide(Database.layer({ url: Redacted.make(app) })))

      const subscribed = yield* Effect.promise(() =>
        api.request(
          "POST",
          "/api/v1/webhooks",
          token,
          { url: `http://127.0.0.1:${api.port}/nowhere`, events: ["contact.created"] },
          { "Idempotency-Key": "a-webhook" }
        )
      )
      assert.strictEqual(subscribed.status, 201)
      const made = yield* Effect.promise(() =>
        api.request("POST", "/api/v1/network/contacts", token, { firstName: "Anna" })
      )
      assert.strictEqual(made.status, 201)
      const path = `/api/v1/network/contacts/${String(made.body["id"])}`
      const removed = yield* Effect.promise(() => api.request("DELETE", path, token))
      assert.strictEqual(removed.status, 204)
      // The worker claims the job, and records the attempt.
      yield* eventually(async () => {
        const rows = await query<{ readonly count: number }>(
          app,
          "select count(*)::int as count from delivery_attempts"
        )
        assert.isAbove(rows[0]?.count ?? 0, 0, worker.output.stderr)
      })
      assert.notInclude(worker.output.stderr, "permission denied")
      assert.notInclude(api.output.stderr, "permission denied")

      const team = yield* runToEnd(["team", "create", "Berg", "--plan", "plus"], env)
      assert.isTrue(team.ok, team.err)
      const backup = join(folder, "backup")
      const created = yield* runToEnd(["backup", "create", backup], env)
      assert.isTrue(created.ok, created.err)
      assert.isTrue((yield* Effect.promise(() => stat(join(backup, "manifest.json")))).isFile())

      for (const statement of [
        "create table mine ()",
        "drop table contacts",
        "alter table contacts add column mine text",
        "truncate contacts",
        "delete from schema_migrations",
        "create schema mine"
      ]) {
        const refused = yield* Effect.promise(() => query(app, statement).then(String, String))
        assert.match(refused, /permission denied|must be owner/, statement)
      }
      const migrated = yield* runToEnd(["migrate"], { ...env, DATABASE_URL: owner })
      assert.isTrue(migrated.ok, migrated.err)
    })
  )
})
