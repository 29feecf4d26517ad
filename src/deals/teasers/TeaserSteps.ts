/** How the use-cases of teasers load one with all that decides what it shows, lock it, and write it. */
import type * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import { Effect } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { Members, Teams } from "../../identity/teams/Teams.ts"
import { Projects } from "../projects/Projects.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { byId } from "../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { Design } from "./projection/project.ts"
import { answerOf, type Subject, type TeaserState, type Times } from "./rules.ts"
import type { Teaser } from "./Teaser.ts"
import { TeasersRepo } from "./TeasersRepo.ts"

/** The ids of a subject in a request. */
export type SubjectIds =
  | { readonly type: "project" | "property"; readonly id: string }
  | { readonly type: "room"; readonly projectId: string; readonly roomId: string }

/** A teaser that is loaded, and the answer for it. */
export interface LoadedTeaser {
  readonly state: TeaserState
  readonly answer: Teaser
}

// As many as a project can have.
const maxProperties = 1_000

const toLoaded = (state: TeaserState): LoadedTeaser => ({ state, answer: answerOf(state) })

/** The steps. Their callers are authorized. */
export const makeTeaserSteps = Effect.gen(function* () {
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
