/**
 * `listen`: receives a team's events through a temporary webhook, verifies and prints them, and with `--forward` forwards them. From top to
 * bottom: the receiver on this machine, the replay of past events from the journal, forwarding, the command.
 */
import * as Signature from "../webhooks/Signature.ts"
import * as Demo from "../process/Demo.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Id from "../core/Id.ts"
import * as Installation from "./Installation.ts"
import * as Time from "../platform/Time.ts"
import { Clock, Console, Data, Duration, Effect, Layer, Option, Queue, type Scope, Stream } from "effect"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { Journal } from "../webhooks/changes/Journal.ts"
import { now } from "../platform/Time.ts"
import { type Attempt, isAccepted } from "../core/outbound/rules.ts"
import { Outbound, Sending } from "../core/outbound/Outbound.ts"
import { Command, Flag } from "effect/cli"
import { actAs, asOperator, operatorOf } from "../core/auth/CurrentActor.ts"
import { recordEventTypes } from "../core/mutation/Event.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { maxPerTeam } from "../webhooks/Webhook.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import { timeFlag } from "./Command.ts"
import { AsJson, lineOf, withFlagNames } from "./Output.ts"
import { allTeams } from "./teams.ts"

/** A received request. */
export interface Received {
  readonly at: Date
  /** Headers by name, with the case that the sender used. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A header of a request, ignoring case; empty if it is absent. */
export const headerOf = ({ headers }: Received, name: string): string =>
  Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1] ?? ""

const maxBodyBytes = 1024 * 1024

const readBody = async (request: AsyncIterable<Buffer>): Promise<Uint8Array | undefined> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headersOf = (raw: ReadonlyArray<string>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) headers[raw[index] ?? ""] = raw[index + 1] ?? ""
  return headers
}

/** Listens on a free port for as long as the scope lasts, answers 204, and passes each request to `receive`. Returns its URL. */
const startReceiver = (receive: (received: Received) => void): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer((request, response) => {
            readBody(request).then(
              (body) => {
                response.writeHead(body === undefined ? 413 : 204).end()
                if (body !== undefined) receive({ at: new Date(), headers: headersOf(request.rawHeaders), body })
              },
              () => response.destroy()
            )
          })
          server.once("error", reject)
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`))

/** Whether `url` is a receiver on this machine that has ended: its port refuses connections. */
export const isGone = (url: string): Effect.Effect<boolean> => {
  const { hostname = "", port = "" } = URL.parse(url) ?? {}
  if (hostname !== "127.0.0.1" || port === "") return Effect.succeed(false)
  return Effect.promise(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host: hostname, port: Number(port), timeout: 1000 })
        const answer = (gone: boolean) => {
          socket.destroy()
          resolve(gone)
        }
        socket.once("connect", () => answer(false))
        socket.once("timeout", () => answer(false))
        socket.once("error", (error: Error & { readonly code?: string }) => answer(error.code === "ECONNREFUSED"))
      })
  )
}

// Replays past events from the journal, so that together with a subscription each event appears exactly once.

// Longer than any transaction lasts. A change that began before the subscription is not delivered to it, but may be committed
// only after the journal was read.
const maxChangeDuration = Duration.seconds(30)

/** A stored event as a request, with a new signature. */
const signed = (
  event: { readonly messageId: string; readonly eventType: string; readonly body: string },
  secret: string,
  at: Date
): Received => {
  const body = new TextEncoder().encode(event.body)
  const timestampSeconds = Math.floor(at.getTime() / 1000)
  const headers = Signature.headers({
    id: event.messageId,
    timestampSeconds,
    body,
    secrets: [secret],
    eventType: event.eventType
  })
  return { at, headers, body }
}

/** What to replay: the events since a time that the subscription does not deliver. */
interface ReplayOptions {
  readonly since: Date
  /** When the webhook was created. Later events are delivered to it. */
  readonly subscribedAt: Date
  /** The secret of the webhook. */
  readonly secret: string
}

/**
 * The replay of the journal of the actor's team. `past` has the events up to the subscription. `late` waits for half a minute,
 * then has the events that were still being written. `isNew` tells whether a delivered event was not replayed.
 */
const makeReplay = Effect.fnUntraced(function* ({ secret, since, subscribedAt }: ReplayOptions) {
  const journal = yield* Journal
  const recently = new Date(subscribedAt.getTime() - Duration.toMillis(maxChangeDuration))
  // The replayed events that the subscription may deliver again, because both have the same millisecond.
  const known = new Set<string>()
  let complete = false

  const from = (time: Date) =>
    journal.since(time).pipe(
      Stream.takeWhile(({ at }) => at <= subscribedAt),
      Stream.filter(({ messageId }) => !known.has(messageId)),
      Stream.mapEffect(
        Effect.fnUntraced(function* (event) {
          if (event.at >= recently) known.add(event.messageId)
          return signed(event, secret, yield* now)
        })
      )
    )
  const completed = Effect.sync(() => {
    complete = true
  })

  return {
    past: from(since),
    late: Stream.unwrap(Effect.as(Effect.sleep(maxChangeDuration), from(since > recently ? since : recently))).pipe(
      Stream.ensuring(completed)
    ),
    isNew: (messageId: string) => {
      if (known.has(messageId)) return false
      if (!complete) known.add(messageId)
      return true
    }
  }
})

// Forwards webhook requests, unmodified, to an integrator's own program.

/** Parses the URL of the program: http or https, any host, without credentials or fragment. */
export const urlOf = (text: string): Option.Option<string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return Option.none()
  return url.username === "" && url.password === "" && !text.includes("#") ? Option.some(text) : Option.none()
}

// Headers of one connection (RFC 9110, 7.6.1), and those that the HTTP client sets itself. All others are forwarded, with
// their names in the original case.
const connectionHeaders = new Set(["connection", "content-length", "expect", "host", "keep-alive", "transfer-encoding"])

const forwardedHeaders = (received: Received): Record<string, string> =>
  Object.fromEntries(Object.entries(received.headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase())))

// Receivers reject signatures older than five minutes, so an event that waited behind others is signed again.
const maxSignatureAgeMs = 60_000

const freshSignatureHeaders = (received: Received, secret: string, now: number): Record<string, string> => {
  const timestampSeconds = Math.floor(now / 1000)
  const id = headerOf(received, "webhook-id")
  return {
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": Signature.sign({ id, timestampSeconds, body: received.body, secrets: [secret] })
  }
}

/** The result of an attempt, for the terminal. */
export const outcomeOf = (attempt: Attempt): string => {
  if (attempt.outcome === "failed") return `NOT ACCEPTED: ${attempt.error.replace(/\.$/, "")}`
  const verdict = isAccepted(attempt.statusCode) ? "accepted" : "NOT ACCEPTED"
  return `${verdict}: ${attempt.statusCode} in ${attempt.durationMs} ms`
}

/**
 * Makes a function that posts one event to `url` under the limits of a webhook attempt: 10 seconds for the whole exchange,
 * no redirects, and a limited response size. It does not retry.
 */
const makeForward = Effect.fnUntraced(function* (url: string) {
  // The operator chose this URL, so the guard against internal addresses does not apply.
  const services = yield* Layer.build(Outbound.layer({ allowHttp: true, allowedNetworks: ["0.0.0.0/0", "::/0"] }))
  return Effect.fnUntraced(function* (received: Received, secret: string) {
    const outbound = yield* Outbound
    const now = yield* Clock.currentTimeMillis
    const freshHeaders =
      now - received.at.getTime() > maxSignatureAgeMs ? freshSignatureHeaders(received, secret, now) : {}
    return yield* outbound.post({
      url,
      headers: { ...forwardedHeaders(received), ...freshHeaders },
      body: received.body
    })
  }, Effect.provide(services))
})

// See docs/webhooks.md#try-it-with-listen.

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
      if (name !== operation || !(yield* isGone(url))) return
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
  readonly received: Received
  readonly replayed: boolean
}

const payloadOf = (received: Received) => JSON.parse(new TextDecoder().decode(received.body)) as ReceivedEvent

const linesOf = (received: Received, outcomes: ReadonlyArray<string>, isGenuine: boolean): string => {
  const details = `(${[headerOf(received, "webhook-id"), ...outcomes].join(", ")})`
  const time = received.at.toISOString().slice(11, 23)
  if (!isGenuine) return `${time} ${details}`
  const payload = payloadOf(received)
  return `${time} ${payload.event} ${payload.resource_id}  ${details}\n${JSON.stringify(payload, null, 2)}\n`
}

// At the time of its arrival, because it may have waited for other events.
const isVerified = (received: Received, secret: string): boolean =>
  Signature.verify({
    id: headerOf(received, "webhook-id"),
    timestamp: headerOf(received, "webhook-timestamp"),
    signature: headerOf(received, "webhook-signature"),
    body: received.body,
    secrets: [secret],
    nowSeconds: Math.floor(received.at.getTime() / 1000)
  })

type Forwarding = Effect.Success<ReturnType<typeof makeForward>>

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
  const forwarded = isGenuine && forward !== undefined ? [outcomeOf(yield* forward(received, secret))] : []
  if (!asJson) return yield* Console.log(linesOf(received, [origin, ...forwarded], isGenuine))
  const id = headerOf(received, "webhook-id")
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
  options: ReplayOptions,
  show: (event: IncomingEvent) => Effect.Effect<void>,
  incoming: Queue.Enqueue<IncomingEvent>
) {
  const replay = yield* makeReplay(options)
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
  return ({ received, replayed }: IncomingEvent) => replayed || replay.isNew(headerOf(received, "webhook-id"))
})

const listening = Effect.fnUntraced(function* (flags: Flags, embedded: boolean) {
  if (!(yield* Sending)) return yield* nothingSent
  const team = yield* teamOf(flags.team, embedded)
  const incoming = yield* Queue.unbounded<IncomingEvent>()
  const url = yield* startReceiver((received) => Queue.offerUnsafe(incoming, { received, replayed: false }))
  const forward = flags.forward === undefined ? undefined : yield* makeForward(flags.forward)
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
      Flag.filterMap(urlOf, () => "Must be an http:// or https:// URL without a user name and without #."),
      Flag.withMetavar("URL"),
      Flag.withDescription("The URL of a program to forward each event to, such as http://localhost:8080/hook"),
      Flag.optional
    ),
    replaySince: Flag.optional(timeFlag("replay-since", "Start with the events since this time, the oldest first"))
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
