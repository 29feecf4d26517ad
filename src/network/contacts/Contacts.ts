/** The use-cases of contacts. */
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Records from "../../core/records/Records.ts"
import * as Search from "../../core/records/Search.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import type { Cause } from "../../core/mutation/ChangeRecord.ts"
import { type Change, following, followingDeletions, restoreOf } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Duplicate } from "../../core/usecase/Problem.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import {
  type Deleted,
  type EditableKind,
  leftBy,
  type ReadableKind,
  type RestorableKind,
  type Return,
  type Returned,
  StepSize
} from "../../core/records/RecordKind.ts"
import { notRestoredOf, planReturn, returnedBy } from "../../core/records/RestoreRecords.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import { stepOf } from "../../core/records/SaveRecords.ts"
import { Links } from "../links/Links.ts"
import { Remainders } from "../remainders/Remainders.ts"
import {
  Contact,
  ContactCreate,
  type ContactFields,
  type ContactListQuery,
  contactMembers,
  ContactPatch
} from "./Contact.ts"
import { ContactsRepo } from "./ContactsRepo.ts"
import { blank, faultsOf, identity, normalize, returnOf, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ContactsRepo
  const deletedRecords = yield* DeletedRecords
  const timelines = yield* Timelines
  const links = yield* Links
  const mandates = yield* Mandates
  const lifecycle = yield* InvestorLifecycle
  const remainders = yield* Remainders

  /** Brings back what went with these contacts (UUIDs), which live again, as much as a step takes. */
  const returnStep = Effect.fn("Contacts.returnStep")(function* (change: Change, uuids: ReadonlyArray<string>) {
    return returnedBy(
      yield* links.restoreWith(change, "contact", uuids),
      yield* lifecycle.returnSold(change, uuids),
      yield* mandates.reopenOf(change, "contact", uuids),
      yield* lifecycle.returnToLists(change, { contacts: uuids })
    )
  })

  /** A contact comes back to the company that it mainly worked for, or to what that was merged into. */
  const returning = Effect.fnUntraced(function* (change: Change, deleted: ReadonlyArray<Deleted<ContactFields>>) {
    const companyOf = (fields: ContactFields) => Id.toUuid("company", fields.primaryCompanyId ?? "")
    const living = yield* deletedRecords.lockSurvivors(
      change.actor.teamId,
      "company",
      deleted.flatMap(({ fields }) => companyOf(fields) ?? [])
    )
    // A company that is restored later gets them back, as if they had been there when it was deleted.
    yield* deletedRecords.keepEffects(
      change,
      "contact",
      deleted.flatMap(({ fields, uuid }) => {
        const cause = companyOf(fields)
        return cause === undefined || living.has(cause)
          ? []
          : [{ cause, uuid, fields: { primaryCompanyId: fields.primaryCompanyId } }]
      })
    )
    const plan: Return<ContactFields, never> = {
      of: ({ fields }) => Result.succeed(returnOf(fields, living.get(companyOf(fields) ?? ""))),
      finish: (uuids) => returnStep(change, uuids)
    }
    return plan
  })

  const kind: EditableKind<ContactFields, Contact, Duplicate> &
    ReadableKind<Contact, ContactListQuery> &
    RestorableKind<ContactFields> = {
    type: "contact",
    needs: "broker",
    plural: "Contacts",
    quota: "contacts",
    blank,
    repo,
    context: repo.context,
    identity,
    decodeCreate: UnvalidatedJson.decoder(ContactCreate, Contact.fields),
    decodePatch: makeMergePatch(ContactPatch),
    normalize,
    faultsOf,
    toChangeRecord,
    cascade: Effect.fnUntraced(function* (change, uuids) {
      return leftBy(
        yield* lifecycle.clearSold(change, uuids),
        yield* mandates.closeOf(change, { contacts: uuids }),
        yield* links.deleteOf(followingDeletions(change, "contact"), { contacts: uuids })
      )
    }),
    continueLater: (change, uuids) => remainders.continueLater(change, { type: "contact", uuids, ending: "deleted" }),
    returning,
    continueReturn: (change, uuids) => remainders.continueReturn(change, { type: "contact", uuids }),
    denormalizedCopies: {
      members: ["firstName", "lastName", "email", "tags"],
      update: (change, contacts) => lifecycle.updateCopies(change, { contacts }),
      removeDeleted: (change, contacts) =>
        lifecycle.removeFromLists(followingDeletions(change, "contact"), { contacts })
    }
  }
  const records = yield* Records.make(kind)
  const deletionStep = stepOf(kind)
  const search = yield* Search.make({ needs: kind.needs, plural: kind.plural, members: contactMembers, repo })

  /** The timeline of a contact, newest first. */
  const actions = Effect.fn("Contacts.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* records.authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type: "contact", id: uuid }, yield* request.query)
  })

  /**
   * Sets the primary company of contacts that mainly work for one of these companies (UUIDs), as many as a step takes; null for none,
   * because the companies are deleted. `causeOf` is the cause of leaving a company (its public id).
   */
  const reassign = Effect.fn("Contacts.reassign")(function* (
    change: Change,
    companies: ReadonlyArray<string>,
    { causeOf, to }: { readonly to: string | null; readonly causeOf: (company: string | null) => Cause | undefined }
  ) {
    const { left, taken } = yield* repo.lockWorkingFor(change.actor.teamId, companies, yield* StepSize)
    const former = new Map(taken.map(({ resource, uuid }) => [uuid, resource.primaryCompanyId]))
    const caused = following(change, ({ resource }) => causeOf(former.get(resource.id) ?? null))
    if (to === null) {
      yield* deletedRecords.keepEffects(
        change,
        "contact",
        taken.map(({ resource: { primaryCompanyId }, uuid }) => ({
          cause: Id.toUuid("company", primaryCompanyId ?? "") ?? "",
          uuid,
          fields: { primaryCompanyId }
        }))
      )
    }
    yield* records.patchLocked(caused, taken, () => ({ primaryCompanyId: to }))
    return left
  })

  /** Brings contacts back to companies (UUIDs) that live again, as many as a step takes, unless somebody wrote their company since. */
  const returnTo = Effect.fn("Contacts.returnTo")(function* (change: Change, companies: ReadonlyArray<string>) {
    const { left, taken } = yield* deletedRecords.takeEffects(change, "contact", companies, yield* StepSize)
    const locked = yield* records.lock(
      change,
      taken.map(({ uuid }) => uuid)
    )
    const { changed, deleted, returned } = planReturn(
      taken,
      locked,
      ({ primaryCompanyId }) => primaryCompanyId === null
    )
    const causes = new Map(returned.map(({ effect, stored }) => [stored.uuid, effect.cause]))
    const companyOf = (uuid: string) => Id.fromUuidOrNull("company", causes.get(uuid) ?? null)
    const caused = following(change, ({ resource }) => restoreOf("company", causes.get(resource.id) ?? ""))
    yield* records.patchLocked(
      caused,
      returned.map(({ stored }) => stored),
      ({ uuid }) => ({ primaryCompanyId: companyOf(uuid) })
    )
    yield* deletedRecords.amend(change, "contact", { primaryCompanyId: null }, deleted)
    const answer: Returned = { left, notRestored: notRestoredOf("contact", changed) }
    return answer
  })

  /**
   * Locks the contacts that a step takes of those that mainly work for one of these companies (UUIDs). Call it before companies are
   * locked, as all writers do.
   */
  const lockWorkingFor = Effect.fn("Contacts.lockWorkingFor")(function* (
    change: Change,
    companies: ReadonlyArray<string>
  ) {
    yield* repo.lockWorkingFor(change.actor.teamId, companies, yield* StepSize)
  })

  return {
    ...records,
    search,
    actions,
    reassign,
    returnTo,
    returnStep,
    lockWorkingFor,
    findAll: repo.findAll,
    withEmails: repo.withEmails,
    deletionStep
  }
})

/**
 * The use-cases of contacts. They need the `broker` capability; `reassign`, `returnTo`, `returnStep`, `lockWorkingFor` and `deletionStep`
 * run inside the transaction of `change`, and `findAll` and `withEmails` read, for modules that have authorized their caller; `purge` is for a job.
 */
export class Contacts extends Context.Service<Contacts, Effect.Success<typeof make>>()("network/contacts/Contacts") {
  static readonly layer = Layer.effect(Contacts, make).pipe(
    Layer.provide([ContactsRepo.layer, InvestorLifecycle.layer, Links.layer, Mandates.layer, Remainders.layer])
  )
}
