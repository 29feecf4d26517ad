/** Kills an API process during uploads: no row lacks its object, and the sweep removes every other object. */
import * as App from "../../../src/App.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { Database } from "../../../src/platform/db/Database.ts"
import type { File } from "../../../src/content/files/File.ts"
import { layerFolder } from "../../../src/platform/fileStore/Drivers.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { purgeFiles } from "../../../workers/housekeeping.ts"
import { kill, run } from "../../support/Process.ts"
import { untilBlocked } from "../../support/locks.ts"
import { eventually } from "../../support/polling.ts"
import { scratch } from "../../support/scratch.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"
import { options } from "../../support/TestService.ts"
import { boundary, filePart, formOf, formType } from "./client.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(scratch, "property-network-crash-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** The paths of all files below a folder. */
const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))

const startApi = Effect.fnUntraced(function* (dataDir: string) {
  const process = yield* run("src/server.ts", {
    DATABASE_URL: Redacted.value(yield* testUrl),
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    PORT: "0",
    DATA_DIR: dataDir
  })
  const port = yield* eventually(() => {
    const [, found] = /listens on port (\d+)/.exec(process.output.stderr) ?? []
    assert.isDefined(found, process.output.stderr)
    return Number(found)
  })
  return { ...process, baseUrl: `http://127.0.0.1:${port}` }
})

const fixture = TestDatabase.layer.pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

layer(fixture, { excludeTestServices: true, timeout: 60_000 })("An API process that is killed", (it) => {
  it.effect("leaves each file complete or absent when it dies during an upload and before the commit of another", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporary
      const store = join(dataDir, "files")
      const api = yield* startApi(dataDir)
      const { token, teamId } = yield* Tenant.make()
      const sql = yield* Database
      const headers = { authorization: `Bearer ${token}` }
      const ask = async (method: string, path: string, body?: Uint8Array<ArrayBuffer> | string, type: object = {}) => {
        const response = await fetch(`${api.baseUrl}${path}`, {
          method,
          headers: { ...headers, ...type },
          ...(body === undefined ? {} : { body })
        })
        return (await response.json()) as File
      }
      const contact = yield* Effect.promise(() =>
        ask("POST", "/api/v1/network/contacts", JSON.stringify({ firstName: "Anna" }), {
          "content-type": "application/json"
        })
      )
      const path = `/api/v1/network/contacts/${contact.id}/files`
      const whole = yield* Effect.promise(() => ask("POST", path, formOf(filePart("whole")), formType))
      assert.strictEqual(whole.size, 5)

      yield* sql.withTransaction(
        Effect.gen(function* () {
          // Every change waits for this lock before it begins, so that the content is stored and its row is not.
          yield* sql`select pg_advisory_xact_lock(7065001, bucket) from generate_series(0, 63) as bucket`
          const uncommitted = fetch(`${api.baseUrl}${path}`, {
            method: "POST",
            headers: { ...headers, ...formType },
            body: formOf(filePart("uncommitted"))
          }).catch(() => undefined)
          const half = request(`${api.baseUrl}${path}`, { method: "POST", headers: { ...headers, ...formType } })
          half.on("error", () => undefined)
          half.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\n`)
          half.write(Buffer.alloc(100_000))
          yield* eventually(async () => {
            const found = await filesBelow(store)
            assert.lengthOf(
              found.filter((file) => file.includes("incoming")),
              1
            )
            assert.lengthOf(found, 3)
          })
          yield* untilBlocked(1)
          yield* kill(api)
          yield* Effect.promise(() => uncommitted)
        })
      )

      const rows = yield* sql<{
        name: string
        content: string
      }>`select name, content from files where team_id = ${teamId}`
      assert.deepStrictEqual(
        rows.map(({ name }) => name),
        ["terms.txt"]
      )
      assert.lengthOf(yield* Effect.promise(() => filesBelow(store)), 3)

      const sweep = Effect.provide(
        purgeFiles.run({}),
        App.layer({ ...options, fileStore: layerFolder(store) }).pipe(
          Layer.provide(Jobs.layerMemory),
          Layer.provide(Logger.layer([]))
        )
      )
      yield* sweep
      assert.lengthOf(yield* Effect.promise(() => filesBelow(store)), 3)
      yield* Effect.promise(async () => {
        const yesterday = Date.now() / 1000 - 25 * 3600
        for (const file of await filesBelow(store)) await utimes(file, yesterday, yesterday)
      })
      yield* sweep
      const left = yield* Effect.promise(() => filesBelow(store))
      assert.lengthOf(left, 1)
      assert.isTrue(left[0]?.endsWith(rows[0]?.content ?? "none"), left[0])
    })
  )
})
