/** Temporary folders of migrations. */
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Creates a folder with these files for the scope. */
export const folderOf = (files: Record<string, string>) =>
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-sql-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const folder = pathToFileURL(`${path}/`)
    yield* write(folder, files)
    return folder
  })

/** Writes files into a folder. */
export const write = (folder: URL, files: Record<string, string>) =>
  Effect.forEach(Object.entries(files), ([name, text]) => Effect.promise(() => writeFile(new URL(name, folder), text)))
