/** What the doctor says of an installation, and what it heals. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Check } from "../../src/doctor/rules.ts"
import { fingerprintOf, parseSecretKey } from "../../src/platform/secrets/SecretKeys.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { judgeLeftovers } from "../../src/doctor/Stores.ts"
import { runToEnd } from "../support/Admin.ts"
import { scratch } from "../support/scratch.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"

const newFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(scratch, "doctor-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const examine = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>) {
  const { ok, out } = yield* runToEnd(["doctor", "--json", ...flags], env)
  const { checks } = JSON.parse(out) as { readonly checks: ReadonlyArray<Check> }
  return { ok, of: (name: string) => checks.find((check) => check.name === name) }
})

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })("doctor", (it) => {
  it.effect("finds what is wrong in the database, and exits with 1", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const FILE_STORE = yield* newFolder
      const key = yield* Effect.fromResult(parseSecretKey(Buffer.alloc(32, 7).toString("base64")))
      yield* sql`insert into secret_key_fingerprint (fingerprint) values (${fingerprintOf(key)})`
      const well = yield* examine({ FILE_STORE })
      for (const name of ["store", "disk", "tls", "migrations", "key", "clock", "receivers", "replicas", "files"]) {
        assert.strictEqual(well.of(name)?.status, "ok", JSON.stringify(well.of(name)))
      }
      // The tests' server does not wait for its disk, and no worker runs.
      assert.strictEqual(well.of("database")?.status, "failed")
      assert.strictEqual(well.of("workers")?.status, "failed")
      assert.isFalse(well.ok)

      const { teamId } = yield* Tenant.make()
      yield* sql`
        insert into files (id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name,
          content_type, size, sha256, content)
        values (gen_random_uuid(), ${teamId}, 1, now(), now(), 'created', 'api', 'contact', gen_random_uuid(), 'a', 'text/plain', 3, '\\x00',
          gen_random_uuid())`
      yield* sql`select id from graphile_worker.add_job('webhooks/due', max_attempts => 1)`
      yield* sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'x'`
      const otherKey = Buffer.alloc(32, 9).toString("base64")
      const unwell = yield* examine({
        FILE_STORE,
        SECRET_KEY: otherKey,
        DATABASE_REPLICA_URLS: Redacted.value(yield* testUrl)
      })
      for (const name of ["key", "jobs", "files", "replicas"]) {
        assert.strictEqual(unwell.of(name)?.status, "failed", JSON.stringify(unwell.of(name)))
      }
      yield* sql`delete from schema_migrations where file like '0012%'`
      const behind = yield* examine({ FILE_STORE })
      assert.strictEqual(behind.of("migrations")?.status, "failed")
      assert.include(behind.of("files")?.detail, "not migrated")
      const away = yield* examine({ FILE_STORE, DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" })
      assert.strictEqual(away.of("database")?.status, "failed")
    })
  )

  it.effect.skipIf(process.getuid?.() !== 0)("heals owners and modes of the file store", () =>
    Effect.gen(function* () {
      const FILE_STORE = yield* newFolder
      const folder = join(FILE_STORE, "0f")
      yield* Effect.promise(async () => {
        await chown(FILE_STORE, 54321, 54321)
        await mkdir(folder, { mode: 0o755 })
        await writeFile(join(folder, "content"), "x", { mode: 0o644 })
      })
      const before = yield* examine({ FILE_STORE })
      assert.strictEqual(before.of("store")?.status, "failed")
      assert.include(before.of("store")?.fix, "doctor --fix")
      const after = yield* examine({ FILE_STORE }, "--fix")
      assert.strictEqual(after.of("store")?.status, "ok")
      assert.include(after.of("store")?.detail, "Healed 2 paths.")
      for (const path of [folder, join(folder, "content")]) {
        const { mode, uid } = yield* Effect.promise(() => stat(path))
        assert.strictEqual(uid, 54321)
        assert.strictEqual(mode & 0o007, 0)
      }
    })
  )

  it.effect("removes what killed processes have left in the data folder", () =>
    Effect.promise(async () => {
      const folder = await mkdtemp(join(scratch, "doctor-"))
      const left = join(folder, "secret.key-4194304-0123abcd")
      await writeFile(left, "")
      await chmod(left, 0o600)
      assert.strictEqual((await judgeLeftovers(folder, false)).status, "warning")
      assert.include((await judgeLeftovers(folder, true)).detail, "secret.key-4194304-0123abcd")
      assert.strictEqual((await judgeLeftovers(folder, false)).status, "ok")
      await rm(folder, { recursive: true })
    })
  )
})
