/** Who asked for a change that jobs go on with: the timelines and events of all its steps say who it was. */
import type { Actor } from "./CurrentActor.ts"
import { systemOf } from "./Operator.ts"

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
