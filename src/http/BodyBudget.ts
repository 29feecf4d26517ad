/** How many bytes the bodies of running requests may take: docs/behaviour/http.md#bodies. */
import { Context } from "effect"

/** How many bytes the bodies may take: those of one team, and those of the whole process. */
export interface Limits {
  readonly team: number
  readonly process: number
}

/** What may be taken at most, when that is not what was asked for. */
export type Shortage = keyof Limits

/** The bytes that are taken. Bodies of requests without a caller count for the process alone. */
export interface Budget {
  readonly limits: Limits
  /** Takes bytes, or says which limit does not allow that. */
  readonly take: (teamId: string | undefined, bytes: number) => Shortage | undefined
  readonly giveBack: (teamId: string | undefined, bytes: number) => void
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
    giveBack: (teamId, bytes) => add(teamId, -bytes)
  }
}

const mebibyte = 1024 * 1024

/** The budget of the process. A team may send four of the largest bodies at once. */
export const BodyBudget = Context.Reference<Budget>("http/BodyBudget", {
  defaultValue: () => make({ team: 16 * mebibyte, process: 64 * mebibyte })
})
