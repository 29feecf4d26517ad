/** Pages of many rows take turns within their team, because each may take some megabytes: docs/behaviour/http.md#pagination. */
import { Effect, Semaphore } from "effect"

/** The number of rows up to which a page is not large. */
const smallPage = 50

/** How many large pages of a team are read at a time. One of more than {@link largePage} rows is read alone. */
const pagesPerTeam = 2

/** The number of rows up to which two pages are read at a time. */
const largePage = 100

interface Team {
  readonly turns: Semaphore.Semaphore
  /** Those that are read, and those that wait. */
  pages: number
}

const teams = new Map<string, Team>()

/** Reads a page of at most `rows` rows when it is its turn. */
export const inTurnOfTeam = <A, E, R>(
  teamId: string,
  rows: number,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  rows <= smallPage
    ? read
    : Effect.suspend(() => {
        const team = teams.get(teamId) ?? { turns: Semaphore.makeUnsafe(pagesPerTeam), pages: 0 }
        teams.set(teamId, team)
        team.pages++
        return Effect.ensuring(
          team.turns.withPermits(rows <= largePage ? 1 : pagesPerTeam)(read),
          Effect.sync(() => {
            team.pages--
            if (team.pages === 0) teams.delete(teamId)
          })
        )
      })
