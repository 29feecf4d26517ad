/** `logging`: the cost of a log line for each request, for our API and for the peer. */
import { Effect } from "effect"
import type { Line, Measurement } from "../Measurement.ts"
import { interleave, paceOf } from "../Rounds.ts"
import { contestant, detailsOf, perSecond, ratioOfReports } from "./Comparison.ts"
import { requestsFor } from "./read.ts"
import { type Server, Setup } from "./Setup.ts"

/** The default log level, compared with one without a line for each request. */
export const logging: Measurement<Setup> = {
  name: "logging",
  summary: "reads with a log line each, beside reads without",
  run: Effect.fnUntraced(function* (options) {
    const { api, contacts, peer, servers } = yield* Setup
    const quiet = { quiet: true }
    const reading = (server: Server) => contestant([server], requestsFor(contacts), 200)
    const found = yield* interleave(
      {
        ours: reading(servers.ours),
        quiet: reading(yield* api(quiet)),
        peer: reading(servers.strict),
        quietPeer: reading(yield* peer("strict", quiet))
      },
      paceOf(options)
    )
    const lines: ReadonlyArray<Line> = [
      {
        name: "logging",
        work: "GET one contact by id, with a log line for each request",
        beside: "the same without (LOG_LEVEL=warn)",
        ours: perSecond(found.ours),
        theirs: perSecond(found.quiet),
        ratio: ratioOfReports(found.ours, found.quiet),
        target: { least: 0.9 },
        details: { ours: detailsOf(found.ours), quiet: detailsOf(found.quiet) }
      },
      {
        name: "logging-peer",
        work: "what logging costs the peer: by hand, with a log line for each request",
        beside: "by hand, without",
        ours: perSecond(found.peer),
        theirs: perSecond(found.quietPeer),
        ratio: ratioOfReports(found.peer, found.quietPeer),
        details: { peer: detailsOf(found.peer), quietPeer: detailsOf(found.quietPeer) }
      }
    ]
    return { lines }
  })
}
