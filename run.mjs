// Runs the project's programs, for the scripts of package.json. Plain JavaScript for Node 20 and later, without
// dependencies: it is what brings the dependencies, and the newer Node that the programs need.
//
//   node run.mjs src/main.ts [args…]             a program of ours
//   node run.mjs --bin vitest/vitest.mjs [args…] a program of a dependency: a path below node_modules
//   node run.mjs … --then …                      steps, one after the other, until one fails
//
// Words added by `npm run <script> -- <args…>` go to the last step. A first `--` after a program is dropped.
// Nothing but the programs' own output is written to stdout.

import { spawn, spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { constants, hostname } from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = path.dirname(fileURLToPath(import.meta.url))
const modules = path.join(root, "node_modules")
const windows = process.platform === "win32"
const stampFile = path.join(modules, ".property-network-lock")

/** The child that runs now, the installation included. */
let current
/** The last signal that asked us to stop. */
let asked
/** Notes npm's process in the lock that we hold. */
let noteInLock = () => {}

await main()

async function main() {
  relaySignals()
  followParent()
  const steps = stepsOf(process.argv.slice(2))
  if (steps.length === 0) fail("Say what to run: node run.mjs <entry.ts | --bin NAME> [args…]", 2)
  await install()
  const node = chooseNode()
  for (const step of steps) {
    const code = await run(node, step)
    if (code !== 0) process.exit(code)
  }
  process.exit(0)
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

// Steps ---------------------------------------------------------------------------------------------------------------

function stepsOf(words) {
  const steps = []
  for (const group of splitAt(words, "--then")) {
    const bin = group[0] === "--bin"
    const [file, ...args] = bin ? group.slice(1) : group
    if (file === undefined) continue
    if (args[0] === "--") args.shift()
    steps.push({ entry: bin ? path.join(modules, file) : path.resolve(root, file), args })
  }
  return steps
}

function splitAt(words, separator) {
  const groups = [[]]
  for (const word of words) {
    if (word === separator) groups.push([])
    else groups[groups.length - 1].push(word)
  }
  return groups
}

/** Resolves with the exit code, as a shell would give it. */
function run(node, { args, entry }) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH"
  const env = {
    // Compiled code is kept: it halves the time in which the next process is there.
    NODE_COMPILE_CACHE: path.join(modules, ".cache", "compile"),
    ...process.env,
    [name]: [path.join(modules, ".bin"), process.env[name]].filter(Boolean).join(path.delimiter)
  }
  // The channel carries no messages. When it breaks, we are gone, even by `kill -9`: src/OrphanGuard.ts listens for that.
  const child = spawn(node, [...flagsFor(entry), entry, ...args], {
    env,
    stdio: ["inherit", "inherit", "inherit", "ipc"]
  })
  return end(child)
}

/** Node's flags for a program of ours, but for those that NODE_OPTIONS has: package.json says which, and ARCHITECTURE.md why. */
function flagsFor(entry) {
  if (entry.startsWith(modules)) return []
  const { config } = JSON.parse(readOr(path.join(root, "package.json"), "{}"))
  const asked = process.env.NODE_OPTIONS ?? ""
  return (config?.node ?? "").split(" ").filter((flag) => flag !== "" && !asked.includes(flag.split("=")[0]))
}

/** Resolves with a child's exit code: 128 and the signal's number when a signal killed it. */
function end(child) {
  current = child
  if (asked !== undefined) child.kill(asked)
  return new Promise((resolve) => {
    child.once("error", (error) => fail(`Could not run ${child.spawnfile}: ${error.message}`))
    child.once("exit", (code, signal) => {
      current = undefined
      const status = code ?? 128 + (constants.signals[signal] ?? 0)
      // A step that ends well although it was asked to stop must not be followed by the next one.
      if (asked !== undefined && status === 0) process.exit(0)
      resolve(status)
    })
  })
}

// Signals and parents -------------------------------------------------------------------------------------------------

function relaySignals() {
  let lastInterrupt = -Infinity
  const stop = (signal) => {
    if (current === undefined) process.exit(128 + constants.signals[signal])
    asked = signal
    current.kill(signal)
  }
  process.on("SIGTERM", () => stop("SIGTERM"))
  process.on("SIGINT", () => {
    if (current === undefined) return stop("SIGINT")
    // One Ctrl-C arrives here twice, from the terminal and from npm, and at the child once, from the terminal: a second
    // one makes many programs quit without cleaning up.
    const again = performance.now() - lastInterrupt < 1000
    lastInterrupt = performance.now()
    if (again) return
    if (!inForeground()) return stop("SIGINT")
    // It may still have been meant for us alone (`kill -INT`). SIGTERM does no harm to a program that is stopping.
    const child = current
    asked = "SIGINT"
    setTimeout(() => child.exitCode === null && child.signalCode === null && child.kill("SIGTERM"), 2000).unref()
  })
}

/** Whether a Ctrl-C in our terminal reaches the child, who is in our process group, without us. */
function inForeground() {
  const fields = processFields("self")
  if (fields !== undefined) return fields[4] !== "0" && fields[2] === fields[5]
  return Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
}

/** A killed npm tells nobody: without this the service would live on, and hold its port and its data. */
function followParent() {
  const parent = process.ppid
  if (parent === 1) return
  // npm runs scripts in a shell, and many a shell stays between the two: a killed npm leaves it there, waiting for us.
  const npm = isScriptShell(parent) ? parentOf(parent) : undefined
  setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    if (asked === "SIGTERM") return
    asked = "SIGTERM"
    if (current === undefined) process.exit(128 + constants.signals.SIGTERM)
    current.kill("SIGTERM")
  }, 500).unref()
}

/** Whether it is the `sh -c` of an npm script. Known on Linux only; the shell of macOS does not stay. */
function isScriptShell(pid) {
  const [program, option] = readOr(`/proc/${pid}/cmdline`, "").split("\0")
  return (
    process.env.npm_lifecycle_event !== undefined &&
    /^(ba|da|a|z|k)?sh$/.test(path.basename(program)) &&
    option === "-c"
  )
}

function parentOf(pid) {
  return processFields(pid)?.[1]
}

/** What Linux tells of a process, past its name, which may hold anything: state, ppid, pgrp, session, tty_nr, tpgid. */
function processFields(pid) {
  const stat = readOr(`/proc/${pid}/stat`, "")
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

// Node ----------------------------------------------------------------------------------------------------------------

function chooseNode() {
  const bundled = windows
    ? path.join(modules, `node-win-${process.arch}`, "bin", "node.exe")
    : path.join(modules, ".bin", "node")
  if (fs.existsSync(bundled)) {
    // Asked, because it may be there without running: made for another processor, or for another C library.
    const answer = spawnSync(bundled, ["--version"], { encoding: "utf8", timeout: 5000 })
    if (answer.status === 0 && isNewEnough(answer.stdout)) return bundled
  }
  if (isNewEnough(process.version)) return process.execPath
  return fail(
    `Node 22.19 or later is needed. This is ${process.version}, and the dependencies bring none that runs on ` +
      `${process.platform}-${process.arch}: install a newer Node from https://nodejs.org and try again.`
  )
}

function isNewEnough(version) {
  const [major, minor] = version.trim().replace(/^v/, "").split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 19)
}

// Installing ----------------------------------------------------------------------------------------------------------

async function install() {
  if (isInstalled()) return
  const release = await takeLock(path.join(root, ".installing"))
  try {
    // While we waited for the lock, whoever held it may have done it.
    if (isInstalled()) return
    process.stderr.write("Installing dependencies …\n")
    const code = await npmCi()
    if (code !== 0) {
      if (asked !== undefined) process.exit(128 + constants.signals[asked])
      fail(`Could not install the dependencies: npm ci ended with ${code}. Its reasons are above; then try again.`)
    }
    stamp()
  } finally {
    release()
  }
}

function npmCi() {
  // Neither NODE_ENV=production nor an `omit` in some .npmrc may leave out the tests, Node or Postgres.
  const args = ["ci", "--no-fund", "--no-audit", "--loglevel=error", "--include=dev", "--include=optional"]
  const options = { cwd: root, stdio: ["ignore", process.stderr.fd, process.stderr.fd] }
  const cli = process.env.npm_execpath
  // Set by yarn and pnpm as well, who do not know `ci`.
  const child =
    cli !== undefined && /^npm.*\.[cm]?js$/.test(path.basename(cli))
      ? spawn(process.execPath, [cli, ...args], options)
      : spawn("npm", args, { ...options, shell: windows })
  child.once("spawn", () => noteInLock(child.pid))
  return end(child)
}

/** What the folder must have been made from, and for which machine: it may have been copied or mounted. */
function wanted() {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"))
  return `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`
}

function stamp() {
  try {
    fs.writeFileSync(stampFile, wanted())
  } catch {
    // A read-only folder: it is compared with npm's own list each time.
  }
}

function isInstalled() {
  if (!fs.existsSync(modules)) return false
  if (readOr(stampFile, "") === wanted()) return true
  if (!matchesLock()) return false
  stamp()
  return true
}

/** Compares npm's list of what it installed with what the lock asks for: somebody may have run npm himself. */
function matchesLock() {
  try {
    const installed = JSON.parse(fs.readFileSync(path.join(modules, ".package-lock.json"), "utf8")).packages
    const locked = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8")).packages
    return Object.entries(locked).every(([place, entry]) => {
      if (place === "" || entry.link) return true
      const found = installed[place]
      if (found === undefined) return entry.optional === true && !fitsHere(entry)
      return (
        found.version === entry.version &&
        found.integrity === entry.integrity &&
        fs.existsSync(path.join(root, place, "package.json"))
      )
    })
  } catch {
    return false
  }
}

/** Whether an optional package is one for this very machine. One that names no machine may be left out. */
function fitsHere({ cpu, libc, os }) {
  return (
    os !== undefined &&
    cpu !== undefined &&
    libc === undefined &&
    os.includes(process.platform) &&
    cpu.includes(process.arch)
  )
}

function readOr(file, otherwise) {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return otherwise
  }
}

// One installation at a time ------------------------------------------------------------------------------------------
//
// The lock is a folder, because making one either succeeds or not. It holds one file with a random word, the host, and
// the processes at work: ours, and npm's, who goes on when we are killed.

/** Resolves with the function that gives the lock back. */
async function takeLock(folder) {
  const file = path.join(folder, "holder")
  for (let waits = 0; ; waits++) {
    try {
      fs.mkdirSync(folder)
    } catch (error) {
      if (error.code !== "EEXIST") fail(`Could not install the dependencies: ${error.message}`)
      if (waits === 0) process.stderr.write("Waiting for another installation of the dependencies …\n")
      if (!breakLock(folder, file)) await sleep(100)
      continue
    }
    const word = `${randomBytes(8).toString("hex")} ${hostname()} ${process.pid}`
    fs.writeFileSync(file, word)
    noteInLock = (pid) => fs.writeFileSync(file, `${word} ${pid}`)
    // A sign of life, for those who cannot see our process.
    const beat = setInterval(() => fs.utimes(folder, new Date(), new Date(), () => {}), 5000)
    const release = () => {
      clearInterval(beat)
      if (readOr(file, "").startsWith(word)) fs.rmSync(folder, { recursive: true, force: true })
    }
    process.once("exit", release)
    return release
  }
}

/** Takes away a lock whose holders are gone; whether there was one. */
function breakLock(folder, file) {
  const holder = readOr(file, "")
  const [, host, ...pids] = holder.split(" ")
  let age
  try {
    age = Date.now() - fs.statSync(folder).mtimeMs
  } catch {
    return true
  }
  // Without a word in it: it was made this moment, or its maker was killed right then.
  const gone = holder === "" ? age > 2000 : host === hostname() && !pids.some((pid) => isAlive(Number(pid)))
  if (!gone && age < 120_000) return false
  const aside = `${folder}-${randomBytes(4).toString("hex")}`
  try {
    fs.renameSync(folder, aside)
    // Another process may have broken it too, and taken it, since we looked: then it is his.
    if (readOr(path.join(aside, "holder"), "") !== holder) fs.renameSync(aside, folder)
    else fs.rmSync(aside, { recursive: true, force: true })
  } catch {
    // Somebody else was faster.
  }
  return true
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}
