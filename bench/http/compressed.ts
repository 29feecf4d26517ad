/** `compressed`: what it costs to compress pages of a list, and what it saves. */
import { Effect } from "effect"
import { request as send } from "node:http"
import { count } from "../Figures.ts"
import type { Line, Measurement } from "../Measurement.ts"
import { interleave, paceOf } from "../Rounds.ts"
import { contestant, detailsOf, perSecond, ratioOfReports } from "./Comparison.ts"
import { pages } from "./list.ts"
import { Setup } from "./Setup.ts"

const encodings = ["gzip", "br", "zstd"] as const

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
    const headersOf = (index: number, encoding: string | undefined) => ({
      authorization: `Bearer ${tokens[index % tokens.length]}`,
      ...(encoding === undefined ? {} : { "accept-encoding": encoding })
    })
    const reading = (encoding: string | undefined) =>
      contestant(
        [servers.ours],
        { kind: "get", requests: paths.map((path, index) => ({ path, headers: headersOf(index, encoding) })) },
        200
      )
    const sizeOf = (encoding: string | undefined) =>
      transferred(`${servers.ours.url}${paths[0] ?? ""}`, headersOf(0, encoding))
    const plainSize = yield* sizeOf(undefined)
    const found = yield* interleave(
      { plain: reading(undefined), gzip: reading("gzip"), br: reading("br"), zstd: reading("zstd") },
      paceOf(options)
    )
    const lines: Array<Line> = []
    for (const encoding of encodings) {
      const size = yield* sizeOf(encoding)
      lines.push({
        name: `compressed-${encoding}`,
        work: `GET a page of 100 contacts with \`Accept-Encoding: ${encoding}\`: ${count(size)} bytes instead of ${count(plainSize)}`,
        beside: "the same uncompressed",
        ours: perSecond(found[encoding]),
        theirs: perSecond(found.plain),
        ratio: ratioOfReports(found[encoding], found.plain),
        details: { [encoding]: detailsOf(found[encoding]), plain: detailsOf(found.plain) }
      })
    }
    return { lines }
  })
}
