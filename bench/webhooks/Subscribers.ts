/** Teams with webhooks and receivers. */
import { Effect } from "effect"
import type { EventType } from "../../src/core/mutation/Event.ts"
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import type { Service } from "../Service.ts"
import * as Receivers from "./Receivers.ts"

/** The behaviour and the events of a receiver. */
export interface Wanted {
  readonly kind: Receivers.Kind
  readonly events: ReadonlyArray<EventType>
}

/** A receiver and its webhook. */
export interface Subscriber {
  readonly receiver: Receivers.Receiver
  readonly id: string
  readonly uuid: string
  readonly team: Team
}

/** A team with a token of its administrator. */
export interface Team {
  readonly id: string
  readonly token: string
}

const path = "/api/v1/webhooks"

/** Creates a team. */
export const team = Effect.map(Tenant.make(), ({ teamId, token }): Team => ({ id: teamId, token }))

/** Creates a receiver with its webhook. */
export const subscribe = Effect.fnUntraced(function* (service: Service, team: Team, wanted: Wanted) {
  const receiver = yield* Receivers.make(wanted.kind)
  const { body } = yield* Effect.promise(() =>
    service.request("POST", path, team.token, { url: receiver.url, events: wanted.events, name: wanted.kind })
  )
  receiver.trust(String(body["secret"]))
  const id = String(body["id"])
  const subscriber: Subscriber = { receiver, id, uuid: Id.toUuid("webhook", id) ?? "", team }
  return subscriber
})

/** Makes webhooks `active` or `paused`. */
export const setStatus = (service: Service, subscribers: ReadonlyArray<Subscriber>, status: "active" | "paused") =>
  Effect.forEach(
    subscribers,
    ({ id, team }) => Effect.promise(() => service.request("PATCH", `${path}/${id}`, team.token, { status })),
    { discard: true }
  )
