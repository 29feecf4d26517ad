/** The moves of teasers that the API does not have: docs/behaviour/teasers.md#stages. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import { makeTeaserSteps } from "./TeaserSteps.ts"
import { Context, Effect, Layer } from "effect"
import { actAs, type Actor, onlyOperator, operatorOf } from "../../core/auth/CurrentActor.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import { Projects } from "../projects/Projects.ts"
import { ConcurrencyConflict, NotFound } from "../../core/usecase/Problem.ts"
import { moved, type Moved, moveEvents, subjectOf, type TeaserState, toChangeRecord } from "./rules.ts"
import { TeasersRepo } from "./TeasersRepo.ts"

/** The moves of a person, and those of the operator. */
type PersonMove = "publish" | "unpublish"
type OperatorMove = "verify" | "unverify"

const notFound = new NotFound({ detail: "There is no project, property or data room with this id." })

const make = Effect.gen(function* () {
  const repo = yield* TeasersRepo
  const projects = yield* Projects
  const steps = yield* makeTeaserSteps
  const mutation = yield* Mutation.make

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

  const apply = (id: string, move: PersonMove | OperatorMove) =>
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
          yield* tellProject(change, loaded.state, move, after)
          return written.answer
        }),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.answer)
    })

  /** Publishes a teaser, or withdraws its publication. `id` is that of its project, property or room. */
  const move = Effect.fn("TeaserMoves.move")((id: string, to: PersonMove) => apply(id, to))

  /** Verifies a teaser of any team, or withdraws its verification. For the operator only. */
  const review = Effect.fn("TeaserMoves.review")(function* (id: string, to: OperatorMove) {
    yield* onlyOperator
    const subject = subjectOf(id)
    const teamId = subject === undefined ? undefined : yield* repo.teamOf(subject)
    if (teamId === undefined) return yield* notFound
    return yield* actAs(operatorOf(teamId))(apply(id, to))
  })

  return { move, review }
})

/** Moves teasers to other stages. `move` needs the `broker` capability; only the operator may call `review`. */
export class TeaserMoves extends Context.Service<TeaserMoves, Effect.Success<typeof make>>()(
  "deals/teasers/TeaserMoves"
) {
  static readonly layer = Layer.effect(TeaserMoves, make)
}
