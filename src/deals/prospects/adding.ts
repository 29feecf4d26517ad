/** The pure decisions on additions (docs/behaviour/projects-and-prospects.md#adding-prospects). */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import { type ExternalRef, refKey } from "../../core/externalRefs/ExternalRef.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import type { Allowance, QuotaExceeded } from "../../core/quotas/Quota.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { ExternalReferenceTaken, InvalidRequest } from "../../core/usecase/Problem.ts"
import { addedEntry, type AuditEntry } from "./entries.ts"
import { firstClassification, ProspectExists } from "./Prospect.ts"
import type { ProspectAdd } from "./ProspectInput.ts"
import { blank, type Investor, type ProspectState } from "./ProspectState.ts"
import { applyPatch, type Attribution, type Decision, restoreToList } from "./rules.ts"

/** The contact or company that an item names; `uuid` is undefined if the id is of another type. */
export interface InvestorRef {
  readonly type: "contact" | "company"
  readonly id: string
  readonly uuid: string | undefined
}

/** The one investor that an item names. */
export const investorOf = ({
  companyId,
  contactId
}: Pick<ProspectAdd, "companyId" | "contactId">): Result.Result<InvestorRef, InvalidRequest> => {
  const contact = contactId ?? undefined
  const company = companyId ?? undefined
  if ((contact === undefined) === (company === undefined)) {
    return Result.fail(
      InvalidRequest.of([
        contact === undefined
          ? bodyFault("", "required", "Send either contactId or companyId.")
          : bodyFault("/companyId", "not_allowed", "Send only one of contactId and companyId.")
      ])
    )
  }
  const type = contact === undefined ? "company" : "contact"
  const id = contact ?? company ?? ""
  return Result.succeed({ type, id, uuid: Id.toUuid(type, id) })
}

/** Rejects an investor that does not exist. */
export const unknownInvestor = ({ type }: InvestorRef): InvalidRequest =>
  InvalidRequest.of([bodyFault(`/${type}Id`, "invalid_reference", `There is no ${type} with this id.`)])

/** The state of a new prospect. */
export const initialState = (
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

/** Restores a prospect that was removed, and applies the members that were sent; rejects one that is on the list. */
export const restoreExisting = (
  input: ProspectAdd,
  existing: { readonly id: string; readonly state: ProspectState },
  attribution: Attribution
): Result.Result<Decision, ProspectExists> => {
  if (existing.state.removedUtc === null) {
    return Result.fail(
      new ProspectExists({
        prospectId: existing.id,
        detail: `The investor is already on the list, as ${existing.id}. Update that prospect instead.`
      })
    )
  }
  const restored = restoreToList(existing.state)
  const { classification, externalRefs, projectTags } = input
  const patched = applyPatch(
    restored.state,
    {
      ...(classification === undefined ? {} : { classification }),
      ...(externalRefs === undefined ? {} : { externalRefs }),
      ...(projectTags === undefined ? {} : { projectTags })
    },
    attribution
  )
  return Result.succeed({ state: patched.state, emitted: [...restored.emitted, ...patched.emitted] })
}

/** Why an investor is not added. */
export type AdditionRejection = ExternalReferenceTaken | InvalidRequest | ProspectExists | QuotaExceeded

/** An item of a batch: `uuid` is that of the prospect, if it is a new one. */
export interface AdditionItem {
  readonly uuid: string
  readonly input: Result.Result<ProspectAdd, InvalidRequest>
}

/** The records that items are decided on. All of them are locked until the transaction ends. */
export interface AdditionContext {
  readonly project: { readonly id: string; readonly createdUtc: string }
  /** The contacts and companies that exist. */
  readonly investors: ReadonlyArray<Investor>
  /** The prospects of these investors on the project, by their UUIDs. */
  readonly existing: ReadonlyMap<string, ProspectState>
  /** The references that items send and prospects hold, with the UUIDs of the holders. */
  readonly refHolders: ReadonlyArray<ExternalRef & { readonly holder: string }>
  readonly attribution: Attribution
  /** How many more prospects the team may have. */
  readonly allowance: Allowance
}

/** An accepted item. */
export interface Addition extends Decision {
  readonly status: "created" | "restored"
  readonly uuid: string
}

/** The id of the contact or company of a prospect. */
export const investorIdOf = ({ companyId, contactId }: Pick<Investor, "companyId" | "contactId">) =>
  contactId ?? companyId

/** Decides items one after the other, each on what the ones before it left; a rejected item does not affect the others. */
export const planAdditions = (
  items: ReadonlyArray<AdditionItem>,
  context: AdditionContext
): ReadonlyArray<Result.Result<Addition, AdditionRejection>> => {
  const investors = new Map(context.investors.map((investor) => [investorIdOf(investor), investor]))
  const prospects = new Map([...context.existing].map(([uuid, state]) => [investorIdOf(state), { uuid, state }]))
  const holders = new Map(context.refHolders.map((ref) => [refKey(ref), ref.holder]))

  const decide = (input: ProspectAdd, newUuid: string): Result.Result<Addition, AdditionRejection> => {
    const named = investorOf(input)
    if (Result.isFailure(named)) return Result.fail(named.failure)
    const investor = named.success.uuid === undefined ? undefined : investors.get(named.success.id)
    if (investor === undefined) return Result.fail(unknownInvestor(named.success))
    const existing = prospects.get(named.success.id)
    const uuid = existing?.uuid ?? newUuid
    const restored =
      existing === undefined
        ? undefined
        : restoreExisting(
            input,
            { id: Id.fromUuid("prospect", existing.uuid), state: existing.state },
            context.attribution
          )
    if (restored !== undefined && Result.isFailure(restored)) return Result.fail(restored.failure)
    for (const ref of input.externalRefs ?? []) {
      const holder = holders.get(refKey(ref))
      if (holder !== undefined && holder !== uuid) {
        return Result.fail(ExternalReferenceTaken.of("prospect", ref, Id.fromUuid("prospect", holder)))
      }
    }
    const refusal = existing === undefined ? context.allowance.take() : undefined
    if (refusal !== undefined) return Result.fail(refusal)
    const emitted: ReadonlyArray<AuditEntry> = restored === undefined ? [addedEntry] : restored.success.emitted
    const state = restored === undefined ? initialState(input, investor, context.project) : restored.success.state
    for (const ref of existing?.state.externalRefs ?? []) holders.delete(refKey(ref))
    for (const ref of state.externalRefs) holders.set(refKey(ref), uuid)
    prospects.set(named.success.id, { uuid, state })
    return Result.succeed({ status: restored === undefined ? "created" : "restored", uuid, state, emitted })
  }

  return items.map(({ input, uuid }) => Result.flatMap(input, (valid) => decide(valid, uuid)))
}
