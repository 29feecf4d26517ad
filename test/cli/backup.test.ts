/** Backups from the command line: made, verified beside, restored to another server. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { appendFile, copyFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import { fingerprintOf, parseSecretKey } from "../../src/platform/secrets/SecretKeys.ts"
import { moveTransactions } from "../../src/backup/Restore.ts"
import { secretKey, startApi } from "../process/fixture.ts"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import { runToEnd } from "../support/Admin.ts"
import { query } from "../support/query.ts"
import { scratch } from "../support/scratch.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(scratch, "backup-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const codeIn = (out: string) => (JSON.parse(out.split("\n").at(-1) ?? "{}") as { error?: { code: string } }).error?.code

const fingerprint = Effect.map(Effect.fromResult(parseSecretKey(secretKey)), (key) =>
  Buffer.from(fingerprintOf(key)).toString("hex")
)

// As on a server that has seen more than the one that is restored to.
const drawTransactions = Effect.gen(function* () {
  const sql = yield* Database
  yield* sql`do $$ begin
    for i in 1..5000 loop
      begin
        insert into change_ids default values;
        raise sqlstate 'PN001';
      exception when sqlstate 'PN001' then null;
      end;
    end loop;
  end $$`.unprepared
})

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })("backup", (it) => {
  it.effect("restores to another server what a client of the service sees", () =>
    Effect.gen(function* () {
      yield* drawTransactions
      const [files, folder] = [yield* newFolder, join(yield* newFolder, "today")]
      const { token } = yield* Tenant.make()
      const api = yield* startApi({ FILE_STORE: files })
      const contacts = "/api/v1/network/contacts"
      const webhook = { url: "http://127.0.0.1:9/in", events: ["contact.created"] }
      const subscribed = yield* Effect.promise(() =>
        api.request("POST", "/api/v1/webhooks", token, webhook, { "Idempotency-Key": randomUUID() })
      )
      assert.strictEqual(subscribed.status, 201)
      const made = yield* Effect.promise(() =>
        api.request("POST", contacts, token, { firstName: "Zoë\t\\N", tags: ["a\nb"] })
      )
      assert.strictEqual(made.status, 201)
      const id = String(made.body["id"])
      const form = new FormData()
      form.append("file", new Blob(["the plan"], { type: "text/plain" }), "plan.txt")
      const upload = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${api.port}${contacts}/${id}/files`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}` },
          body: form
        })
      )
      assert.strictEqual(upload.status, 201)
      const file = ((yield* Effect.promise(() => upload.json())) as { readonly id: string }).id

      const created = yield* runToEnd(["backup", "create", folder, "--json"], { FILE_STORE: files })
      assert.isTrue(created.ok, created.err)
      const summary = JSON.parse(created.out) as { readonly [member: string]: unknown }
      assert.deepInclude(summary, { files: 1, fileBytes: 8, missingFiles: [], keyFingerprint: yield* fingerprint })
      const parts = yield* Effect.promise(() => readdir(folder, { recursive: true, withFileTypes: true }))
      for (const part of parts) {
        const { mode } = yield* Effect.promise(() => stat(join(part.parentPath, part.name)))
        assert.strictEqual(mode & 0o777, part.isDirectory() ? 0o700 : 0o600, part.name)
      }

      const target = yield* OwnPostgres.start()
      const other = yield* newFolder
      const env = { DATABASE_URL: target.url, FILE_STORE: other, SECRET_KEY: secretKey }
      const restored = yield* runToEnd(["backup", "restore", folder, "--json"], env)
      assert.isTrue(restored.ok, restored.err)
      const again = yield* startApi(env)
      const get = (path: string) => Effect.promise(() => again.request("GET", path, token))
      assert.deepStrictEqual((yield* get(`${contacts}/${id}`)).body, made.body)
      const content = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${again.port}/api/v1/files/${file}/content`, {
          headers: { authorization: `Bearer ${token}` }
        })
      )
      assert.strictEqual(yield* Effect.promise(() => content.text()), "the plan")

      // Deltas and the journal show at once what was restored, and what comes after it.
      const delta = yield* get(`${contacts}?updated_since=1970-01-01`)
      assert.strictEqual((delta.body["data"] as ReadonlyArray<unknown>).length, 1)
      const { nextSince } = delta.body["page"] as { readonly nextSince: string }
      yield* Effect.promise(() => again.request("POST", contacts, token, { firstName: "Later" }))
      const later = yield* get(`${contacts}?updated_since=${encodeURIComponent(nextSince)}`)
      assert.include(JSON.stringify(later.body), "Later")
      const journal = yield* get("/api/v1/changes?after=0")
      assert.deepStrictEqual(
        (journal.body["data"] as ReadonlyArray<{ readonly event: { readonly event: string } }>).length > 1,
        true,
        JSON.stringify(journal.body)
      )
      // No worker has run: changes still wait for their fan-outs, each with its own events.
      const [pending] = yield* Effect.promise(() =>
        query<{ readonly apart: boolean }>(
          target.url,
          `select count(distinct f.transaction_id) > 1 and count(distinct f.transaction_id) = count(distinct e.transaction_id)
              and count(e.id) = count(distinct e.id) as apart
            from fan_outs f left join events e on e.team_id = f.team_id and e.transaction_id = f.transaction_id`
        )
      )
      assert.isTrue(pending?.apart)
    })
  )

  it.effect("refuses what cannot be restored, and leaves the database as it is", () =>
    Effect.gen(function* () {
      const folder = join(yield* newFolder, "today")
      const run = (...args: ReadonlyArray<string>) =>
        runToEnd([...args, "--json"], { FILE_STORE: files, SECRET_KEY: secretKey })
      const files = yield* newFolder
      const sql = yield* Database
      const key = yield* Effect.fromResult(parseSecretKey(secretKey))
      yield* sql`insert into secret_key_fingerprint (fingerprint) values (${fingerprintOf(key)}) on conflict do nothing`
      yield* Tenant.make()

      assert.strictEqual(codeIn((yield* run("backup", "verify", folder)).out), "backup_incomplete")
      assert.isTrue((yield* run("backup", "create", folder)).ok)
      assert.strictEqual(codeIn((yield* run("backup", "create", folder)).out), "backup_exists")
      assert.strictEqual(codeIn((yield* run("backup", "restore", folder)).out), "not_empty")
      const dry = yield* run("backup", "restore", folder, "--force", "--dry-run")
      // The test's own connections are processes of the service.
      assert.strictEqual(codeIn(dry.out), "in_use")
      const otherKey = yield* runToEnd(["backup", "restore", folder, "--json"], {
        FILE_STORE: files,
        SECRET_KEY: Buffer.alloc(32, 9).toString("base64")
      })
      assert.strictEqual(codeIn(otherKey.out), "key_mismatch")

      const verified = yield* run("backup", "verify", folder)
      assert.isTrue(verified.ok, verified.err)
      const damaged = `${folder}-damaged`
      yield* Effect.promise(() => cp(folder, damaged, { recursive: true }))
      yield* Effect.promise(() => appendFile(join(damaged, "database", "public.users.copy.gz"), "x"))
      assert.strictEqual(codeIn((yield* run("backup", "verify", damaged)).out), "backup_damaged")
      yield* Effect.promise(() =>
        copyFile(join(folder, "database", "public.users.copy.gz"), join(damaged, "database", "public.users.copy.gz"))
      )
      // As an interrupted one leaves it.
      yield* Effect.promise(() => rm(join(damaged, "manifest.json")))
      assert.strictEqual(codeIn((yield* run("backup", "verify", damaged)).out), "backup_incomplete")
      const over = yield* run("backup", "create", damaged)
      assert.include(over.err, "remove what an interrupted backup has left")
      const manifest = yield* Effect.promise(() => readFile(join(folder, "manifest.json"), "utf8"))
      const { migrations, ...rest } = JSON.parse(manifest) as { readonly migrations: ReadonlyArray<object> }
      const newer = { ...rest, migrations: [...migrations, { file: "9999_later.sql", checksum: "x" }] }
      yield* Effect.promise(() => writeFile(join(damaged, "manifest.json"), JSON.stringify(newer)))
      assert.strictEqual(codeIn((yield* run("backup", "verify", damaged)).out), "backup_newer")
    })
  )

  it.effect("refuses cells, whose rows are on several servers", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* sql`insert into cells (name) values ('cell_a')`
      const { out } = yield* runToEnd(["backup", "create", join(yield* newFolder, "today"), "--json"], {
        FILE_STORE: yield* newFolder
      })
      assert.strictEqual(codeIn(out), "not_supported")
      yield* sql`delete from cells`
    })
  )

  it.effect("moves the ids of transactions, and nothing else of a row", () =>
    Effect.promise(async () => {
      const stream = moveTransactions(2, 1000n)
      const rows = Buffer.from("2000\t\\N\tZoë\t3000\n5\t0\t\\\\x\n1004\t1003\t\n")
      stream.write(rows.subarray(0, 13))
      stream.end(rows.subarray(13))
      const moved: Array<Buffer> = []
      for await (const chunk of stream) moved.push(chunk as Buffer)
      assert.strictEqual(Buffer.concat(moved).toString(), "1000\t\\N\tZoë\t3000\n3\t0\t\\\\x\n4\t3\t\n")
    })
  )
})
