/**
 * Files that one process at a time writes. `FILE.lock` beside one says which; a process that was killed leaves it, and
 * the next takes it over.
 */
import { Effect, Predicate, type Scope } from "effect"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { performance } from "node:perf_hooks"
import { attempt, FileRefused, ifThere, isCode } from "./Source.ts"

/** Who writes a file. A number is given again to later processes, but not at the same time. */
interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: number
}

const me: Holder = { pid: process.pid, host: hostname(), since: Math.round(performance.timeOrigin) }

const holderIn = (text: string): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Predicate.hasProperty(value, "pid") &&
      Predicate.hasProperty(value, "host") &&
      Predicate.hasProperty(value, "since")
      ? (value as Holder)
      : undefined
  } catch {
    return undefined
  }
}

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, "ESRCH")
  }
}

/** Whether a lock is nobody's any more. Of other hosts, and of what cannot be read, nobody knows. */
const isLeft = (holder: Holder | undefined): boolean =>
  holder?.host === me.host && (holder.pid === me.pid ? holder.since !== me.since : !runs(holder.pid))

/** Makes a lock; answers what is in the one that is there. */
const take = async (lock: string): Promise<string | undefined> => {
  for (;;) {
    try {
      await writeFile(lock, JSON.stringify(me), { flag: "wx" })
      return undefined
    } catch (error) {
      if (isCode(error, "ENOENT")) {
        throw new FileRefused({ code: "file_refused", detail: `There is no folder ${dirname(lock)}.` })
      }
      if (!isCode(error, "EEXIST")) throw error
    }
    const text = await ifThere(() => readFile(lock, "utf8"))
    if (text === undefined) continue
    if (!isLeft(holderIn(text))) return text
    // Under a name of its own it can be seen whether it is still the one that was left.
    const aside = `${lock}.${me.pid}`
    if ((await ifThere(() => rename(lock, aside).then(() => true))) === undefined) continue
    const taken = await readFile(aside, "utf8")
    if (taken === text) await rm(aside)
    else {
      await rename(aside, lock)
      return taken
    }
  }
}

/** Keeps other processes from writing a file until the scope ends; refuses when one writes it now. */
export const hold = (path: string): Effect.Effect<void, FileRefused, Scope.Scope> => {
  const lock = `${path}.lock`
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.flatMap(
        attempt(path, () => take(lock)),
        (text) => {
          if (text === undefined) return Effect.void
          const holder = holderIn(text)
          const who = holder === undefined ? "Another process" : `Process ${holder.pid} on ${holder.host}`
          return Effect.fail(
            new FileRefused({
              code: "file_in_use",
              detail: `${path}: ${who} writes this file now. Wait until it has ended; if it has, remove ${lock} and try again.`
            })
          )
        }
      ),
      () => Effect.promise(() => rm(lock, { force: true }))
    )
  )
}
