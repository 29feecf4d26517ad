/** The use-cases of links. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../changes/Changes.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import * as MergePatch from "../../usecase/MergePatch.ts"
import type { RecordKind } from "../../records/RecordKind.ts"
import * as Records from "../../records/Records.ts"
import { Link, LinkCreate, type LinkListQuery, LinkPatch } from "./Link.ts"
import { type LinkedTo, LinksRepo } from "./LinksRepo.ts"
import { blank, gathered, type Reassignment, toChangeRecord, type LinkFields } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* LinksRepo

  const kind: RecordKind<LinkFields, Link, LinkListQuery> = {
    type: "link",
    plural: "Links",
    blank,
    decodeCreate: UnvalidatedJson.decoder(LinkCreate, Link.fields),
    decodePatch: MergePatch.make(LinkPatch),
    normalize: (sent) => sent,
    faultsOf: () => [],
    toChangeRecord,
    repo,
    cascade: () => Effect.void
  }
  const records = yield* Records.make(kind)

  /** Deletes the links of contacts or companies that go, inside the transaction of `change`. */
  const removeOf = Effect.fn("Links.removeOf")(function* (change: Change, of: LinkedTo) {
    yield* records.removeLocked(change, yield* repo.lockOf(change.actor.teamId, of))
  })

  /**
   * Keeps others from writing these links until the transaction of `change` ends. Who locks contacts or companies and
   * then moves their links, holds the links first, for others lock a link before whom it joins.
   */
  const hold = Effect.fn("Links.hold")(function* (change: Change, of: LinkedTo) {
    yield* repo.lockOf(change.actor.teamId, of)
  })

  /**
   * Gives the links of contacts or companies to the one that these become part of, inside the transaction of `change`. Of
   * links that join the same two then, one stays (see {@link gathered}) and the others are deleted.
   */
  const gather = Effect.fn("Links.gather")(function* (change: Change, gathering: Reassignment) {
    const { from, to, type } = gathering
    const uuids = [...from, to]
    const locked = yield* repo.lockOf(
      change.actor.teamId,
      type === "contact" ? { contacts: uuids } : { companies: uuids }
    )
    const { dropped, kept } = yield* Effect.fromResult(gathered(locked, gathering))
    // Nobody looks at the timeline of what has become part of another.
    const onSurvivor: Change = {
      ...change,
      record: (record) =>
        change.record({
          ...record,
          subjects: record.subjects.map((subject) => (from.includes(subject.id) ? { ...subject, id: to } : subject))
        })
    }
    yield* records.removeLocked(onSurvivor, dropped)
    const inputs = new Map(kept.map(({ input, stored }) => [stored.uuid, input]))
    yield* records.rewrite(
      change,
      kept.map(({ stored }) => stored),
      ({ uuid }) => inputs.get(uuid) ?? {}
    )
  })

  return { ...records, removeOf, hold, gather }
})

/** What can be done with links. Every use-case needs the `broker` capability; `purge` is the service's own. */
export class Links extends Context.Service<Links, Effect.Success<typeof make>>()("network/links/Links") {
  static readonly layer = Layer.effect(Links, make)
}
