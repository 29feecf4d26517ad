/** `listen`: subscribes a receiver of its own to a team's events and prints each as it arrives, verified. */
import { Clock, Console, Effect, Layer, Option, Queue } from "effect"
import { Command, Flag } from "effect/cli"
import * as App from "../App.ts"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { asOperator, operatorOf } from "../auth/Operator.ts"
import { eventTypes } from "../changes/Event.ts"
import { Database } from "../db/Database.ts"
import * as Call from "../http/Call.ts"
import { NotFound } from "../http/Problem.ts"
import * as Id from "../Id.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Jobs } from "../jobs/Jobs.ts"
import * as Environment from "../process/Environment.ts"
import { Webhooks } from "../webhooks/endpoints/Webhooks.ts"
import * as Signature from "../webhooks/signing/Signature.ts"
import { AsJson } from "./Output.ts"
import * as Receiver from "./Receiver.ts"

const teamOf = Effect.fnUntraced(function*(named: string | undefined) {
  const teams = yield* Teams
  if (named !== undefined) return { uuid: yield* teams.resolve(named), name: named }
  const [first, second] = yield* teams.oldest(2)
  if (first === undefined) return yield* new NotFound({ detail: "There is no team yet: make one with `team create`." })
  if (second !== undefined) {
    return yield* new NotFound({
      detail: `There are several teams: say which with --team, such as --team ${Id.fromUuid("team", first.uuid)}.`
    })
  }
  return first
}, asOperator)

/** A webhook of the team at `url`, deleted when its scope ends. */
const subscribe = Effect.fnUntraced(function*(teamId: string, url: string) {
  const webhooks = yield* Webhooks
  const asTeam = Effect.provideService(CurrentActor, operatorOf(teamId))
  const { value } = yield* Effect.acquireRelease(
    asTeam(webhooks.create(Call.make({
      operation: "admin listen",
      query: {},
      body: { url, events: eventTypes, name: "admin listen" }
    }))),
    ({ value }) =>
      asTeam(webhooks.remove(value.id, Call.make({ operation: "admin listen", query: {} }))).pipe(Effect.ignore)
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

const listening = Effect.fnUntraced(function*(named: string | undefined) {
  const team = yield* teamOf(named)
  const { received, url } = yield* Receiver.start
  const { secret } = yield* subscribe(team.uuid, url)
  yield* Console.error(`Listening for the events of ${team.name}. Ctrl-C ends it, and its webhook.`)
  return yield* Effect.forever(Effect.flatMap(Queue.take(received), (one) => show(one, secret)))
}, Effect.scoped)

const services = Layer.unwrap(Effect.map(
  Environment.orEmbedded("attach"),
  ({ app, databaseUrl }) =>
    App.layer(app).pipe(
      Layer.provide(Jobs.layer),
      Layer.provide(Database.layer({ url: databaseUrl, maxConnections: 2, applicationName: "property-network admin" }))
    )
))

/** `listen` */
export const listen = Command.make(
  "listen",
  {
    team: Flag.String("team").pipe(
      Flag.withDescription("The team's id; may be left out while there is only one"),
      Flag.optional
    )
  },
  ({ team }) => listening(Option.getOrUndefined(team)).pipe(Effect.provide(services))
).pipe(
  Command.withDescription("Print a team's events as they arrive, verified (a worker must be running)"),
  Command.withExamples([{ command: "listen" }, { command: "listen --json --team team_…" }])
)
