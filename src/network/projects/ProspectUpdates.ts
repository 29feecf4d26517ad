/** Updates a prospect and the labels of its contact or company in one transaction (docs/behaviour/mcp.md#single-tools). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { distinctTags, Tags } from "../../core/fields/Text.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import { ProspectChanges } from "../../deals/prospects/ProspectChanges.ts"
import { ProspectWrites } from "../../deals/prospects/ProspectWrites.ts"
import { type LoadedProspect, Prospects } from "../../deals/prospects/Prospects.ts"
import { changedTags } from "../../deals/prospects/rules.ts"
import { InvestorDeleted } from "../../core/usecase/Problem.ts"
import { omitMembers, pickMembers } from "../../core/records/UpsertMatching.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"

/** The members of an update that are not those of a patch. */
const ProspectTags = Schema.Struct({
  /** Labels of the prospect on the project to add. */
  addProjectTags: Schema.optionalKey(Tags),
  /** Labels of the prospect on the project to remove, in any case. */
  removeProjectTags: Schema.optionalKey(Tags),
  /** The labels of its contact or company: the whole list. */
  tags: Schema.optionalKey(Tags)
})

const decodeTags = UnvalidatedJson.decoder(ProspectTags)
const tagMembers = Object.keys(ProspectTags.fields)

const make = Effect.gen(function* () {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const lifecycle = yield* InvestorLifecycle
  const prospects = yield* Prospects
  const changes = yield* ProspectChanges
  const writes = yield* ProspectWrites
  const mutation = yield* Mutation.make

  const investorOf = ({ stored: { resource } }: LoadedProspect) => ({
    contacts: resource.contactId === null ? [] : [Id.toUuid("contact", resource.contactId) ?? ""],
    companies: resource.companyId === null ? [] : [Id.toUuid("company", resource.companyId) ?? ""]
  })

  /** Locks the contact or company, its projects and the prospect, in the order in which all writers do. */
  const lock = Effect.fnUntraced(function* (change: Change, locking: Mutation.Locking<LoadedProspect>) {
    const investor = investorOf(locking.loaded)
    yield* contacts.lock(change, investor.contacts)
    yield* companies.lock(change, investor.companies)
    yield* lifecycle.lockProjects(
      change,
      investor.contacts.length > 0 ? { contacts: investor.contacts } : { companies: investor.companies }
    )
    return yield* prospects.lock(change, locking)
  })

  /** Replaces the labels of the contact or company of a prospect, and its copies in all prospects. */
  const replaceTags = Effect.fnUntraced(function* (
    change: Change,
    prospect: LoadedProspect,
    tags: ReadonlyArray<string>
  ) {
    const uuids = investorOf(prospect)
    const contact = yield* contacts.lock(change, uuids.contacts)
    const company = yield* companies.lock(change, uuids.companies)
    if ([...contact, ...company].some(({ deleted }) => deleted)) {
      return yield* new InvestorDeleted({
        detail: "The contact or company of this prospect was deleted, so its tags cannot change."
      })
    }
    yield* contacts.patchLocked(change, contact, () => ({ tags }))
    yield* companies.patchLocked(change, company, () => ({ tags }))
  })

  /** Validates an update against the prospect as it is; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: LoadedProspect,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const { addProjectTags, removeProjectTags, tags } = yield* decodeTags(pickMembers(body, tagMembers))
    const { resource } = loaded.stored
    const patch = omitMembers(body, tagMembers)
    const projectTags = changedTags(resource.projectTags, {
      added: addProjectTags ?? [],
      removed: removeProjectTags ?? []
    })
    const apply = yield* changes.decidePatch(request, loaded, {
      ...patch,
      value: { ...(patch.value as object), projectTags }
    })
    const newTags = tags === undefined ? undefined : distinctTags(tags)
    const replaced = newTags === undefined || differing({ tags: newTags }, resource).length === 0 ? null : newTags
    return apply === null && replaced === null ? null : { apply, tags: replaced }
  })

  /**
   * Changes members of a prospect, as a patch does, adds labels of it on the project and removes others, and replaces those of its
   * contact or company: all of it, or nothing.
   */
  const update = Effect.fn("ProspectUpdates.update")((id: string, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => prospects.loadById(actor, id),
      body: request.body,
      etagOf: ({ etag }) => etag,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock: (change, locking) => lock(change, locking),
      commit: (change, { decision: { apply, tags }, loaded }) =>
        Effect.gen(function* () {
          if (apply !== null) yield* writes.write(change, loaded.projectUuid, loaded.stored, apply(change.at))
          if (tags !== null) yield* replaceTags(change, loaded, tags)
          const [written] = yield* prospects.lockAll(change, [loaded.uuid])
          return written
        }),
      answer: ({ committed, loaded }) => prospects.toAnswer((committed ?? loaded.stored).resource)
    })
  )

  return { update }
})

/** Updates prospects with the labels of their contacts and companies. It needs the `broker` capability. */
export class ProspectUpdates extends Context.Service<ProspectUpdates, Effect.Success<typeof make>>()(
  "network/projects/ProspectUpdates"
) {
  static readonly layer = Layer.effect(ProspectUpdates, make).pipe(
    Layer.provide([
      Companies.layer,
      Contacts.layer,
      InvestorLifecycle.layer,
      ProspectChanges.layer,
      Prospects.layer,
      ProspectWrites.layer
    ])
  )
}
