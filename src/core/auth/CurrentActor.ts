/** The caller of a use-case, their permissions (docs/behaviour/identity.md#capabilities) and the scopes of their tokens. */
import { Context, Effect } from "effect"
import { inTeam } from "../../platform/db/Cells.ts"
import { AdministratorRequired, CapabilityRequired, MembershipPending } from "../usecase/Problem.ts"

/** Where a change comes from: `changeOrigin` of a resource's audit members. */
export type Origin = "api" | "mcp" | "app" | "import" | "system"

/** The caller of a use-case. Ids are UUIDs. */
export interface Actor {
  /** Null for the operator and for the service itself. */
  readonly userId: string | null
  readonly teamId: string
  /** The OAuth client that acts as the bot; null for a personal access token. */
  readonly clientId: string | null
  readonly role: "admin" | "member"
  readonly membership: "active" | "pending"
  readonly broker: "active" | "pending" | null
  readonly investor: "active" | "pending" | null
  readonly scopes: ReadonlyArray<string>
  readonly origin: Origin
}

/** The caller of the running use-case. Adapters provide it. */
export class CurrentActor extends Context.Service<CurrentActor, Actor>()("core/auth/CurrentActor") {}

/**
 * What an operation requires of its caller: an active membership of the team (`"member"`), in addition an active capability, or
 * either an active `broker` capability or an `investor` capability that is at least requested (`"broker-or-investor"`), or one of the
 * two that is active (`"either-active"`), or either the role of an administrator in the team or an active `broker` capability
 * (`"admin-or-broker"`). `"none"` requires nothing, so that invited users may call it.
 */
export type Need =
  | "none"
  | "member"
  | "broker"
  | "investor"
  | "broker-or-investor"
  | "either-active"
  | "admin-or-broker"

/** The reason to refuse the operation to `actor`; undefined if it is allowed. */
export const refusalOf = (
  actor: Pick<Actor, "role" | "membership" | "broker" | "investor">,
  need: Need
): CapabilityRequired | MembershipPending | undefined => {
  if (need === "none") return undefined
  if (actor.membership === "pending") {
    return new MembershipPending({ detail: "Accept the invitation to the team first." })
  }
  if (need === "member") return undefined
  if (need === "broker-or-investor") {
    return actor.broker === "active" || actor.investor !== null
      ? undefined
      : new CapabilityRequired({
          capability: "investor",
          detail: "The operation needs the investor capability, which may be pending, or an active broker capability."
        })
  }
  if (need === "either-active") {
    return actor.broker === "active" || actor.investor === "active"
      ? undefined
      : new CapabilityRequired({
          capability: "broker",
          detail: "The operation needs an active broker capability, or an active investor capability."
        })
  }
  if (need === "admin-or-broker") {
    return actor.role === "admin" || actor.broker === "active"
      ? undefined
      : new CapabilityRequired({
          capability: "broker",
          detail: "The operation needs the role `admin` in the team, or an active broker capability."
        })
  }
  const has = actor[need]
  if (has === "active") return undefined
  return new CapabilityRequired({
    capability: need,
    detail:
      has === "pending"
        ? `The ${need} capability was requested, but is not approved yet.`
        : `The operation needs the ${need} capability: request it first.`
  })
}

/** Returns the caller, or refuses the operation. Each use-case calls it first. */
export const authorize = (need: Need): Effect.Effect<Actor, CapabilityRequired | MembershipPending, CurrentActor> =>
  Effect.flatMap(CurrentActor, (actor) => {
    const refusal = refusalOf(actor, need)
    return refusal === undefined ? Effect.succeed(actor) : Effect.fail(refusal)
  })

/** Returns the caller, an administrator of their team, or refuses the operation. */
export const administrator: Effect.Effect<
  Actor,
  AdministratorRequired | CapabilityRequired | MembershipPending,
  CurrentActor
> = Effect.flatMap(authorize("member"), (actor) =>
  actor.role === "admin"
    ? Effect.succeed(actor)
    : Effect.fail(new AdministratorRequired({ detail: "Ask an administrator of the team." }))
)

/** Runs a use-case as an actor: its statements are about the rows of the actor's team, unless they say otherwise. */
export const actAs =
  (actor: Actor) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentActor>> =>
    inTeam(actor.teamId)(Effect.provideService(self, CurrentActor, actor))

// Who asked for a change that jobs go on with: the timelines and events of all its steps say who it was.

/** What the payload of a job has of an actor. */
export type Initiator = Pick<Actor, "clientId" | "origin" | "teamId" | "userId">

/** An actor, without its other members. */
export const initiatorOf = ({ clientId, origin, teamId, userId }: Initiator): Initiator => ({
  teamId,
  userId,
  clientId,
  origin
})

/** The service itself, in the initiator's name. */
export const onBehalfOf = (initiator: Initiator): Actor => ({
  ...systemOf(initiator.teamId),
  ...initiatorOf(initiator)
})

// The operator of this installation, who uses the command line: docs/behaviour/identity.md#operator.

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

/** Whether the operator calls. */
export const isOperator = ({ clientId, origin, userId }: Actor): boolean =>
  userId === null && clientId === null && origin === "app"

/** Runs a use-case as the operator. */
export const asOperator = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentActor>> =>
  Effect.provideService(self, CurrentActor, operatorOf())

/**
 * Authorizes use-cases that only the operator may call. No adapter offers them to other callers, so another actor is a bug and
 * dies.
 */
export const onlyOperator: Effect.Effect<void, never, CurrentActor> = Effect.flatMap(CurrentActor, (actor) =>
  isOperator(actor) ? Effect.void : Effect.die(new Error("Only the operator may call this use-case."))
)

/** The operator, or an administrator of the team that they act in. */
export const operatorOrAdministrator = Effect.flatMap(CurrentActor, (actor) =>
  isOperator(actor) ? Effect.succeed(actor) : administrator
)

// The scopes of tokens (docs/behaviour/authorization.md#scopes).

/** Reading and writing. */
export const publicScope = "api:public"

/** Reading alone. */
export const readScope = "api:read"

/** A refresh token, with which an app stays connected. */
export const offlineScope = "offline_access"

/** Whether a token with these scopes may be used for a request that reads, or for one that writes. */
export const allows = (scopes: ReadonlyArray<string>, request: "read" | "write"): boolean =>
  scopes.includes(publicScope) || (request === "read" && scopes.includes(readScope))
