/** The use-cases of contacts. */
import { Clock, Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../auth/CurrentActor.ts"
import { type Change, Changes } from "../../changes/Changes.ts"
import { conditionally } from "../../changes/Conditional.ts"
import { tombstoneDays } from "../../changes/Delta.ts"
import * as DeltaList from "../../changes/DeltaList.ts"
import { Timelines } from "../../changes/Timelines.ts"
import { parseQuery } from "../../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../../externalRefs/ExternalRefsRepo.ts"
import type { Call } from "../../http/Call.ts"
import * as Document from "../../http/Document.ts"
import { Idempotency } from "../../http/Idempotency.ts"
import { all, bodyFault } from "../../http/Input.ts"
import { byId } from "../../http/Lookup.ts"
import * as MergePatch from "../../http/MergePatch.ts"
import { Cursors } from "../../http/Page.ts"
import { InvalidRequest } from "../../http/Problem.ts"
import type { TimelineQuery } from "../../changes/Timeline.ts"
import {
  ContactCreate,
  ContactDuplicate,
  type ContactListQuery,
  ContactPatch,
  type ContactWriteQuery
} from "./Contact.ts"
import { ContactsRepo, type StoredContact } from "./ContactsRepo.ts"
import { blank, changedFieldNames, type ContactFields, faultsOf, normalize } from "./rules.ts"

const decodeCreate = Document.decoder(ContactCreate)
const decodePatch = MergePatch.make(ContactPatch)

const make = Effect.gen(function*() {
  const repo = yield* ContactsRepo
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const timelines = yield* Timelines
  const cursors = yield* Cursors

  const load = (actor: Actor, id: string) => byId("contact", id, (uuid) => repo.find(actor.teamId, uuid))

  const subject = (actor: Actor, id: string) => ({ teamId: actor.teamId, type: "contact" as const, id })

  /** Refuses what is wrong with the contact as a whole, once its members are known to be well-formed. */
  const validate = (fields: ContactFields) => {
    const faults = [
      ...faultsOf(fields),
      // There are no companies to refer to until their resource is there.
      ...(fields.primaryCompanyId === null
        ? []
        : [bodyFault("/primaryCompanyId", "invalid_reference", "There is no company with this id.")])
    ]
    return faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))
  }

  const claimEmail = Effect.fnUntraced(function*(actor: Actor, email: string | null, except: string | undefined) {
    if (email === null) return
    const candidates = yield* repo.claimEmail(actor.teamId, email, except)
    if (candidates.length === 0) return
    return yield* new ContactDuplicate({
      detail: "A contact with this e-mail address exists. Update it, or write with force=true.",
      candidates: candidates.map(({ email, id, name }) => ({ id, name, email }))
    })
  })

  const happened = (
    change: Change,
    uuid: string,
    kind: "created" | "updated" | "deleted",
    changed: ReadonlyArray<keyof ContactFields> = []
  ) =>
    change.record({
      change: kind,
      resource: { type: "contact", id: uuid },
      subjects: [{ type: "contact", id: uuid }],
      timeline: {
        event: `contact.${kind}`,
        details: kind === "updated" ? { kind: "audit", changedFields: changed } : { kind: "audit" }
      },
      event: {
        type: `contact.${kind}`,
        resource: "contact",
        extras: kind === "updated" ? { changed_fields: changedFieldNames(changed) } : {}
      }
    })

  /** A page of the team's contacts. */
  const list = Effect.fn("Contacts.list")(function*(call: Pick<Call<ContactListQuery>, "query">) {
    const actor = yield* authorize("broker")
    const query = yield* call.query
    return yield* DeltaList.read({
      list: "contacts",
      teamId: actor.teamId,
      query,
      filters: { external_ref: query.external_ref },
      cursors,
      fetch: (range) =>
        repo.list(actor.teamId, range, query.external_ref === undefined ? undefined : parseQuery(query.external_ref)),
      toItem: (stored) => stored.contact
    })
  })

  /** One contact. */
  const get = Effect.fn("Contacts.get")(function*(id: string) {
    const actor = yield* authorize("broker")
    return (yield* load(actor, id)).contact
  })

  /** Adds a contact; refuses one whose e-mail address the network has, unless `force`. */
  const create = Effect.fn("Contacts.create")(function*(call: Call<ContactWriteQuery>) {
    const actor = yield* authorize("broker")
    const document = yield* call.body
    const [query, input, key] = yield* all(call.query, decodeCreate(document), call.idempotencyKey)
    const fields: ContactFields = { ...blank, ...normalize(input) }
    yield* validate(fields)
    return yield* changes.commit(actor, (change) =>
      idempotency.once(
        { actor, operation: call.operation, key, body: document.sent, now: change.at },
        Effect.gen(function*() {
          if (query.force !== true) yield* claimEmail(actor, fields.email, undefined)
          const uuid = yield* change.newId
          yield* refs.replace(subject(actor, uuid), fields.externalRefs)
          const contact = yield* repo.insert(change, uuid, fields)
          happened(change, uuid, "created")
          return contact
        })
      ))
  })

  /** Changes members of a contact; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Contacts.patch")(function*(id: string, call: Call<ContactWriteQuery>) {
    const actor = yield* authorize("broker")
    return yield* conditionally({
      call,
      load: load(actor, id),
      etagOf: (stored) => stored.contact.etag,
      body: call.body,
      change: Effect.fnUntraced(function*(stored: StoredContact, document: Document.Document) {
        const [query, sent] = yield* all(call.query, decodePatch(document, stored.contact))
        const input = normalize(sent)
        const changed = MergePatch.differing(input, stored.contact)
        if (changed.length === 0) return stored.contact
        const fields: ContactFields = { ...stored.contact, ...input }
        yield* validate(fields)
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function*() {
            if (query.force !== true && changed.includes("email")) {
              yield* claimEmail(actor, fields.email, stored.uuid)
            }
            // The contact before its references, as a delete has it: in one order they cannot wait for each other.
            const contact = yield* repo.update(change, stored, fields)
            if (changed.includes("externalRefs")) {
              yield* refs.replace(subject(actor, stored.uuid), fields.externalRefs)
            }
            happened(change, stored.uuid, "updated", changed)
            return contact
          }))
      })
    })
  })

  /** Deletes a contact: its tombstone stays for deltas, its references are free for others. */
  const remove = Effect.fn("Contacts.remove")(function*(id: string, call: Pick<Call, "ifMatch" | "query">) {
    const actor = yield* authorize("broker")
    return yield* conditionally({
      call,
      load: load(actor, id),
      etagOf: (stored) => stored.contact.etag,
      body: Effect.void,
      change: Effect.fnUntraced(function*(stored: StoredContact) {
        yield* call.query
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function*() {
            yield* repo.remove(change, stored)
            yield* refs.release(subject(actor, stored.uuid))
            happened(change, stored.uuid, "deleted")
          }))
      })
    })
  })

  /** The timeline of a contact, newest first. */
  const actions = Effect.fn("Contacts.actions")(function*(id: string, call: Pick<Call<TimelineQuery>, "query">) {
    const actor = yield* authorize("broker")
    const stored = yield* load(actor, id)
    return yield* timelines.read({ teamId: actor.teamId, type: "contact", id: stored.uuid }, yield* call.query)
  })

  /** Removes tombstones that are older than deltas reach back, at most `limit`; answers how many there were. */
  const purge = Effect.fn("Contacts.purge")(function*(limit: number) {
    const until = new Date((yield* Clock.currentTimeMillis) - tombstoneDays * 86_400_000)
    return yield* repo.purge(until, limit)
  })

  return { list, get, create, patch, remove, actions, purge }
})

/** What can be done with contacts. Every use-case needs the `broker` capability; `purge` is the service's own. */
export class Contacts extends Context.Service<Contacts, Effect.Success<typeof make>>()("network/contacts/Contacts") {
  static readonly layer = Layer.effect(Contacts, make)
}
