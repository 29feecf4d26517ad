/** Sends the operations of the model to the service. */
import { Effect } from "effect"
import { reach } from "../../../support/milestones.ts"
import * as RecordsClient from "../../../support/RecordsClient.ts"
import type { Reply } from "../../../support/TestService.ts"
import type * as prospectsFixture from "../fixture.ts"
import { domainOf, emailOf, type Model, nameOf, prospectOf, refsOf } from "./Model.ts"
import {
  type Addition,
  type Change,
  kindOf,
  type Named,
  type Of,
  type Operation,
  type InvestorName
} from "./operations.ts"
import { dayOf, type Symbols } from "./symbols.ts"

export type Client = Effect.Success<ReturnType<typeof prospectsFixture.make>>

const withRefs = <A extends Pick<Change, "refs">>({ refs, ...rest }: A) => ({
  ...rest,
  ...(refs === undefined ? {} : { externalRefs: refsOf(refs) })
})

const investorPatch = ({ change, whom }: Of<"patchInvestor">) => {
  const { country, domain, email, name, other, tags } = change
  const isContact = kindOf(whom) === "contact"
  return {
    ...(name === undefined ? {} : { [isContact ? "firstName" : "name"]: nameOf(whom, name) }),
    ...(tags === undefined ? {} : { tags }),
    ...(other === undefined ? {} : { [isContact ? "phone" : "legalName"]: other }),
    ...(email === undefined ? {} : { email: emailOf(whom, email) }),
    ...(domain === undefined ? {} : { domain: domainOf(whom, domain) }),
    ...(country === undefined ? {} : { country })
  }
}

/** Sends operations as the model is before them. `etagOf` is the ETag of a prospect by its id. */
export const make = Effect.fnUntraced(function* (
  { ask, projectId, prospects }: Client,
  model: Model,
  { meaningOf, now }: Symbols,
  etagOf: (id: string) => string | undefined
) {
  const services = yield* Effect.context<Effect.Services<ReturnType<typeof reach>>>()
  const investorOf = (whom: InvestorName) => meaningOf(`@${kindOf(whom)}:${whom}`)
  const idOf = (whom: InvestorName) => meaningOf(`@prospect:${prospectOf(model, whom)?.number}`)
  const pathOf = (whom: InvestorName) =>
    `${RecordsClient.pathOf(kindOf(whom) === "contact" ? "contacts" : "companies")}/${investorOf(whom)}`
  const addition = ({ whom, ...rest }: Addition) => ({ [`${kindOf(whom)}Id`]: investorOf(whom), ...withRefs(rest) })

  const recorded = (id: string, { milestone }: Of<"milestone">): Effect.Effect<Reply> =>
    reach(projectId, id, milestone).pipe(
      Effect.provide(services),
      Effect.match({
        onSuccess: (body) => ({ status: 200, body: { ...body } }),
        onFailure: (problem) => ({ status: problem.status, body: { ...problem } })
      }),
      Effect.map((reply) => ({ ...reply, headers: new Headers(), text: "" }))
    )

  const sendToProspect = (operation: Named): Effect.Effect<Reply> => {
    const id = idOf(operation.whom)
    const path = `${prospects.path}/${id}`
    const known = prospectOf(model, operation.whom)
    switch (operation.do) {
      case "patch": {
        const etag = operation.match === "stale" ? '"v999"' : (etagOf(id) ?? "*")
        return ask("PATCH", path, withRefs(operation.change), operation.match === "none" ? {} : { "if-match": etag })
      }
      case "remove":
      case "restore":
        return ask("POST", `${path}/${operation.do}`)
      case "delete":
        return ask("DELETE", path)
      case "withdraw":
        return ask("DELETE", `${path}/stage-override`)
      case "milestone":
        return recorded(id, operation)
      case "note":
        return ask("POST", `${path}/notes`, { message: "Called" })
      case "revise": {
        const { action, note } = operation
        return prospects.revise(id, meaningOf(`@note:${known?.notes.at(-1 - note)?.number}`), {
          action,
          ...(action === "supersede" ? { supersede: { message: "Called twice" } } : {})
        })
      }
      case "task": {
        const { assignee, due, type } = operation
        const dueDate = due === 0 ? "today" : due > 0 ? `${due}d` : dayOf(due, now)
        return ask("POST", `${path}/tasks`, { type, dueDate, ...(assignee ? { assignee: "me" } : {}) })
      }
      case "move": {
        const task = meaningOf(`@${operation.by}:${known?.tasks.at(-1 - operation.task)?.number}`)
        return ask("POST", `${prospects.path}/${idOf(operation.at ?? operation.whom)}/tasks/${task}/${operation.move}`)
      }
    }
  }

  /** Sends an operation. */
  const send = (operation: Operation): Effect.Effect<Reply> => {
    switch (operation.do) {
      case "add":
        return ask("POST", prospects.path, addition(operation.item))
      case "batch":
        return ask("POST", `${prospects.path}/batch`, { items: operation.items.map(addition) })
      case "upsert":
        return ask("POST", `${prospects.path}/batch/upsert`, { items: operation.items.map(addition) })
      case "classify": {
        const { classification, note, whom } = operation
        return ask("POST", `${prospects.path}/classify`, {
          prospectIds: whom.map(idOf),
          classification,
          ...(note ? { note: "Called" } : {})
        })
      }
      case "project":
        return operation.move === "delete"
          ? ask("DELETE", `/api/v1/projects/${projectId}`)
          : ask("POST", `/api/v1/projects/${projectId}/${operation.move}`)
      case "deleteInvestor":
        return ask("DELETE", pathOf(operation.whom))
      case "merge":
        return ask("POST", `${pathOf(operation.whom)}/merge`, { from: operation.from.map(investorOf) })
      case "patchInvestor":
        return ask("PATCH", pathOf(operation.whom), investorPatch(operation))
      default:
        return sendToProspect(operation)
    }
  }

  return { send, pathOf }
})

/** The ids of the resources that an operation created, in the order of the model. */
export const createdIds = ({ do: name }: Operation, { body, headers }: Reply): ReadonlyArray<string> => {
  const {
    activityId,
    classified = [],
    id,
    results = []
  } = body as {
    readonly id: string
    readonly activityId: string
    readonly results?: ReadonlyArray<{ readonly id: string | null; readonly status: string }>
    readonly classified?: ReadonlyArray<{ readonly noteId: string | null }>
  }
  switch (name) {
    case "add":
    case "note":
      return [id]
    case "task":
      return [id, activityId]
    case "batch":
      return results.flatMap((one) => one.id ?? [])
    case "upsert":
      return results.flatMap(({ id, status }) => (status === "created" ? (id ?? []) : []))
    case "classify":
      return classified.flatMap(({ noteId }) => noteId ?? [])
    case "revise":
      return [headers.get("location")?.split("/").at(-1) ?? ""]
    default:
      return []
  }
}
