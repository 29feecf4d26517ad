/** `deliver`: how many events per second reach one receiver, compared with a bare loop of signed POSTs. See bench/README.md. */
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Programs from "../Programs.ts"
import * as Service from "../Service.ts"
import { Effect, Redacted } from "effect"
import { join } from "node:path"
import { Webhook as Verifier } from "standardwebhooks"
import { Database } from "../../src/platform/db/Database.ts"
import { concurrencyLimits } from "../../src/webhooks/deliveries/rules.ts"
import { count, median } from "../Report.ts"
import { type Line, type Measurement, type Options, ratioOf } from "../Measurement.ts"
import type { LoopOrder, LoopReport } from "./post.ts"
import type { ReceiverOrder, ReceiverReport } from "./receive.ts"

const settingsOf = ({ quick }: Options) => (quick ? { events: 500, rounds: 2 } : { events: 20_000, rounds: 3 })

const batch = 100

interface Team {
  readonly uuid: string
  readonly webhook: string
  readonly secret: string
  /** The ids of its messages. */
  readonly messages: ReadonlyArray<string>
}

/** A team with a webhook, and events without a fan-out yet. */
const makeTeam = Effect.fnUntraced(function* (service: Service.Service, url: string, events: number) {
  const sql = yield* Database
  const { teamId, token } = yield* Tenant.make()
  const post = (path: string, body: object) => Effect.promise(() => service.request("POST", path, token, body))
  const { body: webhook } = yield* post("/api/v1/webhooks", { url, events: ["contact.created"], name: "fast" })
  yield* Effect.forEach(
    Array.from({ length: events / batch }, (_, number) => number),
    (number) =>
      post("/api/v1/network/contacts/batch/upsert", {
        items: Array.from({ length: batch }, (_, item) => ({
          firstName: "Maria",
          lastName: `Rossi ${number * batch + item}`,
          tags: ["logistics"]
        }))
      }),
    { concurrency: 4, discard: true }
  )
  const rows = yield* sql<{ id: string }>`select message_id as id from events where team_id = ${teamId}`
  if (rows.length !== events) return yield* Effect.die(new Error(`${rows.length} events were made, not ${events}`))
  // Without analyze, Postgres would plan for an empty table until autovacuum runs.
  yield* sql`analyze`
  const team: Team = {
    uuid: teamId,
    webhook: Id.toUuid("webhook", String(webhook["id"])) ?? "",
    secret: String(webhook["secret"]),
    messages: rows.map(({ id }) => id)
  }
  return team
})

type Receiver = Programs.Helper<ReceiverOrder, ReceiverReport>

const expected = <K extends ReceiverReport["kind"]>(receiver: Receiver, kind: K) =>
  Effect.flatMap(receiver.next, (report) =>
    report.kind === kind
      ? Effect.succeed(report as Extract<ReceiverReport, { readonly kind: K }>)
      : Effect.die(new Error(`The receiver said ${report.kind}, not ${kind}`))
  )

/** Dies unless every event arrived once and signed. Returns when the first one arrived. */
const account = Effect.fnUntraced(function* (receiver: Receiver, team: Team) {
  receiver.order({ kind: "tell" })
  const { firstAt, ids, requests, samples } = yield* expected(receiver, "report")
  const wanted = new Set(team.messages)
  const strange = ids.filter((id) => !wanted.has(id)).length
  if (requests !== wanted.size || ids.length !== wanted.size || strange > 0) {
    return yield* Effect.die(
      new Error(`Of ${wanted.size} events ${ids.length} came in ${requests} requests; ${strange} are not of the team`)
    )
  }
  const verifier = new Verifier(team.secret)
  yield* Effect.sync(() => samples.forEach(({ body, headers }) => verifier.verify(body, headers)))
  return firstAt
})

const untilDelivered = Effect.fnUntraced(function* (team: Team) {
  const sql = yield* Database
  yield* Effect.repeat(
    Effect.delay(
      sql<{ open: boolean }>`
        select exists (select from deliveries where webhook_id = ${team.webhook} and status <> 'delivered') as open`,
      "5 millis"
    ),
    { until: ([row]) => row?.open === false }
  )
  const [row] = yield* sql<{ made: number }>`
    select count(*)::int as made from deliveries where webhook_id = ${team.webhook}`
  if (row?.made !== team.messages.length) return yield* Effect.die(new Error(`${row?.made} deliveries were made`))
})

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const { events, rounds } = settingsOf(options)
  const sql = yield* Database
  const [session] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
  const postmaster = Programs.parentOf(session?.pid ?? 0)
  const receiver = yield* Programs.fork<ReceiverOrder, ReceiverReport>(join(import.meta.dirname, "receive.ts"))
  const loop = yield* Programs.fork<LoopOrder, LoopReport>(join(import.meta.dirname, "post.ts"))
  const url = `http://127.0.0.1:${(yield* expected(receiver, "listens")).port}/in`

  // It sleeps but for its turns, so that events are made, and the loop runs, without it.
  const worker = yield* service.worker
  worker.signal("SIGSTOP")

  const ours = Effect.fnUntraced(function* (team: Team) {
    receiver.order({ kind: "expect", messages: events })
    const { pid } = worker
    const used = [Programs.secondsOf(pid), Programs.secondsOfAll(postmaster)]
    worker.signal("SIGCONT")
    yield* expected(receiver, "complete")
    yield* untilDelivered(team)
    const ended = performance.timeOrigin + performance.now()
    const now = [Programs.secondsOf(pid), Programs.secondsOfAll(postmaster)]
    worker.signal("SIGSTOP")
    const micros = (of: 0 | 1) => (1e6 * ((now[of] ?? Number.NaN) - (used[of] ?? Number.NaN))) / events
    return {
      rate: (events * 1000) / (ended - (yield* account(receiver, team))),
      worker: micros(0),
      postgres: micros(1)
    }
  })

  const bare = Effect.fnUntraced(function* (team: Team) {
    receiver.order({ kind: "expect", messages: events })
    loop.order({
      database: Redacted.value(service.url),
      team: team.uuid,
      url,
      secret: team.secret,
      concurrency: concurrencyLimits.perWebhook
    })
    yield* expected(receiver, "complete")
    const { endedAt } = yield* loop.next
    return (events * 1000) / (endedAt - (yield* account(receiver, team)))
  })

  // Both the loop and the worker, and with them the receiver and Postgres, deliver as many before the measurement.
  const first = yield* makeTeam(service, url, events)
  yield* bare(first)
  const cold = yield* ours(first)
  const found: Array<{ readonly ours: typeof cold; readonly bare: number }> = []
  for (let round = 0; round < rounds; round++) {
    const team = yield* makeTeam(service, url, events)
    const before = yield* bare(team)
    const measured = yield* ours(team)
    const after = yield* bare(team)
    // The loop runs before and after, so that other load of the machine affects one of the two as well.
    found.push({ ours: measured, bare: (before + after) / 2 })
  }
  const rates = (of: "ours" | "bare") => found.map(({ bare, ours }) => (of === "ours" ? ours.rate : bare))
  const perSecond = (of: "ours" | "bare") => `${count(Math.round(median(rates(of))))} /s`
  const line: Line = {
    name: "deliver",
    work: `${count(events)} events to one fast receiver, from the first request to the last delivery on record`,
    beside: `a bare loop of signed POSTs, ${concurrencyLimits.perWebhook} at a time`,
    ours: perSecond("ours"),
    theirs: perSecond("bare"),
    ratio: ratioOf(rates("ours"), rates("bare")),
    target: { least: 0.3 },
    details: {
      ours: rates("ours").map(Math.round),
      bare: rates("bare").map(Math.round),
      afterStart: Math.round(cold.rate)
    }
  }
  const cpu = (of: "worker" | "postgres", most: number): Line => {
    const amount = Math.round(median(found.map(({ ours }) => ours[of])))
    return {
      name: `deliver-${of}`,
      work: `processor time of ${of === "worker" ? "the worker" : "Postgres"} for one of them, its making included`,
      ours: `${amount} µs`,
      value: { amount, unit: "µs" },
      target: { most },
      details: { afterStart: Math.round(cold[of]) }
    }
  }
  return { lines: [line, cpu("worker", 200), cpu("postgres", 120)] }
})

/** 20,000 events to one receiver, compared with a bare loop of signed POSTs. */
export const deliver: Measurement = {
  name: "deliver",
  summary: "how fast a worker delivers 20,000 events to one receiver, beside a bare loop of signed POSTs",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make()
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
