/** The use-cases of companies. */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Records from "../../core/records/Records.ts"
import * as Search from "../../core/records/Search.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import { type Change, deletionOf, followingDeletions } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Duplicate } from "../../core/usecase/Problem.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import { type EditableKind, leftBy, type ReadableKind, type RestorableKind } from "../../core/records/RecordKind.ts"
import { returnedBy } from "../../core/records/RestoreRecords.ts"
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

  /** Brings back what went with these companies (UUIDs), which live again, as much as a step takes. */
  const returnStep = Effect.fn("Companies.returnStep")(function* (change: Change, uuids: ReadonlyArray<string>) {
    return returnedBy(
      yield* links.restoreWith(change, "company", uuids),
      yield* contacts.returnTo(change, uuids),
      yield* mandates.reopenOf(change, "company", uuids),
      yield* lifecycle.returnToLists(change, { companies: uuids })
    )
  })

  const kind: EditableKind<CompanyFields, Company, Duplicate> &
    ReadableKind<Company, CompanyListQuery> &
    RestorableKind<CompanyFields> = {
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
    returning: (change) =>
      Effect.succeed({
        of: ({ fields }) => Result.succeed({ fields, notRestored: [] }),
        finish: (uuids) => returnStep(change, uuids)
      }),
    continueReturn: (change, uuids) => remainders.continueReturn(change, { type: "company", uuids }),
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
    returnStep,
    renewNameKeys: repo.renewNameKeys
  }
})

/** The use-cases of companies. They need the `broker` capability; `purge` and `renewNameKeys` are for jobs,
 * `deletionStep` and `returnStep` for the steps of a deletion and of a restore; `findAll` and `candidates` read for modules that have authorized their caller. */
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
