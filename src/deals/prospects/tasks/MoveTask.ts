/** Completes, cancels and reopens follow-up tasks (docs/behaviour/projects-and-prospects.md#task-states). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import * as TaskSteps from "./TaskSteps.ts"
import { Effect } from "effect"
import { today } from "../../../platform/Time.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { requireOnList } from "../Prospects.ts"
import { ProspectWrites, stateOf } from "../ProspectWrites.ts"
import { moveActionEvents, rejectionOf, transitions } from "./rules.ts"
import { type TaskMove, TaskMoveRefused, type TaskState } from "./Task.ts"
import { type StoredTask, TasksRepo } from "./TasksRepo.ts"

/** The state that a move leads to; null if the task is in that state already. */
const nextState = ({ state }: StoredTask, move: TaskMove): Effect.Effect<TaskState | null, TaskMoveRefused> => {
  const to = transitions[state][move]
  return to === "refused"
    ? Effect.fail(new TaskMoveRefused({ detail: rejectionOf(state, move), from: state, move }))
    : Effect.succeed(to === state ? null : to)
}

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const writes = yield* ProspectWrites
  const mutation = yield* Mutation.make
  const { loadWithProspect, lock, withTaskSummary } = yield* TaskSteps.make

  /** Completes, cancels or reopens a task; a move to the state that it is in leaves no trace. */
  return Effect.fn("Tasks.move")(
    (projectId: string, prospectId: string, taskId: string, move: TaskMove, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) => loadWithProspect(actor, { projectId, prospectId, taskId }),
        decide: ({ loaded: { prospect, task } }) =>
          Effect.gen(function* () {
            yield* request.query
            const to = yield* nextState(task, move)
            yield* requireOnList(prospect)
            return to
          }),
        lock: (change, locking) => lock(change, locking),
        commit: (change, { decision: to, loaded: { prospect, task } }) =>
          Effect.gen(function* () {
            const moved = yield* repo.move(change, task.uuid, to)
            change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
            yield* writes.writeLocked(change, prospect.projectUuid, prospect.stored, {
              state: yield* withTaskSummary(change, prospect, stateOf(prospect.stored)),
              emitted: [
                {
                  change: "updated",
                  event: moveActionEvents[to],
                  details: { taskId: Id.fromUuid("task", task.uuid) },
                  partition: "task"
                }
              ]
            })
            return moved
          }),
        answer: ({ committed, loaded }) => Effect.map(today, (day) => TaskSteps.toTask(committed ?? loaded.task, day))
      })
  )
})
