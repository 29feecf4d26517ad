/** Random two-way syncs with the example of a CRM, on the service in memory, whose clock jumps by months. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { start, type Started } from "property-network/testing"
import { vi } from "vitest"
import { times } from "../../support/campaign.ts"
import { stepsWith } from "./steps.ts"
import { transports } from "./transports.ts"
import { type Backend, World } from "./World.ts"

const numRuns = times("MODEL_RUNS", 4, 24)

const minute = 60_000

const hour = 60 * minute

/** Lets time pass. */
const pauses: Readonly<Record<string, number>> = {
  "1 minute": minute,
  "5 hours": 5 * hour,
  "3 days": 72 * hour,
  "31 days": 31 * 24 * hour,
  "100 days": 100 * 24 * hour
}

const backendOf = async (service: Started): Promise<Backend> => {
  const { baseUrl, fetch } = service
  const tenant = await service.addTenant("Sync")
  let { token } = tenant
  return {
    baseUrl,
    fetch,
    clientId: tenant.clientId,
    clientSecret: tenant.clientSecret,
    token: () => token,
    killDuring: async (send) => {
      await send()
      throw new TypeError("fetch failed")
    },
    drain: service.drain,
    disturb: async (pause) => {
      const millis = pauses[pause] ?? 0
      // What a killed receiver did not take is sent again within the first minute, at the time of the receiver's clock.
      for (const step of [minute, millis - minute]) {
        await service.advance(step)
        vi.setSystemTime(Date.now() + step)
      }
      token = await service.newToken(tenant)
    }
  }
}

// A change that one round joins goes out in the next.
const finalRounds = 3

describe("A two-way sync ends with both sides equal, whatever was killed, overtaken, lost or late", () => {
  let service: Started

  beforeAll(async () => {
    // Messages are refused when their time is not the receiver's.
    vi.useFakeTimers({ toFake: ["Date"] })
    service = await start()
  })

  afterAll(async () => {
    await service.stop()
    vi.useRealTimers()
  })

  for (const [name, make] of Object.entries(transports)) {
    it(`from ${name} alone`, { timeout: 600_000 }, () =>
      fc.assert(
        fc.asyncProperty(stepsWith(Object.keys(pauses)), async (steps) => {
          const backend = await backendOf(service)
          const world = new World(backend)
          const transport = make()
          try {
            await transport.setUp(world)
            for (const step of steps) await world.take(step, transport)
            await world.up(transport)
            for (let round = 0; round < finalRounds; round++) {
              await backend.disturb("5 hours", world, () => Promise.resolve())
              await world.sync(transport)
            }
            const { crm, network } = await world.bothSides()
            assert.deepStrictEqual(crm, network)
          } finally {
            await transport.tearDown()
          }
        }),
        { numRuns }
      )
    )
  }
})
