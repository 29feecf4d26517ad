/** `two`: two API processes on one Postgres, compared with one. */
import { Effect } from "effect"
import type { Line, Measurement } from "../Measurement.ts"
import { interleave, paceOf } from "../Rounds.ts"
import { contestant, detailsOf, perSecond, ratioOfReports } from "./Comparison.ts"
import { requestsFor } from "./read.ts"
import { Setup } from "./Setup.ts"

/** Two processes with half of the connections each. */
export const two: Measurement<Setup> = {
  name: "two",
  summary: "two API processes on one Postgres, beside one",
  run: Effect.fnUntraced(function* (options) {
    const { api, contacts, servers } = yield* Setup
    const second = yield* api()
    const found = yield* interleave(
      {
        two: contestant([servers.ours, second], requestsFor(contacts), 200),
        one: contestant([servers.ours], requestsFor(contacts), 200)
      },
      paceOf(options)
    )
    const line: Line = {
      name: "two",
      work: "GET one contact by id from two API processes on one Postgres",
      beside: "one API process",
      ours: perSecond(found.two),
      theirs: perSecond(found.one),
      ratio: ratioOfReports(found.two, found.one),
      details: { two: detailsOf(found.two), one: detailsOf(found.one) }
    }
    return { lines: [line] }
  })
}
