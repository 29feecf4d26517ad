/** How Postgres's programs are run: as the right user, and never longer than this process. */
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { disguise, type ServerUser } from "./ServerUser.ts"

/** Only what the programs need: the secrets in our environment are none of Postgres's business. */
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

/** Runs a program of Postgres; SIGINT is what the kernel sends it when this process dies. */
export const spawnProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly user: ServerUser; readonly cwd: string; readonly stdio: StdioOptions }
): ChildProcess => {
  const { user } = options
  // The signal is asked for last: the kernel forgets it when a process changes what it may do.
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
    // A session of its own: Ctrl-C in a terminal must reach us alone, who drain requests before the database goes.
    detached: process.platform !== "win32",
    windowsHide: true
  })
}

/** Sends a signal to a server. Windows knows none: `pg_ctl kill` speaks to Postgres in its own way there. */
export const signalServer = (pid: number, signal: NodeJS.Signals, pgCtl: string): void => {
  try {
    if (process.platform !== "win32") process.kill(pid, signal)
    else spawnSync(pgCtl, ["kill", signal.slice("SIG".length), String(pid)], { stdio: "ignore", windowsHide: true })
  } catch {
    // Gone already, or not ours to stop: whoever waits for its end finds out.
  }
}
