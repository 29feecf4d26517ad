/** How many bytes the bodies and the answers of requests may take: docs/behaviour/http.md#bodies, docs/behaviour/http.md#pagination. */
import { Context, Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { Actor } from "../core/auth/CurrentActor.ts"
import { RateLimited, Unavailable } from "../core/usecase/Problem.ts"

/** How many bytes may be taken: for one team, and in the whole process. */
export interface Limits {
  readonly team: number
  readonly process: number
}

/** What may be taken at most, when that is not what was asked for. */
export type Shortage = keyof Limits

/** The bytes that are taken. Those of requests without a caller count for the process alone. */
export interface Budget {
  readonly limits: Limits
  /** Takes bytes, or says which limit does not allow that. */
  readonly take: (teamId: string | undefined, bytes: number) => Shortage | undefined
  readonly release: (teamId: string | undefined, bytes: number) => void
}

/** A budget of which nothing is taken yet. */
export const make = (limits: Limits): Budget => {
  const teams = new Map<string, number>()
  let taken = 0
  const add = (teamId: string | undefined, bytes: number) => {
    taken += bytes
    if (teamId === undefined) return
    const ofTeam = (teams.get(teamId) ?? 0) + bytes
    if (ofTeam === 0) teams.delete(teamId)
    else teams.set(teamId, ofTeam)
  }
  return {
    limits,
    take: (teamId, bytes) => {
      if (teamId !== undefined && (teams.get(teamId) ?? 0) + bytes > limits.team) return "team"
      if (taken + bytes > limits.process) return "process"
      add(teamId, bytes)
      return undefined
    },
    release: (teamId, bytes) => add(teamId, -bytes)
  }
}

/** What one request takes of budgets. Its readers can only take; who made it gives all of it back, at once. */
export interface Holding {
  /** Takes bytes until `release`, or says which limit does not allow that. Afterwards it is a defect. */
  readonly take: (budget: Budget, teamId: string | undefined, bytes: number) => Shortage | undefined
  readonly release: () => void
}

/** A holding of nothing. */
export const hold = (): Holding => {
  const held: Array<{ readonly budget: Budget; readonly teamId: string | undefined; bytes: number }> = []
  let hasEnded = false
  return {
    take: (budget, teamId, bytes) => {
      if (hasEnded) throw new Error("a request that has ended takes bytes of a budget")
      const lacking = budget.take(teamId, bytes)
      if (lacking !== undefined) return lacking
      const same = held.find((one) => one.budget === budget && one.teamId === teamId)
      if (same === undefined) held.push({ budget, teamId, bytes })
      else same.bytes += bytes
      return undefined
    },
    release: () => {
      hasEnded = true
      for (const { budget, bytes, teamId } of held.splice(0)) budget.release(teamId, bytes)
    }
  }
}

const mebibyte = 1024 * 1024

/** The budget of bodies. A team may send four of the largest at once. */
export const BodyBudget = Context.Reference<Budget>("http/BodyBudget", {
  defaultValue: () => make({ team: 16 * mebibyte, process: 64 * mebibyte })
})

/** The budget of answers that clients have not received yet. A team may wait for eight of the largest pages at once. */
export const AnswerBudget = Context.Reference<Budget>("http/AnswerBudget", {
  defaultValue: () => make({ team: 32 * mebibyte, process: 128 * mebibyte })
})

/** What a refusal, and the owner of bytes, follow from: the state of a request. */
interface Asking {
  readonly headers: Record<string, string>
  readonly caller: Actor | undefined
}

/** The refusal of what a budget has no room for. `what` names the bytes. */
export const shortage = (state: Asking, lacking: Shortage, limits: Limits, what: string): RateLimited | Unavailable => {
  if (lacking === "process") return new Unavailable({ detail: `${what} of all teams take too much memory.` })
  state.headers["retry-after"] = "1"
  return new RateLimited({
    detail: `${what} of the team must not have more than ${limits.team} bytes together. Try again in 1 s.`
  })
}

// Shorter answers need not be counted.
const longAnswer = 65_536

/** Takes the size of an answer, which changed nothing, until the client has received it or is gone. */
export const holdAnswer = (
  request: HttpServerRequest.HttpServerRequest,
  state: Asking,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, RateLimited | Unavailable> => {
  const size = response.body._tag === "Uint8Array" ? response.body.contentLength : 0
  if (size < longAnswer) return Effect.succeed(response)
  return Effect.flatMap(AnswerBudget, (budget) => {
    const teamId = state.caller?.teamId
    const receiver = NodeHttpServerRequest.toServerResponse(request)
    // Its client is gone already, and it will not close again.
    if (receiver.closed) return Effect.succeed(response)
    const lacking = budget.take(teamId, size)
    if (lacking !== undefined) {
      return Effect.fail(shortage(state, lacking, budget.limits, "The answers on their way to clients"))
    }
    receiver.once("close", () => budget.release(teamId, size))
    return Effect.succeed(response)
  })
}
