/** Which request was which attempt, and why a request was recorded as none. */
import type { Kill } from "./Kills.ts"
import type { AttemptRow } from "./Ledger.ts"
import type { Received } from "./Receivers.ts"

/** The two sides of one delivery. */
export interface Match {
  /** Attempts with the request that came of it, if one came. */
  readonly attempts: ReadonlyArray<{ readonly attempt: AttemptRow; readonly request: Received | undefined }>
  /** Requests that came, and that no attempt was recorded for. */
  readonly unrecorded: ReadonlyArray<Received>
}

// Two processes read one clock, each in its turn.
const slackMillis = 100

/** Finds the request of each attempt of a delivery: the first one that came while the attempt was made. */
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

/** How far an attempt was when its worker was killed. */
export type Interrupted = "unanswered" | "answered"

// How long a killed process and its connections may take to be gone.
const goneMillis = 2000

/**
 * The kill that an unrecorded request fell to: the one that ended its connection. If the connection had ended before (the
 * deadline had come, or it was idle for long) it is the first kill after the request, provided that the attempt was made
 * again no sooner than that. Undefined if it fell to none.
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

/** How far it was. */
export const stageOf = (request: Received, kill: Kill): Interrupted =>
  request.answeredAt === undefined || request.answeredAt > kill.at ? "unanswered" : "answered"
