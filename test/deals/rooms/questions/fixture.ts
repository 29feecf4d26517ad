/** A tenant with an open room and prospects who have access to it, and clients of its questions. */
import * as Id from "../../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../../src/core/usecase/UseCaseRequest.ts"
import * as prospectsFixture from "../../prospects/fixture.ts"
import * as Tenant from "../../../support/Tenant.ts"
import { Effect } from "effect"
import { actAs } from "../../../../src/core/auth/CurrentActor.ts"
import { inTeam } from "../../../../src/platform/db/Cells.ts"
import { Database } from "../../../../src/platform/db/Database.ts"
import type { RoomDetails } from "../../../../src/deals/rooms/Room.ts"
import { AccessLifecycle } from "../../../../src/deals/lifecycle/AccessLifecycle.ts"
import type { Question } from "../../../../src/deals/rooms/questions/Question.ts"
import { Questions } from "../../../../src/deals/rooms/questions/Questions.ts"
import type { Json } from "../../../../src/core/usecase/Input.ts"
import type { DeltaPage, Page } from "../../../../src/core/usecase/Page.ts"
import { open, upload } from "../fixture.ts"
import { type Payload, type Row, untilSettled } from "../../../support/RecordsClient.ts"

/** A request of a command. */
export const requestOf = (body: Json = null, idempotencyKey?: string) =>
  UseCaseRequest.make({
    operation: "test",
    query: {},
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey })
  })

/** A broker with a project and an open room. */
export const make = Effect.fn("questions.fixture")(function* () {
  const tenant = yield* prospectsFixture.make()
  const sql = yield* Database
  const questions = yield* Questions
  const access = yield* AccessLifecycle
  const { ask: call, projectId, teamId } = tenant
  const openRoom = Effect.map(open(tenant, projectId), ({ id }) => id)
  const roomId = yield* openRoom
  const roomUuid = Id.toUuid("room", roomId) ?? ""
  const pathOf = (room: string) => `/api/v1/projects/${projectId}/rooms/${room}/questions`
  const path = pathOf(roomId)
  /** Runs a use-case as the broker. */
  const as = <A, E, R>(useCase: Effect.Effect<A, E, R>) => actAs({ ...Tenant.actorOf(tenant), origin: "app" })(useCase)
  const list = (query = "") => call<DeltaPage<Question>>("GET", `${path}${query}`)
  return {
    ...tenant,
    roomId,
    roomUuid,
    path,
    as,
    call,
    useCases: questions,
    /** The path of the questions of another open room of the project. */
    anotherRoom: Effect.map(openRoom, pathOf),
    /** The id of a new prospect who has access to the room. */
    member: Effect.fnUntraced(function* (contact?: { readonly firstName: string; readonly email: string }) {
      const { id: contactId } = yield* tenant.contact(contact)
      const { id } = (yield* tenant.prospects.add({ contactId })).body
      yield* as(access.grant(roomId, requestOf({ prospectIds: [id] })))
      return id
    }),
    /** Uploads a document to the room. */
    upload: (path: string) => upload(tenant, roomId, "1,200 m²", path),
    revoke: (prospectId: string) => as(access.revoke(roomId, requestOf({ prospectIds: [prospectId] }))),
    ask: (prospectId: string, json: { readonly [name: string]: Json } = {}, key?: string) =>
      Effect.map(
        as(questions.askFor(roomId, requestOf({ text: "Which tenants may leave?", prospectId, ...json }, key))),
        ({ value }) => value
      ),
    answer: (id: string, json: { readonly [name: string]: Json } = {}) =>
      as(questions.answer(id, requestOf({ text: "None.", ...json }))),
    close: (id: string) => as(questions.close(id, requestOf())),
    set: (json: Json) => as(questions.set(roomId, requestOf(json))),
    /** The room's answer. */
    room: Effect.map(call<RoomDetails>("GET", `/api/v1/projects/${projectId}/rooms/${roomId}`), ({ body }) => body),
    list,
    /** The list, once deltas show everything that was written before. */
    delta: (query: string) => Effect.andThen(untilSettled("questions"), list(query)),
    get: (id: string, headers = {}) => call<Question>("GET", `${path}/${id}`, undefined, headers),
    patch: (id: string, json: unknown, headers = {}) => call<Question>("PATCH", `${path}/${id}`, json, headers),
    draft: (id: string, json: unknown, headers = {}) =>
      call<Question>("PUT", `${path}/${id}/draft-answer`, json, headers),
    /** Moves the due times of the room's questions to the past. */
    makeOverdue: inTeam(teamId)(
      Effect.orDie(sql`
        update questions set due_at = now() - interval '1 second' where room_id = ${roomUuid}`)
    ),
    openCount: Effect.map(
      inTeam(teamId)(
        Effect.orDie(sql<{ readonly count: number }>`
          select open_question_count as count from rooms where id = ${roomUuid}`)
      ),
      ([row]) => row?.count
    ),
    /** The rows of a timeline, newest first, without what differs from run to run. */
    rowsOf: (subject: string) =>
      Effect.map(call<Page<Row>>("GET", `/api/v1${subject}/actions?page_size=200`), ({ body }) =>
        body.data.map(({ actor: _, id: __, occurredUtc: ___, type: ____, ...row }) => row)
      ),
    /** The payloads of the events of the room so far, in their order. */
    events: Effect.map(
      inTeam(teamId)(
        Effect.orDie(sql<{ readonly body: string }>`
          select body from events where team_id = ${teamId} and resource_type = 'room' order by seq`)
      ),
      (rows) => rows.map(({ body }) => JSON.parse(body) as Payload)
    )
  }
})
