/** The use-cases of teasers, and what offers and rooms need of them (docs/behaviour/teasers.md). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import { makeMergePatch, type UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { actAs, type Actor, authorize, onlyOperator, operatorOf, systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { ProjectClosed } from "../projects/Project.ts"
import { all } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Projection } from "./projection/Projection.ts"
import {
  answerOf,
  faultsOf,
  moved,
  type Moved,
  moveEvents,
  patched,
  stageOf,
  type Subject,
  subjectOf,
  type TeaserState,
  type Times,
  toChangeRecord,
  unreached
} from "./rules.ts"
import { type Stage, type Teaser, TeaserPatch } from "./Teaser.ts"
import { TeasersRepo } from "./TeasersRepo.ts"
import { Members, Teams } from "../../identity/teams/Teams.ts"
import { Projects } from "../projects/Projects.ts"
import { Properties } from "../../market/properties/Properties.ts"
import type { Design } from "./projection/investorView.ts"

/** The ids of a subject in a request. */
type SubjectIds =
  | { readonly type: "project" | "property"; readonly id: string }
  | { readonly type: "room"; readonly projectId: string; readonly roomId: string }

/** A teaser that is loaded, and the answer for it. */
interface LoadedTeaser {
  readonly state: TeaserState
  readonly answer: Teaser
}

// As many as a project can have.
const maxProperties = 1_000

const toLoaded = (state: TeaserState): LoadedTeaser => ({ state, answer: answerOf(state) })

/** How a use-case loads a teaser with all that decides what it shows, locks it, and writes it. Its caller is authorized. */
const makeSteps = Effect.gen(function* () {
  const repo = yield* TeasersRepo
  const projects = yield* Projects
  const listed = yield* Properties
  const teams = yield* Teams
  const members = yield* Members

  const propertiesOf = (teamId: string, ids: ReadonlyArray<string>) =>
    Effect.map(
      listed.listOf(
        teamId,
        ids.flatMap((id) => Id.toUuid("property", id) ?? []),
        undefined,
        maxProperties
      ),
      (stored) => stored.map(({ resource }) => resource)
    )

  const describeProject = Effect.fnUntraced(function* (actor: Actor, id: string) {
    const { resource, uuid } = yield* projects.load(actor, id)
    const subject: Subject = { type: "project", uuid }
    return {
      subject,
      properties: yield* propertiesOf(actor.teamId, resource.propertyIds),
      isClosed: resource.closedUtc !== null
    }
  })

  const describeProperty = Effect.fnUntraced(function* (actor: Actor, id: string) {
    const { resource, uuid } = yield* byId("property", id, (uuid) =>
      Effect.map(listed.listOf(actor.teamId, [uuid], undefined, 1), ([stored]) => stored)
    )
    const subject: Subject = { type: "property", uuid }
    return { subject, properties: [resource], isClosed: false }
  })

  const describeRoom = Effect.fnUntraced(function* (
    actor: Actor,
    { projectId, roomId }: Extract<SubjectIds, { readonly type: "room" }>
  ) {
    const { isClosed, properties, subject: project } = yield* describeProject(actor, projectId)
    const roomUuid = yield* byId("room", roomId, (uuid) =>
      Effect.map(repo.projectOfRoom(actor.teamId, uuid), (projectUuid) =>
        projectUuid === project.uuid ? uuid : undefined
      )
    )
    const subject: Subject = { type: "room", uuid: roomUuid, projectUuid: project.uuid }
    return { subject, properties, isClosed }
  })

  /** A living subject, and the properties that its teaser is about. */
  const describe = (actor: Actor, ids: SubjectIds) => {
    if (ids.type === "room") return describeRoom(actor, ids)
    return ids.type === "project" ? describeProject(actor, ids.id) : describeProperty(actor, ids.id)
  }

  /** Loads the teaser of a living subject; `language` is that of titles that are composed. */
  const loadIn = Effect.fnUntraced(function* (actor: Actor, ids: SubjectIds, language: string) {
    const { isClosed, properties, subject } = yield* describe(actor, ids)
    const projectUuid = subject.type === "room" ? subject.projectUuid : subject.uuid
    const stored = yield* repo.findAll(actor.teamId, [subject.uuid, projectUuid])
    return toLoaded({
      subject,
      properties,
      isClosed,
      own: stored.get(subject.uuid),
      ofProject: subject.type === "room" ? stored.get(projectUuid) : undefined,
      plan: yield* teams.planOf(actor.teamId),
      language
    })
  })

  /** Loads the teaser of a living subject, in the language of the caller. */
  const load = (actor: Actor, ids: SubjectIds) =>
    Effect.flatMap(members.languageOf(actor.userId), (language) => loadIn(actor, ids, language))

  /** Locks a living subject, and with it its teaser: whoever writes one locks its subject first. */
  const lockSubject = Effect.fnUntraced(function* (change: Change, subject: Subject) {
    if (subject.type === "property") return yield* Effect.asVoid(listed.lock(change, [subject.uuid]))
    return yield* Effect.asVoid(projects.lock(change, subject.type === "room" ? subject.projectUuid : subject.uuid))
  })

  /**
   * Locks a subject and its teaser, and returns the latest state of both; fails when the subject was deleted, or when the change is
   * `pinned` and the teaser shows something else.
   */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    ids: SubjectIds,
    { loaded: { answer, state }, pinned }: Mutation.Locking<LoadedTeaser>
  ): Effect.fn.Return<LoadedTeaser, ConcurrencyConflict> {
    yield* Effect.mapError(lockSubject(change, state.subject), () => ConcurrencyConflict.of("teaser"))
    const latest = yield* Effect.mapError(loadIn(change.actor, ids, state.language), () =>
      ConcurrencyConflict.of("teaser")
    )
    return pinned && latest.answer.etag !== answer.etag ? yield* ConcurrencyConflict.of("teaser") : latest
  })

  /** Writes a locked teaser, and returns it as it is now. */
  const write = Effect.fnUntraced(function* (change: Change, { state }: LoadedTeaser, next: Design & Times) {
    const own = yield* repo.save(change, state.subject, state.own?.version, next)
    return own === undefined ? yield* ConcurrencyConflict.of("teaser") : toLoaded({ ...state, own })
  })

  return { load, loadIn, lock, write }
})

const decodePatch = makeMergePatch(TeaserPatch)

/** The moves of a person, and those of the operator. */
type PersonMove = "publish" | "unpublish"
type OperatorMove = "verify" | "unverify"

const notFound = new NotFound({ detail: "There is no project, property or data room with this id." })

/** The teaser of a project: its stage, and what investors see. */
export interface ProjectTeaser {
  readonly stage: Stage
  readonly projection: Projection
}

const timesOf = (own: TeaserState["own"]) => {
  const { communicatedUtc, publishedUtc, verifiedUtc } = own ?? unreached
  return { communicatedUtc, publishedUtc, verifiedUtc }
}

const shownBy = ({ answer: { projection }, state: { own } }: LoadedTeaser): ProjectTeaser => ({
  stage: stageOf(own),
  projection
})

const make = Effect.gen(function* () {
  const repo = yield* TeasersRepo
  const projects = yield* Projects
  const steps = yield* makeSteps
  const teams = yield* Teams
  const auditLog = yield* AuditLog
  const mutation = yield* Mutation.make

  /** The teaser of a subject. */
  const get = Effect.fn("Teasers.get")(function* (ids: SubjectIds) {
    const actor = yield* authorize("broker")
    return (yield* steps.load(actor, ids)).answer
  })

  /** Validates a patch of a teaser as it is; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    { answer, state }: LoadedTeaser,
    body: UnvalidatedJson
  ) {
    const [, sent] = yield* all(request.query, decodePatch(body, answer))
    const after = patched(state, sent)
    const faults = faultsOf(state, sent, after)
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    return after !== null && state.isClosed ? yield* ProjectClosed.rejection() : after
  })

  /** Changes what a teaser shows; the first patch creates it. A patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Teasers.patch")((ids: SubjectIds, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => steps.load(actor, ids),
      body: request.body,
      etagOf: ({ answer }) => answer.etag,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock: (change, locking) => steps.lock(change, ids, locking),
      commit: (change, { decision: { changed, design }, loaded }) =>
        Effect.gen(function* () {
          const { own, subject } = loaded.state
          const written = yield* steps.write(change, loaded, { ...design, ...timesOf(own) })
          change.record(toChangeRecord(subject, { changed }))
          return written.answer
        }),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.answer)
    })
  )

  // The moves that the API does not have (docs/behaviour/teasers.md#stages).

  /** The ids of a subject that is named by its own id alone. */
  const idsOf = Effect.fnUntraced(function* (actor: Actor, id: string) {
    const subject = subjectOf(id)
    if (subject === undefined) return yield* notFound
    if (subject.type !== "room") return { type: subject.type, id } as const
    const projectUuid = yield* repo.projectOfRoom(actor.teamId, subject.uuid)
    if (projectUuid === undefined) return yield* notFound
    return { type: "room", projectId: Id.fromUuid("project", projectUuid), roomId: id } as const
  })

  /** Tells a project when its teaser was published, or that it no longer is. */
  const tellProject = (change: Change, { subject }: TeaserState, move: PersonMove | OperatorMove, { times }: Moved) => {
    if (subject.type !== "project" || move === "verify" || move === "unverify") return Effect.void
    const caused = following(change, () => ({
      event: moveEvents[move],
      resource: { type: "project", id: subject.uuid }
    }))
    return Effect.mapError(projects.recordPublication(caused, subject.uuid, times.publishedUtc), () =>
      ConcurrencyConflict.of("project")
    )
  }

  const applyMove = (id: string, move: PersonMove | OperatorMove) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) =>
        Effect.gen(function* () {
          const ids = yield* idsOf(actor, id)
          return { ids, ...(yield* steps.load(actor, ids)) }
        }),
      decide: ({ loaded: { state } }) => {
        const after = moved(state, move)
        return after !== null && "code" in after ? Effect.fail(after) : Effect.succeed(after)
      },
      lock: (change, { loaded: { ids, ...loaded }, pinned }) =>
        Effect.map(steps.lock(change, ids, { loaded, pinned }), (latest) => ({ ids, ...latest })),
      commit: (change, { decision, loaded }) =>
        Effect.gen(function* () {
          const after = decision(change.at.toISOString())
          const written = yield* steps.write(change, loaded, { ...after.design, ...after.times })
          change.record(toChangeRecord(loaded.state.subject, { move }))
          if (move === "verify" || move === "unverify") {
            const { type, uuid } = loaded.state.subject
            const target = { type, id: Id.fromUuid(type, uuid) }
            yield* auditLog.record({ action: move === "verify" ? "teaser.verified" : "teaser.unverified", target })
          }
          yield* tellProject(change, loaded.state, move, after)
          return written.answer
        }),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.answer)
    })

  /** Publishes a teaser, or withdraws its publication. `id` is that of its project, property or room. */
  const move = Effect.fn("Teasers.move")((id: string, to: PersonMove) => applyMove(id, to))

  /** Verifies a teaser of any team, or withdraws its verification. For the operator only. */
  const review = Effect.fn("Teasers.review")(function* (id: string, to: OperatorMove) {
    yield* onlyOperator
    const subject = subjectOf(id)
    const teamId = subject === undefined ? undefined : yield* repo.teamOf(subject)
    if (teamId === undefined) return yield* notFound
    return yield* actAs(operatorOf(teamId))(applyMove(id, to))
  })

  /**
   * At most `limit` published teasers of all teams that are verified, or wait for it, the earliest first, after one of them. For the operator
   * only.
   */
  const published = Effect.fn("Teasers.published")(function* (
    isVerified: boolean,
    {
      after,
      limit
    }: { readonly after: { readonly publishedUtc: string; readonly id: string } | undefined; readonly limit: number }
  ) {
    yield* onlyOperator
    const subject = after === undefined ? undefined : subjectOf(after.id)
    const position =
      after === undefined || subject === undefined ? undefined : { at: after.publishedUtc, id: subject.uuid }
    const rows = yield* repo.published(isVerified, position, limit)
    const names = yield* teams.namesOf([...new Set(rows.map(({ teamId }) => teamId))])
    return rows.map((row) => ({
      id: Id.fromUuid(row.type, row.id),
      type: row.type,
      name: row.title ?? row.name,
      teamId: Id.fromUuid("team", row.teamId),
      teamName: names.get(row.teamId) ?? null,
      publishedUtc: row.publishedAt.toISOString(),
      verifiedUtc: row.verifiedAt?.toISOString() ?? null,
      communicatedUtc: row.communicatedAt?.toISOString() ?? null
    }))
  })

  /** A published teaser of any team, as investors see it. For the operator only. */
  const preview = Effect.fn("Teasers.preview")(function* (id: string) {
    yield* onlyOperator
    const subject = subjectOf(id)
    const teamId = subject === undefined ? undefined : yield* repo.teamOf(subject)
    if (teamId === undefined) return yield* notFound
    return yield* actAs(operatorOf(teamId))(
      Effect.gen(function* () {
        const actor = operatorOf(teamId)
        const { answer } = yield* steps.load(actor, yield* idsOf(actor, id))
        return { teamId: Id.fromUuid("team", teamId), teaser: answer }
      })
    )
  })

  // What offers and rooms need.

  const projectIds = (uuid: string) => ({ type: "project", id: Id.fromUuid("project", uuid) }) as const

  /** The teaser of a project (UUID) of a team, its title in a language (BCP-47); undefined if there is no such project. */
  const projectionOfProject = Effect.fn("Teasers.projectionOfProject")(function* (
    teamId: string,
    projectUuid: string,
    language: string
  ) {
    const loaded = yield* steps
      .loadIn(systemOf(teamId), projectIds(projectUuid), language)
      .pipe(Effect.catchTag("NotFound", () => Effect.undefined))
    return loaded === undefined ? undefined : shownBy(loaded)
  })

  /**
   * Records inside the transaction of `change` that the teaser of a project (UUID) is communicated: its time and its event only
   * once. Locks the project and the teaser, so call it before prospects are locked. Returns what investors see from now on.
   */
  const markCommunicated = Effect.fn("Teasers.markCommunicated")(function* (
    change: Change,
    projectUuid: string,
    language: string
  ) {
    const ids = projectIds(projectUuid)
    const loaded = yield* steps.loadIn(change.actor, ids, language)
    const locked = yield* steps.lock(change, ids, { loaded, pinned: false })
    const decision = moved(locked.state, "communicate")
    if (decision === null) return shownBy(locked)
    if ("code" in decision) return yield* decision
    const after = decision(change.at.toISOString())
    const written = yield* steps.write(change, locked, { ...after.design, ...after.times })
    change.record(toChangeRecord(locked.state.subject, { move: "communicate" }))
    return shownBy(written)
  })

  /** The stages of the teasers of rooms (UUIDs) of a project (UUID), by room. */
  const stagesOfRooms = Effect.fn("Teasers.stagesOfRooms")(function* (
    teamId: string,
    projectUuid: string,
    roomUuids: ReadonlyArray<string>
  ) {
    const stored = yield* repo.findAll(teamId, [projectUuid, ...roomUuids])
    return new Map(roomUuids.map((uuid) => [uuid, stageOf(stored.get(uuid) ?? stored.get(projectUuid))]))
  })

  return { get, patch, move, review, published, preview, projectionOfProject, markCommunicated, stagesOfRooms }
})

/**
 * Reads and changes teasers. `get`, `patch` and `move` need the `broker` capability, and only the operator may call `review`;
 * `projectionOfProject`, `markCommunicated` and `stagesOfRooms` are for other modules, which have authorized their caller.
 */
export class Teasers extends Context.Service<Teasers, Effect.Success<typeof make>>()("deals/teasers/Teasers") {
  static readonly layer = Layer.effect(Teasers, make).pipe(
    Layer.provide([Members.layer, Projects.layer, Properties.layer, Teams.layer, TeasersRepo.layer])
  )
}
