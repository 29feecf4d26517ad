/** `npm run fuzz`: sends arbitrary requests to a service, a new one or one that runs. See docs/testing.md#fuzz. */
import * as Service from "../../bench/Service.ts"
import * as App from "../../src/App.ts"
import * as Campaign from "./Campaign.ts"
import * as World from "./World.ts"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import type { Document } from "../openapi/Validator.ts"
import { options, TestService } from "../support/TestService.ts"

const flags = {
  seconds: Flag.Int("seconds").pipe(Flag.withDescription("How long"), Flag.withDefault(60)),
  requests: Flag.Int("requests").pipe(
    Flag.withDescription("How many requests, whatever time they take"),
    Flag.optional
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("Another seed means other requests; the same, the same"),
    Flag.withDefault(1)
  ),
  inFlight: Flag.Int("in-flight").pipe(Flag.withDescription("Requests at a time"), Flag.withDefault(8)),
  deadline: Flag.Int("deadline").pipe(
    Flag.withDescription("Seconds until a request without an answer counts as hung"),
    Flag.withDefault(20)
  ),
  url: Flag.String("url").pipe(Flag.withDescription("A running service, instead of a new one"), Flag.optional),
  token: Flag.String("token").pipe(
    Flag.withDescription("With --url: the token of a broker in a team whose records may change"),
    Flag.optional
  ),
  replay: Flag.String("replay").pipe(Flag.withDescription("Only this request, as a finding printed it"), Flag.optional)
}

/** A new service whose limits are out of reach, and what makes its records. */
const newService = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-fuzz-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const { current } = options.secretKeys
  const service = yield* Service.make(
    {
      DATA_DIR: folder,
      RATE_LIMIT_CLIENT: "1000000",
      SECRET_KEY: Buffer.from(Redacted.value(current)).toString("base64")
    },
    { fsync: "off", synchronous_commit: "off" }
  )
  const layer = App.layer(options).pipe(
    Layer.provideMerge(Jobs.layerMemory),
    Layer.provideMerge(Database.layer({ url: service.url, applicationName: "property-network fuzz" })),
    Layer.provide(Layer.succeed(ChangeClock, "database")),
    Layer.provideMerge(Layer.succeed(TestService, TestService.clientOf(service.origin)))
  )
  const world = yield* Effect.provideContext(World.make, yield* Layer.build(layer))
  return { world, complaints: () => service.api.complaints }
})

const runningService = (url: string, token: string) =>
  Effect.map(
    Effect.provideService(World.makeRemote(token), TestService, TestService.clientOf(url.replace(/\/$/, ""))),
    (world) => ({ world, complaints: (): ReadonlyArray<string> => [] })
  )

const summary = ({ findings, overloads, requests, seconds, statuses, unreached }: Campaign.Report) =>
  [
    `${requests} requests in ${seconds.toFixed(1)} s: ${findings.length} findings, ${overloads.length} refused by overload`,
    Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", "),
    `operations that never succeeded: ${unreached.join(", ") || "none"}`
  ].join("\n")

const fuzz = Command.make("fuzz", flags, ({ deadline, inFlight, replay, requests, seconds, seed, token, url }) =>
  Effect.gen(function* () {
    const { complaints, world } = yield* Option.isSome(url)
      ? runningService(
          url.value,
          Option.getOrElse(token, () => "")
        )
      : newService
    const document = yield* Effect.promise(
      async () => (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as Document
    )
    if (Option.isSome(replay)) {
      const input = JSON.parse(replay.value) as Campaign.Input
      const trial = Campaign.makeTrial(world, document, deadline * 1000)
      const fault = yield* Effect.promise(() => trial.run(input))
      trial.close()
      yield* Console.log(
        fault === undefined
          ? `Nothing is wrong with the answer: ${JSON.stringify(trial.counts().statuses)}`
          : Campaign.described({ ...fault, input, seed })
      )
      return yield* fault === undefined ? Effect.void : Effect.sync(() => (process.exitCode = 1))
    }
    yield* Console.error(`Seed ${seed}, ${world.baseUrl}`)
    const found = yield* Effect.promise(() =>
      Campaign.run(
        world,
        document,
        {
          seed,
          inFlight,
          deadline: deadline * 1000,
          ...(Option.isSome(requests) ? { requests: requests.value } : { seconds })
        },
        (finding) => process.stderr.write(`${Campaign.described(finding)}\n`)
      )
    )
    yield* Console.log(summary(found))
    for (const line of complaints()) yield* Console.error(line)
    if (found.findings.length > 0 || found.overloads.length > 0) yield* Effect.sync(() => (process.exitCode = 1))
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Sends arbitrary requests, nearly valid and hostile, and checks every answer"))

Command.run(fuzz, { version: "1" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
