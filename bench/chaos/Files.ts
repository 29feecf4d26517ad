/** The files of a team, on a disk that can be filled. */
import { Effect, type Scope } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { rmSync, statfsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Team } from "../deliveries/Subscribers.ts"

/** Fills the free space of a disk with one file. */
export const fill = (folder: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  spawnSync("fallocate", ["-l", String(bavail * bsize), join(folder, "ballast")])
}

/** Gives the space back that {@link fill} took. */
export const free = (folder: string): void => rmSync(join(folder, "ballast"), { force: true })

/** A file system in memory, for the scope, that belongs to a user. */
export const disk = (name: string, megabytes: number, owner: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await mkdtemp(join(tmpdir(), `property-network-${name}-`))
      execFileSync("mount", [
        "-t",
        "tmpfs",
        "-o",
        `size=${megabytes}m,mode=0750,uid=${owner},gid=${owner}`,
        "tmpfs",
        folder
      ])
      return folder
    }),
    (folder) =>
      Effect.promise(async () => {
        execFileSync("umount", ["-l", folder])
        await rm(folder, { recursive: true, force: true })
      })
  )

/** Uploads a file of a megabyte for a new contact, and reads it back. Returns the status of the upload. */
export const uploader =
  (base: string, { token }: Team) =>
  async (): Promise<number> => {
    const authorization = `Bearer ${token}`
    const created = await fetch(`${base}/api/v1/network/contacts`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ firstName: "Files" })
    })
    const { id } = (await created.json()) as { readonly id: string }
    const form = new FormData()
    form.set("file", new Blob(["x".repeat(1_000_000)], { type: "text/plain" }), "terms.txt")
    const path = `${base}/api/v1/network/contacts/${id}/files`
    const uploaded = await fetch(path, { method: "POST", headers: { authorization }, body: form })
    const file = (await uploaded.json()) as { readonly id?: string }
    if (!uploaded.ok) return uploaded.status
    const content = await fetch(`${base}/api/v1/files/${file.id}/content`, { headers: { authorization } })
    if ((await content.text()).length !== 1_000_000) throw new Error("A file that was uploaded is not there.")
    return uploaded.status
  }
