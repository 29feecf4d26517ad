/**
 * A disk that is really full, under Postgres and the file store: changes and uploads are refused, reads go on, and so does everything once
 * there is room. It mounts a file system, so that it needs root, and runs in `npm run test:long` alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, rmSync, statfsSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isLong } from "../support/campaign.ts"
import { eventually } from "../support/polling.ts"
import { run } from "../support/Process.ts"

const mount = (folder: string, megabytes: number) =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder]).status === 0

/** A file system in memory, for the scope. */
const disk = (megabytes: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), "property-network-full-"))
      assert.isTrue(mount(folder, megabytes), "a file system is mounted")
      return folder
    }),
    (folder) =>
      Effect.promise(async () => {
        execFileSync("umount", ["-l", folder])
        await rm(folder, { recursive: true, force: true })
      })
  )

/** Whether file systems can be mounted here. */
const canMount = (): boolean => {
  if (!isLong || process.getuid?.() !== 0) return false
  const folder = execFileSync("mktemp", ["-d"]).toString().trim()
  const isMounted = mount(folder, 1)
  if (isMounted) spawnSync("umount", [folder])
  rmSync(folder, { recursive: true, force: true })
  return isMounted
}

describe.runIf(canMount())("A full disk", () => {
  it.live(
    "stops changes and uploads, and not reads, until there is room",
    () =>
      Effect.gen(function* () {
        const folder = yield* disk(300)
        const data = join(folder, "data")
        const service = yield* run("src/main.ts", { DATA_DIR: data, PORT: "0", RATE_LIMIT_PAT: "1000000" })
        const address = yield* eventually(() => {
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(service.output.stdout + service.output.stderr) ?? []
          assert.isDefined(found, service.output.stderr)
          return found
        })
        yield* eventually(async () => assert.strictEqual((await fetch(`${address}/readyz`)).status, 200))
        const headers = { authorization: `Bearer ${readFileSync(join(data, "demo-token"), "utf8").trim()}` }
        const contacts = `${address}/api/v1/network/contacts`
        const write = async (number: number) => {
          const items = Array.from({ length: 100 }, (_, index) => ({
            firstName: `Person ${number}-${index}`,
            strategy: "y".repeat(900)
          }))
          const answer = await fetch(`${contacts}/batch/upsert`, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify({ items })
          })
          return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
        }
        const { bavail, bsize } = statfsSync(folder)
        const ballast = join(folder, "ballast")
        execFileSync("fallocate", ["-l", String(bavail * bsize - 6_000_000), ballast])
        yield* Effect.promise(async () => {
          let number = 0
          let refused = await write(number)
          while (refused.status !== 503 && number < 200) refused = await write(++number)
          assert.deepInclude(refused.body, { code: "storage_full", store: "database" })
          const ready = await fetch(`${address}/readyz`)
          assert.strictEqual(ready.status, 503)
          assert.strictEqual(((await ready.json()) as { reason: string }).reason, "storage_full")
          const page = await fetch(`${contacts}?page_size=1`, { headers })
          assert.strictEqual(page.status, 200)
          const [contact] = ((await page.json()) as { data: ReadonlyArray<{ id: string }> }).data
          const before = (await readdir(join(data, "files"), { recursive: true })).length
          const form = new FormData()
          form.set("file", new Blob(["x".repeat(5_000_000)]), "terms.txt")
          const upload = await fetch(`${contacts}/${contact?.id}/files`, { method: "POST", headers, body: form })
          assert.strictEqual(upload.status, 503)
          assert.deepInclude((await upload.json()) as object, { code: "storage_full", store: "files" })
          const left = (await readdir(join(data, "files"), { recursive: true, withFileTypes: true })).filter((entry) =>
            entry.isFile()
          )
          assert.isAtMost(left.length, before)
        })
        assert.include(service.output.stderr, "The disk of the database is full.")
        assert.include(service.output.stderr, "The disk of the file store is full.")
        rmSync(ballast)
        yield* eventually(async () => assert.strictEqual((await fetch(`${address}/readyz`)).status, 200))
        assert.strictEqual((yield* Effect.promise(() => write(1000))).status, 207)
        yield* eventually(() => assert.include(service.output.stderr, "The disk of the database has room again."))
      }).pipe(Effect.scoped),
    180_000
  )
})
