/**
 * Changes that cross teams: what one team does reaches another one in the same transaction. What they write in the other team is read
 * and written as that team, and what they record there names no user of this one.
 */
import { systemOf } from "../auth/Operator.ts"
import type { Change } from "./Changes.ts"

/** The change, for what it does in another team (UUID): repositories filter by that team, and its records belong to it. */
export const inTeam = (change: Change, teamId: string): Change => ({
  ...change,
  actor: { ...systemOf(teamId), origin: change.actor.origin },
  record: (record) => change.record({ actor: { userId: null, clientId: null }, teamId, ...record }),
  attempt: (part) => change.attempt((within) => part(inTeam(within, teamId)))
})
