/** Turns within each team: how much of one team's work runs at a time, whatever the others do. */
import { Effect, Semaphore } from "effect"

interface Team {
  readonly turns: Semaphore.Semaphore
  /** What runs, and what waits. */
  entered: number
}

/** The turns of all teams. */
export interface TeamTurns {
  /** How much of a team runs or waits. */
  readonly entered: (teamId: string) => number
  /** Runs an effect when as many of its team's turns are free. One that is interrupted while it waits leaves the queue. */
  readonly inTurn: <A, E, R>(teamId: string, turns: number, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Makes as many turns for each team. */
export const make = (perTeam: number): TeamTurns => {
  const teams = new Map<string, Team>()
  return {
    entered: (teamId) => teams.get(teamId)?.entered ?? 0,
    inTurn: (teamId, turns, effect) =>
      Effect.suspend(() => {
        const team = teams.get(teamId) ?? { turns: Semaphore.makeUnsafe(perTeam), entered: 0 }
        teams.set(teamId, team)
        team.entered += 1
        return Effect.ensuring(
          team.turns.withPermits(turns)(effect),
          Effect.sync(() => {
            team.entered -= 1
            if (team.entered === 0) teams.delete(teamId)
          })
        )
      })
  }
}
