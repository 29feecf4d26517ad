import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, Schedule } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Client } from "pg"
import { expect, vi } from "vitest"
import { EmbeddedPostgres, EmbeddedPostgresError } from "../../../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { scratch } from "../../../support/scratch.ts"

const root = path.resolve(import.meta.dirname, "../../..")
const settings = { fsync: "off" }

const hasUserNamespaces = spawnSync("unshare", ["--user", "--map-user=1000", "true"]).status === 0

let folder = ""
let dataDir = ""

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(scratch, "embedded-postgres-"))
  await fs.chmod(folder, 0o755)
  dataDir = path.join(folder, "data")
})

afterAll(() => fs.rm(folder, { recursive: true, force: true }))

const query = (url: string, sql: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    // A server that is killed fails the query, too.
    client.on("error", () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  })

/** Runs `body` in another process with the module, and returns the lines that it prints. */
const other = async (body: string) => {
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { EmbeddedPostgres } from "../src/platform/db/embedded/EmbeddedPostgres.ts"
     import { Effect } from "effect"
     const dataDir = ${JSON.stringify(dataDir)}
     const settings = ${JSON.stringify(settings)}
     ${body}`
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] }
  )
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  return { child, line: String(line).trim() }
}

const serve = () =>
  other(`await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const server = yield* EmbeddedPostgres.start({ dataDir, settings })
    console.log(server.url)
    yield* Effect.never
  })))`)

const kill = async (child: ChildProcess) => {
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  await exit
}

const pidFile = () => path.join(dataDir, "postgres/postmaster.pid")

/** Kills the server of the folder, which this process has started. */
const killServer = Effect.promise(async () => {
  const [pid] = (await fs.readFile(pidFile(), "utf8")).split("\n")
  process.kill(Number(pid), "SIGKILL")
})

const connected = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.end()
}

/** Makes the settings of the folder unreadable for Postgres until the scope ends. */
const brokenSettings = Effect.acquireRelease(
  Effect.promise(async () => {
    const file = path.join(dataDir, "postgres/postgresql.auto.conf")
    const text = await fs.readFile(file, "utf8")
    await fs.writeFile(file, "nonsense = 1\n")
    return { file, text }
  }),
  ({ file, text }) => Effect.promise(() => fs.writeFile(file, text))
)

describe("the embedded Postgres", () => {
  it.live("is created, stops with its scope, and keeps its data", () =>
    Effect.gen(function* () {
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* EmbeddedPostgres.start({ dataDir, settings })
          yield* query(server.url, "create table note (text text)")
          yield* query(server.url, "insert into note values ('kept')")
          return server
        })
      )
      const refused = yield* Effect.exit(Effect.tryPromise(() => new Client({ connectionString: first.url }).connect()))
      assert.isTrue(Exit.isFailure(refused))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const again = yield* EmbeddedPostgres.start({ dataDir, settings })
          assert.deepStrictEqual(yield* query(again.url, "select text from note"), [{ text: "kept" }])
          assert.deepStrictEqual(yield* query(again.url, "show server_encoding"), [{ server_encoding: "UTF8" }])
        })
      )
    })
  )

  it.live("hides its password and its files from other users", () =>
    Effect.gen(function* () {
      const modes = yield* Effect.promise(() =>
        Promise.all(
          ["postgres", "postgres.password", "postgres.log"].map(
            async (name) => (await fs.stat(path.join(dataDir, name))).mode & 0o777
          )
        )
      )
      assert.deepStrictEqual(modes, [0o700, 0o600, 0o600])
    })
  )

  it.live("uses the given port and settings", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const free = yield* Effect.scoped(
          Effect.map(EmbeddedPostgres.start({ dataDir, settings }), (server) => server.port)
        )
        const server = yield* EmbeddedPostgres.start({
          dataDir,
          port: free,
          settings: { ...settings, work_mem: "7MB" }
        })
        assert.strictEqual(server.port, free)
        assert.deepStrictEqual(yield* query(server.url, "show work_mem"), [{ work_mem: "7MB" }])
      })
    )
  )

  it.live("names the process that uses the folder, and lets other processes attach", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* EmbeddedPostgres.start({ dataDir, settings })

        const error = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.start({ dataDir })))
        assert.instanceOf(error, EmbeddedPostgresError)
        assert.strictEqual(
          error.message,
          `${dataDir} is in use by process ${process.pid}; stop it or choose another DATA_DIR`
        )

        const { child, line } = yield* Effect.promise(() =>
          other(`await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
          const url = yield* EmbeddedPostgres.connect(dataDir)
          const attached = yield* EmbeddedPostgres.attachOrStart({ dataDir })
          yield* attached.stop
          console.log(JSON.stringify([url, attached.url]))
        })))`)
        )
        assert.deepStrictEqual(JSON.parse(line), [server.url, server.url])
        if (child.exitCode === null) yield* Effect.promise(() => once(child, "exit"))
        assert.deepStrictEqual(yield* query(server.url, "select text from note"), [{ text: "kept" }])
      })
    )
  )

  it.live("refuses to connect when no server runs, and attachOrStart starts one", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(EmbeddedPostgres.connect(dataDir))
      assert.include(error.message, `No database server runs on ${dataDir}`)
      const elsewhere = yield* Effect.flip(EmbeddedPostgres.connect(path.join(folder, "absent")))
      assert.include(elsewhere.message, "No database server runs on")

      const [one, two] = yield* Effect.scoped(
        Effect.all(
          [
            EmbeddedPostgres.attachOrStart({ dataDir, settings }),
            EmbeddedPostgres.attachOrStart({ dataDir, settings })
          ],
          { concurrency: 2 }
        )
      )
      assert.strictEqual(one.url, two.url)
    })
  )

  it.live("stops on request before its scope ends", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* EmbeddedPostgres.start({ dataDir, settings })
        yield* server.stop
        yield* Effect.flip(EmbeddedPostgres.connect(dataDir))
      })
    )
  )

  it.live("is started again on its port when it is killed, also while a statement runs", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* EmbeddedPostgres.start({ dataDir, settings })
        yield* Effect.forkScoped(server.keepRunning)
        const running = yield* query(server.url, "select pg_sleep(1)").pipe(Effect.exit, Effect.forkScoped)
        yield* query(server.url, "insert into note values ('before the end of the server')")
        yield* killServer
        yield* Fiber.join(running)
        yield* Effect.retry(
          Effect.tryPromise(() => connected(server.url)),
          Schedule.spaced("20 millis")
        )
        assert.deepStrictEqual(
          yield* query(server.url, "delete from note where text like 'before the end%' returning 1"),
          [{ "?column?": 1 }]
        )
      })
    ).pipe(Effect.provide(Logger.layer([])))
  )

  it.live("is lost when it cannot be started again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* EmbeddedPostgres.start({ dataDir, settings })
        yield* brokenSettings
        yield* killServer
        const { message } = yield* Effect.flip(server.keepRunning)
        assert.match(
          message,
          /^The embedded Postgres ended by itself and could not be started again: .*contains errors/
        )
        yield* Effect.flip(EmbeddedPostgres.connect(dataDir))
      })
    ).pipe(Effect.provide(Logger.layer([])))
  )

  it.live("starts again with its data right after its owner was killed", () =>
    Effect.gen(function* () {
      const { child, line } = yield* Effect.promise(serve)
      yield* query(line, "insert into note values ('before the kill')")
      yield* Effect.promise(() => kill(child))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* EmbeddedPostgres.start({ dataDir, settings })
          assert.deepStrictEqual(yield* query(server.url, "select text from note"), [
            { text: "kept" },
            { text: "before the kill" }
          ])
        })
      )
    })
  )

  it.live.skipIf(process.platform !== "linux")("goes down by itself when its process is killed", () =>
    Effect.promise(async () => {
      const { child } = await serve()
      await fs.access(pidFile())
      await kill(child)
      // The last step of a clean shutdown.
      await vi.waitFor(() => expect(fs.access(pidFile())).rejects.toThrow("ENOENT"), { timeout: 4000, interval: 10 })
    })
  )

  it.live("does not mistake a program with a reused process id for a server", () =>
    Effect.scoped(
      Effect.gen(function* () {
        // This process is alive, but is not Postgres.
        yield* Effect.promise(() =>
          fs.writeFile(pidFile(), `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n1 1\nready   \n`)
        )
        yield* EmbeddedPostgres.start({ dataDir, settings })
      })
    )
  )

  it.live("removes the drafts of a start that was killed", () =>
    Effect.gen(function* () {
      const gone = spawn(process.execPath, ["--version"], { stdio: "ignore" })
      yield* Effect.promise(() => once(gone, "exit"))
      const draft = path.join(dataDir, `postgres.new-${gone.pid}-0123abcd`)
      yield* Effect.promise(() => fs.mkdir(draft))
      yield* Effect.scoped(EmbeddedPostgres.start({ dataDir, settings }))
      assert.isFalse((yield* Effect.promise(() => fs.readdir(dataDir))).some((name) => name.includes("new-")))
    })
  )

  it.live("reports why Postgres does not start", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(EmbeddedPostgres.start({ dataDir, settings: { work_mem: "a lot" } }))
      )
      assert.include(error.message, 'invalid value for parameter "work_mem"')
    })
  )

  it.live("refuses to start without the password file", () =>
    Effect.gen(function* () {
      const file = path.join(dataDir, "postgres.password")
      yield* Effect.promise(() => fs.rename(file, `${file}.away`))
      const error = yield* Effect.flip(Effect.scoped(EmbeddedPostgres.start({ dataDir, settings })))
      yield* Effect.promise(() => fs.rename(`${file}.away`, file))
      assert.include(error.message, "but not its password")
    })
  )

  it.live.skipIf(process.getuid?.() !== 0 || !hasUserNamespaces)(
    "is reached by its server in a folder that is closed to all but root, and again when the folder is opened",
    () =>
      Effect.gen(function* () {
        const closed = path.join(folder, "closed")
        const data = path.join(closed, "data")
        const owners = Effect.promise(async () => {
          const { mode } = await fs.stat(closed)
          return { uid: (await fs.stat(path.join(data, "postgres"))).uid, mode: mode & 0o777 }
        })
        yield* Effect.promise(() => fs.mkdir(closed, { mode: 0o700 }))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* EmbeddedPostgres.start({ dataDir: data, settings })
            yield* query(url, "create table kept (id int)")
          })
        )
        assert.deepStrictEqual(yield* owners, { uid: 0, mode: 0o700 })
        yield* Effect.promise(() => fs.chmod(closed, 0o755))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { url } = yield* EmbeddedPostgres.start({ dataDir: data, settings })
            assert.deepStrictEqual(yield* query(url, "select count(*)::int as rows from kept"), [{ rows: 0 }])
          })
        )
      })
  )
})
