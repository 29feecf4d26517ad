/** Merges: contacts or companies become part of another, with everything that hangs on them. */
import { Context, Effect, Layer, type Schema } from "effect"
import { type Actor, authorize } from "../../auth/CurrentActor.ts"
import { type Change, Changes } from "../../changes/Changes.ts"
import { conditionally } from "../../changes/Conditional.ts"
import { Timelines } from "../../changes/Timelines.ts"
import type { ExternalRef } from "../../externalRefs/ExternalRef.ts"
import { Files } from "../../files/Files.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import { all } from "../../usecase/Input.ts"
import * as Precondition from "../../usecase/Precondition.ts"
import { ConcurrencyConflict, type Merged, type NotFound } from "../../usecase/Problem.ts"
import * as Id from "../../Id.ts"
import { InvestorCascades } from "../../prospects/cascades/InvestorCascades.ts"
import type { AnyResource } from "../../records/RecordKind.ts"
import type { Stored } from "../../records/RecordTable.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Links } from "../links/Links.ts"
import { CompanyMerge, ContactMerge, type MergeType } from "./Merge.ts"
import { decide } from "./rules.ts"

/** What merges, and how. Ids are UUIDs where nothing else is said. */
interface Mergeable<Resource> {
  readonly type: MergeType
  readonly schema: Schema.Codec<{ readonly from: ReadonlyArray<string> }>
  readonly room: {
    /** By its public id. */
    readonly load: (actor: Actor, id: string) => Effect.Effect<Stored<Resource>, Merged | NotFound>
    readonly lock: (change: Change, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored<Resource>>>
    readonly absorb: (
      change: Change,
      merge: {
        readonly into: Stored<Resource>
        readonly merged: ReadonlyArray<Stored<Resource>>
        readonly externalRefs: ReadonlyArray<ExternalRef>
      }
    ) => Effect.Effect<Resource>
  }
  /** Locks what others lock before the records themselves. */
  readonly hold: (change: Change, ids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Moves what only this type has. */
  readonly move: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const changes = yield* Changes
  const contacts = yield* Contacts
  const companies = yield* Companies
  const links = yield* Links
  const cascades = yield* InvestorCascades
  const timelines = yield* Timelines
  const files = yield* Files

  /** Moves what hangs on records, inside the transaction of `change`. */
  const moveAll = Effect.fnUntraced(function* (
    { move, type }: Pick<Mergeable<never>, "move" | "type">,
    change: Change,
    from: ReadonlyArray<string>,
    to: string
  ) {
    yield* move(change, from, to)
    yield* links.gather(change, { type, from, to })
    yield* cascades.reassign(change, { type, from, to })
    yield* timelines.move(change, { type, from, to })
    yield* files.move(change, type, from, to)
  })

  const mergeOf = <Resource extends AnyResource>(mergeable: Mergeable<Resource>) => {
    const { hold, room, type } = mergeable
    const decodeMerge = UnvalidatedJson.decoder(mergeable.schema)

    const write = Effect.fnUntraced(function* (
      change: Change,
      id: string,
      { from, ifMatch }: { readonly from: ReadonlyArray<string>; readonly ifMatch: Precondition.Tags | undefined }
    ) {
      const named = from.map((one) => Id.toUuid(type, one))
      const uuids = [...new Set([Id.toUuid(type, id), ...named].flatMap((uuid) => uuid ?? []))]
      yield* hold(change, uuids)
      const locked = yield* room.lock(change, uuids)
      const into = yield* room.load(change.actor, id)
      if (ifMatch !== undefined && !Precondition.matches(into.resource.etag, ifMatch)) {
        return yield* ConcurrencyConflict.of(type)
      }
      const found = new Map(locked.map((stored) => [stored.uuid, stored]))
      const { externalRefs, merged } = yield* Effect.fromResult(decide({ type, into, from: named, found }))
      if (merged.length === 0) return into.resource
      const resource = yield* room.absorb(change, { into, merged, externalRefs })
      yield* moveAll(
        mergeable,
        change,
        merged.map(({ uuid }) => uuid),
        into.uuid
      )
      return resource
    })

    return Effect.fn(`Merges.${type}`)(function* (
      id: string,
      request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">
    ) {
      const actor = yield* authorize("broker")
      return yield* conditionally({
        request,
        load: room.load(actor, id),
        etagOf: ({ resource }) => resource.etag,
        body: request.body,
        change: Effect.fnUntraced(function* (_: Stored<Resource>, document: UnvalidatedJson.UnvalidatedJson) {
          const [, { from }, ifMatch] = yield* all(request.query, decodeMerge(document), request.ifMatch)
          return yield* changes.commit(actor, (change) => write(change, id, { from, ifMatch }))
        })
      })
    })
  }

  /** Lets contacts become part of another. */
  const ofContacts = mergeOf({
    type: "contact",
    schema: ContactMerge,
    room: contacts,
    hold: (change, uuids) => links.hold(change, { contacts: uuids }),
    move: () => Effect.void
  })

  /** Lets companies become part of another; contacts that mainly work for them work for that one. */
  const ofCompanies = mergeOf({
    type: "company",
    schema: CompanyMerge,
    room: companies,
    hold: Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
      yield* links.hold(change, { companies: uuids })
      yield* contacts.hold(change, uuids)
    }),
    move: (change, from, to) => contacts.reassign(change, from, Id.fromUuid("company", to))
  })

  return { ofContacts, ofCompanies }
})

/** Merges records. Both use-cases need the `broker` capability. */
export class Merges extends Context.Service<Merges, Effect.Success<typeof make>>()("network/merges/Merges") {
  static readonly layer = Layer.effect(Merges, make)
}
