import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"

const source = path.resolve(import.meta.dirname, "..")

/** A fake npm that logs its run, takes 150 ms, and leaves the files that `npm ci` would. */
const fakeNpm = `
import * as fs from "node:fs"
fs.appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n")
console.log("added 0 packages")
if (fs.existsSync("npm-fails")) process.exit(7)
await new Promise((resolve) => setTimeout(resolve, 150))
fs.rmSync("node_modules", { recursive: true, force: true })
fs.mkdirSync("node_modules/.bin", { recursive: true })
fs.writeFileSync("node_modules/.package-lock.json", fs.readFileSync("package-lock.json"))
`

let folder = ""
const started: Array<ChildProcessWithoutNullStreams> = []

const write = async (file: string, text: string) => {
  await fs.mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await fs.writeFile(path.join(folder, file), text)
}

/** The import specifier of a project file for a program in the temporary folder. */
const url = (file: string) => pathToFileURL(path.join(source, file)).href

const lock = (packages: Record<string, unknown>) =>
  write("package-lock.json", JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "tiny" }, ...packages } }))

const npmRuns = async () =>
  (await fs.readFile(path.join(folder, "npm.log"), "utf8").catch(() => "")).split("\n").length - 1

/** Starts the runner. */
const start = (...args: Array<string>) => {
  const child = spawn(process.execPath, [path.join(folder, "run.mjs"), ...args], {
    cwd: folder,
    env: { ...process.env, npm_execpath: path.join(folder, "npm-cli.mjs") }
  })
  return watch(child)
}

const watch = (child: ChildProcessWithoutNullStreams) => {
  started.push(child)
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (output.stderr += chunk))
  // Its pipes close when all processes that inherited them have ended.
  const done = once(child, "close").then(([code, signal]: Array<unknown>) => ({ code, signal, ...output }))
  /** Waits until it has written a line, and returns it. */
  const line = () =>
    vi.waitFor(
      () => {
        assert.include(output.stdout, "\n", output.stderr)
        return output.stdout.trim()
      },
      { timeout: 5000, interval: 5 }
    )
  /** Waits until it has written this line, and returns all output. */
  const lines = (text: string, within = 5000) =>
    vi.waitFor(
      () => {
        assert.include(output.stdout, `${text}\n`, output.stderr)
        return output.stdout
      },
      { timeout: within, interval: 5 }
    )
  return { child, done, line, lines }
}

const run = (...args: Array<string>) => start(...args).done

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(tmpdir(), "run-"))
  for (const file of ["run.mjs", "bundle.mjs"]) await fs.copyFile(path.join(source, file), path.join(folder, file))
  await write("npm-cli.mjs", fakeNpm)
  await write("package.json", JSON.stringify({ name: "tiny", type: "module" }))
  await lock({})
  await write("node_modules/.package-lock.json", await fs.readFile(path.join(folder, "package-lock.json"), "utf8"))
  await write("say.ts", 'const words: ReadonlyArray<string> = process.argv.slice(2)\nconsole.log(words.join(" "))\n')
})

afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL")
  await fs.rm(folder, { recursive: true, force: true })
})

describe("run.mjs, installing", () => {
  it("installs once when nothing is installed, and writes only the program's output to stdout", async () => {
    await fs.rm(path.join(folder, "node_modules"), { recursive: true })
    const first = await run("say.ts", "one", "--json")
    assert.deepStrictEqual([first.code, first.stdout], [0, "one --json\n"])
    assert.strictEqual(first.stderr, "Installing dependencies …\nadded 0 packages\n")
    assert.deepStrictEqual(await run("say.ts", "two"), { code: 0, signal: null, stdout: "two\n", stderr: "" })
    assert.strictEqual(
      await fs.readFile(path.join(folder, "npm.log"), "utf8"),
      "ci --no-fund --no-audit --loglevel=error --include=dev --include=optional\n"
    )
  })

  it("installs again when the lock file differs from what is installed", async () => {
    await run("say.ts")
    assert.strictEqual(await npmRuns(), 0)
    await lock({ "node_modules/new": { version: "1.0.0", integrity: "sha512-x" } })
    await run("say.ts")
    assert.strictEqual(await npmRuns(), 1)
    await run("say.ts")
    assert.strictEqual(await npmRuns(), 1)
  })

  it("accepts an installation by npm itself, without optional packages for other machines", async () => {
    const entry = { version: "1.0.0", integrity: "sha512-x" }
    await lock({
      "node_modules/new": entry,
      "node_modules/elsewhere": { ...entry, optional: true, os: ["plan9"], cpu: ["mips"] }
    })
    await write("node_modules/new/package.json", "{}")
    await write("node_modules/.package-lock.json", JSON.stringify({ packages: { "node_modules/new": entry } }))
    await run("say.ts")
    assert.strictEqual(await npmRuns(), 0)
  })

  it("installs once for two concurrent starts", async () => {
    await fs.rm(path.join(folder, "node_modules"), { recursive: true })
    const both = await Promise.all([run("say.ts", "a"), run("say.ts", "b")])
    assert.deepStrictEqual(
      both.map(({ code, stdout }) => [code, stdout]),
      [
        [0, "a\n"],
        [0, "b\n"]
      ]
    )
    assert.strictEqual(await npmRuns(), 1)
    assert.notInclude((await fs.readdir(folder)).join(" "), ".installing")
  })

  it("does not wait for an installation that was killed", async () => {
    const { child } = start("say.ts")
    await once(child, "close")
    await fs.rm(path.join(folder, "node_modules"), { recursive: true })
    await write(".installing/holder", `0123456789abcdef ${hostname()} ${child.pid}`)
    const { code, stdout } = await run("say.ts", "on")
    assert.deepStrictEqual([code, stdout], [0, "on\n"])
  })

  it("reports a failed installation in one line, and exits with 1", async () => {
    await fs.rm(path.join(folder, "node_modules"), { recursive: true })
    await write("npm-fails", "")
    const { code, stderr, stdout } = await run("say.ts")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.include(stderr, "Could not install the dependencies: npm ci ended with 7.")
    assert.notInclude((await fs.readdir(folder)).join(" "), ".installing")
  })
})

describe("run.mjs, running", () => {
  it("runs steps in order until one fails, and exits with its code", async () => {
    await write("fail.ts", "process.exitCode = 42\n")
    const { code, stdout } = await run("say.ts", "first", "--then", "fail.ts", "--then", "say.ts", "never")
    assert.deepStrictEqual([code, stdout], [42, "first\n"])
  })

  it("runs programs beside one another, and writes whole what the others wrote if they failed", async () => {
    await write(
      "fail.ts",
      'console.log("wrong:"); setTimeout(() => { console.error("a comma"); process.exitCode = 42 }, 50)\n'
    )
    const { code, stderr, stdout } = await run("fail.ts", "--beside", "say.ts", "unsaid", "--beside", "say.ts", "said")
    assert.strictEqual(stdout, "said\nfail.ts: failed with 42\nwrong:\na comma\nsay.ts: passed\n")
    assert.deepStrictEqual([code, stderr], [42, "fail.ts failed. What it wrote follows at the end.\n"])
  })

  const until = (file: string) => `
    import * as fs from "node:fs"
    const until = async () => {
      while (!fs.existsSync("${file}")) await new Promise((resolve) => setTimeout(resolve, 5))
    }
  `

  it("runs programs beside one another at the same time, and nothing after them if one fails", async () => {
    await write("a.ts", `${until("b")}\nfs.writeFileSync("a", "")\nawait until()\n`)
    await write("b.ts", `${until("a")}\nfs.writeFileSync("b", "")\nawait until()\n`)
    const met = await run("a.ts", "--beside", "b.ts")
    assert.deepStrictEqual([met.code, met.stdout], [0, "a.ts: passed\n"])
    await write("fail.ts", "process.exitCode = 3\n")
    const { code, stdout } = await run("say.ts", "--beside", "fail.ts", "--then", "say.ts", "never")
    assert.deepStrictEqual([code, stdout], [3, "say.ts: passed\n"])
  })

  it("asks all programs of a step to stop", async () => {
    const serve = 'process.on("SIGTERM", () => process.exit(0))\nsetInterval(() => {}, 1000)\n'
    await write("silent.ts", `import * as fs from "node:fs"\n${serve}fs.writeFileSync("up", "")\n`)
    await write("serve.ts", `${until("up")}\n${serve}await until()\nconsole.log("up")\n`)
    const { child, done, line } = start("silent.ts", "--beside", "serve.ts", "--then", "say.ts", "never")
    await line()
    child.kill("SIGTERM")
    const { code, stdout } = await done
    assert.deepStrictEqual([code, stdout], [0, "up\nsilent.ts: passed\n"])
  })

  it("runs a program of a dependency, with node_modules/.bin first in PATH", async () => {
    await write(
      "node_modules/tool/cli.js",
      "console.log(process.argv[2], process.env.PATH.split(require('path').delimiter)[0])"
    )
    const { stdout } = await run("--bin", "tool/cli.js", "--", "--noEmit")
    assert.strictEqual(stdout, `--noEmit ${await fs.realpath(path.join(folder, "node_modules"))}/.bin\n`)
  })

  it("skips a bundled Node that does not run on this machine", async () => {
    await write("node_modules/.bin/node", "\u007fELF of another machine")
    await fs.chmod(path.join(folder, "node_modules/.bin/node"), 0o755)
    assert.strictEqual((await run("say.ts", "on")).stdout, "on\n")
  })

  it("exits with 128 plus the signal's number when a signal kills the program", async () => {
    await write("die.ts", 'process.kill(process.pid, "SIGKILL")\nsetInterval(() => {}, 1000)\n')
    assert.strictEqual((await run("die.ts")).code, 137)
  })

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`relays ${signal}, and lets the program shut down`, async () => {
      await write(
        "serve.ts",
        `
        process.on("${signal}", () => { console.log("draining"); process.exit(5) })
        setInterval(() => {}, 1000)
        console.log("up")
      `
      )
      const { child, done, line } = start("serve.ts")
      await line()
      child.kill(signal)
      const { code, stdout } = await done
      assert.deepStrictEqual([code, stdout], [5, "up\ndraining\n"])
    })
  }

  it("does not start the next step after a request to stop", async () => {
    await write(
      "serve.ts",
      'process.on("SIGTERM", () => process.exit(0))\nsetInterval(() => {}, 1000)\nconsole.log("up")\n'
    )
    const { child, done, line } = start("serve.ts", "--then", "say.ts", "never")
    await line()
    child.kill("SIGTERM")
    const { code, stdout } = await done
    assert.deepStrictEqual([code, stdout], [0, "up\n"])
  })
})

describe("run.mjs, running a program of the service", () => {
  const says = `import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { version } from "./version.ts"
console.log(basename(process.argv[1] ?? ""), version, readFileSync(new URL("beside.txt", import.meta.url), "utf8"))
`

  beforeEach(async () => {
    for (const file of ["src/main.ts", "src/admin.ts", "workers/main.ts"]) await write(file, "")
    await write("src/server.ts", says)
    await write("src/version.ts", "export const version = 1\n")
    await write("src/beside.txt", "beside")
  })

  const bundler = () =>
    fs.symlink(path.join(source, "node_modules", "rolldown"), path.join(folder, "node_modules", "rolldown"), "dir")

  it("makes one file of it, reads files beside its sources, and makes it again when a source has changed", async () => {
    await bundler()
    assert.strictEqual((await run("src/server.ts")).stdout, "server.js 1 beside\n")
    const { mtimeMs } = await fs.stat(path.join(folder, "dist", "server.js"))
    assert.strictEqual((await run("src/server.ts")).stdout, "server.js 1 beside\n")
    assert.strictEqual((await fs.stat(path.join(folder, "dist", "server.js"))).mtimeMs, mtimeMs)
    await write("src/version.ts", "export const version = 22\n")
    assert.strictEqual((await run("src/server.ts")).stdout, "server.js 22 beside\n")
  })

  it("runs its sources where there is no bundler, and where they do not compile", async () => {
    assert.strictEqual((await run("src/server.ts")).stdout, "server.ts 1 beside\n")
    await bundler()
    await write("src/admin.ts", "const = 1\n")
    const { stderr, stdout } = await run("src/server.ts")
    assert.strictEqual(stdout, "server.ts 1 beside\n")
    assert.include(stderr, "admin.ts")
  })

  it("makes it for programs that start together", async () => {
    await bundler()
    const ended = await Promise.all(Array.from({ length: 3 }, () => run("src/server.ts")))
    for (const { stdout } of ended) assert.strictEqual(stdout, "server.js 1 beside\n")
  })
})

describe("run.mjs --watch", () => {
  it("lets the program shut down when a source file changes, and restarts it", async () => {
    await write("part.ts", 'export const text = "first"\n')
    await write(
      "serve.ts",
      `
      import { text } from "./part.ts"
      process.on("SIGTERM", () => { console.log("draining"); process.exit(0) })
      setInterval(() => {}, 1000)
      console.log(text)
    `
    )
    const { child, done, lines } = start("--watch", "serve.ts")
    await lines("first")
    // The watcher ignores a change within its first moments.
    await vi.waitFor(
      async () => {
        await write("part.ts", 'export const text = "second"\n')
        assert.match(await lines("second", 400), /^first\n[^]*^draining\n[^]*^second\n/m)
      },
      { timeout: 20_000, interval: 1 }
    )
    child.kill("SIGTERM")
    await done
  })
})

describe("run.mjs and its parent", () => {
  const serving = 'setInterval(() => {}, 1000)\nconsole.log("up")\n'

  it("stops the program when its own parent is killed", async () => {
    await write("serve.ts", serving)
    await write(
      "parent.mjs",
      `
      import { spawn } from "node:child_process"
      spawn(process.execPath, ["run.mjs", "serve.ts"], { stdio: "inherit" })
    `
    )
    const { child, done, line } = watch(spawn(process.execPath, ["parent.mjs"], { cwd: folder }))
    await line()
    child.kill("SIGKILL")
    await done
  })

  it.skipIf(process.platform !== "linux")("stops the program when npm is killed and its shell stays", async () => {
    await write("serve.ts", serving)
    // With a second command, the shell does not replace itself by the first.
    await write(
      "npm.mjs",
      `
      import { spawn } from "node:child_process"
      const env = { ...process.env, npm_lifecycle_event: "start" }
      spawn("sh", ["-c", "$NODE run.mjs serve.ts; exit $?"], { stdio: "inherit", env: { ...env, NODE: process.execPath } })
    `
    )
    const { child, done, line } = watch(spawn(process.execPath, ["npm.mjs"], { cwd: folder }))
    await line()
    child.kill("SIGKILL")
    await done
  })

  it("ends a guarded program when it is killed", async () => {
    await write(
      "serve.ts",
      `
      import { Effect, Layer } from "${url("node_modules/effect/dist/index.js")}"
      import { OrphanGuard } from "${url("src/process/Program.ts")}"
      process.on("SIGTERM", () => process.exit(0))
      void Effect.runPromise(Layer.launch(OrphanGuard.layer))
      ${serving}
    `
    )
    const { child, done, line } = start("serve.ts")
    await line()
    child.kill("SIGKILL")
    await done
  })

  it("does not keep a guarded program from ending", async () => {
    await write(
      "done.ts",
      `
      import { Effect } from "${url("node_modules/effect/dist/index.js")}"
      import { OrphanGuard } from "${url("src/process/Program.ts")}"
      Effect.runFork(Effect.scoped(Effect.andThen(OrphanGuard.watch, Effect.never)))
    `
    )
    assert.strictEqual((await run("done.ts")).code, 0)
  })
})
