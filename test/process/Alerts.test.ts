/** The alert rules and the dashboard of deploy/: what they name exists. promtool tries the rules themselves (deploy/prometheus/check.sh). */
import * as Metrics from "../../src/process/Metrics.ts"
import * as PrivateTables from "../../src/platform/jobs/PrivateTables.ts"
import * as JobRuns from "../../src/platform/jobs/JobRuns.ts"
import GithubSlugger from "github-slugger"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { countAnswer } from "../../src/http/RequestTelemetry.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { makeMemory } from "../../src/platform/fileStore/Drivers.ts"
import { FileStore } from "../../src/platform/fileStore/FileStore.ts"
import { WebhookHealth } from "../../src/webhooks/WebhookHealth.ts"
import { isLong } from "../support/campaign.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { recurring } from "../../workers/handlers.ts"

const root = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

const rules = read("deploy/prometheus/alerts.yml")
const dashboard = read("deploy/grafana/dashboard.json")
const operations = read("docs/operations.md")

const named = (text: string) =>
  new Set([...text.matchAll(/\b(?:property_network|process|nodejs)_[a-z0-9_]+(?=[{[ )])/g)].map(([name]) => name))

/** The families in the text format, with the series of histograms. */
const familiesIn = (text: string) =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
    )
  )

/** What `/metrics` answers in an installation with a standby, a failed job and a request. */
const served = Effect.gen(function* () {
  const sql = yield* Database
  yield* sql`select (graphile_worker.add_job('test/fails', '{}')).id`
  const worker = PrivateTables.make(sql, "the worker", ["test/fails"])
  const at = new Date(Date.now() + 1000)
  yield* Effect.forEach(yield* worker.claim(at), (job) => worker.fail(job, at, "It failed."))
  const [first] = JobRuns.recorded(recurring.map(({ job }) => ({ job, run: () => Effect.void })))
  yield* first?.run({}) ?? Effect.void
  yield* JobRuns.noteBackup
  countAnswer({ method: "GET", route: "/x", status: 200, durationMs: 1 }, yield* Effect.context<never>())
  const standbys = { choose: () => undefined, lags: () => [{ number: 1, seconds: 1, isRead: true }] }
  const withStandby = Layer.succeed(
    Database,
    new Proxy(sql, {
      get: (target, name) => (name === "standbys" ? standbys : (Reflect.get(target, name) as unknown))
    })
  )
  const lines: Array<string> = []
  yield* Layer.build(
    Metrics.layer({ metrics: { host: "127.0.0.1", port: 0 }, telemetry: undefined }).pipe(
      Layer.provide(
        Layer.mergeAll(
          withStandby,
          Layer.mock(WebhookHealth, {
            queue: () => Effect.succeed({ waiting: 0, due: 0, inFlight: 0, held: 0, oldestDueSeconds: 0 }),
            countByHealth: () => Effect.succeed({ healthy: 0, late: 0, failing: 0, paused: 0, disabled: 0 })
          }),
          Layer.succeed(
            FileStore,
            FileStore.make({ ...makeMemory(), space: Effect.succeed({ size: 2, available: 1 }) })
          )
        )
      ),
      Layer.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
    )
  )
  const [, address = ""] = /at (\S+)\.$/m.exec(lines.join("\n")) ?? []
  return yield* Effect.promise(async () => (await fetch(address)).text())
})

layer(TestDatabase.layer)("The metrics", (it) => {
  it.effect(
    "that alert rules and the dashboard name are those that a process serves, and the documentation lists them",
    () =>
      Effect.gen(function* () {
        const families = familiesIn(yield* served)
        for (const [what, text] of [
          ["alerts.yml", rules],
          ["dashboard.json", dashboard]
        ] as const) {
          const missing = [...named(text)].filter((name) => !families.has(name))
          assert.deepStrictEqual(missing, [], what)
          assert.isAbove(named(text).size, 15)
        }
        const own = [...families].filter(
          (name) => name.startsWith("property_network_") && !/_(?:bucket|sum|count)$/.test(name)
        )
        const undocumented = own.filter((name) => !operations.includes(`\`${name}`))
        assert.deepStrictEqual(undocumented, [])
      })
  )
})

describe("The alerts", () => {
  it("each lead to a section of the documentation that says what to do", () => {
    const slugger = new GithubSlugger()
    const anchors = new Set(
      [...operations.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => slugger.slug(heading))
    )
    const links = [...rules.matchAll(/runbook_url: ".*\/docs\/operations\.md#([\w-]+)"/g)].map(([, anchor]) => anchor)
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    assert.lengthOf(links, alerts.length)
    assert.deepStrictEqual(
      links.filter((anchor) => anchor === undefined || !anchors.has(anchor)),
      []
    )
    for (const name of alerts) assert.include(operations, `\`${name}\``)
    const tried = read("deploy/prometheus/alerts.test.yml")
    for (const name of alerts) assert.include(tried, `alertname: ${name}\n`)
  })

  it.runIf(isLong && spawnSync("promtool", ["--version"]).status === 0)("are right in the eyes of promtool", () => {
    const { status, stderr, stdout } = spawnSync("sh", [new URL("deploy/prometheus/check.sh", root).pathname])
    assert.strictEqual(status, 0, `${stdout.toString()}${stderr.toString()}`)
  })
})
