/** The decisions on upserts (docs/behaviour/projects-and-prospects.md#upserting-prospects): what items name, and what they write. */
import * as Id from "../../core/Id.ts"
import { Effect, Result } from "effect"
import { type ExternalRef, refKey } from "../../core/externalRefs/ExternalRef.ts"
import { upsertedRefs } from "../../core/externalRefs/rules.ts"
import { fieldsOf } from "../../core/records/RecordKind.ts"
import type { Stored } from "../../core/records/Table.ts"
import type { QuotaExceeded } from "../../core/quotas/Quota.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { matches, type Tags } from "../../core/usecase/Precondition.ts"
import { ExternalReferenceTaken, InvalidRequest, NotFound, PreconditionFailed } from "../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { type AdditionContext, initialState, investorIdOf, investorOf, unknownInvestor } from "./adding.ts"
import { addedEntry } from "./entries.ts"
import { decode, ownerIdOf, resolve } from "./patchResolution.ts"
import { prospectEtag, toProspect } from "./projection.ts"
import { InvestorDeleted } from "./Prospect.ts"
import type { ProspectNames } from "./ProspectInput.ts"
import { blank, type ProspectRow, type ProspectState } from "./ProspectState.ts"
import { applyPatch, type Decision, restoreToList } from "./rules.ts"

/** An item: what it names, and the members to write, not yet validated. `uuid` is that of the prospect, if it is a new one. */
export interface UpsertItem {
  readonly uuid: string
  readonly names: Result.Result<ProspectNames, InvalidRequest>
  /** The ETags of which the prospect must have one. */
  readonly tags: Tags | undefined
  /** The well-formed references that it sends. */
  readonly refs: ReadonlyArray<ExternalRef>
  readonly members: UnvalidatedJson
}

/** Why an item is not written. */
export type UpsertRejection =
  | ExternalReferenceTaken
  | InvalidRequest
  | InvestorDeleted
  | NotFound
  | PreconditionFailed
  | QuotaExceeded

/** What items are decided on. The records are locked until the transaction ends. */
export interface UpsertContext extends Omit<AdditionContext, "existing"> {
  /** The living prospects of the project that items may name. */
  readonly locked: ReadonlyArray<Stored<ProspectRow>>
  readonly now: Date
  /** `YYYY-MM-DD` in UTC. */
  readonly today: string
  /** The users whom prospects name. */
  readonly names: ReadonlyMap<string, string>
  /** The users among the owners that items send who are active members of the team. */
  readonly activeMembers: ReadonlyMap<string, string>
  /** The ETag of a version. */
  readonly versionEtag: (version: number) => string
}

/** An item that was accepted. */
export interface Upserted extends Decision {
  readonly status: "created" | "updated" | "restored" | "unchanged"
  readonly uuid: string
}

/** A rejected item, with the id of its prospect as far as it is known. */
export interface Rejected {
  readonly id: string | null
  readonly problem: UpsertRejection
}

/** A prospect as the items so far left it; `stored` is undefined if one of them added it. */
interface Target {
  readonly uuid: string
  readonly stored: Stored<ProspectRow> | undefined
  readonly state: ProspectState
  readonly isWritten: boolean
}

const notFound = new NotFound({ detail: "There is no prospect with this id on the project." })

const ambiguous = InvalidRequest.of([
  bodyFault("/externalRefs", "ambiguous", "These references belong to different prospects.")
])

const investorDeleted = new InvestorDeleted({
  detail: "The contact or company of this prospect was deleted from the network, so the prospect cannot be restored."
})

/** The faults of an item that names another contact or company than its prospect has. */
const investorFaults = (names: ProspectNames, state: ProspectState) =>
  (["contactId", "companyId"] as const).flatMap((member) => {
    const sent = names[member] ?? undefined
    return sent === undefined || sent === state[member]
      ? []
      : [bodyFault(`/${member}`, "read_only", "The prospect that the item names has another contact or company.")]
  })

/**
 * Decides items one after the other, each on what the ones before it left; a rejected item does not affect the others. An item
 * names a prospect by its id, or else by its references, or else by its contact or company.
 */
export const planUpserts = Effect.fnUntraced(function* (items: ReadonlyArray<UpsertItem>, context: UpsertContext) {
  const { attribution, today, versionEtag } = context
  const investors = new Map(context.investors.map((investor) => [investorIdOf(investor), investor]))
  const targets = new Map(
    context.locked.map((stored): [string, Target] => [
      stored.uuid,
      { uuid: stored.uuid, stored, state: fieldsOf(blank, stored.resource), isWritten: false }
    ])
  )
  const byInvestor = new Map(context.locked.map(({ resource, uuid }) => [investorIdOf(resource), uuid]))
  const holders = new Map(context.refHolders.map((ref) => [refKey(ref), ref.holder]))

  const findTarget = (
    names: ProspectNames,
    refs: ReadonlyArray<ExternalRef>
  ): Result.Result<Target | undefined, UpsertRejection> => {
    if (names.id !== undefined) {
      const target = targets.get(Id.toUuid("prospect", names.id) ?? "")
      return target === undefined ? Result.fail(notFound) : Result.succeed(target)
    }
    const [held, another] = [
      ...new Map(
        refs.flatMap((ref) => {
          const holder = holders.get(refKey(ref))
          return holder === undefined ? [] : [[holder, ref] as const]
        })
      )
    ]
    if (another !== undefined) return Result.fail(ambiguous)
    if (held !== undefined) {
      const [holder, ref] = held
      const target = targets.get(holder)
      return target === undefined
        ? Result.fail(ExternalReferenceTaken.of("prospect", ref, Id.fromUuid("prospect", holder)))
        : Result.succeed(target)
    }
    if ((names.contactId ?? names.companyId ?? undefined) === undefined) return Result.succeed(undefined)
    return Result.map(investorOf(names), (named) => targets.get(byInvestor.get(named.id) ?? ""))
  }

  const etagOf = ({ isWritten, stored }: Target) =>
    stored === undefined
      ? versionEtag(1)
      : isWritten
        ? versionEtag(stored.version + 1)
        : prospectEtag(stored.resource, today)

  /** The answer for a prospect so far, with which read-only members are compared. */
  const answerOf = ({ state, stored }: Target) =>
    stored === undefined ? {} : toProspect({ ...stored.resource, ...state }, context.names, today)

  const rejectTaken = (refs: ReadonlyArray<ExternalRef>, uuid: string) => {
    const taken = refs.find((ref) => (holders.get(refKey(ref)) ?? uuid) !== uuid)
    return taken === undefined
      ? Effect.void
      : Effect.fail(
          ExternalReferenceTaken.of("prospect", taken, Id.fromUuid("prospect", holders.get(refKey(taken)) ?? ""))
        )
  }

  /** Resolves the members of an item for a prospect in a state. */
  const resolveMembers = Effect.fnUntraced(function* (
    members: UnvalidatedJson,
    current: object,
    state: ProspectState,
    uuid: string
  ) {
    const input = yield* decode(members, current)
    const { faults, patch } = resolve(input, state, {
      now: context.now,
      ownerId: ownerIdOf(input, attribution.userId),
      isMember: (id) => context.activeMembers.has(id)
    })
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    if (patch.externalRefs === undefined) return patch
    const externalRefs = yield* Effect.fromResult(upsertedRefs(state.externalRefs, patch.externalRefs, "prospect"))
    yield* rejectTaken(externalRefs, uuid)
    return { ...patch, externalRefs }
  })

  const update = Effect.fnUntraced(function* (
    target: Target,
    names: ProspectNames,
    { members, tags }: UpsertItem
  ): Effect.fn.Return<Upserted, UpsertRejection> {
    const etag = etagOf(target)
    if (tags !== undefined && !matches(etag, tags)) return yield* PreconditionFailed.ofItem("prospect", etag)
    const faults = investorFaults(names, target.state)
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    if (target.state.removedUtc !== null && !investors.has(investorIdOf(target.state))) return yield* investorDeleted
    const restored = restoreToList(target.state)
    const patch = yield* resolveMembers(members, answerOf(target), restored.state, target.uuid)
    const { emitted, state } = applyPatch(restored.state, patch, attribution)
    return {
      uuid: target.uuid,
      state,
      emitted: [...restored.emitted, ...emitted],
      status: restored.emitted.length > 0 ? "restored" : emitted.length > 0 ? "updated" : "unchanged"
    }
  })

  const add = Effect.fnUntraced(function* (
    names: ProspectNames,
    { members, tags, uuid }: UpsertItem
  ): Effect.fn.Return<Upserted, UpsertRejection> {
    if (tags !== undefined) return yield* PreconditionFailed.ofGoneItem("prospect")
    const named = yield* Effect.fromResult(investorOf(names))
    const investor = named.uuid === undefined ? undefined : investors.get(named.id)
    if (investor === undefined) return yield* unknownInvestor(named)
    const empty = initialState({}, investor, context.project)
    const { classification, externalRefs, interest, projectTags, ...others } = yield* resolveMembers(
      members,
      {},
      empty,
      uuid
    )
    const added = initialState(
      {
        ...(classification === undefined ? {} : { classification }),
        ...(externalRefs === undefined ? {} : { externalRefs }),
        ...(projectTags === undefined ? {} : { projectTags })
      },
      investor,
      context.project
    )
    const refusal = context.allowance.take()
    if (refusal !== undefined) return yield* refusal
    const { emitted, state } = applyPatch(interest === undefined ? added : { ...added, interest }, others, attribution)
    return { uuid, state, emitted: [addedEntry, ...emitted], status: "created" }
  })

  const outcomes: Array<Result.Result<Upserted, Rejected>> = []
  for (const item of items) {
    const { names, refs } = item
    const found = Result.flatMap(names, (valid) => findTarget(valid, refs))
    if (Result.isFailure(names) || Result.isFailure(found)) {
      const problem = Result.isFailure(names) ? names.failure : Result.isFailure(found) ? found.failure : notFound
      outcomes.push(Result.fail({ id: null, problem }))
      continue
    }
    const target = found.success
    const decided = yield* Effect.result(
      target === undefined ? add(names.success, item) : update(target, names.success, item)
    )
    if (Result.isSuccess(decided)) {
      const { state, status, uuid: written } = decided.success
      for (const ref of target?.state.externalRefs ?? []) holders.delete(refKey(ref))
      for (const ref of state.externalRefs) holders.set(refKey(ref), written)
      byInvestor.set(investorIdOf(state), written)
      const isWritten = status !== "unchanged" || target?.isWritten === true
      targets.set(written, { uuid: written, stored: target?.stored, state, isWritten })
    }
    const id = target === undefined ? null : Id.fromUuid("prospect", target.uuid)
    outcomes.push(Result.mapError(decided, (problem) => ({ id, problem })))
  }
  return { outcomes, written: [...targets.values()].filter(({ isWritten }) => isWritten) }
})
