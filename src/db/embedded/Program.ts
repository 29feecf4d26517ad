/** Runs Postgres's programs: as the right user, and never longer than this process. */
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { disguise, type ServerUser } from "./ServerUser.ts"

/** Only the variables that the programs need: Postgres must not see the secrets in the environment of the service. */
const environment = (): NodeJS.ProcessEnv => {
  const kept = ["PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"]
  const entries = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(entries), LC_ALL: "C" }
}

let deathSignal: boolean | undefined

/** Whether util-linux's `setpriv` can make the kernel end a child when its parent dies, `kill -9` included. */
const hasDeathSignal = (): boolean =>
  (deathSignal ??=
    process.platform === "linux" &&
    spawnSync("setpriv", ["--pdeathsig", "INT", "true"], { stdio: "ignore" }).status === 0)

/** Runs a program of Postgres. The kernel sends it SIGINT when this process dies. */
export const spawnProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly user: ServerUser; readonly cwd: string; readonly stdio: StdioOptions }
): ChildProcess => {
  const { user } = options
  // setpriv comes last: the kernel forgets the death signal when a process changes its credentials.
  const [command, ...rest] = [
    ...(user?.disguised === true ? disguise : []),
    ...(hasDeathSignal() ? ["setpriv", "--pdeathsig", "INT"] : []),
    program,
    ...args
  ]
  return spawn(command ?? program, rest, {
    ...(user === undefined || user.disguised === true ? {} : { uid: user.uid, gid: user.gid }),
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
    // It has ended already, or belongs to another user: the caller notices when it waits for the end.
  }
}
