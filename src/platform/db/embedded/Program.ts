/** Runs Postgres's executables as the right user, and ends them with this process where the platform allows it. */
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { type ServerUser, unshareCommand } from "./ServerUser.ts"

/**
 * Only the variables that the executables need: Postgres must not see the secrets in the environment of the service.
 * `LC_ALL=C` makes messages English, which Server.ts searches the log for.
 */
const environment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"]
  const entries = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(entries), LC_ALL: "C" }
}

let hasPdeathsig: boolean | undefined

/** Whether `setpriv` can set the parent-death signal, which the kernel sends to a child even after `kill -9` of its parent. */
const canSetDeathSignal = (): boolean =>
  (hasPdeathsig ??=
    process.platform === "linux" &&
    spawnSync("setpriv", ["--pdeathsig", "INT", "true"], { stdio: "ignore" }).status === 0)

/**
 * Spawns a Postgres executable. With `setpriv` (Linux), the kernel sends it SIGINT when this process dies. Elsewhere a
 * server can outlive a killed process, and Postmaster.ts stops it at the next start.
 */
export const spawnProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly user: ServerUser; readonly cwd: string; readonly stdio: StdioOptions }
): ChildProcess => {
  const { user } = options
  // setpriv comes last: the kernel clears the death signal when a process changes its credentials.
  const [command, ...rest] = [
    ...(user?.inUserNamespace === true ? unshareCommand : []),
    ...(canSetDeathSignal() ? ["setpriv", "--pdeathsig", "INT"] : []),
    program,
    ...args
  ]
  return spawn(command ?? program, rest, {
    ...(user === undefined || user.inUserNamespace === true ? {} : { uid: user.uid, gid: user.gid }),
    cwd: options.cwd,
    env: environment(),
    stdio: options.stdio,
    // A separate session: Ctrl-C in a terminal must reach this process only, which drains requests before it stops
    // the database.
    detached: process.platform !== "win32",
    windowsHide: true
  })
}

/** Sends a signal to a server. Windows has no signals: there `pg_ctl kill` sends it Postgres's equivalent. */
export const signalServer = (pid: number, signal: NodeJS.Signals, pgCtl: string): void => {
  try {
    if (process.platform !== "win32") process.kill(pid, signal)
    else spawnSync(pgCtl, ["kill", signal.slice("SIG".length), String(pid)], { stdio: "ignore", windowsHide: true })
  } catch {
    // It has ended already, or belongs to another user: the caller finds out when it waits for the exit.
  }
}
