/** A tenant with an open room and prospects who have access to it, and clients of its questions. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type Change, Changes } from "../../../src/changes/Changes.ts"
import { toQuestion } from "../../../src/rooms/questions/projection.ts"
import { type NewQuestion, QuestionsRepo } from "../../../src/rooms/questions/QuestionsRepo.ts"
import type { WantedAnswer } from "../../../src/rooms/questions/rules.ts"
import { CurrentActor } from "../../../src/auth/CurrentActor.ts"
import { Database } from "../../../src/db/Database.ts"
import * as Id from "../../../src/Id.ts"
import type { Question } from "../../../src/rooms/questions/Question.ts"
import { Questions } from "../../../src/rooms/questions/Questions.ts"
import type { Json } from "../../../src/usecase/Input.ts"
import type { DeltaPage, Page } from "../../../src/usecase/Page.ts"
import * as UseCaseRequest from "../../../src/usecase/UseCaseRequest.ts"
import * as prospectsFixture from "../../prospects/fixture.ts"
import { type Payload, type Row, untilSettled } from "../../support/RecordsClient.ts"
import * as Tenant from "../../support/Tenant.ts"

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
  const repo = yield* QuestionsRepo
  const { commit } = yield* Changes
  const write = <A>(use: (change: Change) => Effect.Effect<A>) =>
    commit({ ...Tenant.actorOf(tenant), origin: "app" }, use)
  const { ask: call, projectId, teamId } = tenant
  const openRoom = Effect.gen(function* () {
    const [row] = yield* Effect.orDie(sql<{ readonly id: string }>`
      insert into rooms (id, team_id, version, created_at, updated_at, change_type, change_origin, project_id, name, status, nda_required)
      values (gen_random_uuid(), ${teamId}, 1, now(), now(), 'created', 'app', ${Id.toUuid("project", projectId) ?? ""}, 'Room', 'open', false) returning id`)
    return row?.id ?? ""
  })
  const roomUuid = yield* openRoom
  const roomId = Id.fromUuid("room", roomUuid)
  const pathOf = (room: string) => `/api/v1/projects/${projectId}/rooms/${room}/questions`
  const path = pathOf(roomId)
  /** Runs a use-case as the broker. */
  const as = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    Effect.provideService(useCase, CurrentActor, { ...Tenant.actorOf(tenant), origin: "app" })
  const list = (query = "") => call<DeltaPage<Question>>("GET", `${path}${query}`)
  return {
    ...tenant,
    roomId,
    roomUuid,
    path,
    as,
    useCases: questions,
    /** The path of the questions of another open room of the project. */
    anotherRoom: Effect.map(openRoom, (uuid) => pathOf(Id.fromUuid("room", uuid))),
    /** The id of a new prospect who has access to the room. */
    member: Effect.fnUntraced(function* () {
      const { id } = yield* tenant.prospect()
      yield* Effect.orDie(sql`
        insert into room_access (team_id, room_id, prospect_id, granted_at)
        values (${teamId}, ${roomUuid}, ${Id.toUuid("prospect", id) ?? ""}, now())`)
      return id
    }),
    revoke: (prospectId: string) =>
      Effect.orDie(sql`
        update room_access set revoked_at = now() where prospect_id = ${Id.toUuid("prospect", prospectId) ?? ""}`),
    ask: (prospectId: string, json: Partial<NewQuestion> = {}) =>
      write((change) =>
        Effect.map(
          repo.insert(change, {
            uuid: randomUUID(),
            roomUuid,
            projectUuid: Id.toUuid("project", projectId) ?? "",
            text: "Which tenants may leave?",
            category: "other",
            priority: "normal",
            document: null,
            asker: { prospectUuid: Id.toUuid("prospect", prospectId) ?? "", name: "Maria Rossi" },
            due: new Date(change.at.getTime() + 7 * 86_400_000),
            ...json
          }),
          toQuestion
        )
      ),
    answer: (id: string, json: Partial<WantedAnswer> = {}) =>
      write((change) =>
        Effect.map(
          repo.answer(change, Id.toUuid("question", id) ?? "", { text: "None.", audience: "asker", ...json }),
          toQuestion
        )
      ),
    close: (id: string) => as(questions.close(id, requestOf())),
    set: (json: Json) => as(questions.set(roomId, requestOf(json))),
    list,
    /** The list, once deltas show everything that was written before. */
    delta: (query: string) => Effect.andThen(untilSettled("questions"), list(query)),
    get: (id: string, headers = {}) => call<Question>("GET", `${path}/${id}`, undefined, headers),
    patch: (id: string, json: unknown, headers = {}) => call<Question>("PATCH", `${path}/${id}`, json, headers),
    draft: (id: string, json: unknown, headers = {}) =>
      call<Question>("PUT", `${path}/${id}/draft-answer`, json, headers),
    /** Moves the due times of the room's questions to the past. */
    makeOverdue: Effect.orDie(sql`
      update questions set due_at = now() - interval '1 second' where room_id = ${roomUuid}`),
    openCount: Effect.map(
      Effect.orDie(sql<{ readonly count: number }>`
        select open_question_count as count from rooms where id = ${roomUuid}`),
      ([row]) => row?.count
    ),
    /** The rows of a timeline, newest first, without what differs from run to run. */
    rowsOf: (subject: string) =>
      Effect.map(call<Page<Row>>("GET", `/api/v1${subject}/actions?page_size=200`), ({ body }) =>
        body.data.map(({ actor: _, id: __, occurredUtc: ___, type: ____, ...row }) => row)
      ),
    /** The payloads of the events of the room so far, in their order. */
    events: Effect.map(
      Effect.orDie(sql<{ readonly body: string }>`
        select body from events where team_id = ${teamId} and resource_type = 'room' order by seq`),
      (rows) => rows.map(({ body }) => JSON.parse(body) as Payload)
    )
  }
})
