/** A tenant with a project, its prospects, and the moves of its rooms in the name of its user. */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as prospects from "../prospects/fixture.ts"
import * as Tenant from "../../support/Tenant.ts"
import { Effect, Stream } from "effect"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import type { Room, RoomDetails } from "../../../src/deals/rooms/Room.ts"
import { Documents } from "../../../src/deals/rooms/Documents.ts"
import { Rooms } from "../../../src/deals/rooms/Rooms.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"

/** Runs a use-case as the user of a tenant, whatever its capabilities. */
export const as =
  (tenant: { readonly teamId: string; readonly userId: string }) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    actAs(Tenant.actorOf(tenant))(useCase)

/** Opens a room of a project. */
export const open = (
  tenant: { readonly teamId: string; readonly userId: string },
  projectId: string,
  body: Json = { name: "Due diligence" }
) =>
  Effect.flatMap(Rooms, (rooms) =>
    Effect.map(
      rooms.open(projectId, UseCaseRequest.make({ operation: "room open", query: {}, body })),
      ({ value }) => value
    )
  ).pipe(as(tenant))

/** Uploads a text to a room. */
export const upload = (
  tenant: { readonly teamId: string; readonly userId: string },
  roomId: string,
  text: string,
  path?: string
) =>
  Effect.flatMap(Documents, (documents) =>
    Effect.map(
      documents.upload(roomId, {
        ...UseCaseRequest.make({ operation: "room upload", query: {}, body: {} }),
        ...(path === undefined ? {} : { path }),
        file: Effect.succeed({
          filename: "rent roll.txt",
          contentType: "text/plain",
          content: Stream.succeed(new TextEncoder().encode(text))
        })
      }),
      ({ value }) => value
    )
  ).pipe(as(tenant))

/** The tenant. */
export const make = Effect.fn("rooms.fixture")(function* () {
  const tenant = yield* prospects.make()
  const path = `/api/v1/projects/${tenant.projectId}/rooms`
  return {
    ...tenant,
    rooms: {
      path,
      list: (query = "") => tenant.ask<Page<Room>>("GET", `${path}${query}`),
      get: (id: string, headers = {}) => tenant.ask<RoomDetails>("GET", `${path}/${id}`, undefined, headers),
      open: (body?: Json) => open(tenant, tenant.projectId, body)
    },
    projectActions: (query = "") =>
      tenant.ask<Page<Record<string, unknown>>>("GET", `/api/v1/projects/${tenant.projectId}/actions${query}`)
  }
})
