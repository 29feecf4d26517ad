/**
 * Changes that cross teams: what one team does reaches another one in the same transaction. What they write in the other team is read
 * and written as that team, with an id and a time of the order that it has there, and what they record there names no user of this one.
 */
import { Effect } from "effect"
import { inTeam } from "../../platform/db/CurrentCell.ts"
import { systemOf } from "../auth/Operator.ts"
import type { Change } from "./Changes.ts"

const crossing = (change: Change, teamId: string, begun: Pick<Change, "at" | "transactionId">): Change => ({
  ...change,
  ...begun,
  actor: { ...systemOf(teamId), origin: change.actor.origin },
  record: (record) => change.record({ actor: { userId: null, clientId: null }, teamId, ...record }),
  attempt: (part) => change.attempt((within) => part(crossing(within, teamId, begun)))
})

/**
 * Makes the change, for what it does in any of these teams (UUIDs): repositories filter by that team, and its records belong to it. One
 * statement begins it in all of them.
 */
export const inTeams = Effect.fnUntraced(function* (change: Change, teamIds: ReadonlyArray<string>) {
  const begun = yield* change.beginIn(teamIds)
  return (teamId: string): Change => {
    const found = begun.get(teamId)
    if (found === undefined) throw new Error("the change was not begun in the team")
    return crossing(change, teamId, found)
  }
})

/** Runs what the change does in another team (UUID), where it reads and writes that team's rows. */
export const crossInto = <A, E, R>(
  change: Change,
  teamId: string,
  run: (there: Change) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => inTeam(teamId)(Effect.flatMap(inTeams(change, [teamId]), (of) => run(of(teamId))))
