/** How the use-cases of teasers load one with all that decides what it shows, lock it, and write it. */
import { Effect } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import type { Change } from "../changes/Changes.ts"
import type * as Mutation from "../changes/Mutation.ts"
import * as Id from "../Id.ts"
import { Members } from "../identity/teams/Members.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Projects } from "../projects/Projects.ts"
import { Properties } from "../properties/Properties.ts"
import type { Property } from "../properties/Property.ts"
import { byId } from "../usecase/Lookup.ts"
import { ConcurrencyConflict } from "../usecase/Problem.ts"
import type { Design } from "./projection/project.ts"
import { answerOf, type Subject, type TeaserState, type Times } from "./rules.ts"
import type { Teaser } from "./Teaser.ts"
import { TeasersRepo } from "./TeasersRepo.ts"

/** The ids of a subject in a request. */
export type SubjectIds =
  | { readonly type: "project"; readonly id: string }
  | { readonly type: "property"; readonly id: string }

/** A teaser that is loaded, and the answer for it. */
export interface LoadedTeaser {
  readonly state: TeaserState
  readonly answer: Teaser
}

/** A subject, and the properties that its teaser is about. */
interface Described {
  readonly subject: Subject
  readonly properties: ReadonlyArray<Property>
}

// As many as a project can have.
const maxProperties = 1_000

const toLoaded = (state: TeaserState): LoadedTeaser => ({ state, answer: answerOf(state) })

/** The steps. Their callers are authorized. */
export const make = Effect.gen(function* () {
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

  const describe = Effect.fnUntraced(function* (actor: Actor, ids: SubjectIds) {
    if (ids.type === "project") {
      const { resource, uuid } = yield* projects.load(actor, ids.id)
      const described: Described = {
        subject: { type: "project", uuid },
        properties: yield* propertiesOf(actor.teamId, resource.propertyIds)
      }
      return described
    }
    const property = yield* byId("property", ids.id, (uuid) =>
      Effect.map(listed.listOf(actor.teamId, [uuid], undefined, 1), ([stored]) => stored)
    )
    const described: Described = {
      subject: { type: "property", uuid: property.uuid },
      properties: [property.resource]
    }
    return described
  })

  /** Loads the teaser of a living subject; `language` is that of titles that are composed. */
  const loadIn = Effect.fnUntraced(function* (actor: Actor, ids: SubjectIds, language: string) {
    const { properties, subject } = yield* describe(actor, ids)
    return toLoaded({
      subject,
      properties,
      own: yield* repo.find(actor.teamId, subject),
      ofProject: undefined,
      plan: yield* teams.planOf(actor.teamId),
      language
    })
  })

  /** Loads the teaser of a living subject, in the language of the caller. */
  const load = (actor: Actor, ids: SubjectIds) =>
    Effect.flatMap(members.languageOf(actor.userId), (language) => loadIn(actor, ids, language))

  /** Locks a living subject, before its teaser. */
  const lockSubject = Effect.fnUntraced(function* (change: Change, { type, uuid }: Subject) {
    if (type === "property") return yield* listed.lock(change, [uuid])
    return yield* projects.lock(change, uuid)
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
    yield* repo.lock(change, state.subject)
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
