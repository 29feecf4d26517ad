// Runs the project's programs, for the scripts of package.json. It is plain JavaScript for Node 20 and later, without
// dependencies, because it installs the dependencies, and with them the newer Node that the programs need.
//
//   node run.mjs src/main.ts [args…]             a program of this project
//   node run.mjs --watch src/main.ts [args…]     the same, restarted when one of its source files changes
//   node run.mjs --bin vitest/vitest.mjs [args…] a program of a dependency: a path below node_modules
//   node run.mjs … --then …                      steps, one after the other, until one fails
//   node run.mjs … --beside …                    programs of one step, at the same time: the last one writes while it
//                                                runs, what the others wrote follows whole. It fails if any fails
//
// Arguments of `npm run <script> -- <args…>` go to the last program. A first `--` after a program is dropped.
// Only the programs write to stdout.

import { spawn, spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { constants, hostname } from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { bundled } from "./bundle.mjs"

const root = path.dirname(fileURLToPath(import.meta.url))
const modules = path.join(root, "node_modules")
const windows = process.platform === "win32"
const stampFile = path.join(modules, ".property-network-lock")

/** The child processes that are running, an installation included. */
const running = new Set()
/** The last signal that asked this process to stop. */
let requestedSignal
/** Writes npm's process id into the lock that this process holds. */
let noteInLock = () => {}

await main()

async function main() {
  relaySignals()
  followParent()
  const steps = stepsOf(process.argv.slice(2))
  if (steps.length === 0) fail("Usage: node run.mjs <[--watch] entry.ts | --bin NAME> [args…]", 2)
  await install()
  const node = chooseNode()
  for (const step of steps) {
    // After one that was asked to stop and succeeded, the next one must not start.
    const code = requestedSignal === undefined ? await runStep(node, step) : 0
    if (code !== 0) process.exit(code)
  }
  process.exit(0)
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

// Steps ---------------------------------------------------------------------------------------------------------------

/** The programs of each step. */
function stepsOf(words) {
  return splitAt(words, "--then")
    .map((step) => splitAt(step, "--beside").flatMap(programOf))
    .filter((programs) => programs.length > 0)
}

function programOf(words) {
  const option = words[0] === "--bin" || words[0] === "--watch" ? words.shift() : undefined
  const [file, ...args] = words
  if (file === undefined) return []
  if (args[0] === "--") args.shift()
  const entry = option === "--bin" ? path.join(modules, file) : path.resolve(root, file)
  return [{ file, entry, args, watch: option === "--watch" }]
}

function splitAt(words, separator) {
  const groups = [[]]
  for (const word of words) {
    if (word === separator) groups.push([])
    else groups[groups.length - 1].push(word)
  }
  return groups
}

/** Resolves with the first exit code of the programs that is not 0, in their order, as a shell would report it. */
async function runStep(node, programs) {
  const codes = programs.map(async (program, index) => {
    if (index === programs.length - 1) return run(node, program, "inherit")
    const code = await run(node, program, "pipe")
    if (code !== 0) process.stderr.write(`${program.file} failed. What it wrote follows at the end.\n`)
    return code
  })
  const ended = await Promise.all(codes)
  for (const [index, { file, written }] of programs.entries()) {
    if (written === undefined) continue
    process.stdout.write(`${file}: ${ended[index] === 0 ? "passed" : `failed with ${ended[index]}`}\n`)
    if (ended[index] !== 0) process.stdout.write(written)
  }
  return ended.find((code) => code !== 0) ?? 0
}

/** Resolves with the exit code. What goes to a pipe is kept in the program's `written`. */
function run(node, program, output) {
  const { args, entry, watch } = program
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH"
  const env = {
    // Caching compiled code halves the time that the next start takes.
    NODE_COMPILE_CACHE: path.join(modules, ".cache", "compile"),
    ...environmentFor(entry),
    ...process.env,
    [name]: [path.join(modules, ".bin"), process.env[name]].filter(Boolean).join(path.delimiter)
  }
  // Node's watcher stops the program with SIGTERM, and starts it again when it has ended.
  const flags = [...flagsFor(entry), ...(watch ? ["--watch", "--watch-preserve-output"] : [])]
  // The channel carries no messages. It breaks when this process ends, even by `kill -9`: src/process/Program.ts listens
  // for that.
  const child = spawn(node, [...flags, watch ? entry : bundled(entry, node), ...args], {
    env,
    stdio: ["inherit", output, output, "ipc"]
  })
  if (output === "pipe") {
    program.written = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk) => (program.written += chunk))
    }
  }
  return exitCodeOf(child)
}

// What package.json lists for this project's programs: docs/adr/0015-node-memory-flags.md explains it.

/** The Node flags, except those that NODE_OPTIONS sets. */
function flagsFor(entry) {
  const options = process.env.NODE_OPTIONS ?? ""
  return listed(entry, "node").filter((flag) => !options.includes(flag.split("=")[0]))
}

/** The environment variables. */
function environmentFor(entry) {
  return Object.fromEntries(listed(entry, "environment").map((variable) => variable.split("=")))
}

function listed(entry, name) {
  if (entry.startsWith(modules)) return []
  const { config } = JSON.parse(readOr(path.join(root, "package.json"), "{}"))
  return (config?.[name] ?? "").split(" ").filter((word) => word !== "")
}

/** Resolves with a child's exit code: 128 and the signal's number when a signal killed it. */
function exitCodeOf(child) {
  running.add(child)
  if (requestedSignal !== undefined) child.kill(requestedSignal)
  return new Promise((resolve) => {
    child.once("error", (error) => fail(`Could not run ${child.spawnfile}: ${error.message}`))
    // A pipe may have bytes of a child that has exited.
    child.once(child.stdout === null ? "exit" : "close", (code, signal) => {
      running.delete(child)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

function signalAll(signal) {
  for (const child of running) child.kill(signal)
}

// Signals and parents -------------------------------------------------------------------------------------------------

function relaySignals() {
  let lastInterrupt = -Infinity
  const stop = (signal) => {
    if (running.size === 0) process.exit(128 + constants.signals[signal])
    requestedSignal = signal
    signalAll(signal)
  }
  process.on("SIGTERM", () => stop("SIGTERM"))
  process.on("SIGINT", () => {
    if (running.size === 0) return stop("SIGINT")
    // One Ctrl-C arrives here twice, from the terminal and from npm, and at the child once, from the terminal. A second
    // SIGINT would make many programs quit without cleaning up.
    const isDuplicate = performance.now() - lastInterrupt < 1000
    lastInterrupt = performance.now()
    if (isDuplicate) return
    if (!inForeground()) return stop("SIGINT")
    // The signal may have been sent to this process alone (`kill -INT`). SIGTERM does no harm to a program that is
    // stopping.
    requestedSignal = "SIGINT"
    setTimeout(() => signalAll("SIGTERM"), 2000).unref()
  })
}

/** Whether a Ctrl-C in the terminal reaches the child directly, because it is in the same process group. */
function inForeground() {
  const fields = processFields("self")
  if (fields !== undefined) return fields[4] !== "0" && fields[2] === fields[5]
  return Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
}

/**
 * Stops when npm is gone: a killed npm signals nobody, and the service would keep running, with its port and its data.
 */
function followParent() {
  const parent = process.ppid
  if (parent === 1) return
  // npm runs scripts in a shell. Some shells stay between npm and this process, and outlive a killed npm.
  const npm = isScriptShell(parent) ? parentOf(parent) : undefined
  setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
    if (requestedSignal === "SIGTERM") return
    requestedSignal = "SIGTERM"
    if (running.size === 0) process.exit(128 + constants.signals.SIGTERM)
    signalAll("SIGTERM")
  }, 500).unref()
}

/** Whether a process is the `sh -c` of an npm script. Known on Linux only; on macOS the shell replaces itself. */
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

/** The fields of Linux's /proc/<pid>/stat after the process name: state, ppid, pgrp, session, tty_nr, tpgid. */
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
    // Run once, because it may not work here: it may be built for another processor or another C library.
    const probe = spawnSync(bundled, ["--version"], { encoding: "utf8", timeout: 5000 })
    if (probe.status === 0 && isNewEnough(probe.stdout)) return bundled
  }
  if (isNewEnough(process.version)) return process.execPath
  return fail(
    `Node 22.19 or later is required. This is ${process.version}, and the dependencies include none that runs on ` +
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
    // The previous holder of the lock may have installed them.
    if (isInstalled()) return
    process.stderr.write("Installing dependencies …\n")
    const code = await npmCi()
    if (code !== 0) {
      if (requestedSignal !== undefined) process.exit(128 + constants.signals[requestedSignal])
      fail(`Could not install the dependencies: npm ci ended with ${code}. Its output is above.`)
    }
    stamp()
  } finally {
    release()
  }
}

function npmCi() {
  // So that neither NODE_ENV=production nor an `omit` in an .npmrc leaves out the test tools, Node or Postgres.
  const args = ["ci", "--no-fund", "--no-audit", "--loglevel=error", "--include=dev", "--include=optional"]
  const options = { cwd: root, stdio: ["ignore", process.stderr.fd, process.stderr.fd] }
  const cli = process.env.npm_execpath
  // yarn and pnpm set it as well, but have no `ci`.
  const child =
    cli !== undefined && /^npm.*\.[cm]?js$/.test(path.basename(cli))
      ? spawn(process.execPath, [cli, ...args], options)
      : spawn("npm", args, { ...options, shell: windows })
  child.once("spawn", () => noteInLock(child.pid))
  return exitCodeOf(child)
}

/**
 * Identifies the lock file and the machine that node_modules has to be installed for: the folder may have been copied
 * or mounted.
 */
function expectedStamp() {
  const lock = fs.readFileSync(path.join(root, "package-lock.json"))
  return `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`
}

function stamp() {
  try {
    fs.writeFileSync(stampFile, expectedStamp())
  } catch {
    // The folder is read-only: each start compares it with npm's own list.
  }
}

function isInstalled() {
  if (!fs.existsSync(modules)) return false
  if (readOr(stampFile, "") === expectedStamp()) return true
  if (!matchesLock()) return false
  stamp()
  return true
}

/** Compares npm's list of installed packages with the lock file: a user may have run `npm ci`. */
function matchesLock() {
  try {
    const installed = JSON.parse(fs.readFileSync(path.join(modules, ".package-lock.json"), "utf8")).packages
    const locked = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8")).packages
    return Object.entries(locked).every(([place, entry]) => {
      if (place === "" || entry.link) return true
      const actual = installed[place]
      if (actual === undefined) return entry.optional === true && !isForThisMachine(entry)
      return (
        actual.version === entry.version &&
        actual.integrity === entry.integrity &&
        fs.existsSync(path.join(root, place, "package.json"))
      )
    })
  } catch {
    return false
  }
}

/** Whether an optional package is built for this machine. One that names no machine may be missing. */
function isForThisMachine({ cpu, libc, os }) {
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
// The lock is a folder, because mkdir is atomic. It contains one file with a random token, the host, and the ids of the
// processes at work: this one, and npm, which continues when this one is killed.

/** Resolves with the function that releases the lock. */
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
    const token = `${randomBytes(8).toString("hex")} ${hostname()} ${process.pid}`
    fs.writeFileSync(file, token)
    noteInLock = (pid) => fs.writeFileSync(file, `${token} ${pid}`)
    // A heartbeat, for other hosts and containers, which cannot see this process.
    const heartbeat = setInterval(() => fs.utimes(folder, new Date(), new Date(), () => {}), 5000)
    const release = () => {
      clearInterval(heartbeat)
      if (readOr(file, "").startsWith(token)) fs.rmSync(folder, { recursive: true, force: true })
    }
    process.once("exit", release)
    return release
  }
}

/** Removes a lock whose holders are gone. Returns whether the lock is free now. */
function breakLock(folder, file) {
  const holder = readOr(file, "")
  const [, host, ...pids] = holder.split(" ")
  let age
  try {
    age = Date.now() - fs.statSync(folder).mtimeMs
  } catch {
    return true
  }
  // An empty lock was created just now, or its holder was killed just after creating it.
  const isAbandoned = holder === "" ? age > 2000 : host === hostname() && !pids.some((pid) => isAlive(Number(pid)))
  if (!isAbandoned && age < 120_000) return false
  const aside = `${folder}-${randomBytes(4).toString("hex")}`
  try {
    fs.renameSync(folder, aside)
    // Another process may have removed it meanwhile and created its own: that one is put back.
    if (readOr(path.join(aside, "holder"), "") !== holder) fs.renameSync(aside, folder)
    else fs.rmSync(aside, { recursive: true, force: true })
  } catch {
    // Another process was faster.
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
