import { Effect } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isLong } from "../support/campaign.ts"
import { eventually } from "../support/polling.ts"
import * as Process from "../support/Process.ts"
import { scratch } from "../support/scratch.ts"
import * as Receiver from "../core/outbound/Receiver.ts"

const contacts = "/api/v1/network/contacts"

let dataDir = ""

/** Runs `npm start` without npm, in a separate process group. */
const start = () =>
  Process.start(["run.mjs", "src/main.ts"], { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" }, { detached: true })

/** Kills the runner and the program with SIGKILL. */
const kill = async ({ child, ended }: Process.Program) => {
  try {
    process.kill(-(child.pid ?? 0), "SIGKILL")
  } catch {
    // It has ended already.
  }
  await ended
}

/** Waits until the service is ready, and returns its output. */
const welcome = async ({ output }: Process.Program) => {
  const text = await Effect.runPromise(
    eventually(() => {
      assert.include(output.stdout, "Ctrl-C stops it; the data stays.", output.stderr)
      return output.stdout
    })
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

/** Kills the Postgres that the service has started on the data folder. */
const killPostgres = async () => {
  const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")
  process.kill(Number(pid), "SIGKILL")
}

const namesIn = async (address: string, token: string) => {
  const { body } = await ask(`${address}${contacts}`, token)
  return (body["data"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)
}

// All tests use one data folder, and the service that runs on it: started again if a test has ended it.
describe("npm start", { timeout: 60_000 }, () => {
  const programs: Array<Process.Program> = []
  let first: Process.Program
  let current: { readonly program: Process.Program; readonly said: Awaited<ReturnType<typeof welcome>> } | undefined

  const launch = () => {
    const program = start()
    programs.push(program)
    return program
  }

  /** The service, once it is ready. */
  const running = async () => {
    const last = current?.program.child
    if (current !== undefined && last?.exitCode === null && last.signalCode === null) return current
    const program = launch()
    current = { program, said: await welcome(program) }
    return current
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(scratch, "property-network-start-"))
    first = (await running()).program
  })

  afterAll(async () => {
    for (const program of programs) await kill(program)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
  })

  it("prints its address, the documentation, a valid token and three commands", async () => {
    const { said } = await running()
    assert.match(said.address, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.strictEqual(said.docs, `${said.address}/docs`)
    assert.strictEqual((await fetch(said.docs)).status, 200)
    assert.strictEqual((await ask(`${said.address}/api/v1/auth/me`, said.token)).status, 200)
    const commands = said.text
      .split("\n\n")
      .map((part) => part.trim())
      .filter((part) => /^(?:DATA_DIR=\S+ npm|curl) /.test(part))
    assert.lengthOf(commands, 3)
    assert.strictEqual(commands[0], `DATA_DIR=${dataDir} npm run -s admin -- listen`)
    // The body of the second command is sent as it is printed.
    const body = /-d '(.*)'/.exec(commands[1] ?? "")?.[1] ?? ""
    assert.include(commands[1], `curl -X POST ${said.address}${contacts} \\`)
    assert.include(commands[1], `-H "Authorization: Bearer ${said.token}"`)
    assert.strictEqual((await ask(`${said.address}${contacts}`, said.token, JSON.parse(body))).status, 201)
    assert.match(
      commands[2] ?? "",
      new RegExp(`^curl "${said.address}${contacts}\\?page_size=3" -H "Authorization: Bearer `)
    )
  })

  it("prints to stderr what it changes as root, and nothing else", () => {
    if (process.getuid?.() !== 0) return assert.strictEqual(first.output.stderr, "")
    assert.strictEqual(
      first.output.stderr,
      "Postgres refuses to run as root and runs as another user. For that, this start made " +
        `${dataDir} traversable for other users (mode 0711, it was 0700).\n`
    )
  })

  it("refuses a second start on the same DATA_DIR and names the process that uses it", async () => {
    const { said } = await running()
    const second = launch()
    assert.strictEqual((await second.ended).code, 1)
    assert.match(second.output.stderr, /^\S+ is in use by process \d+; stop it or choose another DATA_DIR\n$/)
    assert.isTrue(second.output.stderr.startsWith(dataDir))
    assert.strictEqual(second.output.stdout, "")
    assert.strictEqual((await fetch(`${said.address}/readyz`)).status, 200)
  })

  it.runIf(isLong)("keeps its data, and prints a valid token, after kill -9", async () => {
    const { program, said } = await running()
    const created = await ask(`${said.address}${contacts}`, said.token, { firstName: "Kept" })
    assert.strictEqual(created.status, 201)
    const before = await namesIn(said.address, said.token)
    assert.include(before, "Kept")
    await kill(program)
    const again = await running()
    // The demo data goes on where it was cut off.
    assert.includeMembers([...(await namesIn(again.said.address, again.said.token))], [...before])
    // The first start reported what it changes as root.
    assert.strictEqual(again.program.output.stderr, "")
  })

  it.runIf(isLong)("completes the demo data that was cut off, and makes nothing twice", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { said } = yield* Effect.promise(running)
        const rows = (path: string) =>
          Effect.promise(async () => {
            const { body } = await ask(`${said.address}/api/v1${path}?page_size=200`, said.token)
            return body["data"] as ReadonlyArray<{ readonly [member: string]: unknown }>
          })
        yield* eventually(() => assert.isFalse(existsSync(join(dataDir, "demo-unfinished"))))
        const [people, projects, prospects] = [
          yield* rows("/network/contacts"),
          yield* rows("/projects"),
          yield* rows("/prospects")
        ]
        const addresses = people.flatMap(({ email }) => (email === null ? [] : [email]))
        assert.lengthOf(new Set(addresses), addresses.length)
        assert.deepStrictEqual([addresses.length, projects.length, prospects.length], [38, 3, 40])
        assert.sameMembers(
          [...new Set(prospects.map(({ stage }) => stage))],
          ["not_contacted", "teaser", "im", "data_room", "bid"]
        )
        // One of the offers ends a second after it was made. To ask again and again would use up the token's requests of the minute.
        const made = yield* rows("/offers")
        const ends = Math.min(
          ...made.flatMap(({ expiresUtc }) => (expiresUtc === null ? [] : Date.parse(String(expiresUtc))))
        )
        yield* eventually(() => assert.isAbove(Date.now(), ends))
        const offers = yield* rows("/offers")
        assert.sameMembers(
          [...new Set(offers.map(({ status }) => status))],
          ["unanswered", "pending", "accepted", "rejected", "expired", "closed"]
        )
      })
    )
  )

  it.runIf(isLong)("starts its Postgres again when that is killed: writes succeed, and jobs run", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { program, said } = yield* Effect.promise(running)
          const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
          const post = (path: string, body: unknown) =>
            Effect.promise(() => ask(`${said.address}${path}`, said.token, body))
          yield* post("/api/v1/webhooks", { url: `http://127.0.0.1:${receiver.port}/in`, events: ["contact.created"] })
          yield* Effect.promise(killPostgres)
          const created = yield* eventually(async () => {
            const reply = await ask(`${said.address}${contacts}`, said.token, { firstName: "Afterwards" })
            assert.strictEqual(reply.status, 201, JSON.stringify(reply.body))
            return reply.body
          })
          yield* eventually(async () => {
            const reply = await fetch(`${said.address}/readyz`)
            assert.strictEqual(reply.status, 200, await reply.text())
          })
          yield* eventually(() => {
            const ids = receiver.received.map(({ body }) => JSON.parse(body.toString()).resource_id as unknown)
            assert.include(ids, created["id"])
          })
          assert.include(program.output.stderr, "The embedded Postgres ended by itself (SIGKILL) and is started again.")
        })
      )
    )
  )

  it.runIf(isLong)("ends with a line that says so when its Postgres cannot be started again", async () => {
    const { program } = await running()
    const settings = join(dataDir, "postgres/postgresql.auto.conf")
    const before = await readFile(settings, "utf8")
    await writeFile(settings, "nonsense = 1\n")
    await killPostgres()
    const { code } = await program.ended
    await writeFile(settings, before)
    assert.strictEqual(code, 1)
    assert.match(
      program.output.stderr,
      /\nThe embedded Postgres ended by itself and could not be started again: .*contains errors.*\n$/
    )
  })

  it("exits with 0 within 5 seconds of SIGINT", async () => {
    const { program } = await running()
    const asked = performance.now()
    program.child.kill("SIGINT")
    assert.strictEqual((await program.ended).code, 0, program.output.stderr)
    assert.isBelow(performance.now() - asked, 5000)
  })
})
