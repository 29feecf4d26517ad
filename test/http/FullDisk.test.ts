/** What clients, balancers and operators see of a full disk. Postgres reports here what it would report of one. */
import * as StorageSpace from "../../src/platform/StorageSpace.ts"
import * as StorageWatch from "../../src/process/StorageWatch.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger, PlatformError, Stream } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Database } from "../../src/platform/db/Database.ts"
import { orDie } from "../../src/platform/db/DatabaseUnavailable.ts"
import { makeFolder } from "../../src/platform/fileStore/Drivers.ts"
import { FileStore } from "../../src/platform/fileStore/FileStore.ts"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { randomUUID } from "node:crypto"
import { pollUntil } from "../support/polling.ts"
import { scratch } from "../support/scratch.ts"
import { TestService } from "../support/TestService.ts"

const lines: Array<string> = []

const space = StorageSpace.make()

const observed = Layer.merge(
  Logger.layer([Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))]),
  Layer.succeed(StorageSpace.CurrentStorageSpace, space)
)

const contacts = "/api/v1/network/contacts"

layer(TestService.layerWith(observed), { excludeTestServices: true })("A full disk of the database", (it) => {
  it.effect("is a problem of its own, which /readyz, the log and a metric name until there is room", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const create = (firstName: string) => request("POST", contacts, { token, json: { firstName } })
      const ready = request("GET", "/readyz")
      assert.deepStrictEqual([(yield* ready).status, (yield* ready).body], [200, { status: "ok" }])
      yield* orDie(sql`
        create function no_room() returns trigger language plpgsql as $$
        begin
          raise exception 'could not extend file "base/5/16394": No space left on device' using errcode = 'disk_full';
        end $$`)
      yield* orDie(sql`create trigger no_room before insert on contacts for each row execute function no_room()`)
      lines.length = 0
      const refused = yield* create("Anna")
      assert.strictEqual(refused.status, 503)
      assert.deepInclude(refused.body, {
        code: "storage_full",
        store: "database",
        title: "A disk of the service is full.",
        status: 503
      })
      assert.match(String(refused.body["type"]), /\/help\/storage-full$/)
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.strictEqual((yield* request("GET", "/help/storage-full")).status, 200)
      const { body, headers, status } = yield* ready
      assert.strictEqual(status, 503)
      assert.deepInclude(body, { code: "storage_full", reason: "storage_full" })
      assert.strictEqual(headers.get("retry-after"), "5")
      // Reads go on.
      assert.strictEqual((yield* request("GET", contacts, { token })).status, 200)
      yield* create("Anna")
      assert.lengthOf(
        lines.filter((line) => line.includes("The disk of the database is full. What would be stored there")),
        1
      )
      assert.lengthOf(
        lines.filter((line) => line === "Error The disk of the database is full."),
        2
      )
      const metrics = yield* PrometheusMetrics.format()
      assert.match(metrics, /^property_network_storage_full_errors_total\{store="database"\} [2-9]$/m)
      yield* orDie(sql`drop trigger no_room on contacts`)
      // The look is a statement that needs room, and a real server has it here.
      yield* Layer.build(Layer.provide(StorageWatch.layer, observed)).pipe(
        Effect.provideService(StorageWatch.LookInterval, 20)
      )
      yield* pollUntil("room", ready, (answer) => answer.status === 200)
      assert.include(lines, "Info The disk of the database has room again.")
      assert.strictEqual((yield* create("Anna")).status, 201)
    })
  )

  it.effect("is distinguished from a failing one, and from texts that clients send", () =>
    Effect.sync(() => {
      const error = (code: string, message: string) => ({ cause: { reason: { cause: { code, message } } } })
      assert.isTrue(StorageSpace.isOfFullDisk(error("53100", "could not extend file")))
      assert.isTrue(StorageSpace.isOfFullDisk(error("58030", 'could not write file "x": No space left on device')))
      assert.isFalse(StorageSpace.isOfFullDisk(error("58030", "could not read block 0: Input/output error")))
      assert.isFalse(StorageSpace.isOfFullDisk(error("22P02", "invalid input: No space left on device")))
      assert.isTrue(StorageSpace.isOfFullDisk(error("EDQUOT", "write")))
    })
  )

  it.effect("is none when the disk of files is full: the process stays ready, and says what it refuses", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      yield* Effect.provideService(StorageSpace.failedForSpace("files"), StorageSpace.CurrentStorageSpace, space)
      const { body, status } = yield* request("GET", "/readyz")
      assert.deepStrictEqual([status, body["status"]], [200, "ok"])
      assert.deepStrictEqual(body["warnings"], [
        { code: "storage_full", store: "files", detail: "The disk of the file store is full: uploads are refused." }
      ])
      yield* Effect.provideService(StorageSpace.hasRoom("files"), StorageSpace.CurrentStorageSpace, space)
      assert.deepStrictEqual((yield* request("GET", "/readyz")).body, { status: "ok" })
    })
  )
})

/** File systems whose disk is full after so many bytes of each file. */
const fullAfter = (bytes: number) =>
  Effect.map(FileSystem.FileSystem, (fs) => ({
    ...fs,
    open: (path: string, options?: Parameters<typeof fs.open>[1]) =>
      Effect.map(fs.open(path, options), (file) => {
        let written = 0
        return new Proxy(file, {
          get: (target, name) =>
            name !== "writeAll"
              ? (Reflect.get(target, name) as unknown)
              : (chunk: Uint8Array) => {
                  written += chunk.length
                  return written <= bytes
                    ? target.writeAll(chunk)
                    : Effect.fail(
                        PlatformError.systemError({
                          _tag: "Unknown",
                          module: "FileSystem",
                          method: "write",
                          cause: Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" })
                        })
                      )
                }
        })
      })
  }))

layer(NodeFileSystem.layer, { excludeTestServices: true })("A file store on a full disk", (it) => {
  it.effect("keeps nothing of a file that does not fit, and says why", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(scratch, "full-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const files = FileStore.make(
        yield* Effect.provideService(makeFolder(folder), FileSystem.FileSystem, yield* fullAfter(6))
      )
      const key = { namespace: randomUUID(), id: randomUUID() }
      const failure = yield* Effect.flip(files.put(key, Stream.make(Buffer.from("Hello "), Buffer.from("world"))))
      assert.isTrue(StorageSpace.isOfFullDisk(failure))
      const left = yield* Effect.promise(() => readdir(folder, { recursive: true, withFileTypes: true }))
      assert.deepStrictEqual(
        left.filter((entry) => entry.isFile()).map(({ name }) => name),
        []
      )
      yield* files.put(key, Stream.make(Buffer.from("Hello ")))
      const { available, size } = (yield* files.space) ?? { available: 0, size: 0 }
      assert.isAbove(available, 0)
      assert.isAtLeast(size, available)
    })
  )
})
