/** The operator of this installation, who acts by the command line and in no team's name (decisions §8). */
import { Effect } from "effect"
import { type Actor, CurrentActor } from "./CurrentActor.ts"

const noTeam = "00000000-0000-0000-0000-000000000000"

/** The operator, at work for a team or for none. */
export const operatorOf = (teamId: string = noTeam): Actor => ({
  userId: null,
  teamId,
  clientId: null,
  role: "admin",
  membership: "active",
  broker: "active",
  investor: "active",
  scopes: [],
  origin: "app"
})

/** The service itself, at work for a team: nobody asked for it. */
export const systemOf = (teamId: string): Actor => ({ ...operatorOf(teamId), origin: "system" })

/** Runs a use-case as the operator. */
export const asOperator = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentActor>> =>
  Effect.provideService(self, CurrentActor, operatorOf())

/**
 * Stands first in use-cases that only the operator has. No caller of the API can get here, so another actor is a
 * fault of the program.
 */
export const onlyOperator: Effect.Effect<void, never, CurrentActor> = Effect.flatMap(CurrentActor, (actor) =>
  actor.userId === null && actor.clientId === null && actor.origin === "app"
    ? Effect.void
    : Effect.die(new Error("This use-case is the operator's."))
)
