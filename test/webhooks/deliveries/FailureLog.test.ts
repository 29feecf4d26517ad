/** What the log of a process says of failed attempts. */
import * as Id from "../../../src/core/Id.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { expect } from "vitest"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { linesPerMinute } from "../../../src/webhooks/deliveries/FailureLog.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { advance } from "../../support/advance.ts"
import { aTeam, overrides, serviceOf } from "../fixture.ts"

interface Line {
  readonly level: string
  readonly message: string
  readonly members: Readonly<Record<string, unknown>>
}

const lines: Array<Line> = []

const recorder = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
  const members = fiber.getRef(References.CurrentLogAnnotations)
  lines.push({ level: logLevel, message: (Array.isArray(message) ? message : [message]).join(" "), members })
})

const service = serviceOf().pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(overrides),
  Layer.provideMerge(Logger.layer([recorder]))
)

const drain = Effect.flatMap(Worker, (worker) => worker.drain)

/** A team with a webhook whose URL has secrets, and a receiver that answers with a status and a secret. */
const aSubscriber = Effect.fnUntraced(function* (status: number) {
  const receiver = yield* Receiver.make((response) => response.writeHead(status, { "x-key": "sesame" }).end("sesame"))
  const team = yield* aTeam()
  const url = `http://hooks.example.com:${receiver.port}/sesame/in?token=sesame`
  const { id } = (yield* team.subscribe({ url, events: ["contact.created"] })).value
  return {
    ...team,
    id,
    host: `hooks.example.com:${receiver.port}`,
    lines: () => lines.filter(({ members }) => members["webhook"] === id)
  }
})

layer(service)("The log of the process", (it) => {
  it.effect("has a line for each failed attempt, which names what an operator looks for, and no secret", () =>
    Effect.gen(function* () {
      const team = yield* aSubscriber(503)
      yield* team.addContact
      yield* drain
      const [delivery] = (yield* team.log(team.id)).data
      expect(team.lines()).toEqual([
        {
          level: "Warn",
          message: "An attempt of a delivery failed: The receiver answered 503.",
          members: {
            team: Id.fromUuid("team", team.teamId),
            webhook: team.id,
            host: team.host,
            delivery: delivery?.id,
            event: delivery?.eventId,
            eventType: "contact.created",
            attempt: 1,
            status: 503,
            durationMs: delivery?.lastDurationMs,
            nextAttempt: delivery?.nextAttemptUtc
          }
        }
      ])
      yield* advance("3 seconds")
      yield* drain
      assert.deepStrictEqual(
        team.lines().map(({ members }) => members["attempt"]),
        [1, 2]
      )
      assert.notInclude(JSON.stringify(lines), "sesame")
    })
  )

  it.effect("says when no attempt follows, and nothing of one that arrives", () =>
    Effect.gen(function* () {
      const refusing = yield* aSubscriber(400)
      const well = yield* aSubscriber(204)
      yield* refusing.addContact
      yield* well.addContact
      yield* drain
      assert.deepStrictEqual(
        refusing.lines().map(({ members }) => [members["status"], members["nextAttempt"]]),
        [[400, "none"]]
      )
      assert.isEmpty(well.lines())
    })
  )

  it.effect("shows the first failures of a webhook in a minute, and then how many more there were", () =>
    Effect.gen(function* () {
      const team = yield* aSubscriber(400)
      const other = yield* aSubscriber(400)
      yield* Effect.repeat(team.addContact, { times: linesPerMinute.webhook + 2 })
      yield* other.addContact
      yield* drain
      assert.lengthOf(team.lines(), linesPerMinute.webhook)
      assert.lengthOf(other.lines(), 1)
      yield* advance("1 minute")
      const [count, ...more] = team.lines().slice(linesPerMinute.webhook)
      assert.isEmpty(more)
      assert.strictEqual(count?.message, "3 more attempts at a webhook failed in the last minute.")
      assert.deepInclude(count?.members, { webhook: team.id, host: team.host, failed: 3 })
      yield* team.addContact
      yield* drain
      assert.strictEqual(team.lines().at(-1)?.members["status"], 400)
      assert.lengthOf(team.lines(), linesPerMinute.webhook + 2)
    })
  )
})
