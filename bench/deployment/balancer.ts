/**
 * `balancer`: two API processes behind HAProxy with the configuration of deploy/, each of which is stopped and started again while
 * clients write and read. No request may fail. Needs HAProxy: in the PATH, or named by `HAPROXY`.
 */
import * as Migrations from "../../src/platform/db/Migrations.ts"
import * as Service from "../Service.ts"
import * as Installation from "./Installation.ts"
import * as Traffic from "./Traffic.ts"
import { Effect, Exit, Schedule, Scope } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Line, Measurement } from "../Measurement.ts"
import { count, say } from "../Report.ts"

const configuration = join(import.meta.dirname, "../../deploy/haproxy.cfg")

const program = process.env["HAPROXY"] ?? "haproxy"

const startBalancer = Effect.fnUntraced(function* (ports: readonly [number, number]) {
  const port = yield* Installation.freePort
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(program, ["-db", "-f", configuration], {
        env: {
          ...process.env,
          LISTEN: `127.0.0.1:${port}`,
          API_1: `127.0.0.1:${ports[0]}`,
          API_2: `127.0.0.1:${ports[1]}`
        },
        stdio: ["ignore", "inherit", "inherit"]
      })
      return { child, ended: once(child, "close") }
    }),
    ({ child, ended }) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        await ended
      })
  )
  const url = `http://127.0.0.1:${port}`
  const isReady = Effect.promise(() =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false
    )
  )
  yield* Effect.repeat(isReady, { until: (ready) => ready, schedule: Schedule.spaced("100 millis") })
  return url
})

/** The clients run for some seconds before, between and after the two stops. */
const run = Effect.fnUntraced(function* (seconds: number) {
  const scope = yield* Effect.scope
  const url = yield* Installation.postgres
  yield* Migrations.run(Installation.redacted(url))
  const environment = Installation.environmentOf(url)
  const ports = [yield* Installation.freePort, yield* Installation.freePort] as const
  const begin = (port: number) =>
    Effect.gen(function* () {
      const own = yield* Scope.fork(scope)
      return { own, api: yield* Scope.provide(Installation.startApi(environment, port), own), port }
    })
  let apis = [yield* begin(ports[0]), yield* begin(ports[1])]
  yield* Installation.startWorker(environment)
  const balancer = yield* startBalancer(ports)
  return yield* Effect.gen(function* () {
    const subscribed = yield* Installation.teams(4, balancer)
    const traffic = Traffic.start({
      base: () => balancer,
      teams: subscribed.map(({ team }) => team),
      pause: 5,
      timeout: 20_000,
      persistent: false
    })
    const stops: Array<string> = []
    for (const { api, own, port } of apis) {
      yield* Effect.sleep(seconds * 1000)
      const begun = performance.now()
      const code = yield* api.program.stop
      stops.push(`exit ${code} after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
      yield* say(`One process is stopped: ${stops.at(-1)}`)
      yield* Scope.close(own, Exit.void)
      apis = [...apis.filter((other) => other.port !== port), yield* begin(port)]
    }
    yield* Effect.sleep(seconds * 1000)
    yield* Effect.promise(() => traffic.stop())
    const open = yield* Installation.untilDelivered(subscribed, 30)
    const accounts = yield* Installation.accountsOf(subscribed, traffic.created())
    const faults = [...(yield* Effect.promise(() => traffic.faults())), ...accounts.faults]
    const wrong = [...Traffic.summary(traffic.failures), ...faults, ...(open === 0 ? [] : [`${open} are open.`])]
    for (const one of wrong.slice(0, 30)) yield* say(one)
    const line: Line = {
      name: "balancer",
      work: "two API processes behind HAProxy are restarted, one after the other, while twelve clients write and read",
      ours: `${wrong.length} faults; ${count(traffic.answered())} requests, the slowest ${traffic.slowest()} ms, ${count(accounts.delivered)} of ${count(accounts.events)} events delivered, ${stops.join(", ")}`,
      value: { amount: wrong.length, unit: "faults" },
      target: { most: 0 }
    }
    return { lines: [line] }
  }).pipe(Effect.provide(Service.store({ url: Installation.redacted(url) })))
})

/** A restart of both API processes behind a balancer, under load. */
export const balancer: Measurement = {
  name: "balancer",
  summary: "whether a request fails while API processes behind HAProxy are restarted (1 minute; needs HAProxy)",
  run: Effect.fnUntraced(function* ({ quick }) {
    if (spawnSync(program, ["-v"]).status !== 0) {
      return yield* Effect.fail(new Error(`Needs HAProxy: install it, or name it by HAPROXY. \`${program} -v\` fails.`))
    }
    return yield* run(quick ? 1 : 4)
  })
}
