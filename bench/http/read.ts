/** `read` and `read-304`: a contact by its id, and the same with If-None-Match. */
import { Effect } from "effect"
import type { Measurement } from "../Measurement.ts"
import { compare, sameAnswers, sample } from "./Comparison.ts"
import { path, Setup } from "./Setup.ts"

/** How many different contacts are requested. */
const different = 1000

const compared = 20

/** Requests for contacts by id, of all users in turn. */
export const requestsFor = (
  { ids, tokens }: { readonly ids: ReadonlyArray<string>; readonly tokens: ReadonlyArray<string> },
  headers: { readonly [name: string]: string } = {}
) => ({
  kind: "get" as const,
  requests: sample(ids, different).map((id, index) => ({
    path: `${path}/${id}`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, ...headers }
  }))
})

/** `read`. */
export const read: Measurement<Setup> = {
  name: "read",
  summary: "GET of one contact, beside the same by hand",
  run: Effect.fnUntraced(function* (options) {
    const { contacts } = yield* Setup
    for (const id of sample(contacts.ids, compared)) yield* sameAnswers(`${path}/${id}`)
    const line = yield* compare({
      ...options,
      requests: requestsFor(contacts),
      expected: 200,
      line: { name: "read", work: "GET one contact by id, 32 connections", target: { least: 1.3 } }
    })
    return { lines: [line] }
  })
}

/** `read-304`. */
export const readUnchanged: Measurement<Setup> = {
  name: "read-304",
  summary: "the same where the client has it already",
  run: Effect.fnUntraced(function* (options) {
    const { contacts } = yield* Setup
    // All contacts have their initial version.
    const headers = { "if-none-match": '"v1"' }
    for (const id of sample(contacts.ids, compared)) yield* sameAnswers(`${path}/${id}`, { headers })
    const line = yield* compare({
      ...options,
      requests: requestsFor(contacts, headers),
      expected: 304,
      line: { name: "read-304", work: "the same with If-None-Match, answered with 304", target: { least: 1.3 } }
    })
    return { lines: [line] }
  })
}
