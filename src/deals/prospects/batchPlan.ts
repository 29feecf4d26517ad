/**
 * The decisions on batches of prospects, item by item: additions (docs/behaviour/projects-and-prospects.md#adding-prospects), and upserts,
 * whose items may name prospects that exist (docs/behaviour/projects-and-prospects.md#upserting-prospects).
 */
import * as Id from "../../core/Id.ts"
import { Effect, Result } from "effect"
import { type ExternalRef, refKey } from "../../core/externalRefs/ExternalRef.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import type { Allowance, QuotaExceeded } from "../../core/quotas/Quota.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import {
  ExternalReferenceTaken,
  InvalidRequest,
  InvestorDeleted,
  NotFound,
  PreconditionFailed,
  ProspectErased
} from "../../core/usecase/Problem.ts"
import {
  addedEntry,
  applyPatch,
  type Attribution,
  type AuditEntry,
  type Decision,
  decodePatch,
  ownerIdOf,
  resolvePatch,
  restoreToList
} from "./rules.ts"
import {
  blank,
  firstClassification,
  type Investor,
  type ProspectAdd,
  ProspectExists,
  type ProspectNames,
  type ProspectRow,
  type ProspectState
} from "./Prospect.ts"
import { upsertedRefs } from "../../core/externalRefs/rules.ts"
import { fieldsOf } from "../../core/records/RecordKind.ts"
import type { Stored } from "../../core/records/Table.ts"
import { matches, type Tags } from "../../core/usecase/UseCaseRequest.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { prospectEtag, toProspect } from "./projection.ts"

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
const unknownInvestor = ({ type }: InvestorRef): InvalidRequest =>
  InvalidRequest.of([bodyFault(`/${type}Id`, "invalid_reference", `There is no ${type} with this id.`)])

/** The state of a new prospect. */
const initialState = (
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
interface AdditionContext {
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
const investorIdOf = ({ companyId, contactId }: Pick<Investor, "companyId" | "contactId">) => contactId ?? companyId

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

// Upserts: what items name, and what they write.

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
  | ProspectErased
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
    const input = yield* decodePatch(members, current)
    const { faults, patch } = resolvePatch(input, state, {
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
    if (target.state.erasedUtc !== null) return yield* ProspectErased.rejection()
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
