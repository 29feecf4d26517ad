/** Compares the log of every delivery with the requests that receivers got. */
import { Effect } from "effect"
import type { Kill } from "./Kills.ts"
import * as Ledger from "./Ledger.ts"
import { killOf, match, stageOf } from "./matching.ts"
import type { Kind, Received } from "./Receivers.ts"
import type { Subscriber } from "./Subscribers.ts"

/** A request without a recorded attempt, with the kill that explains it, if any. */
export interface Duplicate {
  readonly request: Received
  readonly kill: Kill | undefined
  /** The time of the repeated attempt, if any. */
  readonly againAt: number | undefined
}

/** The comparison for one receiver. */
export interface Account {
  readonly kind: Kind
  readonly deliveries: number
  readonly attempts: number
  readonly received: number
  readonly duplicates: ReadonlyArray<Duplicate>
  /** Attempts without a request at the receiver. */
  readonly unseen: ReadonlyArray<Ledger.AttemptRow>
  /** From the event, in milliseconds. */
  readonly toFirstRequest: ReadonlyArray<number>
  readonly toDelivered: ReadonlyArray<number>
  /** Violations, in words. */
  readonly faults: ReadonlyArray<string>
}

const succeeded = (code: number | null) => code !== null && code >= 200 && code < 300

const grouped = <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

const faultsOf = (
  delivery: Ledger.DeliveryRow,
  attempts: ReadonlyArray<Ledger.AttemptRow>,
  answered: boolean
): ReadonlyArray<string> => {
  const faults: Array<string> = []
  if (attempts.some(({ number }, index) => number !== index + 1) || attempts.length !== delivery.attemptCount) {
    faults.push(
      `its ${delivery.attemptCount} attempts have the numbers ${attempts.map(({ number }) => number).join(", ")}`
    )
  }
  if (attempts.some((attempt, index) => index > 0 && attempt.startedAt < (attempts[index - 1]?.startedAt ?? 0))) {
    faults.push("its attempts are out of order")
  }
  const last = attempts.at(-1)
  if (delivery.status === "delivered" && !(last !== undefined && succeeded(last.statusCode) && answered)) {
    faults.push("it counts as delivered, and its receiver accepted nothing")
  }
  if (delivery.status !== "delivered" && attempts.some(({ statusCode }) => succeeded(statusCode))) {
    faults.push(`its receiver accepted it, and it counts as ${delivery.status}`)
  }
  if (delivery.status === "exhausted" && attempts.length !== 9)
    faults.push(`exhausted after ${attempts.length} attempts`)
  return faults
}

/** Compares the log of a webhook with the requests of its receiver. No attempt may be in flight. */
export const of = Effect.fnUntraced(function* ({ receiver, uuid }: Subscriber, kills: ReadonlyArray<Kill>) {
  const deliveries = yield* Ledger.deliveriesOf(uuid)
  const attempts = yield* Ledger.attemptsOf(uuid)
  const attemptsByDelivery = grouped(attempts, ({ deliveryId }) => deliveryId)
  const requestsByMessage = grouped(receiver.received, ({ messageId }) => messageId)
  const duplicates: Array<Duplicate> = []
  const unseen: Array<Ledger.AttemptRow> = []
  const toFirstRequest: Array<number> = []
  const toDelivered: Array<number> = []
  const faults: Array<string> = []

  for (const delivery of deliveries) {
    const requests = requestsByMessage.get(delivery.messageId) ?? []
    requestsByMessage.delete(delivery.messageId)
    const own = attemptsByDelivery.get(delivery.id) ?? []
    const matched = match(own, requests)
    const interrupted = matched.unrecorded.map((request): Duplicate => {
      const againAt = requests.find(({ receivedAt }) => receivedAt > request.receivedAt)?.receivedAt
      return { request, kill: killOf(request, againAt, kills), againAt }
    })
    duplicates.push(...interrupted)
    unseen.push(...matched.attempts.flatMap(({ attempt, request }) => (request === undefined ? [attempt] : [])))
    const occurred = delivery.occurredAt.getTime()
    if (requests[0] !== undefined) toFirstRequest.push(requests[0].receivedAt - occurred)
    if (delivery.deliveredAt !== null) toDelivered.push(delivery.deliveredAt.getTime() - occurred)
    const fell = new Set(interrupted.map(({ kill }) => kill))
    const answered = matched.attempts.at(-1)?.request?.answeredAt !== undefined
    faults.push(
      ...faultsOf(delivery, own, answered).map((fault) => `${delivery.id}: ${fault}`),
      ...interrupted
        .filter(({ kill }) => kill === undefined)
        .map(
          ({ request }) =>
            `${delivery.id}: a request at ${new Date(request.receivedAt).toISOString()} is recorded as no attempt, and no kill explains it`
        ),
      ...(fell.size < interrupted.length
        ? [`${delivery.id}: has more duplicates than kills that it lived through`]
        : [])
    )
  }
  faults.push(...[...requestsByMessage.keys()].map((id) => `${id} was received, and there is no delivery of it`))
  if (receiver.forgeries() > 0) faults.push(`${receiver.forgeries()} requests had a signature that does not hold`)

  const account: Account = {
    kind: receiver.kind,
    deliveries: deliveries.length,
    attempts: attempts.length,
    received: receiver.received.length,
    duplicates,
    unseen,
    toFirstRequest,
    toDelivered,
    faults
  }
  return account
})

/** How many of the interrupted requests the receiver had answered. */
export const answeredBefore = (duplicates: ReadonlyArray<Duplicate>): number =>
  duplicates.filter(({ kill, request }) => kill !== undefined && stageOf(request, kill) === "answered").length
