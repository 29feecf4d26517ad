/** A broker's rooms and an investor, on the test's clock, without HTTP. */
import * as App from "../../../src/App.ts"
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../support/Tenant.ts"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { ChangeClock } from "../../../src/core/mutation/Changes.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { ProjectLifecycle } from "../../../src/deals/lifecycle/ProjectLifecycle.ts"
import { Projects } from "../../../src/deals/projects/Projects.ts"
import { ProspectBatches } from "../../../src/deals/prospects/ProspectBatches.ts"
import { ProspectChanges } from "../../../src/deals/prospects/ProspectChanges.ts"
import { Prospects } from "../../../src/deals/prospects/Prospects.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { Rooms } from "../../../src/deals/rooms/Rooms.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { options } from "../../support/TestService.ts"

/** All use-cases on the test's clock. */
export const layer = App.layer(options).pipe(
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Layer.succeed(ChangeClock, "application"))
)

/** Sets the clock. */
export const at = (moment: string) => TestClock.setTime(Date.parse(moment))

const request = (operation: string, body: Json = {}) => UseCaseRequest.make({ operation, query: {}, body })

/** A team of investors, whose user has confirmed the address. */
export const investor = Effect.tap(
  Tenant.make({ broker: null, investor: "active" }),
  Effect.fnUntraced(function* ({ userId }) {
    const sql = yield* Database
    yield* Effect.orDie(sql`update users set email_confirmed = true where id = ${userId}`)
  })
)

/** A broker with a project and an open room, and a prospect of that address. */
export const make = Effect.fn("rooms.clock.make")(function* (email?: string) {
  const sql = yield* Database
  const tenant = yield* Tenant.make()
  const as = actAs(Tenant.actorOf(tenant))
  const contacts = yield* Contacts
  const projects = yield* Projects
  const lifecycle = yield* ProjectLifecycle
  const batches = yield* ProspectBatches
  const prospects = yield* Prospects
  const changes = yield* ProspectChanges
  const rooms = yield* Rooms
  const moves = yield* Rooms
  const access = yield* AccessLifecycle
  const { value: project } = yield* as(projects.create(request("POST projects", { name: "Harbour Park" })))
  const prospectOf = Effect.fnUntraced(function* (address: string | undefined) {
    const { value: contact } = yield* as(
      contacts.create(
        request("POST contacts", { firstName: "Maria", ...(address === undefined ? {} : { email: address }) })
      )
    )
    const { value } = yield* as(batches.add(project.id, request("POST prospects", { contactId: contact.id })))
    return value.id
  })
  const prospectId = yield* prospectOf(email)
  const open = (body: Json = { name: "Due diligence" }) =>
    as(Effect.map(moves.open(project.id, request("room open", body)), ({ value }) => value))
  const room = yield* open()
  const roomOf = (id: string) => as(rooms.get(project.id, id))
  return {
    tenant,
    projectId: project.id,
    prospectId,
    room,
    open,
    prospectOf,
    get: (id = room.id) => roomOf(id),
    grant: (body: { readonly [member: string]: Json } = {}, id = room.id) =>
      as(access.grant(id, request("room grant", { prospectIds: [prospectId], ...body }))),
    revoke: (id = room.id) => as(access.revoke(id, request("room revoke", { prospectIds: [prospectId] }))),
    close: (id = room.id) => as(moves.close(id, request("room close"))),
    prospect: as(prospects.get(project.id, prospectId)),
    patch: (body: Json) => as(changes.patch(project.id, prospectId, request("PATCH prospect", body))),
    remove: as(changes.removeFromList(project.id, prospectId, request("POST remove"))),
    restore: as(changes.restore(project.id, prospectId, request("POST restore"))),
    project: {
      close: as(lifecycle.close(project.id, request("POST close"))),
      reopen: as(lifecycle.reopen(project.id, request("POST reopen"))),
      delete: as(lifecycle.delete(project.id, request("DELETE"))),
      restore: as(lifecycle.restore(project.id, request("POST restore")))
    },
    /** The events of rooms so far, with those that they follow from. */
    roomEvents: Effect.map(
      inTeam(tenant.teamId)(
        Effect.orDie(sql<{ readonly type: string; readonly body: string }>`
          select type, body from events where team_id = ${tenant.teamId} and type like 'room.%' order by seq`)
      ),
      (rows) => rows.map(({ body, type }) => ({ type, body: JSON.parse(body) as Record<string, unknown> }))
    ),
    /** The events of the rooms on the timeline of the prospect, the latest first. */
    rows: Effect.map(as(prospects.actions(project.id, prospectId, { query: Effect.succeed({}) })), ({ data }) =>
      data.filter(({ subject }) => subject === "room").map(({ event }) => event)
    ),
    uuidOf: (id: string) => Id.toUuid("room", id) ?? ""
  }
})
