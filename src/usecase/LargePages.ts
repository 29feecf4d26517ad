/** Pages of many rows take turns within their team, because each may take some megabytes: docs/behaviour/http.md#pagination. */
import type { Effect } from "effect"
import * as TeamTurns from "./TeamTurns.ts"

/** The number of rows up to which a page is not large. */
const smallPage = 50

/** How many large pages of a team are read at a time. One of more than {@link largePage} rows is read alone. */
const pagesPerTeam = 2

/** The number of rows up to which two pages are read at a time. */
const largePage = 100

const pages = TeamTurns.make(pagesPerTeam)

/** Reads a page of at most `rows` rows when it is its turn. */
export const inTurnOfTeam = <A, E, R>(
  teamId: string,
  rows: number,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  rows <= smallPage ? read : pages.inTurn(teamId, rows <= largePage ? 1 : pagesPerTeam, read)
