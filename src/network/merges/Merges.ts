/** Merges contacts or companies into one, with everything that belongs to them (docs/behaviour/network.md#merges). */
import { Context, Effect, Layer, type Schema } from "effect"
import type { Actor } from "../../auth/CurrentActor.ts"
import type { Change } from "../../changes/Changes.ts"
import { following } from "../../changes/Causes.ts"
import * as Mutation from "../../changes/Mutation.ts"
import { Timelines } from "../../changes/Timelines.ts"
import { Files } from "../../files/Files.ts"
import * as Id from "../../Id.ts"
import { Mandates } from "../../mandates/Mandates.ts"
import { SellerCascades } from "../../projects/SellerCascades.ts"
import { InvestorMerges } from "../../prospects/cascades/InvestorMerges.ts"
import type { RecordMerge } from "../../records/MergeRecords.ts"
import type { AnyResource, Stored } from "../../records/Table.ts"
import { all } from "../../usecase/Input.ts"
import { ConcurrencyConflict, type Merged, type NotFound } from "../../usecase/Problem.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Links } from "../links/Links.ts"
import { CompanyMerge, ContactMerge, type MergeType } from "./Merge.ts"
import { decide } from "./rules.ts"

/** How records of one type are merged. */
interface Mergeable<Resource> {
  readonly type: MergeType
  readonly schema: Schema.Codec<{ readonly from: ReadonlyArray<string> }>
  /** The use-cases of the records. `load` takes a public id; `lock` takes UUIDs. */
  readonly records: {
    readonly load: (actor: Actor, id: string) => Effect.Effect<Stored<Resource>, Merged | NotFound>
    readonly lock: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored<Resource>>>
    readonly mergeLocked: (change: Change, merge: RecordMerge<Resource>) => Effect.Effect<Resource>
  }
  /** Locks what all writers lock before the records (UUIDs). */
  readonly lockDependents: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<unknown>
  /** Moves dependents that only this type has, from and to records (UUIDs). */
  readonly moveOwn: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const mutation = yield* Mutation.make
  const contacts = yield* Contacts
  const companies = yield* Companies
  const links = yield* Links
  const sellers = yield* SellerCascades
  const mandates = yield* Mandates
  const investorMerges = yield* InvestorMerges
  const timelines = yield* Timelines
  const files = yield* Files

  /** Moves everything that belongs to the merged records. */
  const moveDependents = Effect.fnUntraced(function* (
    { moveOwn, type }: Pick<Mergeable<never>, "moveOwn" | "type">,
    change: Change,
    from: ReadonlyArray<string>,
    to: string
  ) {
    yield* moveOwn(change, from, to)
    yield* mandates.reassign(change, { type, from, to })
    yield* links.reassign(change, { type, from, to })
    yield* investorMerges.reassign(change, { type, from, to })
    yield* timelines.move(change, { type, from, to })
    yield* files.move(change, type, from, to)
  })

  const mergeOf = <Resource extends AnyResource>(mergeable: Mergeable<Resource>) => {
    const { lockDependents, records, type } = mergeable
    const decodeMerge = UnvalidatedJson.decoder(mergeable.schema)

    /** Locks and merges; `from` are the UUIDs of the ids that were sent, undefined for ids of another type. */
    const merge = Effect.fnUntraced(function* (
      change: Change,
      id: string,
      { decision: from, loaded, pinned }: Mutation.Committing<Stored<Resource>, ReadonlyArray<string | undefined>>
    ) {
      const uuids = [...new Set([loaded.uuid, ...from.flatMap((uuid) => uuid ?? [])])]
      yield* lockDependents(change, uuids)
      const locked = yield* records.lock(change, uuids)
      const into = yield* records.load(change.actor, id)
      if (pinned && into.version !== loaded.version) return yield* ConcurrencyConflict.of(type)
      const found = new Map(locked.map((stored) => [stored.uuid, stored]))
      const { externalRefs, merged } = yield* Effect.fromResult(decide({ type, into, from, found }))
      if (merged.length === 0) return into.resource
      const survivor = yield* records.mergeLocked(change, { into, merged, externalRefs })
      yield* moveDependents(
        mergeable,
        following(change, () => ({ event: `${type}.updated`, resource: { type, id: into.uuid } })),
        merged.map(({ uuid }) => uuid),
        into.uuid
      )
      return survivor
    })

    return Effect.fn(`Merges.${type}`)((id: string, request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">) =>
      mutation.change({
        request,
        authorize: "broker",
        load: (actor) => records.load(actor, id),
        body: request.body,
        etagOf: ({ resource }) => resource.etag,
        decide: ({ body }) =>
          Effect.map(all(request.query, decodeMerge(body)), ([, { from }]) => from.map((one) => Id.toUuid(type, one))),
        // There is no step `lock`: the records to lock depend on the decision, so `merge` locks them.
        commit: (change, committing) => merge(change, id, committing),
        answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
      })
    )
  }

  /** Merges contacts. The projects that a merged one sells are then sold by the survivor. */
  const ofContacts = mergeOf({
    type: "contact",
    schema: ContactMerge,
    records: contacts,
    lockDependents: Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
      yield* sellers.lockOf(change, uuids)
      yield* mandates.lockOf(change, { contacts: uuids })
      yield* links.lockOf(change, { contacts: uuids })
    }),
    moveOwn: sellers.reassign
  })

  /** Merges companies. Contacts that mainly work for a merged one then mainly work for the survivor. */
  const ofCompanies = mergeOf({
    type: "company",
    schema: CompanyMerge,
    records: companies,
    lockDependents: Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
      yield* mandates.lockOf(change, { companies: uuids })
      yield* links.lockOf(change, { companies: uuids })
      yield* contacts.lockWorkingFor(change, uuids)
    }),
    moveOwn: (change, from, to) =>
      contacts.reassign(change, from, { to: Id.fromUuid("company", to), causeOf: () => undefined })
  })

  return { ofContacts, ofCompanies }
})

/** Merges records. Both use-cases need the `broker` capability. */
export class Merges extends Context.Service<Merges, Effect.Success<typeof make>>()("network/merges/Merges") {
  static readonly layer = Layer.effect(Merges, make)
}
