/** Adds follow-up tasks to prospects (docs/behaviour/projects-and-prospects.md#tasks). */
import * as Mutation from "../../../core/mutation/Mutation.ts"
import * as Id from "../../../core/Id.ts"
import * as UnvalidatedJson from "../../../core/usecase/UnvalidatedJson.ts"
import * as TaskSteps from "./TaskSteps.ts"
import { Effect } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { Quotas } from "../../../core/quotas/Quotas.ts"
import { all, type Json } from "../../../core/usecase/Input.ts"
import { type Fault, InvalidRequest } from "../../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../../core/usecase/UseCaseRequest.ts"
import { dayOf } from "../dates.ts"
import type { ProspectRef } from "../ProspectState.ts"
import { Prospects } from "../Prospects.ts"
import { ProspectWrites } from "../ProspectWrites.ts"
import { dueDayOf } from "./rules.ts"
import { TaskCreate } from "./Task.ts"
import { TasksRepo } from "./TasksRepo.ts"

const decodeCreate = UnvalidatedJson.decoder(TaskCreate)

/** The `assignee` of an unvalidated body, if it has one that is text. */
const assigneeOf = (value: Json): string | undefined =>
  typeof value === "object" && value !== null && "assignee" in value && typeof value.assignee === "string"
    ? value.assignee
    : undefined

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.gen(function* () {
  const repo = yield* TasksRepo
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make
  const { resolveAssignee, withTaskSummary } = yield* TaskSteps.make

  /** Inserts a task and brings its prospect up to date, inside the transaction of `change`. */
  const insert = Effect.fnUntraced(function* (
    change: Change,
    prospect: ProspectRef,
    { assignee, input }: { readonly assignee: string | Fault; readonly input: TaskCreate }
  ) {
    // Checked here, so that a repeated request gets its first answer even if the assignee has left the team since.
    if (typeof assignee !== "string") return yield* InvalidRequest.of([assignee])
    const day = dayOf(change.at)
    const due = dueDayOf(input.dueDate, day)
    if (due === undefined) return yield* Effect.die(new Error("TaskCreate accepted an invalid dueDate"))
    const [uuid, actionUuid] = [yield* change.newId, yield* change.newId]
    const newTask = {
      uuid,
      prospect,
      type: input.type,
      due,
      assigneeUuid: assignee,
      note: input.note ?? null,
      actionUuid
    }
    return yield* writes.updateOnList(change, prospect, (state) =>
      Effect.gen(function* () {
        const { teamId } = change.actor
        yield* quotas.requireOfResource(teamId, "tasks_of_prospect", (atMost) =>
          repo.countOf(teamId, prospect.uuid, atMost)
        )
        yield* quotas.require(teamId, "tasks")
        const stored = yield* repo.insert(change, newTask)
        change.record({ change: "created", resource: { type: "task", id: uuid }, subjects: [] })
        const details = {
          taskId: Id.fromUuid("task", uuid),
          ...(stored.note === null ? {} : { message: stored.note })
        }
        return {
          state: yield* withTaskSummary(change, prospect, state),
          emitted: [{ change: "updated", event: "prospect.task_added", details, partition: "task", id: actionUuid }],
          value: TaskSteps.toTask(stored, day)
        }
      })
    )
  })

  /** Adds a task to a prospect. */
  return Effect.fn("Tasks.create")((projectId: string, prospectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => prospects.load(actor, projectId, prospectId),
      decide: ({ actor, body }) =>
        Effect.gen(function* () {
          const assignee = yield* resolveAssignee(actor, assigneeOf(body.value))
          const [, input, key] = yield* all(request.query, decodeCreate(body), request.idempotencyKey).pipe(
            Effect.mapError((invalid) => (typeof assignee === "string" ? invalid : invalid.and([assignee])))
          )
          return { assignee, input, key }
        }),
      commit: (creation) => mutation.once(creation, (change) => insert(change, creation.loaded, creation.decision))
    })
  )
})
