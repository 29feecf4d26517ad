/** The tables of the soak test. */
import { duration, median, quantile, table } from "../Figures.ts"
import { type Account, answeredBefore } from "./Comparison.ts"
import type { Kill } from "./Kills.ts"
import type { Kind } from "./Receivers.ts"

/** The deliveries to one kind of receiver at a time. */
export interface ReceiverStatus {
  readonly kind: Kind
  readonly endpoints: number
  readonly deliveries: number
  readonly delivered: number
  readonly pending: number
  readonly failed: number
  readonly exhausted: number
  readonly attempts: number
  readonly disabled: number
}

/** A requirement, and whether it is met. */
export interface Check {
  readonly demand: string
  readonly met: boolean
  readonly detail: string
}

/** The table of deliveries by kind of receiver, from the delivery log. */
export const statusTable = (all: ReadonlyArray<ReceiverStatus>): ReadonlyArray<string> =>
  table(
    ["Receivers", "Endpoints", "Deliveries", "Delivered", "Pending", "Failed", "Exhausted", "Attempts", "Disabled"],
    all.map((one) => [
      one.kind,
      one.endpoints,
      one.deliveries,
      one.delivered,
      one.pending,
      one.failed,
      one.exhausted,
      one.attempts,
      one.disabled
    ])
  )

/** The table of requests by kind of receiver. */
export const seen = (accounts: ReadonlyArray<Account>, kinds: ReadonlyArray<Kind>): ReadonlyArray<string> =>
  table(
    [
      "Receivers",
      "Recorded attempts",
      "Received requests",
      "Attempts not seen",
      "Duplicates",
      "of them unanswered",
      "answered, not recorded"
    ],
    kinds.map((kind) => {
      const own = accounts.filter((account) => account.kind === kind)
      const duplicates = own.flatMap((account) => account.duplicates)
      const answered = answeredBefore(duplicates)
      const sum = (of: (account: Account) => number) => own.reduce((total, account) => total + of(account), 0)
      return [
        kind,
        sum(({ attempts }) => attempts),
        sum(({ received }) => received),
        sum(({ unseen }) => unseen.length),
        duplicates.length,
        duplicates.length - answered,
        answered
      ]
    })
  )

/** The table of latencies of healthy receivers. */
export const latencies = (accounts: ReadonlyArray<Account>): ReadonlyArray<string> => {
  const row = (name: string, values: ReadonlyArray<number>) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => duration(quantile(values, share)))
  ]
  const healthy = accounts.filter(({ kind }) => kind === "healthy")
  return table(
    ["From the event to", "p50", "p95", "p99", "Longest"],
    [
      row(
        "its first request",
        healthy.flatMap(({ toFirstRequest }) => toFirstRequest)
      ),
      row(
        "its delivery",
        healthy.flatMap(({ toDelivered }) => toDelivered)
      )
    ]
  )
}

/** The table of kills. `arrivals` are the times of requests at healthy receivers. */
export const recoveries = (
  kills: ReadonlyArray<Kill>,
  accounts: ReadonlyArray<Account>,
  arrivals: ReadonlyArray<number>,
  everySeconds: number
): ReadonlyArray<string> => {
  const duplicates = accounts.flatMap((account) => account.duplicates)
  const sorted = arrivals.toSorted((a, b) => a - b)
  const ofEach = kills.map((kill) => {
    const own = duplicates.filter((duplicate) => duplicate.kill === kill)
    const again = own.flatMap(({ againAt }) => (againAt === undefined ? [] : [againAt - kill.at]))
    const times = sorted.filter((at) => at >= kill.at && at < kill.at + everySeconds * 1000)
    const gaps = times.map((at, index) => at - (times[index - 1] ?? kill.at))
    return { cut: own.length, again: quantile(again, 1), gap: quantile(gaps, 1) }
  })
  const row = (name: string, values: ReadonlyArray<number>, text: (value: number) => string) => {
    const known = values.filter((value) => !Number.isNaN(value))
    return [name, text(median(known)), text(quantile(known, 1))]
  }
  return table(
    [`${kills.length} kills`, "Median", "Most"],
    [
      row(
        "Requests cut off by a kill",
        ofEach.map(({ cut }) => cut),
        String
      ),
      row(
        "Until a new worker took jobs",
        kills.map(({ replacedAfter }) => replacedAfter),
        duration
      ),
      row(
        "Until the last request that was cut off came again",
        ofEach.map(({ again }) => again),
        duration
      ),
      row(
        "Longest time without a request to any healthy receiver",
        ofEach.map(({ gap }) => gap),
        duration
      )
    ]
  )
}

/** The table of requirements. */
export const checks = (all: ReadonlyArray<Check>): ReadonlyArray<string> =>
  table(
    ["Demand", "Met", "Counted"],
    all.map(({ demand, detail, met }) => [demand, met ? "yes" : "**NO**", detail])
  )
