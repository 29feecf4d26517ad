/** Changes the members of open follow-up tasks (docs/behaviour/projects-and-prospects.md#tasks). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import * as MergePatch from "../../../core/usecase/MergePatch.ts"
import * as TaskSteps from "./TaskSteps.ts"
import { Effect } from "effect"
import { today } from "../../../platform/Time.ts"
import { assigneeOf, withoutSameAssignee } from "../../../identity/teams/rules.ts"
import { all } from "../../../core/usecase/Input.ts"
import { InvalidRequest } from "../../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { requireOnList } from "../Prospects.ts"
import { ProspectWrites, stateOf } from "../ProspectWrites.ts"
import { changedFieldsOf, dueDayOf, patchRejectionOf, type TaskContent } from "./rules.ts"
import { Task, TaskMoveRefused, TaskPatch } from "./Task.ts"
import { TasksRepo } from "./TasksRepo.ts"

const decodePatch = MergePatch.make(TaskPatch, Task.fields)

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const writes = yield* ProspectWrites
  const mutation = yield* Mutation.make
  const { loadWithProspect, lock, resolveAssignee, withTaskSummary } = yield* TaskSteps.make

  /** Validates a patch of a task as it is; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    { prospect, task }: TaskSteps.LoadedTask,
    body: UnvalidatedJson
  ) {
    const day = yield* today
    const document = withoutSameAssignee(body, TaskSteps.toTask(task, day))
    const sent = assigneeOf(document)
    const present = Id.toUuid("user", task.assignee.id) ?? ""
    const assignee =
      typeof sent === "string" && sent !== task.assignee.id ? yield* resolveAssignee(prospect.actor, sent) : present
    const [, input] = yield* all(request.query, decodePatch(document, TaskSteps.toTask(task, day))).pipe(
      Effect.mapError((invalid) => (typeof assignee === "string" ? invalid : invalid.and([assignee])))
    )
    if (typeof assignee !== "string") return yield* InvalidRequest.of([assignee])
    if (task.state !== "open") {
      return yield* new TaskMoveRefused({ detail: patchRejectionOf(task.state), from: task.state, move: "update" })
    }
    yield* requireOnList(prospect)
    const { due, note, type } = task
    const after: TaskContent = {
      type: input.type ?? type,
      due: input.dueDate === undefined ? due : (dueDayOf(input.dueDate, day) ?? due),
      assigneeUuid: assignee,
      note: input.note === undefined ? note : input.note
    }
    const changedFields = changedFieldsOf({ type, due, assigneeUuid: present, note }, after)
    return changedFields.length === 0 ? null : { after, changedFields }
  })

  /** Changes members of an open task; a patch that changes nothing leaves no trace. */
  return Effect.fn("Tasks.patch")((projectId: string, prospectId: string, taskId: string, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => loadWithProspect(actor, { projectId, prospectId, taskId }),
      body: request.body,
      etagOf: ({ etag }) => etag,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock: (change, locking) => lock(change, locking),
      commit: (change, { decision: { after, changedFields }, loaded: { prospect, task } }) =>
        Effect.gen(function* () {
          const written = yield* repo.update(change, task.uuid, after)
          change.record({ change: "updated", resource: { type: "task", id: task.uuid }, subjects: [] })
          const message = changedFields.includes("note") && after.note !== null ? { message: after.note } : {}
          yield* writes.writeLocked(change, prospect.projectUuid, prospect.stored, {
            state: yield* withTaskSummary(change, prospect, stateOf(prospect.stored)),
            emitted: [
              {
                change: "updated",
                event: "prospect.task_updated",
                details: { taskId: Id.fromUuid("task", task.uuid), changedFields, ...message },
                partition: "task"
              }
            ]
          })
          return written
        }),
      answer: ({ committed, loaded }) => Effect.map(today, (day) => TaskSteps.toTask(committed ?? loaded.task, day))
    })
  )
})
