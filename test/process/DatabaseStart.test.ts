/** The start of a process on its database: the secret key of the database, and missing migrations. */
import * as Environment from "../../src/process/Environment.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import type { SecretKey } from "../../src/platform/secrets/SecretKeys.ts"
import { runToEnd } from "../support/Admin.ts"
import { run, stop } from "../support/Process.ts"
import { eventually } from "../support/polling.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"
import { startApi } from "./fixture.ts"

const keyOf = (byte: number): SecretKey => Redacted.make(new Uint8Array(32).fill(byte))
const textOf = (byte: number) => Buffer.alloc(32, byte).toString("base64")

const refusal = /^SECRET_KEY: is not the key of this database\. [^\n]+\n?$/

/** Runs an entry point that should refuse to start. */
const startRefused = Effect.fnUntraced(function* (entry: string, key: string) {
  const url = yield* testUrl
  const program = yield* run(entry, { DATABASE_URL: Redacted.value(url), PORT: "0", SECRET_KEY: key })
  const { code } = yield* Effect.promise(() => program.ended)
  return { code, said: program.output.stderr }
}, Effect.scoped)

const storedFingerprints = Effect.flatMap(Database, (sql) =>
  Effect.map(sql<{ fingerprint: Uint8Array }>`select fingerprint from secret_key_fingerprint`, (rows) =>
    rows.map(({ fingerprint }) => Buffer.from(fingerprint).toString("hex"))
  )
)

const withoutFingerprint = Effect.flatMap(Database, (sql) => sql`delete from secret_key_fingerprint`)

/** Makes the last migration of the database pending. Returns what applies it again. */
const unmigrated = Effect.gen(function* () {
  const sql = yield* Database
  const rows = yield* sql<Record<string, unknown>>`
    delete from schema_migrations where file = (select max(file) from schema_migrations) returning *`
  return sql`insert into schema_migrations ${sql.insert(rows[0] ?? {})}`
})

const createWebhook = Effect.gen(function* () {
  const { request } = yield* TestService
  const { token } = yield* Tenant.make()
  return yield* request("POST", "/api/v1/webhooks", {
    token,
    json: { url: "http://127.0.0.1:9/in", events: ["contact.created"] }
  })
})

const isAccepted = (current: number, previous?: number) =>
  Environment.verifyAndTakeOver({
    current: keyOf(current),
    previous: previous === undefined ? undefined : keyOf(previous)
  }).pipe(Effect.exit, Effect.map(Exit.isSuccess))

layer(TestDatabase.layer, { excludeTestServices: true, timeout: 60_000 })("The key of a database", (it) => {
  it.effect("is stored as a fingerprint at the first start; every process with another key refuses in one line", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(startApi({ SECRET_KEY: textOf(7) }))
      const [fingerprint = ""] = yield* storedFingerprints
      assert.match(fingerprint, /^[0-9a-f]{32}$/)
      for (const entry of ["src/server.ts", "workers/main.ts", "src/main.ts"]) {
        const { code, said } = yield* startRefused(entry, textOf(9))
        assert.strictEqual(code, 1, said)
        assert.match(said, refusal)
      }
      const admin = yield* runToEnd(["secrets", "status"], { SECRET_KEY: textOf(9) })
      assert.isFalse(admin.ok)
      assert.match(admin.err, refusal)
      assert.deepStrictEqual(yield* storedFingerprints, [fingerprint])
    })
  )

  it.effect("moves on with a rotation, step by step, and a process with the old key alone then refuses", () =>
    Effect.gen(function* () {
      yield* withoutFingerprint
      const steps = [
        { keys: [1], accepted: true },
        // Step 2 of docs/operations.md#secret-keys: the new key is the previous one.
        { keys: [1, 2], accepted: true },
        // Step 3, while processes of step 2 still restart.
        { keys: [2, 1], accepted: true },
        { keys: [1, 2], accepted: true },
        { keys: [1], accepted: false },
        // Step 5: without the previous key.
        { keys: [2], accepted: true },
        { keys: [3, 1], accepted: false },
        { keys: [2], accepted: true }
      ] as const
      for (const { accepted, keys } of steps) {
        const [current, previous] = keys
        assert.strictEqual(yield* isAccepted(current, previous), accepted, JSON.stringify(keys))
      }
    })
  )

  it.effect("is that of one of several first starts at the same time; the others refuse", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        yield* withoutFingerprint
        const accepted = yield* Effect.all(
          [1, 2, 3, 4].map((key) => isAccepted(key)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          accepted.filter((one) => one),
          1
        )
        assert.lengthOf(yield* storedFingerprints, 1)
      }
    })
  )

  it.effect("is, in a database from before fingerprints, one that opens its secrets", () =>
    Effect.gen(function* () {
      const created = yield* Effect.provide(createWebhook, TestService.layerOwn)
      assert.strictEqual(created.status, 201, created.text)
      yield* withoutFingerprint
      assert.isFalse(yield* isAccepted(8))
      assert.deepStrictEqual(yield* storedFingerprints, [])
      assert.isTrue(yield* isAccepted(8, 7))
      yield* withoutFingerprint
      assert.isTrue(yield* isAccepted(7))
      // The key was lost: the operator chooses another one.
      const adopted = yield* runToEnd(["secrets", "adopt"], { SECRET_KEY: textOf(8) })
      assert.strictEqual(adopted.out, "SECRET_KEY is now the key of this database.")
      assert.deepStrictEqual([yield* isAccepted(8), yield* isAccepted(7)], [true, false])
    })
  )

  it.effect("is checked by an API that waits for migrations, and serves meanwhile, as soon as they are applied", () =>
    Effect.gen(function* () {
      yield* withoutFingerprint
      assert.isTrue(yield* isAccepted(7))
      const migrate = yield* unmigrated
      const url = yield* testUrl
      const api = yield* run("src/server.ts", {
        DATABASE_URL: Redacted.value(url),
        PORT: "0",
        SECRET_KEY: textOf(9)
      })
      yield* eventually(() => assert.match(api.output.stderr, /The API listens on port \d+/))
      yield* eventually(() => assert.include(api.output.stderr, "The database is not migrated"))
      yield* migrate
      const { code } = yield* Effect.promise(() => api.ended)
      assert.strictEqual(code, 1, api.output.stderr)
      assert.match(api.output.stderr.trimEnd().split("\n").at(-1) ?? "", refusal)
    })
  )
})

layer(TestDatabase.layer, { excludeTestServices: true, timeout: 60_000 })("A worker", (it) => {
  it.effect("on a database that is not migrated says once that it waits, and starts when it is migrated", () =>
    Effect.gen(function* () {
      const migrate = yield* unmigrated
      const url = yield* testUrl
      const worker = yield* run("workers/main.ts", {
        DATABASE_URL: Redacted.value(url),
        SECRET_KEY: textOf(7),
        WEBHOOKS: "off"
      })
      const waits = "The database is not migrated (`npm run migrate`). The worker waits for it."
      yield* eventually(() => assert.include(worker.output.stderr, waits))
      assert.notInclude(worker.output.stderr, "The worker is ready.")
      yield* migrate
      yield* eventually(() => assert.include(worker.output.stderr, "The worker is ready."))
      assert.lengthOf(worker.output.stderr.split(waits), 2, worker.output.stderr)
      assert.include(worker.output.stderr, "WEBHOOKS=off: nothing is sent to webhooks, and their deliveries wait.")
      const { code } = yield* Effect.promise(() => stop(worker))
      assert.strictEqual(code, 0)
      assert.include(worker.output.stderr, "The worker stops.")
    })
  )
})
