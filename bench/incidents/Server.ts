/** A Postgres of the system's own programs, which incidents fill, archive and recover. */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, chownSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { binaries } from "../chaos/Cluster.ts"
import { freePort } from "../deployment/Installation.ts"

const idOf = (option: "-u" | "-g") => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }))

/** Whether there are programs to run one, and a user to run it as. */
export const canRun = (): boolean => binaries() !== undefined && process.getuid?.() === 0

/** Starts a server in a folder, as the user postgres, until the scope ends. */
export const start = Effect.fnUntraced(function* (folder: string) {
  const programs = binaries() ?? ""
  const user = { uid: idOf("-u"), gid: idOf("-g") }
  const port = yield* freePort
  const data = join(folder, "data")
  const program = (name: string, ...args: ReadonlyArray<string>) =>
    execFileSync(join(programs, name), args, { ...user, cwd: folder, stdio: "ignore" })
  const stop = (of: string) => {
    try {
      program("pg_ctl", "stop", "--mode=immediate", `--pgdata=${of}`)
    } catch {
      // It does not run.
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      chownSync(folder, user.uid, user.gid)
      mkdirSync(data, { mode: 0o700 })
      chownSync(data, user.uid, user.gid)
      program("initdb", `--pgdata=${data}`, "--username=app", "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8")
      const settings = [`port = ${port}`, `unix_socket_directories = '${folder}'`, "listen_addresses = '127.0.0.1'"]
      appendFileSync(join(data, "postgresql.conf"), `${settings.join("\n")}\n`)
      program("pg_ctl", "start", "--wait", `--pgdata=${data}`, `--log=${join(folder, "log")}`)
    }),
    () => Effect.sync(() => stop(data))
  )
  const urlAt = (at: number) => `postgres://app@127.0.0.1:${at}/postgres`
  return {
    user,
    data,
    url: urlAt(port),
    urlAt,
    stop,
    restart: () => program("pg_ctl", "restart", "--wait", `--pgdata=${data}`, `--log=${join(folder, "log")}`),
    /** What its programs need to find it. */
    env: {
      PGHOST: folder,
      PGPORT: String(port),
      PGUSER: "app",
      PGDATABASE: "postgres",
      PATH: `${programs}:/usr/bin:/bin`
    }
  }
})
