/**
 * `listen`: receives a team's events through a temporary webhook, verifies and prints them, and with `--forward` forwards them.
 * See docs/webhooks.md#try-it-with-listen.
 */
import * as Demo from "../demo/Demo.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Id from "../core/Id.ts"
import * as Signature from "../webhooks/Signature.ts"
import * as Forward from "./Forward.ts"
import * as Installation from "./Installation.ts"
import * as Receiver from "./Receiver.ts"
import * as Replay from "./Replay.ts"
import * as Time from "../platform/Time.ts"
import { Console, Data, Effect, Option, Queue, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { actAs, asOperator, operatorOf } from "../core/auth/CurrentActor.ts"
import { recordEventTypes } from "../core/mutation/Event.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { maxPerTeam } from "../webhooks/Webhook.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { Sending } from "../core/outbound/Outbound.ts"
import { AsJson, lineOf, withFlagNames } from "./Output.ts"
import { allTeams } from "./teams.ts"

// The name of its webhooks, by which later runs recognize them.
const operation = "admin listen"

/** The team of the demo broker, if there is one. */
const demoTeam = Effect.gen(function* () {
  const users = yield* Users
  const teams = yield* Teams
  const [primary] = yield* teams.ofUser(yield* users.resolve(Demo.email))
  return primary?.membershipStatus !== "active" ? undefined : { uuid: primary.uuid, name: primary.team.name }
}).pipe(Effect.catchTag("InvalidRequest", () => Effect.succeed(undefined)))

const teamOf = Effect.fnUntraced(function* (named: string | undefined, embedded: boolean) {
  const teams = yield* Teams
  if (named !== undefined) {
    const uuid = yield* teams.resolve(named)
    return (yield* allTeams).find((team) => team.uuid === uuid) ?? { uuid, name: named }
  }
  const [first, second] = yield* teams.oldest(2)
  if (first === undefined) return yield* new NotFound({ detail: "There is no team yet: make one with `team create`." })
  if (second === undefined) return first
  const demo = embedded ? yield* demoTeam : undefined
  return (
    demo ??
    (yield* new NotFound({
      detail: `There are several teams (\`team list\` shows them): name one, such as --team ${Id.fromUuid(
        "team",
        first.uuid
      )}.`
    }))
  )
}, asOperator)

/** Why `listen` cannot start. */
class ListenRefused extends Data.TaggedError("ListenRefused")<{ readonly code: string; readonly detail: string }> {}

const settingsNeeded = new ListenRefused({
  code: "invalid_setting",
  detail:
    "Webhooks to this machine are not allowed. `listen` needs WEBHOOK_ALLOW_HTTP=true and " +
    "WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 in its environment and in that of every worker, and a worker on this machine."
})

const nothingSent = new ListenRefused({
  code: "webhooks_off",
  detail: "WEBHOOKS=off: this service sends nothing to webhooks, so no event would arrive."
})

/** Deletes the webhooks of earlier runs that were killed: their ports refuse connections. */
const deleteAbandoned = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { data } = yield* webhooks.list(UseCaseRequest.make({ operation, query: { page_size: maxPerTeam } }))
  yield* Effect.forEach(
    data,
    Effect.fnUntraced(function* ({ id, name, url }) {
      if (name !== operation || !(yield* Receiver.isGone(url))) return
      // Another `listen` may have deleted it first.
      yield* Effect.ignore(webhooks.delete(id, UseCaseRequest.make({ operation, query: {} })))
    }),
    { discard: true }
  )
})

// How long to wait for a database that does not answer.
const deletionTimeout = "3 seconds"

/** Deletes the webhook. A failure is only printed, because the user flags `listen` to stop. */
const unsubscribe = Effect.fnUntraced(
  function* (id: string) {
    const webhooks = yield* Webhooks
    yield* webhooks.delete(id, UseCaseRequest.make({ operation, query: {} }))
  },
  Effect.catchTag("NotFound", () => Effect.void),
  Effect.timeoutOrElse({
    duration: deletionTimeout,
    orElse: () => Effect.die(new DatabaseUnavailable({ cause: undefined }))
  }),
  (self, id) =>
    Effect.catchCause(self, (cause) =>
      Console.error(`The webhook ${id} could not be deleted. The next \`listen\` deletes it. ${lineOf(cause)}`)
    )
)

/** A webhook of the team at `url`, deleted when its scope ends. */
const subscribe = Effect.fnUntraced(function* (url: string) {
  const webhooks = yield* Webhooks
  const { value } = yield* Effect.acquireRelease(
    webhooks.create(
      UseCaseRequest.make({ operation, query: {}, body: { url, events: recordEventTypes, name: operation } })
    ),
    ({ value }) => unsubscribe(value.id)
  ).pipe(
    Effect.catchTag("InvalidRequest", (error) =>
      Effect.fail(error.errors.some(({ pointer }) => pointer === "/url") ? settingsNeeded : error)
    )
  )
  return value
})

interface ReceivedEvent {
  readonly event: string
  readonly resource_id: string
}

/** An event to print: delivered to the webhook, or replayed from the journal. */
interface IncomingEvent {
  readonly received: Receiver.Received
  readonly replayed: boolean
}

const payloadOf = (received: Receiver.Received) => JSON.parse(new TextDecoder().decode(received.body)) as ReceivedEvent

const linesOf = (received: Receiver.Received, outcomes: ReadonlyArray<string>, isGenuine: boolean): string => {
  const details = `(${[Receiver.headerOf(received, "webhook-id"), ...outcomes].join(", ")})`
  const time = received.at.toISOString().slice(11, 23)
  if (!isGenuine) return `${time} ${details}`
  const payload = payloadOf(received)
  return `${time} ${payload.event} ${payload.resource_id}  ${details}\n${JSON.stringify(payload, null, 2)}\n`
}

// At the time of its arrival, because it may have waited for other events.
const isVerified = (received: Receiver.Received, secret: string): boolean =>
  Signature.verify({
    id: Receiver.headerOf(received, "webhook-id"),
    timestamp: Receiver.headerOf(received, "webhook-timestamp"),
    signature: Receiver.headerOf(received, "webhook-signature"),
    body: received.body,
    secrets: [secret],
    nowSeconds: Math.floor(received.at.getTime() / 1000)
  })

type Forwarding = Effect.Success<ReturnType<typeof Forward.make>>

/** Forwards an event if requested, then prints it with the result. */
const show = Effect.fnUntraced(function* (
  { received, replayed }: IncomingEvent,
  {
    asJson,
    forward,
    secret
  }: {
    readonly secret: string
    readonly forward: Forwarding | undefined
    readonly asJson: boolean
  }
) {
  const isGenuine = isVerified(received, secret)
  const origin = replayed ? "from the journal" : isGenuine ? "signature verified" : "SIGNATURE WRONG"
  const forwarded = isGenuine && forward !== undefined ? [Forward.outcomeOf(yield* forward(received, secret))] : []
  if (!asJson) return yield* Console.log(linesOf(received, [origin, ...forwarded], isGenuine))
  const id = Receiver.headerOf(received, "webhook-id")
  if (!isGenuine) return yield* Console.error(`${id}: the signature is wrong`)
  yield* Console.log(new TextDecoder().decode(received.body))
  for (const outcome of forwarded) yield* Console.error(`${id} ${payloadOf(received).event}: ${outcome}`)
})

/** The flags of the command. */
interface Flags {
  readonly team: string | undefined
  readonly forward: string | undefined
  readonly since: Date | undefined
}

const counted = (count: number) => (count === 1 ? "1 event" : `${count} events`)

/** Shows the events of the journal. Returns whether an event that arrives later is new. */
const replayJournal = Effect.fnUntraced(function* (
  options: Replay.Options,
  show: (event: IncomingEvent) => Effect.Effect<void>,
  incoming: Queue.Enqueue<IncomingEvent>
) {
  const replay = yield* Replay.make(options)
  let count = 0
  yield* Stream.runForEach(replay.past, (received) => {
    count += 1
    return show({ received, replayed: true })
  })
  yield* Console.error(`${counted(count)} since ${options.since.toISOString()}. New events follow.`)
  yield* Stream.runForEach(replay.late, (received) => Queue.offer(incoming, { received, replayed: true })).pipe(
    Effect.catchCause((cause) => Console.error(`Reading the journal failed. ${lineOf(cause)}`)),
    Effect.forkScoped
  )
  return ({ received, replayed }: IncomingEvent) => replayed || replay.isNew(Receiver.headerOf(received, "webhook-id"))
})

const listening = Effect.fnUntraced(function* (flags: Flags, embedded: boolean) {
  if (!(yield* Sending)) return yield* nothingSent
  const team = yield* teamOf(flags.team, embedded)
  const incoming = yield* Queue.unbounded<IncomingEvent>()
  const url = yield* Receiver.start((received) => Queue.offerUnsafe(incoming, { received, replayed: false }))
  const forward = flags.forward === undefined ? undefined : yield* Forward.make(flags.forward)
  const asJson = yield* AsJson
  return yield* Effect.gen(function* () {
    yield* deleteAbandoned
    const { createdUtc, secret } = yield* subscribe(url)
    yield* Console.error(`Listening for the events of ${team.name}. Press Ctrl-C to stop and to delete the webhook.`)
    if (flags.forward !== undefined)
      yield* Console.error(`Each event is forwarded to ${flags.forward}, signed with ${secret}`)
    const showEvent = (event: IncomingEvent) => show(event, { secret, forward, asJson })
    const isNew =
      flags.since === undefined
        ? () => true
        : yield* replayJournal({ since: flags.since, subscribedAt: new Date(createdUtc), secret }, showEvent, incoming)
    return yield* Effect.forever(
      Effect.flatMap(Queue.take(incoming), (event) => (isNew(event) ? showEvent(event) : Effect.void))
    )
  }).pipe(actAs(operatorOf(team.uuid)))
}, Effect.scoped)

const inEnvironment = Effect.fnUntraced(function* (flags: Flags) {
  const { embedded, services } = yield* Installation.everything
  return yield* listening(flags, embedded).pipe(withFlagNames(), Effect.provide(services))
}, Effect.scoped)

const inFuture = new ListenRefused({
  code: "invalid_request",
  detail: "--replay-since: Must not be in the future."
})

/** `listen` */
export const listen = Command.make(
  "listen",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (by default the demo team, or the only team)"),
      Flag.optional
    ),
    forward: Flag.String("forward").pipe(
      Flag.filterMap(Forward.urlOf, () => "Must be an http:// or https:// URL without a user name and without #."),
      Flag.withMetavar("URL"),
      Flag.withDescription("The URL of a program to forward each event to, such as http://localhost:8080/hook"),
      Flag.optional
    ),
    replaySince: Flag.String("replay-since").pipe(
      Flag.filterMap(
        Replay.timeOf,
        () => "Must be a date, a date and time with an offset, such as 2026-11-20T10:00Z, or an age: 30m, 2h, 1d."
      ),
      Flag.withMetavar("TIME"),
      Flag.withDescription("Start with the events since this time, the oldest first"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ forward, replaySince, team }) {
    const now = yield* Time.now
    const since = Option.getOrUndefined(replaySince)?.(now)
    if (since !== undefined && since > now) return yield* inFuture
    yield* inEnvironment({ team: Option.getOrUndefined(team), forward: Option.getOrUndefined(forward), since })
  })
).pipe(
  Command.withDescription(
    "Print a team's events as they arrive, verified (a worker must be running). " +
      "With --forward, each verified event is forwarded once and unchanged, one after the other. " +
      "The response of your program is printed with the event (with --json, on standard error). Events that it rejects are not sent again: " +
      "fix the program and use --replay-since. " +
      "Each run has a new secret, which it prints at the start."
  ),
  Command.withShortDescription("Print or forward a team's events as they arrive"),
  Command.withExamples([
    { command: "listen" },
    { command: "listen --json --team team_…" },
    { command: "listen --forward http://localhost:8080/hook --replay-since 2h" }
  ])
)
