/** Describes the machine of a measurement. */
import { execFile } from "node:child_process"
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { arch, cpus, platform, release, tmpdir, totalmem } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { locateBinaries } from "../src/platform/db/embedded/Programs.ts"

/** The properties of the machine that affect the results. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  /** In GiB. */
  readonly memory: number
  readonly kernel: string
  readonly node: string
  readonly postgres: string
  /** How many sequential writes of 8 KiB with fsync the disk makes per second: a commit waits for one. */
  readonly syncsPerSecond: number
}

const run = promisify(execFile)

const measureSyncs = (millis: number): number => {
  const folder = mkdtempSync(join(tmpdir(), "property-network-bench-"))
  const file = openSync(join(folder, "sync"), "w")
  try {
    const page = Buffer.alloc(8192, 1)
    const begun = performance.now()
    let syncs = 0
    while (performance.now() - begun < millis) {
      writeSync(file, page, 0, page.length, 0)
      fdatasyncSync(file)
      syncs++
    }
    return Math.round(syncs / ((performance.now() - begun) / 1000))
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Describes this machine. Takes a second, to measure the disk. */
export const describe = async (): Promise<Machine> => {
  const { postgres } = await locateBinaries()
  const { stdout } = await run(postgres, ["--version"])
  return {
    processor: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory: Math.round(totalmem() / 2 ** 30),
    kernel: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    postgres: /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? stdout.trim(),
    syncsPerSecond: measureSyncs(1000)
  }
}

/** The short hash of the measured commit, with a mark for uncommitted changes; "unknown" outside of a repository. */
export const commit = async (): Promise<string> => {
  const git = (...args: ReadonlyArray<string>) => run("git", args, { cwd: resolve(import.meta.dirname, "..") })
  try {
    const { stdout: id } = await git("rev-parse", "--short=9", "HEAD")
    // Changes of the measured code only, not of the benchmark or its results.
    const { stdout: changes } = await git("status", "--porcelain", "--", "src", "sql", "workers")
    return changes.trim() === "" ? id.trim() : `${id.trim()} + changes`
  } catch {
    return "unknown"
  }
}
