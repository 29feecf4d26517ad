/** Merges contacts or companies into one, with everything that belongs to them (docs/behaviour/network.md#merges). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, type Schema } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { FileWrites } from "../../content/files/FileWrites.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { InvestorLifecycle } from "../../deals/lifecycle/InvestorLifecycle.ts"
import type { RecordMerge } from "../../core/records/MergeRecords.ts"
import { type Left, leftBy, StepSize } from "../../core/records/RecordKind.ts"
import type { AnyResource, Stored } from "../../core/records/Table.ts"
import { all } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, type Merged, type NotFound } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Links } from "../links/Links.ts"
import { Remainders } from "../remainders/Remainders.ts"
import { CompanyMerge, ContactMerge, type MergeType } from "./Merge.ts"
import { decide, type JoinedLists } from "./rules.ts"

/** How records of one type are merged. */
interface Mergeable<Resource extends JoinedLists> {
  readonly type: MergeType
  readonly schema: Schema.Codec<{ readonly from: ReadonlyArray<string> }>
  /** The use-cases of the records. `load` takes a public id; `lock` takes UUIDs. */
  readonly records: {
    readonly load: (actor: Actor, id: string) => Effect.Effect<Stored<Resource>, Merged | NotFound>
    readonly lock: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored<Resource>>>
    readonly mergeLocked: (change: Change, merge: RecordMerge<JoinedLists, Resource>) => Effect.Effect<Resource>
  }
  /** Locks what all writers lock before the records (UUIDs), as much as a step takes. */
  readonly lockDependents: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<void>
  /** Moves dependents that only this type has, from and to records (UUIDs), as many as a step takes. */
  readonly moveOwn: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<Left>
}

/** Merged records and the one that they were merged into, by their UUIDs. */
interface MergeStep {
  readonly type: MergeType
  readonly from: ReadonlyArray<string>
  readonly to: string
}

const make = Effect.gen(function* () {
  const mutation = yield* Mutation.make
  const contacts = yield* Contacts
  const companies = yield* Companies
  const links = yield* Links
  const mandates = yield* Mandates
  const lifecycle = yield* InvestorLifecycle
  const timelines = yield* Timelines
  const files = yield* FileWrites
  const remainders = yield* Remainders

  /** Moves what belongs to merged records, as much as a step takes. */
  const moveDependents = Effect.fnUntraced(function* (
    { moveOwn, type }: Pick<Mergeable<never>, "moveOwn" | "type">,
    change: Change,
    { from, to }: Pick<MergeStep, "from" | "to">,
    step: { readonly isFirstStep: boolean }
  ) {
    const size = yield* StepSize
    const caused = following(change, () => ({ event: `${type}.updated`, resource: { type, id: to } }))
    const own = yield* moveOwn(caused, from, to)
    const ofMandates = yield* mandates.reassign(caused, { type, from, to })
    const ofLinks = yield* links.reassign(caused, { type, from, to }, step)
    const ofProspects = yield* lifecycle.mergeProspects(caused, { type, from, to }, step)
    const rows = yield* timelines.move(caused, { type, from, to }, size)
    const moved = yield* files.moveSome(caused, type, from, to, size)
    return leftBy(own, ofMandates, ofLinks, ofProspects, Math.max(rows, moved) < size ? "nothing" : "more")
  })

  const mergeOf = <Resource extends AnyResource & JoinedLists>(mergeable: Mergeable<Resource>) => {
    const { lockDependents, records, type } = mergeable
    const decodeMerge = UnvalidatedJson.decoder(mergeable.schema)

    /** Locks and merges; `from` are the UUIDs of the ids that were sent, undefined for ids of another type. */
    const merge = Effect.fnUntraced(function* (
      change: Change,
      id: string,
      { decision: from, loaded, pinned }: Mutation.Committing<Stored<Resource>, ReadonlyArray<string | undefined>>
    ) {
      const named = [...new Set(from.flatMap((uuid) => uuid ?? []))]
      yield* lockDependents(change, named, loaded.uuid)
      const locked = yield* records.lock(change, [...new Set([loaded.uuid, ...named])])
      const into = yield* records.load(change.actor, id)
      if (pinned && into.version !== loaded.version) return yield* ConcurrencyConflict.of(type)
      const found = new Map(locked.map((stored) => [stored.uuid, stored]))
      const { joined, merged } = yield* Effect.fromResult(decide({ type, into, from, found }))
      if (merged.length === 0) return into.resource
      const survivor = yield* records.mergeLocked(change, { into, joined, merged })
      const uuids = merged.map(({ uuid }) => uuid)
      const left = yield* moveDependents(mergeable, change, { from: uuids, to: into.uuid }, { isFirstStep: true })
      // The prospects that were moved have their copies of it already.
      if (differing({ tags: joined.tags }, into.resource).length > 0) {
        yield* lifecycle.updateCopies(
          change,
          type === "contact" ? { contacts: [into.uuid] } : { companies: [into.uuid] }
        )
      }
      if (left === "more") yield* remainders.continueLater(change, { type, uuids, ending: "merged" })
      return survivor
    })

    /** A later step of a merge. Fails when the survivor is not there any more. */
    const step = Effect.fnUntraced(function* (change: Change, { from, to }: Pick<MergeStep, "from" | "to">) {
      yield* lockDependents(change, from, to)
      const [into] = yield* records.lock(change, [to])
      if (into === undefined || into.deleted) return yield* ConcurrencyConflict.of(type)
      return yield* moveDependents(mergeable, change, { from, to }, { isFirstStep: false })
    })

    const mergeInto = Effect.fn(`Merges.${type}`)(
      (id: string, request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">) =>
        mutation.change({
          request,
          authorize: "broker",
          load: (actor) => records.load(actor, id),
          body: request.body,
          etagOf: ({ resource }) => resource.etag,
          decide: ({ body }) =>
            Effect.map(all(request.query, decodeMerge(body)), ([, { from }]) =>
              from.map((one) => Id.toUuid(type, one))
            ),
          // There is no step `lock`: the records to lock depend on the decision, so `merge` locks them.
          commit: (change, committing) => merge(change, id, committing),
          answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
        })
    )
    return { mergeInto, step }
  }

  /** Merges contacts. The projects that a merged one sells are then sold by the survivor. */
  const ofContacts = mergeOf({
    type: "contact",
    schema: ContactMerge,
    records: contacts,
    lockDependents: Effect.fnUntraced(function* (change: Change, from: ReadonlyArray<string>, to: string) {
      yield* lifecycle.lockSold(change, from)
      yield* mandates.lockOf(change, { contacts: from })
      yield* links.lockMerging(change, { type: "contact", from, to })
    }),
    moveOwn: lifecycle.moveSold
  })

  /** Merges companies. Contacts that mainly work for a merged one then mainly work for the survivor. */
  const ofCompanies = mergeOf({
    type: "company",
    schema: CompanyMerge,
    records: companies,
    lockDependents: Effect.fnUntraced(function* (change: Change, from: ReadonlyArray<string>, to: string) {
      yield* mandates.lockOf(change, { companies: from })
      yield* links.lockMerging(change, { type: "company", from, to })
      yield* contacts.lockWorkingFor(change, from)
    }),
    moveOwn: (change, from, to) =>
      contacts.reassign(change, from, { to: Id.fromUuid("company", to), causeOf: () => undefined })
  })

  /** Continues a merge that was accepted, inside the transaction of `change`: as much as a step takes. */
  const step = (change: Change, { from, to, type }: MergeStep) =>
    Effect.catchIf(
      (type === "contact" ? ofContacts : ofCompanies).step(change, { from, to }),
      (error) => error instanceof InvalidRequest,
      Effect.die
    )

  return { ofContacts: ofContacts.mergeInto, ofCompanies: ofCompanies.mergeInto, step }
})

/** Merges records. Both use-cases need the `broker` capability; `step` is for modules that have authorized their caller. */
export class Merges extends Context.Service<Merges, Effect.Success<typeof make>>()("network/merges/Merges") {
  static readonly layer = Layer.effect(Merges, make).pipe(
    Layer.provide([
      Companies.layer,
      Contacts.layer,
      FileWrites.layer,
      InvestorLifecycle.layer,
      Links.layer,
      Mandates.layer,
      Remainders.layer
    ])
  )
}
