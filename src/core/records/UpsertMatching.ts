/** The items of an upsert before they are validated, and which record each means (docs/behaviour/http.md#batch-upsert). */
import * as Id from "../Id.ts"
import { Effect, Predicate, Result } from "effect"
import { type ExternalRef, refKey } from "../externalRefs/ExternalRef.ts"
import { shortened } from "../fields/spelling.ts"
import { inNfc } from "../fields/Text.ts"
import { bodyFault, type Input, type Json } from "../usecase/Input.ts"
import { itemTags, matches, type Tags } from "../usecase/UseCaseRequest.ts"
import { type Fault, InvalidRequest, Merged, NotFound, PreconditionFailed } from "../usecase/Problem.ts"
import { differing, of as ofJson, type UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import { upsertedRefs } from "../externalRefs/rules.ts"
import { makePacer } from "../usecase/EventLoop.ts"
import { type BatchOfRows, type NameKeys, nameKeysOf, namesAgree, type RolledBackRow } from "./EarlierRows.ts"
import type { makePendingWrites, Outcome } from "./SaveRecords.ts"
import { type EditableKind, fieldsOf, normalized } from "./RecordKind.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import type { WriteContext } from "./WriteContext.ts"

/** The items of a batch as documents, each with the faults of its own strings. */
export const itemsOf = (document: UnvalidatedJson, items: ReadonlyArray<unknown>): ReadonlyArray<UnvalidatedJson> => {
  const faults = Map.groupBy(document.faults, ({ pointer }) => /^\/items\/\d+/.exec(pointer)?.[0])
  return items.map((value, index) => {
    const prefix = `/items/${index}`
    const own = faults.get(prefix) ?? []
    return {
      value: value as Json,
      sent: value as Json,
      exhaustive: document.exhaustive,
      faults: own.map((fault): Fault => ({ ...fault, pointer: fault.pointer.slice(prefix.length) }))
    }
  })
}

const documents = new WeakMap<object, UnvalidatedJson>()

/**
 * A row of a file as a document, the same one each time, so that it is decoded once. Its faults are all found, however many rows a batch
 * has.
 */
export const rowOf = (value: unknown): UnvalidatedJson => {
  if (!Predicate.isObject(value)) return ofJson(value as Json)
  const known = documents.get(value)
  if (known !== undefined) return known
  const document = ofJson(value as Json)
  documents.set(value, document)
  return document
}

// Text that the database can hold: any other reference cannot exist.
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0")

const memberOf = ({ value }: UnvalidatedJson, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined

/** The well-formed references of an item. */
export const refsOf = (item: UnvalidatedJson): ReadonlyArray<ExternalRef> => {
  const refs = memberOf(item, "externalRefs")
  return (Array.isArray(refs) ? (refs as ReadonlyArray<unknown>) : []).flatMap((ref) =>
    Predicate.isObject(ref) &&
    "namespace" in ref &&
    "externalId" in ref &&
    isText(ref.namespace) &&
    isText(ref.externalId)
      ? [{ namespace: inNfc(ref.namespace), externalId: inNfc(ref.externalId) }]
      : []
  )
}

/** The value of a member of an item, if it is text. */
export const textOf = (item: UnvalidatedJson, member: string): string | undefined => {
  const value = memberOf(item, member)
  return isText(value) ? value : undefined
}

/** Whether an item has a member `id`, valid or not. */
export const hasId = (item: UnvalidatedJson): boolean => memberOf(item, "id") !== undefined

/** The id of an item, if it is a string. */
export const idOf = (item: UnvalidatedJson): string | undefined => {
  const id = memberOf(item, "id")
  return typeof id === "string" ? id : undefined
}

/** The id of an item as a receipt repeats it. */
export const shortIdOf = (item: UnvalidatedJson): string | undefined => {
  const id = idOf(item)
  return id === undefined ? undefined : shortened(id)
}

const withMembers = (
  item: UnvalidatedJson,
  change: (value: { readonly [member: string]: unknown }) => { readonly [member: string]: unknown }
): UnvalidatedJson => {
  if (!Predicate.isObject(item.value) || Array.isArray(item.value)) return item
  const value = change(item.value)
  return value === item.value ? item : { ...item, value: value as Json }
}

/** An item with only these members; the same one if it has no others. */
export const pickMembers = (item: UnvalidatedJson, members: ReadonlyArray<string>): UnvalidatedJson =>
  withMembers(item, (value) =>
    Object.keys(value).every((member) => members.includes(member))
      ? value
      : Object.fromEntries(members.flatMap((member) => (Object.hasOwn(value, member) ? [[member, value[member]]] : [])))
  )

/** An item without these members; the same one if it has none of them. */
export const omitMembers = (item: UnvalidatedJson, members: ReadonlyArray<string>): UnvalidatedJson =>
  withMembers(item, (value) =>
    members.some((member) => Object.hasOwn(value, member))
      ? Object.fromEntries(Object.entries(value).filter(([member]) => !members.includes(member)))
      : value
  )

/** An item without its `etag`, and the tags of that. A malformed one is a fault of the item. */
export const splitEtag = (
  item: UnvalidatedJson
): { readonly item: UnvalidatedJson; readonly tags: Tags | undefined } => {
  const others = omitMembers(item, ["etag"])
  const tags = itemTags(memberOf(item, "etag"))
  return Result.isSuccess(tags)
    ? { item: others, tags: tags.success }
    : { item: { ...others, faults: [...item.faults, tags.failure] }, tags: undefined }
}

/** Whether a record has other references in a system of which references are sent: then the item means another record. */
export const hasOtherRefs = (present: ReadonlyArray<ExternalRef>, sent: ReadonlyArray<ExternalRef>): boolean =>
  sent.some(({ namespace }) => present.some((ref) => ref.namespace === namespace))

// Finds the record that an item of an upsert means (docs/behaviour/http.md#batch-upsert), or a row of a file
// (docs/behaviour/imports-and-exports.md#matching), and decodes the item for it.

/** What becomes of a row that looks like a record without being it. */
export type OnDuplicate = "refuse" | "update" | "create"

/** The rows of a file that an upsert has as its items. */
export interface FileRows {
  /** The line of each item. */
  readonly lines: ReadonlyArray<number>
  readonly onDuplicate: OnDuplicate
  /** Whether a deleted record that a row names by its id is restored first. */
  readonly restore: boolean
  readonly earlier: BatchOfRows
  /** Waits until all that the rows of the batch before depend on is looked up and locked. */
  readonly turn: Effect.Effect<void>
  /** Runs when that of these is. */
  readonly lookedUp: Effect.Effect<void>
}

type Item = UnvalidatedJson

/** A record that a row meets: as it is stored, or as an earlier row left it whose batch a dry run has rolled back, or both. */
export interface Met<Resource> {
  readonly stored: Stored<Resource> | undefined
  readonly row: RolledBackRow | undefined
}

/** What a row means: a record (`same`), or none, with those that it looks like. */
export interface Meaning<Resource> {
  readonly same: Met<Resource> | undefined
  readonly alike: ReadonlyArray<Met<Resource>>
}

// Decoding so many takes about a millisecond.
const rowsOfATurn = 25

/** The problem of references that belong to different records. */
export const ambiguousRefs = InvalidRequest.of([
  bodyFault("/externalRefs", "ambiguous", "These references belong to different records.")
])

const invalidId = InvalidRequest.of([bodyFault("/id", "wrong_type", "Must be a string.")])

interface Candidate<Resource> {
  readonly met: Met<Resource>
  readonly names: NameKeys
  /** Whether another system has it under another id than the row. */
  readonly isOther: boolean
  /** The line of the earlier row of the file that had it. */
  readonly line: number | undefined
  /** Whether it has all values of the row already. */
  readonly hasAll: () => boolean
}

/** The one that leaves no doubt: that with just these names, or else that which has all values already. */
const clearest = <Resource>(names: NameKeys, candidates: ReadonlyArray<Candidate<Resource>>) => {
  const named = candidates.filter((one) => one.names.whole === names.whole)
  const likely = named.length > 0 ? named : candidates
  return likely.length === 1 ? likely[0] : likely.find(({ hasAll }) => hasAll())
}

/**
 * Which of the records that share a key with a row it means. `groups` are those that share its first key, its second, and so on. Names
 * must agree. A record that an earlier row had goes first, so that those which later rows made the last time do not change what a row
 * means; of several of them it repeats the first. In doubt about others it is none of them.
 */
const choose = <Resource>(
  names: NameKeys,
  groups: ReadonlyArray<ReadonlyArray<Candidate<Resource>>>
): Meaning<Resource> => {
  const agreeing = groups.map((group) => group.filter((one) => !one.isOther && namesAgree(names, one.names)))
  for (const group of agreeing) {
    const before = group
      .filter(({ line }) => line !== undefined)
      .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    const same = clearest(names, before) ?? before[0]
    if (same !== undefined) return { same: same.met, alike: [] }
  }
  for (const group of agreeing) {
    const same = clearest(names, group)
    if (same !== undefined) return { same: same.met, alike: [] }
  }
  return { same: undefined, alike: (groups.find((group) => group.length > 0) ?? []).map(({ met }) => met) }
}

/** Makes the matching of one kind of record. */
export const make = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: EditableKind<Fields, Resource, Rejection>
) => {
  const { blank, decodeCreate, decodePatch, identity, repeatsMember, type } = kind

  type Writes = ReturnType<typeof makePendingWrites<Fields, Resource, Rejection>>
  type WriteRejection = Result.Result.Failure<ReturnType<Writes["create"]>>
  type Context = WriteContext<Fields, Resource, Rejection>

  /** The record that an item names by its id, or else by its references. */
  const namedRecord = (
    writes: Writes,
    item: Item
  ): Result.Result<Stored<Resource> | undefined, InvalidRequest | Merged | NotFound> => {
    if (hasId(item)) {
      const id = idOf(item)
      if (id === undefined) return Result.fail(invalidId)
      const stored = writes.get(Id.toUuid(type, id) ?? "")
      if (stored?.mergedInto !== null && stored !== undefined) {
        const { mergedInto } = stored
        return Result.fail(new Merged({ mergedInto, detail: `This ${type} was merged into ${mergedInto}.` }))
      }
      return stored === undefined || stored.deleted
        ? Result.fail(new NotFound({ detail: `There is no ${type} with this id.` }))
        : Result.succeed(stored)
    }
    const [holder, another] = writes.holdersOf(refsOf(item))
    return another === undefined
      ? Result.succeed(holder === undefined ? undefined : writes.get(holder))
      : Result.fail(ambiguousRefs)
  }

  type Decoded = Result.Result<Partial<Fields>, InvalidRequest>

  /** What an item says of a record without values, and of the one that it was last decoded for. */
  interface Readings {
    asNew?: Decoded
    members?: Decoded
    patch?: { readonly of: Resource; readonly decoded: Decoded }
  }

  // Each step of an upsert decodes the items again, which takes as long as all else that it does in memory.
  const readings = new WeakMap<Item, Readings>()

  const readingsOf = (item: Item): Readings => {
    const known = readings.get(item)
    if (known !== undefined) return known
    const made: Readings = {}
    readings.set(item, made)
    return made
  }

  /** What an item says: what is `known`, or what decoding it gives, which is kept. */
  const decoding = (
    item: Item,
    known: (of: Readings) => Decoded | undefined,
    decode: () => Input<Partial<Fields>>,
    keep: (of: Readings, decoded: Decoded) => void
  ): Effect.Effect<Decoded> =>
    Effect.suspend(() => {
      const of = readingsOf(item)
      const before = known(of)
      if (before !== undefined) return Effect.succeed(before)
      return Effect.map(Effect.result(decode()), (decoded) => {
        keep(of, decoded)
        return decoded
      })
    })

  const decodeNew = (item: Item): Effect.Effect<Decoded> =>
    decoding(
      item,
      ({ asNew }) => asNew,
      () => decodeCreate(item),
      (of, decoded) => (of.asNew = decoded)
    )

  const decodeAs = (item: Item, target: Stored<Resource> | undefined): Effect.Effect<Decoded> => {
    if (target === undefined) return decodeNew(item)
    const { resource } = target
    return decoding(
      item,
      ({ patch }) => (patch?.of === resource ? patch.decoded : undefined),
      () => decodePatch(item, resource),
      (of, decoded) => (of.patch = { of: resource, decoded })
    )
  }

  /** Whether an item names only references that a record has. */
  const repeatsRefs = (item: Item, { externalRefs }: Resource): boolean => {
    const sent = memberOf(item, "externalRefs")
    const refs = refsOf(item)
    const held = new Set(externalRefs.map(refKey))
    return (
      Array.isArray(sent) &&
      refs.length > 0 &&
      sent.length === refs.length &&
      refs.every((ref) => held.has(refKey(ref)))
    )
  }

  /**
   * Whether an item says only what a record has: then it need not be decoded as a whole to know that it changes nothing. To send what a
   * record has is to leave it out, so that only the members are decoded which are written in another way, such as a number with more
   * places. False does not mean that the item changes something.
   */
  const repeats = (item: Item, { resource }: Stored<Resource>): Effect.Effect<boolean> | boolean => {
    const { faults, value } = item
    if (faults.length > 0 || !Predicate.isObject(value) || Array.isArray(value)) return false
    const others = differing(value as { readonly [member: string]: Json }, resource).filter((member) =>
      member === "externalRefs"
        ? !repeatsRefs(item, resource)
        : repeatsMember?.(member, memberOf(item, member) as Json, resource[member as keyof Resource]) !== true
    )
    if (others.length === 0) return true
    if (others.some((member) => !isDecodedAlone.has(member))) return false
    const current = fieldsOf(blank, resource)
    return Effect.match(decodePatch(pickMembers(item, others), resource), {
      onFailure: () => false,
      onSuccess: (sent) => differing(normalized(kind, sent, current), current).length === 0
    })
  }

  /** The records that items name and repeat, by the index of the item; each record is that of one item only. */
  const repeatedBy = Effect.fnUntraced(function* (
    writes: Writes,
    items: ReadonlyArray<ReturnType<typeof splitEtag>>
  ): Effect.fn.Return<ReadonlyMap<number, Stored<Resource>>> {
    const found = new Map<number, Stored<Resource>>()
    const indexes = new Map<string, number>()
    const pace = makePacer()
    for (const [index, { item, tags }] of items.entries()) {
      if (pace.isDue()) yield* pace.turn
      const stored = Result.getOrUndefined(namedRecord(writes, item))
      if (stored === undefined) continue
      const before = indexes.get(stored.uuid)
      if (before !== undefined) found.delete(before)
      else if (tags === undefined) {
        const known = repeats(item, stored)
        if (typeof known === "boolean" ? known : yield* known) found.set(index, stored)
      }
      indexes.set(stored.uuid, index)
    }
    return found
  })

  const writableMembers = Object.keys(blank)

  // References replace those of their namespaces, which a patch does not do.
  const isDecodedAlone = new Set(writableMembers.filter((member) => member !== "externalRefs"))

  /** Decodes an item that has an ETag, and so was read from a record: what is read-only does not count if it is not found. */
  const decodeAsRead = (item: Item, target: Stored<Resource> | undefined) =>
    decodeAs(target === undefined ? pickMembers(item, writableMembers) : item, target)

  /** Decodes the members of an item, without those that a new record needs. */
  const decodeMembers = (item: Item): Effect.Effect<Decoded> =>
    decoding(
      item,
      ({ members }) => members,
      () => decodePatch(pickMembers(item, writableMembers), {}),
      (of, decoded) => (of.members = decoded)
    )

  /** Decodes rows of a file as new records, before their batch has its turn. */
  const readAhead = Effect.fnUntraced(function* (values: ReadonlyArray<Json>) {
    for (const [index, value] of values.entries()) {
      yield* decodeAsRead(splitEtag(rowOf(value)).item, undefined)
      // The statements of the batch before are not kept waiting.
      if (index % rowsOfATurn === rowsOfATurn - 1) yield* Effect.yieldNow
    }
  })

  /** The states that items may lead to. The items before one can change the record that its references name. */
  const possibleStates = Effect.fnUntraced(function* (writes: Writes, items: ReadonlyArray<Item>) {
    const states: Array<Fields> = []
    const pace = makePacer()
    for (const item of items) {
      if (pace.isDue()) yield* pace.turn
      const target = Result.getOrUndefined(namedRecord(writes, item))
      const possible: Array<{ readonly input: Decoded; readonly current: Fields }> = []
      if (!hasId(item)) {
        const asNew = yield* decodeAsRead(item, undefined)
        // What a new record may be says all that a patch would.
        possible.push({ input: Result.isSuccess(asNew) ? asNew : yield* decodeMembers(item), current: blank })
      }
      if (target !== undefined) {
        possible.push({ input: yield* decodeAs(item, target), current: fieldsOf(blank, target.resource) })
      }
      for (const { current, input } of possible) {
        if (Result.isSuccess(input)) states.push({ ...current, ...normalized(kind, input.success, current) })
      }
    }
    return states
  })

  /** The record that an item without id and known references means by its members, as the pair of a link does. */
  const matchOf = (writes: Writes, context: Context, asNew: Result.Result<Partial<Fields>, InvalidRequest>) => {
    if (Result.isFailure(asNew)) return undefined
    const match = context.findMatch?.({ ...blank, ...normalized(kind, asNew.success, blank) })
    if (match !== undefined && writes.get(match.uuid) === undefined) writes.add(match)
    return match
  }

  /** The keys by which other rows may mean a record with these members. */
  const keysOf = (fields: Fields): ReadonlyArray<string> => identity?.keysOf(fields) ?? []

  /** The names of a record with these members, which take longer than its keys. */
  const namesOf = (fields: Fields): NameKeys => nameKeysOf(identity?.namesOf(fields) ?? [])

  /** The record that a row without id and known references means by its members. `asNew` is the row as a new record. */
  const alikeRecord = Effect.fnUntraced(function* (
    writes: Writes,
    context: Context,
    { earlier }: FileRows,
    item: Item,
    asNew: Result.Result<Partial<Fields>, InvalidRequest>
  ) {
    const nothing: Meaning<Resource> = { same: undefined, alike: [] }
    // An existing record has the members that a new one needs, such as a name.
    const input = identity !== undefined && Result.isFailure(asNew) ? yield* decodeMembers(item) : asNew
    if (identity === undefined || Result.isFailure(input)) return nothing
    const values = input.success
    const sentRefs = values.externalRefs ?? []
    const sent = normalized(kind, values, blank)
    const said = { ...blank, ...sent }
    const found = keysOf(said).map((key) => ({
      rows: earlier.withKeys([key]),
      stored: context.findByKeys?.([key]) ?? []
    }))
    if (found.every(({ rows, stored }) => rows.length + stored.length === 0)) return nothing

    const ofRow = (row: RolledBackRow, stored?: Stored<Resource>): Candidate<Resource> => ({
      met: { stored, row },
      names: row.names,
      isOther: identity.isUnique !== true && sentRefs.some(({ namespace }) => row.hasNamespace(namespace)),
      line: row.line,
      hasAll: () => row.says(sent, blank) && sentRefs.every(row.holds)
    })
    const ofStored = (stored: Stored<Resource>): Candidate<Resource> => ({
      met: { stored, row: undefined },
      names: namesOf(fieldsOf(blank, stored.resource)),
      isOther: identity.isUnique !== true && hasOtherRefs(stored.resource.externalRefs, sentRefs),
      line: earlier.lineOf(stored.resource.id),
      hasAll: () => writes.changedBy(stored, values).length === 0
    })
    const groups = found.map(({ rows, stored }) => {
      const byId = new Map(stored.map((one) => [one.resource.id as string, one]))
      // What a rolled back row made of a record goes before what is stored of it.
      const others = stored.filter(({ resource: { id } }) => earlier.rolledBack(id) === undefined)
      const [inBatch, before] = [true, false].map((invented) =>
        others.filter(({ resource: { id } }) => earlier.isInvented(id) === invented).map(ofStored)
      )
      return [
        ...(before ?? []),
        ...rows.map((row) => ofRow(row, row.id === undefined ? undefined : byId.get(row.id))),
        ...(inBatch ?? [])
      ]
    })
    return choose(namesOf(said), groups)
  })

  /** The record that a row means. */
  const meaningOf = Effect.fnUntraced(function* (
    writes: Writes,
    context: Context,
    rows: FileRows,
    item: Item,
    named: Stored<Resource> | undefined,
    asNew: Result.Result<Partial<Fields>, InvalidRequest>
  ): Effect.fn.Return<Result.Result<Meaning<Resource>, InvalidRequest>> {
    const row = named === undefined ? undefined : rows.earlier.rolledBack(named.resource.id)
    const holding = rows.earlier.holding(refsOf(item))
    const others = holding.filter(({ place }) => place !== row?.place)
    if (others.length > (named === undefined ? 1 : 0)) return Result.fail(ambiguousRefs)
    const [holder] = others
    if (named !== undefined) return Result.succeed({ same: { stored: named, row }, alike: [] })
    if (holder !== undefined) {
      const stored = writes.get(Id.toUuid(type, holder.id ?? "") ?? "")
      return Result.succeed({ same: { stored, row: holder }, alike: [] })
    }
    const meaning = yield* alikeRecord(writes, context, rows, item, asNew)
    for (const { stored } of meaning.same === undefined ? meaning.alike : [meaning.same]) {
      if (stored !== undefined && writes.get(stored.uuid) === undefined) writes.add(stored)
    }
    return Result.succeed(meaning)
  })

  /** The refusal of an item with an ETag whose record is gone, or has another one. */
  const preconditionOf = (
    tags: ReturnType<typeof splitEtag>["tags"],
    target: Stored<Resource> | undefined,
    asNew: Result.Result<Partial<Fields>, InvalidRequest>
  ): { readonly id: string | undefined; readonly failure: InvalidRequest | PreconditionFailed } | undefined => {
    if (tags === undefined) return undefined
    if (target === undefined) {
      const faults = Result.isFailure(asNew) ? asNew.failure.errors.filter(({ code }) => code !== "required") : []
      return {
        id: undefined,
        failure: faults.length > 0 ? InvalidRequest.of(faults) : PreconditionFailed.ofGoneItem(type)
      }
    }
    const { etag, id } = target.resource
    return matches(etag, tags) ? undefined : { id, failure: PreconditionFailed.ofItem(type, etag) }
  }

  /** Patches a record, whose references an item replaces by namespace, or adds to (`joined`). */
  const patchWithRefs = (
    writes: Writes,
    context: Context,
    target: Stored<Resource>,
    { force, input, joined }: { readonly input: Partial<Fields>; readonly force: boolean; readonly joined: boolean }
  ): Result.Result<Outcome<Resource>, InvalidRequest | WriteRejection> => {
    if (input.externalRefs === undefined) return writes.patch(context, target.uuid, { input, force })
    const refs = upsertedRefs(target.resource.externalRefs, input.externalRefs, "record", { joined })
    return Result.isFailure(refs)
      ? Result.fail(refs.failure)
      : writes.patch(context, target.uuid, { input: { ...input, externalRefs: refs.success }, force })
  }

  return {
    readAhead,
    repeatedBy,
    namedRecord,
    decodeAs,
    decodeAsRead,
    decodeMembers,
    possibleStates,
    matchOf,
    meaningOf,
    keysOf,
    namesOf,
    preconditionOf,
    patchWithRefs
  }
}
