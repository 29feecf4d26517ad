/** `admin listen` with a `DATABASE_URL`: requirements, cleanup and exit. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { bundled } from "../../bundle.mjs"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { fixture } from "../core/auth/fixture.ts"
import { allowLoopback, start as startHere } from "../support/Admin.ts"
import { kill, run, start } from "../support/Process.ts"
import { eventually } from "../support/polling.ts"
import { scratch } from "../support/scratch.ts"
import { testUrl } from "../support/TestDatabase.ts"

const environment = Effect.map(testUrl, (url) => ({
  DATABASE_URL: Redacted.value(url),
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
}))

const team = Effect.fnUntraced(function* (name: string) {
  const teams = yield* Teams
  return (yield* asOperator(teams.create({ name, plan: "plus" }))).id
})

const listen = (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => start([bundled("src/admin.ts"), "listen", ...args], env)),
    kill
  )

/** The URLs of the team's webhooks. */
const urlsOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* Database
  const rows = yield* sql<{ url: string }>`
    select url from webhooks where team_id = ${Id.toUuid("team", id) ?? null} and deleted_at is null order by created_at`
  return rows.map(({ url }) => url)
})

const isListening = (program: ReturnType<typeof start>) =>
  eventually(() => assert.include(program.output.stderr, "Listening"))

/** A proxy to the database of `url` that can close or silently drop its connections. */
const cuttable = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly url: string; readonly cut: () => void; readonly freeze: () => void }>((resolve) => {
          const sockets = new Set<Socket>()
          const target = new URL(url)
          const server = createServer((near) => {
            const far = connect(Number(target.port), target.hostname)
            for (const [from, to] of [
              [near, far],
              [far, near]
            ] as const) {
              sockets.add(from)
              from.on("error", () => to.destroy()).pipe(to)
            }
          })
          server.listen(0, "127.0.0.1", () => {
            const through = new URL(url)
            through.hostname = "127.0.0.1"
            through.port = String((server.address() as AddressInfo).port)
            const cut = () => {
              server.close()
              for (const socket of sockets) socket.destroy()
            }
            const freeze = () => {
              for (const socket of sockets) socket.unpipe().pause()
            }
            resolve({ url: through.href, cut, freeze })
          })
        })
    ),
    ({ cut }) => Effect.sync(cut)
  )

layer(fixture)("The command listen", (it) => {
  it.effect("names the required settings when webhooks to this machine are not allowed", () =>
    Effect.gen(function* () {
      const id = yield* team("Refused")
      for (const settings of [{}, { WEBHOOK_ALLOW_HTTP: "true" }]) {
        const { fiber, lines } = yield* startHere(["listen", "--team", id, "--json"], settings)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
        const [refusal = "", ...more] = lines.err
        assert.match(
          refusal,
          /^[^\n]*WEBHOOK_ALLOW_HTTP=true and WEBHOOK_ALLOWED_NETWORKS=127\.0\.0\.0\/8[^\n]*every worker[^\n]*$/
        )
        assert.lengthOf(more, 0)
        assert.deepStrictEqual(JSON.parse(lines.out.join("\n")), {
          error: { code: "invalid_setting", detail: refusal }
        })
      }
    })
  )

  it.effect("reports that there is no team yet", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(scratch, "property-network-listen-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      const refused = yield* listen({ DATA_DIR: join(folder, "data") })
      assert.strictEqual((yield* Effect.promise(() => refused.ended)).code, 1)
      assert.strictEqual(refused.output.stderr, "There is no team yet: make one with `team create`.\n")
    })
  )

  it.effect("uses the only team, and requires --team when there are several", () =>
    Effect.gen(function* () {
      const id = yield* team("Second Team")
      yield* team("Third Team")
      const unsure = yield* startHere(["listen"])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(unsure.fiber)))
      assert.match(unsure.lines.err.join("\n"), /^There are several teams[^\n]* --team team_\w+\.$/)
      const wrong = yield* startHere(["listen", "--team", "team_x"])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(wrong.fiber)))
      assert.deepStrictEqual(wrong.lines.err, ["--team: There is no team with this id."])
      const sure = yield* listen({ ...(yield* environment), ...allowLoopback }, "--team", id)
      yield* isListening(sure)
      assert.include(sure.output.stderr, "the events of Second Team.")
      assert.lengthOf(yield* urlsOf(id), 1)
      sure.child.kill("SIGINT")
      assert.strictEqual((yield* Effect.promise(() => sure.ended)).code, 0)
      assert.lengthOf(yield* urlsOf(id), 0)
    })
  )

  it.effect("deletes the webhook of a killed run, and not one that is still in use", () =>
    Effect.gen(function* () {
      const id = yield* team("Sweepers")
      const env = { ...(yield* environment), ...allowLoopback }
      const killed = yield* listen(env, "--team", id)
      yield* isListening(killed)
      const [left] = yield* urlsOf(id)
      yield* kill(killed)
      assert.deepStrictEqual(yield* urlsOf(id), [left])
      const living = yield* listen(env, "--team", id)
      yield* isListening(living)
      const [its, ...none] = yield* urlsOf(id)
      assert.notStrictEqual(its, left)
      assert.lengthOf(none, 0)
      const another = yield* listen(env, "--team", id)
      yield* isListening(another)
      const both = yield* urlsOf(id)
      assert.lengthOf(both, 2)
      assert.include(both, its)
    })
  )

  it.effect("exits with 0 when it is stopped while the database is unreachable, and names the remaining webhook", () =>
    Effect.gen(function* () {
      const id = yield* team("Gone")
      const env = yield* environment
      for (const how of ["cut", "freeze"] as const) {
        const way = yield* cuttable(env.DATABASE_URL)
        const listening = yield* listen({ ...env, ...allowLoopback, DATABASE_URL: way.url }, "--team", id)
        yield* isListening(listening)
        way[how]()
        const before = listening.output.stderr
        const asked = performance.now()
        listening.child.kill("SIGINT")
        assert.strictEqual((yield* Effect.promise(() => listening.ended)).code, 0)
        assert.isBelow(performance.now() - asked, 5000, how)
        assert.match(
          listening.output.stderr.slice(before.length),
          /^The webhook webhook_\w+ could not be deleted[^\n]+The database cannot be reached\.\n$/
        )
        assert.strictEqual(listening.output.stdout, "")
      }
    })
  )

  it.effect("stops the API with one line when HOST is not an address of this machine", () =>
    Effect.gen(function* () {
      for (const HOST of ["nope.invalid", "192.0.2.1"]) {
        const api = yield* run("src/server.ts", { ...(yield* environment), HOST, PORT: "0" })
        assert.strictEqual((yield* Effect.promise(() => api.ended)).code, 1)
        assert.strictEqual(api.output.stderr, `HOST: "${HOST}" is not an address of this machine\n`)
      }
    })
  )
})
