/** The pure decisions on adding investors to a project (decisions §6). */
import { Result } from "effect"
import { distinctTags } from "../fields/Tags.ts"
import { bodyFault } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { firstClassification, ProspectExists } from "./Prospect.ts"
import type { ProspectAdd } from "./ProspectInput.ts"
import { blank, type Investor, type ProspectState } from "./ProspectState.ts"
import { type By, type Decision, patched, restored } from "./rules.ts"

/** Whom an item names: by a UUID, which an id of another type has not. */
export interface Named {
  readonly type: "contact" | "company"
  readonly id: string
  readonly uuid: string | undefined
}

/** The one investor that an item names. */
export const namedBy = ({ companyId, contactId }: ProspectAdd): Result.Result<Named, InvalidRequest> => {
  const contact = contactId ?? undefined
  const company = companyId ?? undefined
  if ((contact === undefined) === (company === undefined)) {
    return Result.fail(
      InvalidRequest.of([
        contact === undefined
          ? bodyFault("", "required", "One of contactId and companyId is needed.")
          : bodyFault("/companyId", "not_allowed", "Only one of contactId and companyId can be the investor.")
      ])
    )
  }
  const type = contact === undefined ? "company" : "contact"
  const id = contact ?? company ?? ""
  return Result.succeed({ type, id, uuid: Id.toUuid(type, id) })
}

/** That there is no such investor. */
export const unknownInvestor = ({ type }: Named): InvalidRequest =>
  InvalidRequest.of([bodyFault(`/${type}Id`, "invalid_reference", `There is no ${type} with this id.`)])

/** The state of a new prospect. */
export const stateOfNew = (
  input: ProspectAdd,
  investor: Investor,
  project: { readonly id: string; readonly createdUtc: string }
): ProspectState => ({
  ...blank,
  ...investor,
  projectId: project.id,
  projectCreatedUtc: project.createdUtc,
  classification: input.classification ?? firstClassification,
  interest: input.classification === "bidder" ? "interested" : null,
  projectTags: distinctTags(input.projectTags ?? []),
  externalRefs: input.externalRefs ?? []
})

/** A prospect that is there already: one that was removed comes back as it was, but for what is sent anew. */
export const broughtBack = (
  input: ProspectAdd,
  prospect: { readonly id: string; readonly state: ProspectState },
  by: By
): Result.Result<Decision, ProspectExists> => {
  if (prospect.state.removedUtc === null) {
    return Result.fail(
      new ProspectExists({
        prospectId: prospect.id,
        detail: `The investor is on the list already, as ${prospect.id}: update that one.`
      })
    )
  }
  const back = restored(prospect.state)
  const { classification, externalRefs, projectTags } = input
  const after = patched(
    back.state,
    {
      ...(classification === undefined ? {} : { classification }),
      ...(externalRefs === undefined ? {} : { externalRefs }),
      ...(projectTags === undefined ? {} : { projectTags })
    },
    by
  )
  return Result.succeed({ state: after.state, emitted: [...back.emitted, ...after.emitted] })
}
