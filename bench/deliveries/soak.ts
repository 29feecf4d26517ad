/**
 * `soak`: deliveries while workers are killed and some receivers never answer, fail or are busy. Every event must reach each healthy
 * receiver, soon, and every delivery must be accounted for. See bench/README.md.
 */
import * as Service from "../Service.ts"
import * as Ledger from "./Ledger.ts"
import * as Subscribers from "./Subscribers.ts"
import { Deferred, Effect, Exit, Fiber, Random, Scope } from "effect"
import type { EventType } from "../../src/core/mutation/Event.ts"
import { concurrencyLimits } from "../../src/webhooks/deliveries/rules.ts"
import type { Line, Measurement, Options } from "../Measurement.ts"
import { count, duration, quantile, say, table } from "../Report.ts"

const settingsOf = ({ quick }: Options) =>
  quick ? { teams: 2, events: 400, rate: 40, killEvery: 4 } : { teams: 5, events: 20_000, rate: 40, killEvery: 20 }

/** How many events one transaction has. */
const batch = 10

/** The seconds after the last event in which the healthy receivers must have all. */
const patience = 600

// The first three delays are the defaults. The later ones are cut to 10 seconds, so that deliveries use up their attempts and
// webhooks are disabled during the soak.
const retryDelays = "3s,10s,30s,10s,10s,10s,10s,10s"
const maxAttempts = retryDelays.split(",").length + 1

const kinds: ReadonlyArray<Subscribers.Kind> = ["healthy", "hangs", "fails", "busy"]

/** The webhooks of each team. Every event type has a healthy one, so that every event must arrive somewhere. */
const wantedByTeam: ReadonlyArray<Subscribers.Wanted> = [
  { kind: "healthy", events: ["contact.created"] },
  { kind: "healthy", events: ["contact.created"] },
  { kind: "healthy", events: ["contact.updated"] },
  { kind: "healthy", events: ["contact.updated"] },
  { kind: "healthy", events: ["contact.deleted"] },
  { kind: "healthy", events: ["contact.deleted"] },
  { kind: "healthy", events: ["company.created"] },
  { kind: "hangs", events: ["contact.updated"] },
  { kind: "fails", events: ["contact.deleted"] },
  { kind: "busy", events: ["company.created"] }
]

/** A batch request, which emits one event for each item. */
type Step = "contact.created" | "contact.updated" | "contact.deleted" | "company.created"

/** The sequence of requests: a contact is created, then changed, then deleted. */
const turns: ReadonlyArray<Step> = [
  "contact.created",
  "contact.updated",
  "contact.created",
  "contact.deleted",
  "company.created",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "contact.created",
  "contact.updated"
]

/** An event of an acknowledged request. */
interface Acknowledged {
  readonly type: EventType
  readonly resourceId: string
}

// All different, so that duplicate detection does not matter.
const nameOf = (number: number) => `${((number * 2_654_435_761) % 2 ** 32).toString(36)} ${number.toString(36)}`

/** Sends batches for one team, each of which returns its acknowledged events. */
const writer = (service: Service.Service, team: Subscribers.Team) => {
  const created: Array<string> = []
  const changed: Array<string> = []
  let number = 0

  const requestOf = (step: Step): readonly [path: string, body: object] => {
    const many = <A>(item: () => A) => Array.from({ length: batch }, item)
    switch (step) {
      case "contact.created":
        return ["contacts/batch/upsert", { items: many(() => ({ firstName: "Maria", lastName: `Rossi ${++number}` })) }]
      case "contact.updated": {
        const ids = created.splice(0, batch)
        changed.push(...ids)
        return ["contacts/batch/upsert", { items: ids.map((id) => ({ id, phone: `+39 02 ${5_550_000 + ++number}` })) }]
      }
      case "contact.deleted":
        return ["contacts/batch/delete", { ids: changed.splice(0, batch) }]
      case "company.created":
        return ["companies/batch/upsert?force=true", { items: many(() => ({ name: nameOf(++number) })) }]
    }
  }

  return async (step: Step): Promise<ReadonlyArray<Acknowledged>> => {
    const [path, body] = requestOf(step)
    const reply = await service.request("POST", `/api/v1/network/${path}`, team.token, body)
    const results = reply.body["results"] as ReadonlyArray<{ readonly id: string; readonly status: string }>
    if (results.length !== batch || results.some(({ status }) => status !== step.split(".")[1])) {
      throw new Error(`${step}: ${JSON.stringify(results)}`)
    }
    if (step === "contact.created") created.push(...results.map(({ id }) => id))
    return results.map(({ id }) => ({ type: step, resourceId: id }))
  }
}

/** Creates events at a rate per second, round-robin for all teams. A team that is late continues without a pause. */
const write = Effect.fnUntraced(function* (
  service: Service.Service,
  teams: ReadonlyArray<Subscribers.Team>,
  { events, rate }: { readonly events: number; readonly rate: number }
) {
  const began = performance.now()
  const acknowledged = yield* Effect.forEach(
    teams,
    (team, place) =>
      Effect.promise(async () => {
        const send = writer(service, team)
        const all: Array<Acknowledged> = []
        for (let turn = 0; turn < events / batch / teams.length; turn++) {
          const wait = began + ((turn * teams.length + place) * batch * 1000) / rate - performance.now()
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
          all.push(...(await send(turns[turn % turns.length] ?? "contact.created")))
        }
        return all
      }),
    { concurrency: "unbounded" }
  )
  return acknowledged.flat()
})

/** Two workers, one of which is killed and replaced every few seconds until `stop`, which returns the number of kills. */
const killWorkers = Effect.fnUntraced(function* (service: Service.Service, everySeconds: number) {
  const scope = yield* Effect.scope
  const begin = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return { own, program: yield* Scope.provide(service.worker, own) }
  })
  const workers = yield* Effect.all([begin, begin], { concurrency: 2 })
  const enough = yield* Deferred.make<void>()
  const killing = yield* Effect.forkScoped(
    Effect.gen(function* () {
      for (let kills = 0; ; kills++) {
        const over = yield* Effect.timeoutOption(Deferred.await(enough), everySeconds * 1000)
        if (over._tag === "Some") return kills
        const place = (yield* Random.nextIntBetween(0, 1)) === 0 ? 0 : 1
        yield* workers[place].program.kill
        yield* Scope.close(workers[place].own, Exit.void)
        workers[place] = yield* begin
      }
    })
  )
  return { stop: Effect.andThen(Deferred.succeed(enough, undefined), Fiber.join(killing)) }
})

/** Waits until the webhooks have no open deliveries, for at most some seconds. Returns what is open then. */
const untilClosed = Effect.fnUntraced(function* (webhookIds: ReadonlyArray<string>) {
  const end = Date.now() + patience * 1000
  for (;;) {
    const open = yield* Ledger.open(webhookIds)
    if (open.waiting + open.claimed + open.fanOuts === 0 || Date.now() > end) return open
    yield* Effect.sleep("500 millis")
  }
})

const succeeded = (code: number | null) => code !== null && code >= 200 && code < 300

/** What is wrong with a delivery, beside its attempts and the requests that its receiver got. */
const faultsOf = (
  delivery: Ledger.DeliveryRow,
  attempts: ReadonlyArray<Ledger.AttemptRow>,
  requests: ReadonlyArray<Subscribers.Received>,
  kills: number
): ReadonlyArray<string> => {
  const { attemptCount, status } = delivery
  const accepted = attempts.some(({ statusCode }) => succeeded(statusCode))
  const unnumbered = attempts.some(({ number }, index) => number !== index + 1) || attempts.length !== attemptCount
  const disordered = attempts.some((one, index) => index > 0 && one.startedAt < (attempts[index - 1]?.startedAt ?? 0))
  const isAnswered = requests.some(({ answeredAt }) => answeredAt !== undefined)
  return [
    ...(unnumbered ? [`its ${attemptCount} attempts have the numbers ${attempts.map(({ number }) => number)}`] : []),
    ...(disordered ? ["its attempts are out of order"] : []),
    ...(status === "delivered" && !(succeeded(attempts.at(-1)?.statusCode ?? null) && isAnswered)
      ? ["it counts as delivered, and its receiver accepted nothing"]
      : []),
    ...(status !== "delivered" && accepted ? [`its receiver accepted it, and it counts as ${status}`] : []),
    ...(status === "exhausted" && attempts.length !== maxAttempts
      ? [`exhausted after ${attempts.length} attempts`]
      : []),
    // A request without a recorded attempt was cut off by a kill.
    ...(requests.length - attempts.length > kills ? ["has more duplicates than there were kills"] : [])
  ].map((fault) => `${delivery.id}: ${fault}`)
}

/** Compares the log of a webhook with the requests of its receiver. No attempt may be in flight. */
const accountOf = Effect.fnUntraced(function* ({ receiver, uuid }: Subscribers.Subscriber, kills: number) {
  const deliveries = yield* Ledger.deliveriesOf(uuid)
  const attempts = yield* Ledger.attemptsOf(uuid)
  const attemptsByDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
  const requestsByMessage = Map.groupBy(receiver.received, ({ messageId }) => messageId)
  const known = new Set(deliveries.map(({ messageId }) => messageId))
  const strange = [...requestsByMessage.keys()].filter((id) => !known.has(id))
  const duplicates = receiver.received.length - attempts.length
  return {
    kind: receiver.kind,
    duplicates: Math.max(0, duplicates),
    toDelivered: deliveries.flatMap(({ deliveredAt, occurredAt }) =>
      deliveredAt === null ? [] : [deliveredAt.getTime() - occurredAt.getTime()]
    ),
    faults: [
      ...deliveries.flatMap((delivery) =>
        faultsOf(
          delivery,
          attemptsByDelivery.get(delivery.id) ?? [],
          requestsByMessage.get(delivery.messageId) ?? [],
          kills
        )
      ),
      ...strange.map((id) => `${id} was received, and there is no delivery of it`),
      ...(duplicates > kills * concurrencyLimits.perWebhook
        ? [`${receiver.url} got ${duplicates} duplicates, more than ${kills} kills can have cut off`]
        : []),
      ...(receiver.forgeries() > 0 ? [`${receiver.forgeries()} requests had a signature that does not hold`] : [])
    ]
  }
})

const statusTable = Effect.fnUntraced(function* (subscribers: ReadonlyArray<Subscribers.Subscriber>) {
  const rows = yield* Effect.forEach(kinds, (kind) => {
    const uuids = subscribers.filter(({ receiver }) => receiver.kind === kind).map(({ uuid }) => uuid)
    return Effect.map(Ledger.states(uuids), (states) => [
      kind,
      uuids.length,
      states.deliveries,
      states.delivered,
      states.pending,
      states.failed,
      states.exhausted,
      states.attempts,
      states.disabled
    ])
  })
  return table(
    ["Receivers", "Webhooks", "Deliveries", "Delivered", "Pending", "Failed", "Exhausted", "Attempts", "Disabled"],
    rows
  )
})

const countsOf = (events: ReadonlyArray<{ readonly type: string; readonly resourceId: string }>) =>
  Map.groupBy(events, ({ resourceId, type }) => `${type} ${resourceId}`)

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const { events, killEvery, rate, teams: number } = settingsOf(options)
  const teams = yield* Effect.all(Array.from({ length: number }, () => Subscribers.team))
  const subscribers = yield* Effect.forEach(
    teams.flatMap((team) => wantedByTeam.map((wanted) => ({ team, wanted }))),
    ({ team, wanted }) => Subscribers.subscribe(service, team, wanted)
  )
  const all = subscribers.map(({ uuid }) => uuid)
  const healthy = subscribers.filter(({ receiver }) => receiver.kind === "healthy").map(({ uuid }) => uuid)
  const workers = yield* killWorkers(service, killEvery)

  yield* say(`${events} events at ${rate} a second for ${all.length} webhooks of ${number} teams`)
  const acknowledged = yield* write(service, teams, { events, rate })
  const late = yield* untilClosed(healthy)
  const kills = yield* workers.stop
  // Another worker takes over the claims of the last killed one within 2 seconds, and its jobs within 5.
  yield* Effect.sleep("12 seconds")
  const before = yield* statusTable(subscribers)
  const openBefore = yield* Ledger.open(all)

  yield* say("The failing receivers recover, and disabled webhooks are activated")
  for (const { receiver } of subscribers) receiver.cure()
  // Attempts in flight may disable more webhooks.
  yield* Effect.sleep("2 seconds")
  const ill = yield* Ledger.disabled
  yield* Subscribers.setStatus(
    service,
    subscribers.filter(({ uuid }) => ill.some(({ id }) => id === uuid)),
    "active"
  )
  const openAfter = yield* untilClosed(all)
  yield* say("Accounting")
  const after = yield* statusTable(subscribers)
  const { missing, surplus, unheard, wanted } = yield* Ledger.fanOut
  const committed = yield* Ledger.events
  const accounts = yield* Effect.forEach(subscribers, (subscriber) => accountOf(subscriber, kills))
  const [expected, found] = [countsOf(acknowledged), countsOf(committed)]
  const differing = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (key) => expected.get(key)?.length !== found.get(key)?.length
  )
  const duplicates = accounts.reduce((sum, account) => sum + account.duplicates, 0)
  const faults = [
    ...(differing.length > 0 ? [`${differing.length} events differ from what the API acknowledged`] : []),
    ...(missing + surplus + unheard > 0 || wanted === 0
      ? [`Of ${wanted} deliveries ${missing} are missing, ${surplus} too many; ${unheard} events have none`]
      : []),
    ...(late.waiting + late.fanOuts > 0 ? [`${late.waiting} deliveries to healthy receivers were left`] : []),
    ...(openBefore.orphaned > 0 ? [`${openBefore.orphaned} deliveries are claimed by no live worker`] : []),
    ...(openAfter.waiting + openAfter.claimed > 0
      ? [`${openAfter.waiting} deliveries were left after the recovery`]
      : []),
    ...accounts.flatMap((account) => account.faults)
  ]
  for (const fault of faults.slice(0, 50)) yield* say(fault)

  const times = accounts.filter(({ kind }) => kind === "healthy").flatMap(({ toDelivered }) => toDelivered)
  const lines: ReadonlyArray<Line> = [
    {
      name: "soak",
      work: `${count(events)} events for ${all.length} webhooks, three in ten of them sick, while a worker is killed every ${killEvery} s`,
      ours: `${faults.length} faults; ${count(wanted)} deliveries, ${kills} kills, ${duplicates} duplicates`,
      value: { amount: faults.length, unit: "faults" },
      target: { most: 0 }
    },
    {
      name: "soak-latency",
      work: "from an event to its delivery at the healthy webhooks meanwhile: p95",
      ours: `${duration(quantile(times, 0.95))}; p50 ${duration(quantile(times, 0.5))}, p99 ${duration(quantile(times, 0.99))}, longest ${duration(quantile(times, 1))}`,
      value: { amount: quantile(times, 0.95), unit: "ms" },
      target: { most: 1000 }
    }
  ]
  const report = ["Before the recovery:", "", ...before, "", "After it:", "", ...after].join("\n")
  return { lines, report }
})

/** Deliveries while workers are killed and receivers are sick. */
export const soak: Measurement = {
  name: "soak",
  summary: "whether an event is lost or late while workers are killed and receivers are sick (11 minutes)",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make({ WEBHOOK_RETRY_DELAYS: retryDelays })
      return yield* measure(service, options).pipe(Random.withSeed("soak"), Effect.provide(Service.store(service)))
    })
}
