import { Effect } from "effect"
import { type Actor, authorize, type CurrentActor } from "../auth/CurrentActor.ts"
import { type CapabilityRequired, MembershipPending } from "../http/Problem.ts"

/** The caller, if they have joined the team: webhooks need no capability, but they are the team's. */
export const authorizeMember: Effect.Effect<Actor, CapabilityRequired | MembershipPending, CurrentActor> = Effect.tap(
  authorize("none"),
  (actor) =>
    actor.membership === "active"
      ? Effect.void
      : Effect.fail(new MembershipPending({ detail: "Accept the invitation to the team first." }))
)
