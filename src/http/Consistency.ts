/** Reads after one's own writes, where standbys answer reads: docs/behaviour/http.md#consistency. */
import { Effect } from "effect"
import { type Headers, HttpServerResponse } from "effect/http"
import { Database } from "../platform/db/Database.ts"
import * as PrimaryPosition from "../platform/db/PrimaryPosition.ts"
import { StandbyLeave } from "../platform/db/StandbyReads.ts"
import { onWallClock } from "../platform/db/WallClock.ts"
import { parseToken, toToken, type WalPosition } from "../platform/db/WalPosition.ts"

const header = "x-consistency-token"

/** How long the answer to a write waits for the place of the log. */
const maxWait = "2 seconds"

/** Of no server. Only the primary shows what a caller has written who has this token. */
const nowhere: WalPosition = { system: 0n, timeline: 0n, lsn: 0n }

/** The writes that the tokens of a request stand for; undefined if one of them cannot be read. */
const writesOf = (sent: string | undefined): ReadonlyArray<WalPosition> | undefined => {
  const writes: Array<WalPosition> = []
  for (const token of sent === undefined ? [] : sent.split(",")) {
    const write = parseToken(token.trim())
    if (write === undefined) return undefined
    writes.push(write)
  }
  return writes
}

/** What endpoints do for the consistency of reads from standbys. */
export interface Consistency {
  /** Lets standbys answer a request that only reads, if they show what its caller has written. */
  readonly reading: <A, E, R>(headers: Headers.Headers, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Adds to the answer to a write how far a standby must be to show it. */
  readonly afterWrite: (
    answer: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** Makes it; undefined for a process without standbys, which needs none. */
export const make: Effect.Effect<Consistency | undefined, never, Database> = Effect.gen(function* () {
  const { standbys } = yield* Database
  if (standbys === undefined) return undefined
  const position = yield* PrimaryPosition.make
  return {
    reading: (headers, read) =>
      Effect.provideService(read, StandbyLeave, { standbys, writes: writesOf(headers[header]) }),
    afterWrite: (answer) =>
      Effect.map(
        // The write is committed: its answer must not fail, nor be late.
        Effect.catchDefect(position, () => Effect.succeed(nowhere)).pipe(
          Effect.timeoutOrElse({ duration: maxWait, orElse: () => Effect.succeed(nowhere) }),
          onWallClock
        ),
        (written) => HttpServerResponse.setHeader(answer, header, toToken(written))
      )
  }
})
