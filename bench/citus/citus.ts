/** `npm run bench:citus`: what Citus costs beside plain Postgres. See bench/README.md. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Context, Effect, Layer, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { loadavg } from "node:os"
import { join } from "node:path"
import * as CellSchema from "../../src/platform/db/CellSchema.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../src/platform/db/EmbeddedPostgres.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import { addWorkers } from "../../test/citus/addWorkers.ts"
import * as CitusCluster from "../../test/citus/CitusCluster.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { count, median, table } from "../Figures.ts"
import * as Loads from "../http/Loads.ts"
import * as Machine from "../Machine.ts"
import * as Programs from "../Programs.ts"
import { interleave, type Pace, ratioOf } from "../Rounds.ts"
import { say } from "../Progress.ts"
import { folder } from "../TemporaryFolder.ts"

const flags = {
  quick: Flag.Boolean("quick").pipe(
    Flag.withDescription("Only see that it works: little data and short rounds, whose figures are not kept"),
    Flag.withDefault(false)
  )
}

const path = "/api/v1/network/contacts"

/** A request that creates a contact. */
const body = JSON.stringify({ firstName: "Nora", lastName: "UNIQUE", email: "UNIQUE@example.com" })

/** An API process on a database with as many contacts in each of two teams, which are in two cells if there are any. */
const installation = Effect.fnUntraced(function* (
  { citus, url }: { readonly url: string; readonly citus: boolean },
  contacts: number
) {
  yield* Migrations.run(Redacted.make(url))
  const services = yield* Layer.build(
    Layer.merge(Database.layer({ url: Redacted.make(url), maxConnections: 2 }), SecureRandom.layerWebCrypto)
  )
  if (citus) {
    for (const name of ["cell_a", "cell_b"]) {
      yield* CellSchema.create(Context.get(services, Database), name).pipe(Effect.orDie)
    }
  }
  const tenants = yield* Effect.all([Tenant.make(), Tenant.make()]).pipe(Effect.provideContext(services))
  const program = yield* Programs.start("src/server.ts", {
    DATABASE_URL: url,
    DATABASE_CITUS: citus ? "on" : "off",
    SECRET_KEY: randomBytes(32).toString("base64"),
    PORT: "0",
    RATE_LIMIT_PAT: "1000000"
  })
  const [, port] = yield* program.ready(/listens on port (\d+)/)
  const api = `http://127.0.0.1:${port}`
  const ids: Array<{ readonly id: string; readonly token: string }> = []
  for (const { token } of tenants) {
    for (let n = 0; n < contacts; n += 100) {
      const items = Array.from({ length: 100 }, (_, k) => ({
        firstName: "Nora",
        lastName: `Lind ${n + k}`,
        externalRefs: [{ namespace: "crm", externalId: `${n + k}` }]
      }))
      const response = yield* Effect.promise(() =>
        fetch(`${api}${path}/batch/upsert`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ items })
        }).then((sent) => sent.text())
      )
      const { results } = JSON.parse(response) as { readonly results?: ReadonlyArray<{ readonly id: string }> }
      if (results === undefined) return yield* Effect.die(new Error(response))
      ids.push(...results.map(({ id }) => ({ id, token })))
    }
  }
  return { api, ids, tokens: tenants.map(({ token }) => token) }
})

const measure = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const home = yield* folder
  yield* Effect.promise(() => chmod(home, 0o711))
  const contacts = quick ? 200 : 5000
  yield* Effect.promise(() => mkdir(join(home, "citus"), { mode: 0o711 }))
  const cluster = yield* CitusCluster.start(join(home, "citus"), { durable: true })
  yield* Effect.promise(() => addWorkers(cluster.url, cluster.workers))
  // The same Postgres, without the extension.
  const plain = yield* EmbeddedPostgres.start({
    dataDir: join(home, "plain"),
    binaries: cluster.binaries,
    settings: { max_connections: "300" }
  })
  yield* say("Loading contacts")
  const installations = {
    plain: yield* installation({ url: plain.url, citus: false }, contacts),
    citus: yield* installation({ url: cluster.url, citus: true }, contacts)
  }
  const load = yield* Loads.make
  const pace: Pace = quick ? { warmUp: 1, seconds: 1, rounds: 2 } : { warmUp: 3, seconds: 3, rounds: 7 }
  type Installed = (typeof installations)["plain"]
  const authorization = (token: string) => ({ authorization: `Bearer ${token}` })
  const measurements: ReadonlyArray<readonly [string, number, (of: Installed) => Loads.Requests]> = [
    [
      "read one contact",
      200,
      ({ ids }) => ({
        kind: "get",
        requests: ids
          .filter((_, n) => n % 7 === 0)
          .map(({ id, token }) => ({ path: `${path}/${id}`, headers: authorization(token) }))
      })
    ],
    [
      "a page of 100 contacts",
      200,
      ({ tokens }) => ({
        kind: "get",
        requests: tokens.map((token) => ({ path: `${path}?page_size=100`, headers: authorization(token) }))
      })
    ],
    ["create a contact", 201, ({ tokens }) => ({ kind: "post", path: `${path}?force=true`, body, token: tokens })]
  ]
  const rows: Array<ReadonlyArray<string>> = []
  for (const [name, expected, requestsOf] of measurements) {
    yield* say(name)
    const contestant = (of: Installed) => (seconds: number) =>
      load({ urls: [of.api], seconds, requests: requestsOf(of), expected })
    const found = yield* interleave(
      { plain: contestant(installations.plain), citus: contestant(installations.citus) },
      pace
    )
    const rates = (of: "citus" | "plain") => found[of].map(({ rate }) => rate)
    const ratio = ratioOf(rates("citus"), rates("plain"))
    const p50 = (of: "citus" | "plain") => median(found[of].map((report) => report.p50)).toFixed(1)
    rows.push([
      name,
      count(Math.round(median(rates("plain")))),
      count(Math.round(median(rates("citus")))),
      `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)})`,
      p50("plain"),
      p50("citus")
    ])
  }
  const machine = yield* Effect.promise(() => Machine.describe())
  const lines = [
    ...table(
      [
        "request",
        "plain /s",
        "Citus /s",
        "Citus beside plain (median, least–greatest)",
        "plain p50 ms",
        "Citus p50 ms"
      ],
      rows,
      1
    ),
    "",
    `A coordinator and two workers beside one server of the same Postgres, all on ${machine.processor}, ${machine.cores} cores, ${machine.memory} GiB; Node ${machine.node}; commit ${yield* Effect.promise(() => Machine.commit())}, ${new Date().toISOString().slice(0, 10)}. Load average at the end, of which the measurement is about 3: ${loadavg()[0]?.toFixed(1)}.`
  ]
  yield* Console.log(lines.join("\n"))
  if (!quick) {
    const text = `# Citus beside plain Postgres\n\nWritten by \`npm run bench:citus\`; [README.md](../README.md#citus) says how to read it.\n\n${lines.join("\n")}\n`
    yield* Effect.promise(() => writeFile(join(import.meta.dirname, "results.md"), text))
  }
}, Effect.scoped)

const citus = Command.make("citus", flags, measure).pipe(
  Command.withDescription("Measure requests on Citus, beside plain Postgres")
)

NodeRuntime.runMain(Command.run(citus, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
