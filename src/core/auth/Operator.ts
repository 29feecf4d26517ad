/** The operator of this installation, who uses the command line: docs/behaviour/identity.md#operator. */
import { Effect } from "effect"
import { type Actor, CurrentActor } from "./CurrentActor.ts"

const noTeam = "00000000-0000-0000-0000-000000000000"

/** The operator, acting for a team or for none. */
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

/** The service itself, acting for a team without a caller. */
export const systemOf = (teamId: string): Actor => ({ ...operatorOf(teamId), origin: "system" })

/** Runs a use-case as the operator. */
export const asOperator = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentActor>> =>
  Effect.provideService(self, CurrentActor, operatorOf())

/**
 * Authorizes use-cases that only the operator may call. No adapter offers them to other callers, so another actor is a bug and
 * dies.
 */
export const onlyOperator: Effect.Effect<void, never, CurrentActor> = Effect.flatMap(CurrentActor, (actor) =>
  actor.userId === null && actor.clientId === null && actor.origin === "app"
    ? Effect.void
    : Effect.die(new Error("Only the operator may call this use-case."))
)
