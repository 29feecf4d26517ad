/** `listen`: subscribes a receiver of its own to a team's events; each, verified, is printed and maybe passed on. */
import { Console, Data, Effect, Option, Queue, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { asOperator, operatorOf } from "../auth/Operator.ts"
import { eventTypes } from "../changes/Event.ts"
import { DatabaseUnavailable } from "../db/DatabaseUnavailable.ts"
import * as Demo from "../demo/Demo.ts"
import * as UseCaseRequest from "../usecase/UseCaseRequest.ts"
import { NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { maxPerTeam } from "../webhooks/endpoints/Webhook.ts"
import { Webhooks } from "../webhooks/endpoints/Webhooks.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import * as Forward from "./Forward.ts"
import * as Installation from "./Installation.ts"
import { AsJson, inFlags, lineOf } from "./Output.ts"
import * as Receiver from "./Receiver.ts"
import * as Replay from "./Replay.ts"
import { allTeams } from "./teams.ts"
import * as Span from "../fields/Span.ts"

// The name of its webhooks, and of its calls.
const operation = "admin listen"

/** The team of the demo broker, if there is one. */
const demoTeam = Effect.gen(function* () {
  const users = yield* Users
  const teams = yield* Teams
  const [primary] = yield* teams.ofUser(yield* users.resolve(Demo.email))
  return primary?.membership !== "active" ? undefined : { uuid: primary.uuid, name: primary.team.name }
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
      detail: `There are several teams (\`team list\` shows them): say which with --team, such as --team ${Id.fromUuid(
        "team",
        first.uuid
      )}.`
    }))
  )
}, asOperator)

/** Why `listen` cannot begin. */
class ListenRefused extends Data.TaggedError("ListenRefused")<{ readonly code: string; readonly detail: string }> {}

const settingsNeeded = new ListenRefused({
  code: "invalid_setting",
  detail:
    "Webhooks may not go to this machine: `listen` needs WEBHOOK_ALLOW_HTTP=true and " +
    "WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 in its environment and in that of every worker, and a worker on this machine."
})

/** Deletes the webhooks of those `listen`s that were killed: nobody answers at their ports any more. */
const sweep = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { data } = yield* webhooks.list(UseCaseRequest.make({ operation, query: { page_size: maxPerTeam } }))
  yield* Effect.forEach(
    data,
    Effect.fnUntraced(function* ({ id, name, url }) {
      if (name !== operation || !(yield* Receiver.isGone(url))) return
      // Another `listen` may have been faster.
      yield* Effect.ignore(webhooks.delete(id, UseCaseRequest.make({ operation, query: {} })))
    }),
    { discard: true }
  )
})

// A database that does not answer within it counts as gone.
const removalTimeout = "3 seconds"

/** Deletes the webhook, or says why it could not: a stop that was asked for succeeds. */
const unsubscribe = Effect.fnUntraced(
  function* (id: string) {
    const webhooks = yield* Webhooks
    yield* webhooks.delete(id, UseCaseRequest.make({ operation, query: {} }))
  },
  Effect.catchTag("NotFound", () => Effect.void),
  Effect.timeoutOrElse({
    duration: removalTimeout,
    orElse: () => Effect.die(new DatabaseUnavailable({ cause: undefined }))
  }),
  (self, id) =>
    Effect.catchCause(self, (cause) =>
      Console.error(`The webhook ${id} could not be deleted; the next \`listen\` does it. ${lineOf(cause)}`)
    )
)

/** A webhook of the team at `url`, deleted when its scope ends. */
const subscribe = Effect.fnUntraced(function* (url: string) {
  const webhooks = yield* Webhooks
  const { value } = yield* Effect.acquireRelease(
    webhooks.create(UseCaseRequest.make({ operation, query: {}, body: { url, events: eventTypes, name: operation } })),
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

/** An event to be told: as it came, or as it stands in the journal. */
interface Arrived {
  readonly received: Receiver.Received
  readonly replayed: boolean
}

const toldOf = (received: Receiver.Received) => JSON.parse(new TextDecoder().decode(received.body)) as ReceivedEvent

const linesOf = (received: Receiver.Received, outcomes: ReadonlyArray<string>, isGenuine: boolean): string => {
  const said = `(${[Receiver.headerOf(received, "webhook-id"), ...outcomes].join(", ")})`
  const time = received.at.toISOString().slice(11, 23)
  if (!isGenuine) return `${time} ${said}`
  const payload = toldOf(received)
  return `${time} ${payload.event} ${payload.resource_id}  ${said}\n${JSON.stringify(payload, null, 2)}\n`
}

// By the time of its arrival: it may have waited for others.
const isVerified = (received: Receiver.Received, secret: string): boolean =>
  Signature.verify({
    id: Receiver.headerOf(received, "webhook-id"),
    timestamp: Receiver.headerOf(received, "webhook-timestamp"),
    signature: Receiver.headerOf(received, "webhook-signature"),
    body: received.body,
    secrets: [secret],
    nowSeconds: Math.floor(received.at.getTime() / 1000)
  })

type Forwarding = Effect.Success<ReturnType<typeof Forward.to>>

/** Prints an event, and passes it on before if that is wanted. */
const show = Effect.fnUntraced(function* (
  { received, replayed }: Arrived,
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
  const passedOn = isGenuine && forward !== undefined ? [Forward.inWords(yield* forward(received, secret))] : []
  if (!asJson) return yield* Console.log(linesOf(received, [origin, ...passedOn], isGenuine))
  const id = Receiver.headerOf(received, "webhook-id")
  if (!isGenuine) return yield* Console.error(`${id}: the signature is wrong`)
  yield* Console.log(new TextDecoder().decode(received.body))
  for (const outcome of passedOn) yield* Console.error(`${id} ${toldOf(received).event}: ${outcome}`)
})

/** What is asked of a `listen`. */
interface Asked {
  readonly team: string | undefined
  readonly forward: string | undefined
  readonly since: Date | undefined
}

const counted = (count: number) => (count === 1 ? "1 event" : `${count} events`)

/** Passes on what the journal has; answers whether what then arrives is new. */
const begin = Effect.fnUntraced(function* (
  options: Replay.Options,
  tell: (one: Arrived) => Effect.Effect<void>,
  arrived: Queue.Enqueue<Arrived>
) {
  const replay = yield* Replay.make(options)
  let count = 0
  yield* Stream.runForEach(replay.past, (received) => {
    count += 1
    return tell({ received, replayed: true })
  })
  yield* Console.error(`${counted(count)} since ${options.since.toISOString()}. What follows is new.`)
  yield* Stream.runForEach(replay.late, (received) => Queue.offer(arrived, { received, replayed: true })).pipe(
    Effect.catchCause((cause) => Console.error(`The journal could not be read to its end. ${lineOf(cause)}`)),
    Effect.forkScoped
  )
  return ({ received, replayed }: Arrived) => replayed || replay.isNew(Receiver.headerOf(received, "webhook-id"))
})

const listening = Effect.fnUntraced(function* (asked: Asked, embedded: boolean) {
  const team = yield* teamOf(asked.team, embedded)
  const arrived = yield* Queue.unbounded<Arrived>()
  const url = yield* Receiver.start((received) => Queue.offerUnsafe(arrived, { received, replayed: false }))
  const forward = asked.forward === undefined ? undefined : yield* Forward.to(asked.forward)
  const asJson = yield* AsJson
  return yield* Effect.gen(function* () {
    yield* sweep
    const { createdUtc, secret = "" } = yield* subscribe(url)
    yield* Console.error(`Listening for the events of ${team.name}. Ctrl-C ends it, and its webhook.`)
    if (asked.forward !== undefined)
      yield* Console.error(`Each is passed on to ${asked.forward}, signed with ${secret}`)
    const tell = (one: Arrived) => show(one, { secret, forward, asJson })
    const isNew =
      asked.since === undefined
        ? () => true
        : yield* begin({ since: asked.since, subscribedAt: new Date(createdUtc), secret }, tell, arrived)
    return yield* Effect.forever(Effect.flatMap(Queue.take(arrived), (one) => (isNew(one) ? tell(one) : Effect.void)))
  }).pipe(Effect.provideService(CurrentActor, operatorOf(team.uuid)))
}, Effect.scoped)

const inEnvironment = Effect.fnUntraced(function* (asked: Asked) {
  const { embedded, services } = yield* Installation.whole
  return yield* listening(asked, embedded).pipe(inFlags(), Effect.provide(services))
}, Effect.scoped)

const inFuture = new ListenRefused({
  code: "invalid_request",
  detail: "--replay-since: The moment lies in the future."
})

/** `listen` */
export const listen = Command.make(
  "listen",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (the demo team's, or the only one's, unless given)"),
      Flag.optional
    ),
    forward: Flag.String("forward").pipe(
      Flag.filterMap(Forward.urlOf, () => "Must be an http:// or https:// URL without a user name and without #."),
      Flag.withMetavar("URL"),
      Flag.withDescription("A program to pass each event on to, such as http://localhost:8080/hook"),
      Flag.optional
    ),
    replaySince: Flag.String("replay-since").pipe(
      Flag.filterMap(
        Replay.momentOf,
        () => "Must be a date, a date and time with an offset, such as 2026-11-20T10:00Z, or how long ago: 30m, 2h, 1d."
      ),
      Flag.withMetavar("MOMENT"),
      Flag.withDescription("Begin with the events since then, the oldest first"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ forward, replaySince, team }) {
    const now = yield* Span.now
    const since = Option.getOrUndefined(replaySince)?.(now)
    if (since !== undefined && since > now) return yield* inFuture
    yield* inEnvironment({ team: Option.getOrUndefined(team), forward: Option.getOrUndefined(forward), since })
  })
).pipe(
  Command.withDescription(
    "Print a team's events as they arrive, verified (a worker must be running). " +
      "With --forward each verified event is passed on as it came, body and headers, one after the other, once: " +
      "what your program answers is printed beside the event (with --json, on standard error), and nothing is sent again. " +
      "Mend your program, and have them once more with --replay-since. " +
      "The secret to verify them with is printed at the start, and is another each time."
  ),
  Command.withShortDescription("Print a team's events as they arrive, or pass them on"),
  Command.withExamples([
    { command: "listen" },
    { command: "listen --json --team team_…" },
    { command: "listen --forward http://localhost:8080/hook --replay-since 2h" }
  ])
)
