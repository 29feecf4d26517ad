/** Files of another system user: what root writes is handed over, and anybody else is refused. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { chown, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { spawnSync } from "node:child_process"
import { join, resolve } from "node:path"
import { FileStore } from "../../src/platform/fileStore/FileStore.ts"
import { layerFolder } from "../../src/platform/fileStore/Drivers.ts"
import { runToEnd } from "../support/Admin.ts"
import { scratch } from "../support/scratch.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"

// They need no name.
const [service, stranger] = [54321, 54322]

/** A folder that belongs to the system user of the service. */
const folderOfService = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(scratch, "store-"))
    await chown(folder, service, service)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const ownersIn = (folder: string) =>
  Effect.promise(async () => {
    const names = await readdir(folder, { recursive: true })
    assert.isNotEmpty(names)
    return new Set(await Promise.all(names.map(async (name) => (await stat(join(folder, name))).uid)))
  })

// Only root can make files of another user.
describe.skipIf(process.getuid?.() !== 0)("a store of another system user", () => {
  layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto), { excludeTestServices: true })(
    "of the service",
    (it) => {
      it.effect("gets files that belong to it, also from root", () =>
        Effect.gen(function* () {
          const folder = yield* folderOfService
          const key = { namespace: randomUUID(), id: randomUUID() }
          yield* Effect.flatMap(FileStore, (store) => store.put(key, Stream.make(new Uint8Array([1, 2, 3])))).pipe(
            Effect.provide(layerFolder(join(folder, "deep", "files")))
          )
          assert.deepStrictEqual(yield* ownersIn(folder), new Set([service]))
        })
      )

      it.effect("leaves the receipts of an import to the owner of their folder", () =>
        Effect.gen(function* () {
          const folder = yield* folderOfService
          const { team } = yield* Tenant.make()
          yield* Effect.promise(() => writeFile(join(folder, "people.csv"), "email\nanna@mail.example\n"))
          const imported = yield* runToEnd(["import", "contacts", join(folder, "people.csv"), "--team", team])
          assert.isTrue(imported.ok, imported.err)
          const { uid } = yield* Effect.promise(() => stat(join(folder, "people.csv.receipts.ndjson")))
          assert.strictEqual(uid, service)
        })
      )

      it.effect("refuses the commands of a third user, with the command that works", () =>
        Effect.gen(function* () {
          const folder = yield* folderOfService
          const command = ["import", "contacts", "people.csv", "--team", "team_x"]
          const { status, stderr } = spawnSync(process.execPath, ["src/admin.ts", ...command], {
            cwd: resolve(import.meta.dirname, "../.."),
            uid: stranger,
            gid: stranger,
            encoding: "utf8",
            env: {
              PATH: process.env["PATH"],
              HOME: folder,
              FILE_STORE: folder,
              DATABASE_URL: Redacted.value(yield* testUrl),
              SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
            }
          })
          assert.strictEqual(status, 1, stderr)
          assert.include(stderr, `FILE_STORE: ${folder} belongs to the system user #${service}`)
          assert.include(
            stderr,
            `sudo --preserve-env=DATABASE_URL,FILE_STORE,SECRET_KEY -u '#${service}' npm run -s admin -- ${command.join(" ")}`
          )
          // What needs the database alone leaves the store alone.
          const { ok } = yield* runToEnd(["team", "list"], { FILE_STORE: folder })
          assert.isTrue(ok)
        })
      )
    }
  )
})
