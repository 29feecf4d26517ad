/** Matches requests to attempts, and explains unrecorded requests. */
import type { Kill } from "./Kills.ts"
import type { AttemptRow } from "./Ledger.ts"
import type { Received } from "./Receivers.ts"

/** The attempts and requests of one delivery. */
export interface Match {
  /** Attempts with their request, if any. */
  readonly attempts: ReadonlyArray<{ readonly attempt: AttemptRow; readonly request: Received | undefined }>
  /** Requests without a recorded attempt. */
  readonly unrecorded: ReadonlyArray<Received>
}

// The tolerance between the times of two processes.
const slackMillis = 100

/** Matches each attempt of a delivery to the first request that arrived during the attempt. */
export const match = (attempts: ReadonlyArray<AttemptRow>, requests: ReadonlyArray<Received>): Match => {
  const left = new Set(requests)
  const matched = attempts.map((attempt) => {
    const from = attempt.startedAt.getTime() - 2
    const until = attempt.startedAt.getTime() + attempt.durationMs + slackMillis
    const request = [...left].find(({ receivedAt }) => receivedAt >= from && receivedAt <= until)
    if (request !== undefined) left.delete(request)
    return { attempt, request }
  })
  return { attempts: matched, unrecorded: [...left] }
}

/** The progress of an attempt when its worker was killed. */
export type Interrupted = "unanswered" | "answered"

// How long a killed process and its connections may remain.
const goneMillis = 2000

/**
 * The kill that interrupted an unrecorded request: the one that ended its connection. If the connection had ended before (by the
 * deadline, or idle), it is the first kill after the request, provided that the attempt was repeated after it. Undefined if no
 * kill explains the request.
 */
export const killOf = (
  request: Received,
  againAt: number | undefined,
  kills: ReadonlyArray<Kill>
): Kill | undefined => {
  const { closedAt } = request.connection
  if (closedAt === undefined) return undefined
  const ended = kills.find(
    ({ at }) => closedAt >= at - 2 && closedAt <= at + goneMillis && request.receivedAt <= closedAt
  )
  if (ended !== undefined) return ended
  const next = kills.find(({ at }) => at >= request.receivedAt)
  return next !== undefined && closedAt <= next.at && (againAt === undefined || againAt >= next.at) ? next : undefined
}

/** The progress of the attempt. */
export const stageOf = (request: Received, kill: Kill): Interrupted =>
  request.answeredAt === undefined || request.answeredAt > kill.at ? "unanswered" : "answered"
