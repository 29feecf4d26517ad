/** The use-cases of companies. */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Records from "../../core/records/Records.ts"
import * as Search from "../../core/records/Search.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { deletionOf, followingDeletions } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Duplicate } from "../../core/usecase/Problem.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import { type EditableKind, leftBy, type ReadableKind } from "../../core/records/RecordKind.ts"
import { stepOf } from "../../core/records/SaveRecords.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Links } from "../links/Links.ts"
import { Remainders } from "../remainders/Remainders.ts"
import { CompaniesRepo } from "./CompaniesRepo.ts"
import {
  Company,
  CompanyCreate,
  type CompanyFields,
  type CompanyListQuery,
  companyMembers,
  CompanyPatch
} from "./Company.ts"
import { blank, faultsOf, identity, normalize, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* CompaniesRepo
  const timelines = yield* Timelines
  const contacts = yield* Contacts
  const links = yield* Links
  const mandates = yield* Mandates
  const lifecycle = yield* InvestorLifecycle
  const remainders = yield* Remainders

  const kind: EditableKind<CompanyFields, Company, Duplicate> & ReadableKind<Company, CompanyListQuery> = {
    type: "company",
    needs: "broker",
    plural: "Companies",
    quota: "companies",
    blank,
    repo,
    context: repo.context,
    identity,
    decodeCreate: UnvalidatedJson.decoder(CompanyCreate, Company.fields),
    decodePatch: makeMergePatch(CompanyPatch),
    normalize,
    faultsOf,
    toChangeRecord,
    cascade: Effect.fnUntraced(function* (change, uuids) {
      return leftBy(
        yield* mandates.closeOf(change, { companies: uuids }),
        yield* links.deleteOf(followingDeletions(change, "company"), { companies: uuids }),
        yield* contacts.reassign(change, uuids, { to: null, causeOf: (company) => deletionOf("company", company) })
      )
    }),
    continueLater: (change, uuids) => remainders.continueLater(change, { type: "company", uuids, ending: "deleted" }),
    denormalizedCopies: {
      members: ["name", "domain", "country", "tags"],
      update: (change, companies) => lifecycle.updateCopies(change, { companies }),
      removeDeleted: (change, companies) =>
        lifecycle.removeFromLists(followingDeletions(change, "company"), { companies })
    }
  }
  const records = yield* Records.make(kind)
  const deletionStep = stepOf(kind)
  const search = yield* Search.make({ needs: kind.needs, plural: kind.plural, members: companyMembers, repo })

  /** The timeline of a company, newest first. */
  const actions = Effect.fn("Companies.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* records.authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type: "company", id: uuid }, yield* request.query)
  })

  return {
    ...records,
    search,
    actions,
    findAll: repo.findAll,
    candidates: repo.candidates,
    deletionStep,
    renewNameKeys: repo.renewNameKeys
  }
})

/** The use-cases of companies. They need the `broker` capability; `purge` and `renewNameKeys` are for jobs,
 * `deletionStep` for the steps of a deletion; `findAll` and `candidates` read for modules that have authorized their caller. */
export class Companies extends Context.Service<Companies, Effect.Success<typeof make>>()(
  "network/companies/Companies"
) {
  static readonly layer = Layer.effect(Companies, make).pipe(
    Layer.provide([
      CompaniesRepo.layer,
      Contacts.layer,
      InvestorLifecycle.layer,
      Links.layer,
      Mandates.layer,
      Remainders.layer
    ])
  )
}
