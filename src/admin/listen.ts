/** `listen`: subscribes a receiver of its own to a team's events and prints each as it arrives, verified. */
import { Clock, Console, Data, Effect, Option, Queue } from "effect"
import { Command, Flag } from "effect/cli"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { asOperator, operatorOf } from "../auth/Operator.ts"
import { eventTypes } from "../changes/Event.ts"
import { DatabaseUnavailable } from "../db/DatabaseUnavailable.ts"
import * as Demo from "../demo/Demo.ts"
import * as Call from "../http/Call.ts"
import { NotFound } from "../http/Problem.ts"
import * as Id from "../Id.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { mostPerTeam } from "../webhooks/endpoints/Webhook.ts"
import { Webhooks } from "../webhooks/endpoints/Webhooks.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import * as Installation from "./Installation.ts"
import { AsJson, inFlags, lineOf } from "./Output.ts"
import * as Receiver from "./Receiver.ts"
import { allTeams } from "./teams.ts"

// The name of its webhooks, and of its calls.
const operation = "admin listen"

/** The team of the demo broker, if there is one. */
const demoTeam = Effect.gen(function*() {
  const users = yield* Users
  const teams = yield* Teams
  const [primary] = yield* teams.ofUser(yield* users.resolve(Demo.email))
  return primary?.membership !== "active" ? undefined : { uuid: primary.uuid, name: primary.team.name }
}).pipe(Effect.catchTag("InvalidRequest", () => Effect.succeed(undefined)))

const teamOf = Effect.fnUntraced(function*(named: string | undefined, embedded: boolean) {
  const teams = yield* Teams
  if (named !== undefined) {
    const uuid = yield* teams.resolve(named)
    return (yield* allTeams).find((team) => team.uuid === uuid) ?? { uuid, name: named }
  }
  const [first, second] = yield* teams.oldest(2)
  if (first === undefined) return yield* new NotFound({ detail: "There is no team yet: make one with `team create`." })
  if (second === undefined) return first
  const demo = embedded ? yield* demoTeam : undefined
  return demo ?? (yield* new NotFound({
    detail: `There are several teams (\`team list\` shows them): say which with --team, such as --team ${
      Id.fromUuid("team", first.uuid)
    }.`
  }))
}, asOperator)

/** Webhooks may not go to this machine: nothing that `listen` could receive. */
class ListenRefused extends Data.TaggedError("ListenRefused")<{ readonly code: string; readonly detail: string }> {}

const settingsNeeded = new ListenRefused({
  code: "invalid_setting",
  detail: "Webhooks may not go to this machine: `listen` needs WEBHOOK_ALLOW_HTTP=true and " +
    "WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 in its environment and in that of every worker, and a worker on this machine."
})

/** Deletes the webhooks of those `listen`s that were killed: nobody answers at their ports any more. */
const sweep = Effect.gen(function*() {
  const webhooks = yield* Webhooks
  const { data } = yield* webhooks.list(Call.make({ operation, query: { page_size: mostPerTeam } }))
  yield* Effect.forEach(data, Effect.fnUntraced(function*({ id, name, url }) {
    if (name !== operation || !(yield* Receiver.isGone(url))) return
    // Another `listen` may have been faster.
    yield* Effect.ignore(webhooks.remove(id, Call.make({ operation, query: {} })))
  }), { discard: true })
})

// A database that does not answer within it counts as gone.
const longestRemoval = "3 seconds"

/** Deletes the webhook, or says why it could not: a stop that was asked for succeeds. */
const unsubscribe = Effect.fnUntraced(
  function*(id: string) {
    const webhooks = yield* Webhooks
    yield* webhooks.remove(id, Call.make({ operation, query: {} }))
  },
  Effect.catchTag("NotFound", () => Effect.void),
  Effect.timeoutOrElse({
    duration: longestRemoval,
    orElse: () => Effect.die(new DatabaseUnavailable({ cause: undefined }))
  }),
  (self, id) =>
    Effect.catchCause(self, (cause) =>
      Console.error(`The webhook ${id} could not be deleted; the next \`listen\` does it. ${lineOf(cause)}`))
)

/** A webhook of the team at `url`, deleted when its scope ends. */
const subscribe = Effect.fnUntraced(function*(url: string) {
  const webhooks = yield* Webhooks
  const { value } = yield* Effect.acquireRelease(
    webhooks.create(Call.make({ operation, query: {}, body: { url, events: eventTypes, name: operation } })),
    ({ value }) => unsubscribe(value.id)
  ).pipe(
    Effect.catchTag("InvalidRequest", (error) =>
      Effect.fail(error.errors.some(({ pointer }) => pointer === "/url") ? settingsNeeded : error))
  )
  return value
})

const headerOf = (received: Receiver.Received, name: string): string => String(received.headers[name] ?? "")

interface Told {
  readonly event: string
  readonly resource_id: string
}

const linesOf = (received: Receiver.Received, verified: boolean, at: Date): string => {
  const text = new TextDecoder().decode(received.body)
  const said = `(${headerOf(received, "webhook-id")}, ${verified ? "signature verified" : "SIGNATURE WRONG"})`
  if (!verified) return `${at.toISOString().slice(11, 23)} ${said}`
  const payload = JSON.parse(text) as Told
  return `${at.toISOString().slice(11, 23)} ${payload.event} ${payload.resource_id}  ${said}\n${
    JSON.stringify(payload, null, 2)
  }\n`
}

const show = Effect.fnUntraced(function*(received: Receiver.Received, secret: string) {
  const now = yield* Clock.currentTimeMillis
  const verified = Signature.verify({
    id: headerOf(received, "webhook-id"),
    timestamp: headerOf(received, "webhook-timestamp"),
    signature: headerOf(received, "webhook-signature"),
    body: received.body,
    secrets: [secret],
    nowSeconds: Math.floor(now / 1000)
  })
  if (!(yield* AsJson)) return yield* Console.log(linesOf(received, verified, new Date(now)))
  if (verified) yield* Console.log(new TextDecoder().decode(received.body))
  else yield* Console.error(`${headerOf(received, "webhook-id")}: the signature is wrong`)
})

const listening = Effect.fnUntraced(function*(named: string | undefined, embedded: boolean) {
  const team = yield* teamOf(named, embedded)
  const { received, url } = yield* Receiver.start
  const { secret } = yield* Effect.andThen(sweep, subscribe(url)).pipe(
    Effect.provideService(CurrentActor, operatorOf(team.uuid))
  )
  yield* Console.error(`Listening for the events of ${team.name}. Ctrl-C ends it, and its webhook.`)
  return yield* Effect.forever(Effect.flatMap(Queue.take(received), (one) => show(one, secret)))
}, Effect.scoped)

const inEnvironment = Effect.fnUntraced(function*(named: string | undefined) {
  const { embedded, services } = yield* Installation.whole
  return yield* listening(named, embedded).pipe(inFlags(), Effect.provide(services))
}, Effect.scoped)

/** `listen` */
export const listen = Command.make(
  "listen",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id (the demo team's, or the only one's, unless given)"),
      Flag.optional
    )
  },
  ({ team }) => inEnvironment(Option.getOrUndefined(team))
).pipe(
  Command.withDescription("Print a team's events as they arrive, verified (a worker must be running)"),
  Command.withExamples([{ command: "listen" }, { command: "listen --json --team team_…" }])
)
