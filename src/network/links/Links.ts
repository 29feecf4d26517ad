/** The use-cases of links. */
import * as Id from "../../core/Id.ts"
import * as Records from "../../core/records/Records.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import { type Change, following, restoreOf } from "../../core/mutation/Changes.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import {
  type Deleted,
  type EditableKind,
  type ReadableKind,
  type RestorableKind,
  type Return,
  type Returned,
  StepSize
} from "../../core/records/RecordKind.ts"
import { leftOut } from "../../core/records/Restored.ts"
import { nothingFollows } from "../../core/records/RestoreRecords.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import type { Duplicate, InvestorDeleted } from "../../core/usecase/Problem.ts"
import { Link, LinkCreate, type LinkListQuery, LinkPatch } from "./Link.ts"
import { type LinkedTo, LinksRepo } from "./LinksRepo.ts"
import {
  blank,
  identity,
  type LinkFields,
  overfull,
  planMerge,
  type Reassignment,
  returnOf,
  toChangeRecord,
  uuidsOf,
  withQuota
} from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* LinksRepo
  const deletedRecords = yield* DeletedRecords
  const quotas = yield* Quotas

  /** Checks links as their repository does, and that no contact or company has too many. */
  const context = Effect.fnUntraced(function* (change: Change, wanted: ReadonlyArray<LinkFields>) {
    const { teamId } = change.actor
    const loaded = yield* repo.context(change, wanted)
    const figures = yield* quotas.figures(teamId, "links", "links_of_record")
    const { quota } = figures("links_of_record")
    // Most teams have fewer links in all than one record may have.
    if (figures("links").used < quota) return loaded
    return withQuota(loaded, { quota, counts: yield* repo.countOf(teamId, wanted, quota) })
  })

  /** Follows the ends of deleted links to what they were merged into, and refuses links whose end is deleted. */
  const returning = Effect.fnUntraced(function* (change: Change, deleted: ReadonlyArray<Deleted<LinkFields>>) {
    const { teamId } = change.actor
    const [contacts, companies] = [
      yield* deletedRecords.lockSurvivors(teamId, "contact", uuidsOf(deleted, "contact")),
      yield* deletedRecords.lockSurvivors(teamId, "company", uuidsOf(deleted, "company"))
    ]
    const plan: Return<LinkFields, InvestorDeleted> = {
      of: ({ fields }) => returnOf(fields, { contacts, companies }),
      finish: () => Effect.succeed(nothingFollows)
    }
    return plan
  })

  const kind: EditableKind<LinkFields, Link, Duplicate> &
    ReadableKind<Link, LinkListQuery> &
    RestorableKind<LinkFields, InvestorDeleted> = {
    type: "link",
    needs: "broker",
    plural: "Links",
    quota: "links",
    blank,
    repo,
    context,
    identity,
    decodeCreate: UnvalidatedJson.decoder(LinkCreate, Link.fields),
    decodePatch: makeMergePatch(LinkPatch),
    toChangeRecord,
    returning
  }
  const records = yield* Records.make(kind)

  /**
   * Locks the links that a step of a merge takes. Call it before contacts and companies are locked, as all writers do.
   */
  const lockMerging = Effect.fn("Links.lockMerging")(function* (change: Change, reassignment: Reassignment) {
    yield* repo.lockMerging(change.actor.teamId, reassignment, yield* StepSize)
  })

  /** Deletes the links of deleted contacts or companies, as many as a step takes. */
  const deleteOf = Effect.fn("Links.deleteOf")(function* (change: Change, of: LinkedTo) {
    const { left, taken } = yield* repo.lockOf(change.actor.teamId, of, yield* StepSize)
    yield* records.deleteLocked(change, taken, ({ resource: { companyId, contactId } }) =>
      "contacts" in of ? (Id.toUuid("contact", contactId) ?? null) : (Id.toUuid("company", companyId) ?? null)
    )
    return left
  })

  /**
   * Brings back links that went with these contacts or companies (UUIDs), which live again, as many as a step takes. A link whose other end
   * is deleted comes back with that.
   */
  const restoreWith = Effect.fn("Links.restoreWith")(function* (
    change: Change,
    type: "company" | "contact",
    causes: ReadonlyArray<string>
  ) {
    const { left, taken } = yield* deletedRecords.findTaken(change.actor.teamId, "link", causes, yield* StepSize)
    const causeOf = new Map<string, string>(taken.map(({ cause, uuid }) => [uuid, cause ?? ""]))
    const caused = following(change, ({ resource }) => restoreOf(type, causeOf.get(resource.id) ?? ""))
    const outcomes = yield* Effect.orDie(records.restoreLocked(caused, taken, { force: false }))
    const failed = taken.flatMap((one) => {
      const outcome = outcomes.get(one.uuid)
      if (outcome === undefined || Result.isSuccess(outcome)) return []
      const { contactId, companyId } = one.fields as LinkFields
      // The end that lives again is not the one that is missing.
      const other = type === "contact" ? Id.toUuid("company", companyId) : Id.toUuid("contact", contactId)
      const { code } = outcome.failure
      return [{ uuid: one.uuid, cause: code === "investor_deleted" ? (other ?? null) : null, code }]
    })
    yield* deletedRecords.reassign(
      change,
      "link",
      failed.map(({ cause, uuid }) => ({ uuid, cause }))
    )
    const returned: Returned = {
      left,
      notRestored: [
        ...[...outcomes].flatMap(([uuid, outcome]) =>
          Result.isSuccess(outcome)
            ? outcome.success.notRestored.map((one) => [causeOf.get(uuid) ?? "", one] as const)
            : []
        ),
        ...failed.map(
          ({ code, uuid }) => [causeOf.get(uuid) ?? "", leftOut("link", Id.fromUuid("link", uuid), code)] as const
        )
      ]
    }
    return returned
  })

  /** Refuses a merge after which a link would have too many references, of those that later steps move. */
  const requireRoomForRefs = Effect.fn("Links.requireRoomForRefs")(function* (
    change: Change,
    reassignment: Reassignment
  ) {
    const joined = yield* repo.findOverfull(change.actor.teamId, reassignment)
    if (joined === undefined) return
    return yield* overfull(Id.fromUuid(reassignment.type === "contact" ? "company" : "contact", joined))
  })

  /**
   * Gives links of merged contacts or companies to the one that they are merged into, as many as a step takes. Of links that then join
   * the same pair, one survives (see {@link planMerge}), and the others are deleted.
   */
  const reassign = Effect.fn("Links.reassign")(function* (
    change: Change,
    reassignment: Reassignment,
    { isFirstStep }: { readonly isFirstStep: boolean }
  ) {
    const { from, to } = reassignment
    const { left, taken } = yield* repo.lockMerging(change.actor.teamId, reassignment, yield* StepSize)
    if (isFirstStep && left === "more") yield* requireRoomForRefs(change, reassignment)
    const { absorbed, survivors } = yield* Effect.fromResult(planMerge(taken, reassignment, !isFirstStep))
    // The timeline rows of absorbed links go to the contact or company that the others are merged into (`to`): nobody reads
    // the timeline of a merged one.
    const recordingOnTarget: Change = {
      ...change,
      record: (record) =>
        change.record({
          ...record,
          subjects: record.subjects.map((subject) => (from.includes(subject.id) ? { ...subject, id: to } : subject))
        })
    }
    yield* records.absorbLocked(recordingOnTarget, absorbed)
    const inputs = new Map(survivors.map(({ input, stored }) => [stored.uuid, input]))
    yield* records.patchLocked(
      change,
      survivors.map(({ stored }) => stored),
      ({ uuid }) => inputs.get(uuid) ?? {}
    )
    return left
  })

  return { ...records, lockMerging, deleteOf, restoreWith, reassign }
})

/**
 * The use-cases of links. They need the `broker` capability; `lockMerging`, `deleteOf`, `restoreWith` and `reassign` run inside
 * the transaction of `change` for modules that have authorized their caller.
 */
export class Links extends Context.Service<Links, Effect.Success<typeof make>>()("network/links/Links") {
  static readonly layer = Layer.effect(Links, make).pipe(Layer.provide(LinksRepo.layer))
}
