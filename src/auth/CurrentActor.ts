/** Who calls, and what they may do (decisions §3). */
import { Context, Effect } from "effect"
import { CapabilityRequired, MembershipPending } from "../usecase/Problem.ts"

/** The scope that every API request needs. There are no others yet. */
export const publicScope = "api:public"

/** Where changes come from: the last part of every resource's audit members. */
export type Origin = "api" | "mcp" | "app" | "import" | "system"

/** The caller of a use-case. Ids are UUIDs. */
export interface Actor {
  /** Null when the operator acts by the command line. */
  readonly userId: string | null
  readonly teamId: string
  /** The OAuth client that acts for the user or bot, if one does. */
  readonly clientId: string | null
  readonly role: "admin" | "member"
  readonly membership: "active" | "pending"
  readonly broker: "active" | "pending" | null
  readonly investor: "active" | "pending" | null
  readonly scopes: ReadonlyArray<string>
  readonly origin: Origin
}

/** The caller of the running use-case; doors provide it. */
export class CurrentActor extends Context.Service<CurrentActor, Actor>()("auth/CurrentActor") {}

/**
 * What an operation needs of its caller: to have joined the team (`"member"`), a capability besides that is active, or
 * at least requested, or nothing (`"none"`: those who are invited may do it, too).
 */
export type Need = "none" | "member" | "broker" | "investor" | "investor-requested"

/**
 * Decides whether `actor` has what the operation needs.
 */
export const decide = (
  actor: Pick<Actor, "membership" | "broker" | "investor">,
  need: Need
): CapabilityRequired | MembershipPending | undefined => {
  if (need === "none") return undefined
  if (actor.membership === "pending") {
    return new MembershipPending({ detail: "Accept the invitation to the team first." })
  }
  if (need === "member") return undefined
  const capability = need === "broker" ? "broker" : "investor"
  const has = actor[capability]
  if (has === "active" || (has === "pending" && need === "investor-requested")) return undefined
  return new CapabilityRequired({
    capability,
    detail:
      has === "pending"
        ? `The ${capability} capability is requested, but not yet approved.`
        : `The ${capability} capability is needed: request it first.`
  })
}

/** The caller, if they have what the operation needs. */
export const authorize = (need: Need): Effect.Effect<Actor, CapabilityRequired | MembershipPending, CurrentActor> =>
  Effect.flatMap(CurrentActor, (actor) => {
    const refusal = decide(actor, need)
    return refusal === undefined ? Effect.succeed(actor) : Effect.fail(refusal)
  })
