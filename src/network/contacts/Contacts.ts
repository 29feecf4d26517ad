/** The use-cases of contacts. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../changes/Changes.ts"
import type { TimelineQuery } from "../../changes/Timeline.ts"
import { Timelines } from "../../changes/Timelines.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import * as MergePatch from "../../usecase/MergePatch.ts"
import { InvestorCascades } from "../../prospects/cascades/InvestorCascades.ts"
import type { RecordKind } from "../../records/RecordKind.ts"
import * as Records from "../../records/Records.ts"
import * as Search from "../../records/Search.ts"
import { Links } from "../links/Links.ts"
import { Contact, ContactCreate, type ContactListQuery, contactMembers, ContactPatch } from "./Contact.ts"
import { ContactsRepo } from "./ContactsRepo.ts"
import { blank, type ContactFields, faultsOf, toChangeRecord, normalize } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ContactsRepo
  const timelines = yield* Timelines
  const links = yield* Links
  const cascades = yield* InvestorCascades

  const kind: RecordKind<ContactFields, Contact, ContactListQuery> = {
    type: "contact",
    plural: "Contacts",
    blank,
    decodeCreate: UnvalidatedJson.decoder(ContactCreate, Contact.fields),
    decodePatch: MergePatch.make(ContactPatch),
    normalize,
    faultsOf,
    toChangeRecord,
    repo,
    cascade: (change, uuids) => links.removeOf(change, { contacts: uuids }),
    denormalizedCopies: {
      members: ["firstName", "lastName", "email", "tags"],
      changed: (change, contacts) => cascades.updateCopies(change, { contacts }),
      deleted: (change, contacts) => cascades.removeFromLists(change, { contacts })
    }
  }
  const records = yield* Records.make(kind)
  const search = yield* Search.make({ plural: kind.plural, members: contactMembers, repo })

  /** The timeline of a contact, newest first. */
  const actions = Effect.fn("Contacts.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* records.authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type: "contact", id: uuid }, yield* request.query)
  })

  /**
   * Gives the contacts that mainly work for one of these companies another, or none, inside the transaction of
   * `change`: their companies go.
   */
  const reassign = Effect.fn("Contacts.reassign")(function* (
    change: Change,
    companies: ReadonlyArray<string>,
    to: string | null
  ) {
    const stored = yield* repo.workingFor(change.actor.teamId, companies)
    yield* records.rewrite(change, stored, () => ({ primaryCompanyId: to }))
  })

  /**
   * Keeps others from writing the contacts that mainly work for these companies until the transaction of `change` ends.
   * Who locks companies and then reassigns, holds the contacts first, for others lock a contact before its company.
   */
  const hold = Effect.fn("Contacts.hold")(function* (change: Change, companies: ReadonlyArray<string>) {
    yield* repo.workingFor(change.actor.teamId, companies)
  })

  return { ...records, search, actions, reassign, hold }
})

/** What can be done with contacts. Every use-case needs the `broker` capability; `purge` is the service's own. */
export class Contacts extends Context.Service<Contacts, Effect.Success<typeof make>>()("network/contacts/Contacts") {
  static readonly layer = Layer.effect(Contacts, make)
}
