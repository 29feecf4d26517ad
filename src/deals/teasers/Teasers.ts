/** The use-cases of teasers that the API has, and what offers need of them: docs/behaviour/teasers.md. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import { type LoadedTeaser, makeTeaserSteps, type SubjectIds } from "./TeaserSteps.ts"
import { Context, Effect, Layer } from "effect"
import { authorize, systemOf } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { ProjectClosed } from "../projects/Project.ts"
import { all } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Projection } from "./projection/Projection.ts"
import { faultsOf, moved, patched, stageOf, type TeaserState, toChangeRecord, unreached } from "./rules.ts"
import { type Stage, TeaserPatch } from "./Teaser.ts"
import { TeasersRepo } from "./TeasersRepo.ts"

const decodePatch = MergePatch.make(TeaserPatch)

/** The teaser of a project: its stage, and what investors see. */
export interface ProjectTeaser {
  readonly stage: Stage
  readonly projection: Projection
}

const make = Effect.gen(function* () {
  const repo = yield* TeasersRepo
  const steps = yield* makeTeaserSteps
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

  return { get, patch, projectionOfProject, markCommunicated, stagesOfRooms }
})

const timesOf = (own: TeaserState["own"]) => {
  const { communicatedUtc, publishedUtc, verifiedUtc } = own ?? unreached
  return { communicatedUtc, publishedUtc, verifiedUtc }
}

const shownBy = ({ answer: { projection }, state: { own } }: LoadedTeaser): ProjectTeaser => ({
  stage: stageOf(own),
  projection
})

/**
 * Reads and changes teasers. The use-cases need the `broker` capability; `projectionOfProject`, `markCommunicated` and
 * `stagesOfRooms` are for other modules, which have authorized their caller.
 */
export class Teasers extends Context.Service<Teasers, Effect.Success<typeof make>>()("deals/teasers/Teasers") {
  static readonly layer = Layer.effect(Teasers, make)
}
