/** The use-cases of contacts. */
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Records from "../../core/records/Records.ts"
import * as Search from "../../core/records/Search.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import type { Cause } from "../../core/mutation/ChangeRecord.ts"
import { type Change, following, followingDeletions } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Duplicate } from "../../core/usecase/Problem.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import { type EditableKind, leftBy, type ReadableKind, StepSize } from "../../core/records/RecordKind.ts"
import { DeletedRecordsRepo } from "../../core/records/DeletedRecordsRepo.ts"
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
import { blank, faultsOf, identity, normalize, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ContactsRepo
  const deletedRecords = yield* DeletedRecordsRepo
  const timelines = yield* Timelines
  const links = yield* Links
  const mandates = yield* Mandates
  const lifecycle = yield* InvestorLifecycle
  const remainders = yield* Remainders

  const kind: EditableKind<ContactFields, Contact, Duplicate> & ReadableKind<Contact, ContactListQuery> = {
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
    lockWorkingFor,
    findAll: repo.findAll,
    withEmails: repo.withEmails,
    deletionStep
  }
})

/**
 * The use-cases of contacts. They need the `broker` capability; `reassign`, `lockWorkingFor` and `deletionStep` run inside the
 * transaction of `change`, and `findAll` and `withEmails` read, for modules that have authorized their caller; `purge` is for a job.
 */
export class Contacts extends Context.Service<Contacts, Effect.Success<typeof make>>()("network/contacts/Contacts") {
  static readonly layer = Layer.effect(Contacts, make).pipe(
    Layer.provide([ContactsRepo.layer, InvestorLifecycle.layer, Links.layer, Mandates.layer, Remainders.layer])
  )
}
