/** `list`: pages of contacts with their external references. */
import { Effect } from "effect"
import type { Measurement } from "../Measurement.ts"
import { compare, sameAnswers, sample } from "./Comparison.ts"
import { path, Setup } from "./Setup.ts"

const pageSize = 100

/** The paths of all pages in their order. */
export const pages = Effect.gen(function* () {
  const { request, servers } = yield* Setup
  const first = `${path}?page_size=${pageSize}`
  const paths = [first]
  for (;;) {
    const { text } = yield* request(servers.ours, paths.at(-1) ?? first)
    const { page } = JSON.parse(text) as { readonly page: { readonly nextCursor: string | null } }
    if (page.nextCursor === null) return paths
    paths.push(`${first}&cursor=${page.nextCursor}`)
  }
})

/** Pages of a list, compared with the peers. */
export const list: Measurement<Setup> = {
  name: "list",
  summary: `a page of ${pageSize} contacts, beside the same by hand`,
  run: Effect.fnUntraced(function* (options) {
    const {
      contacts: { tokens }
    } = yield* Setup
    const paths = yield* pages
    for (const page of [...sample(paths, 5), paths.at(-1) ?? ""]) yield* sameAnswers(page)
    const line = yield* compare({
      ...options,
      requests: {
        kind: "get",
        requests: paths.map((path, index) => ({
          path,
          headers: { authorization: `Bearer ${tokens[index % tokens.length]}` }
        }))
      },
      expected: 200,
      line: {
        name: "list",
        work: `GET a page of ${pageSize} contacts with their external references`,
        target: { least: 1.2 }
      }
    })
    return { lines: [line] }
  })
}
