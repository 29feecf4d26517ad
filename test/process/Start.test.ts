import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import * as Process from "../support/Process.ts"
import { scratch } from "../support/scratch.ts"

const contacts = "/api/v1/network/contacts"

let dataDir = ""

/** `npm start`, without npm, in a process group of its own. */
const start = () =>
  Process.start(["run.mjs", "src/main.ts"], { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" }, { detached: true })

/** Kills the runner and the program, as `kill -9` does. */
const kill = async ({ child, ended }: Process.Program) => {
  try {
    process.kill(-(child.pid ?? 0), "SIGKILL")
  } catch {
    // It has ended.
  }
  await ended
}

/** What it prints once it is ready. */
const welcome = async ({ output }: Process.Program) => {
  const text = await vi.waitFor(
    () => {
      assert.include(output.stdout, "Ctrl-C stops it; the data stays.", output.stderr)
      return output.stdout
    },
    { timeout: 20_000, interval: 20 }
  )
  const said = (label: string) => new RegExp(`^ +${label} +(\\S+)$`, "m").exec(text)?.[1] ?? ""
  return { text, address: said("Address"), docs: said("Docs"), token: said("Token") }
}

const ask = async (url: string, token: string, body?: unknown) => {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return { status: response.status, body: (await response.json()) as { readonly [member: string]: unknown } }
}

const namesIn = async (address: string, token: string) => {
  const { body } = await ask(`${address}${contacts}`, token)
  return (body["data"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
}

// One data folder, started again and again: the tests are the stages of its life.
describe("npm start", { timeout: 60_000 }, () => {
  const all: Array<Process.Program> = []
  let running: Process.Program
  let address = ""
  let firstToken = ""

  beforeAll(async () => {
    dataDir = await mkdtemp(join(scratch, "property-network-start-"))
    running = start()
    all.push(running)
  })

  afterAll(async () => {
    for (const started of all) await kill(started)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
  })

  it("prints its address, the documentation, a token that works and three commands", async () => {
    const said = await welcome(running)
    address = said.address
    firstToken = said.token
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.strictEqual(said.docs, `${address}/docs`)
    assert.strictEqual((await fetch(said.docs)).status, 200)
    assert.strictEqual((await ask(`${address}/api/v1/auth/me`, said.token)).status, 200)
    const commands = said.text
      .split("\n\n")
      .map((part) => part.trim())
      .filter((part) => /^(?:npm|curl) /.test(part))
    assert.lengthOf(commands, 3)
    assert.match(commands[0] ?? "", /^npm run -s admin -- \w+$/)
    // What the second one sends is taken as it stands.
    const body = /-d '(.*)'/.exec(commands[1] ?? "")?.[1] ?? ""
    assert.include(commands[1], `curl -X POST ${address}${contacts} \\`)
    assert.include(commands[1], `-H "Authorization: Bearer ${said.token}"`)
    assert.strictEqual((await ask(`${address}${contacts}`, said.token, JSON.parse(body))).status, 201)
    assert.match(
      commands[2] ?? "",
      new RegExp(`^curl "${address}${contacts}\\?page_size=3" -H "Authorization: Bearer `)
    )
    if (process.getuid?.() !== 0) return assert.strictEqual(running.output.stderr, "")
    assert.strictEqual(
      running.output.stderr,
      "Postgres refuses to run as root and runs as another user. For that, this start let other users pass through " +
        `${dataDir} (mode 0711, it was 0700).\n`
    )
  })

  it("started a second time on one DATA_DIR, says that it is in use and by whom", async () => {
    const second = start()
    all.push(second)
    assert.strictEqual((await second.ended).code, 1)
    assert.match(second.output.stderr, /^\S+ is in use by process \d+; stop it or choose another DATA_DIR\n$/)
    assert.isTrue(second.output.stderr.startsWith(dataDir))
    assert.strictEqual(second.output.stdout, "")
    assert.strictEqual((await fetch(`${address}/readyz`)).status, 200)
  })

  it("killed with kill -9 and started again, finds its data and prints a token that works", async () => {
    const before = await namesIn(address, firstToken)
    assert.include(before, "Maria Rossi")
    assert.isAbove(before.length, 1)
    await kill(running)
    running = start()
    all.push(running)
    const again = await welcome(running)
    assert.deepStrictEqual(await namesIn(again.address, again.token), before)
    // What it changes as root, it changes and reports once.
    assert.strictEqual(running.output.stderr, "")
  })

  it("interrupted, exits with 0 within 5 seconds", async () => {
    const asked = performance.now()
    running.child.kill("SIGINT")
    assert.strictEqual((await running.ended).code, 0, running.output.stderr)
    assert.isBelow(performance.now() - asked, 5000)
  })
})
