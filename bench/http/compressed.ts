/** `compressed`: what it costs to compress pages of a list, and what it saves. */
import { Effect } from "effect"
import { request as send } from "node:http"
import { count } from "../Figures.ts"
import type { Line, Measurement } from "../Measurement.ts"
import { interleave, paceOf } from "../Rounds.ts"
import { contestant, detailsOf, perSecond, ratioOfReports } from "./Comparison.ts"
import { pages } from "./list.ts"
import { Setup } from "./Setup.ts"

/** The number of bytes of an answer's body as it is transferred. */
const transferred = (url: string, headers: Readonly<Record<string, string>>) =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        send(url, { headers }, (answer) => {
          let bytes = 0
          answer.on("data", (chunk: Buffer) => (bytes += chunk.length))
          answer.on("end", () => resolve(bytes))
        })
          .on("error", reject)
          .end()
      })
  )

/** Pages of a list with `Accept-Encoding`, compared with the same without. */
export const compressed: Measurement<Setup> = {
  name: "compressed",
  summary: "a page of 100 contacts, compressed, beside the same uncompressed",
  run: Effect.fnUntraced(function* (options) {
    const { contacts, servers } = yield* Setup
    const { tokens } = contacts
    const paths = yield* pages
    const headersOf = (index: number) => ({ authorization: `Bearer ${tokens[index % tokens.length]}` })
    const accepting = { "accept-encoding": "gzip" }
    const reading = (further: Readonly<Record<string, string>>) =>
      contestant(
        [servers.ours],
        {
          kind: "get",
          requests: paths.map((path, index) => ({ path, headers: { ...headersOf(index), ...further } }))
        },
        200
      )
    const first = `${servers.ours.url}${paths[0] ?? ""}`
    const plainSize = yield* transferred(first, headersOf(0))
    const size = yield* transferred(first, { ...headersOf(0), ...accepting })
    const found = yield* interleave({ gzip: reading(accepting), plain: reading({}) }, paceOf(options))
    const line: Line = {
      name: "compressed",
      work: `GET a page of 100 contacts with \`Accept-Encoding: gzip\`: ${count(size)} bytes instead of ${count(plainSize)}`,
      beside: "the same uncompressed",
      ours: perSecond(found.gzip),
      theirs: perSecond(found.plain),
      ratio: ratioOfReports(found.gzip, found.plain),
      details: { gzip: detailsOf(found.gzip), plain: detailsOf(found.plain) }
    }
    return { lines: [line] }
  })
}
