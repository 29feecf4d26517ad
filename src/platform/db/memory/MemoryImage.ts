import * as MigrationFiles from "../MigrationFiles.ts"
import * as Migrations from "../Migrations.ts"
import { PGlite } from "@electric-sql/pglite"
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin"
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { findPackageJSON } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgliteSocket } from "./PgliteSocket.ts"

const packageText = (name: string): Promise<string> => {
  const path = findPackageJSON(name, import.meta.url)
  return path === undefined ? Promise.resolve("") : readFile(path, "utf8")
}

const extensions = { btree_gin, btree_gist, pg_trgm }

// Nobody creates databases from them, and every start copies all files: without them it takes a sixth less time.
const dropTemplates = [
  "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
  "drop database template0",
  "drop database template1"
]

const build = Effect.fn("MemoryImage.build")(function* (folder: URL) {
  const pglite = yield* Effect.acquireRelease(
    Effect.promise(() => PGlite.create({ extensions })),
    (pglite) => Effect.promise(() => pglite.close())
  )
  yield* Migrations.runWith({ stream: () => new PgliteSocket(pglite) }, folder)
  for (const statement of dropTemplates) yield* Effect.promise(() => pglite.exec(statement))
  return yield* Effect.promise(() => pglite.dumpDataDir("none"))
}, Effect.scoped)

const cache = join(tmpdir(), "property-network-memory")

const dayAgo = () => Date.now() - 86_400_000

// An image has 40 MB, and every change of a migration leads to a new one.
const removeOld = async () => {
  for (const name of await readdir(cache)) {
    const file = join(cache, name)
    if ((await stat(file)).mtimeMs < dayAgo()) await rm(file, { force: true })
  }
}

// Written under another name and renamed, so that other processes never read half an image.
const save = (path: string, image: Blob) =>
  Effect.promise(async () => {
    const draft = `${path}.${randomUUID()}`
    await mkdir(cache, { recursive: true })
    await removeOld()
    await writeFile(draft, image.stream())
    await rename(draft, path)
  })

/**
 * The path of a folder's image. Its name is a hash of the migrations, of what is left out, and of the versions of PGlite
 * and graphile-worker.
 */
export const pathOf = Effect.fn("MemoryImage.pathOf")(function* (folder: URL) {
  const files = yield* MigrationFiles.read(folder)
  return yield* Effect.promise(async () => {
    const hash = createHash("sha256")
    for (const file of files) hash.update(`${file.name} ${file.checksum}\n`)
    for (const name of ["@electric-sql/pglite", "graphile-worker"]) hash.update(await packageText(name))
    hash.update(dropTemplates.join())
    return join(cache, `${hash.digest("hex").slice(0, 32)}.tar`)
  })
})

const load = (path: string): Promise<Blob | undefined> =>
  readFile(path).then(
    (bytes) => new Blob([bytes]),
    () => undefined
  )

const start = (image: Blob) => Effect.promise(() => PGlite.create({ loadDataDir: image, extensions }))

/**
 * Starts a database from the image of a migrated one, in a third of a second. The image is cached in the temporary
 * folder; it is rebuilt when it is missing or broken.
 */
export const open = Effect.fn("MemoryImage.open")(function* (folder: URL) {
  const path = yield* pathOf(folder)
  const rebuilt = Effect.gen(function* () {
    const image = yield* build(folder)
    yield* Effect.ignoreCause(save(path, image))
    return yield* start(image)
  })
  const cached = yield* Effect.promise(() => load(path))
  return yield* cached === undefined ? rebuilt : Effect.catchCause(start(cached), () => rebuilt)
})
