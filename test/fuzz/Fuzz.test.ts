/** Arbitrary requests, nearly valid and hostile, of one seed: docs/testing.md#fuzz. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Document } from "../openapi/Validator.ts"
import { times } from "../support/campaign.ts"
import { TestService } from "../support/TestService.ts"
import * as Campaign from "./Campaign.ts"
import * as World from "./World.ts"

/** `FUZZ_REQUESTS` for more, and `FUZZ_SEED` for other requests: one seed, so that each run of the suite sends the same. */
const requests = times("FUZZ_REQUESTS", 800, 10_000)
const seed = Number(process.env["FUZZ_SEED"] ?? 20)

layer(TestService.layer, { excludeTestServices: true })("Every answer to arbitrary requests", (it) => {
  it.effect(
    "comes, is no 5xx, and is as the OpenAPI document declares it",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestService
        const { body: document } = yield* request<Document>("GET", "/openapi.json")
        const world = yield* World.make
        const report = yield* Effect.promise(() =>
          Campaign.run(world, document, { seed, requests, inFlight: 6, deadline: 20_000 }, () => {})
        )
        assert.deepStrictEqual(report.findings.map(Campaign.described), [])
        assert.deepStrictEqual(report.overloads, [])
        assert.isAtLeast(report.requests, requests)
      }),
    120_000 + 30 * requests
  )
})
