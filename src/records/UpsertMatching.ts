/** Finds the record that an item of an upsert means (docs/behaviour/http.md#batch-upsert), and decodes the item for it. */
import { Effect, Result } from "effect"
import * as Id from "../Id.ts"
import { bodyFault } from "../usecase/Input.ts"
import { InvalidRequest, Merged, NotFound } from "../usecase/Problem.ts"
import { makePacer } from "../usecase/Turns.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import type * as PendingWrites from "./PendingWrites.ts"
import { type EditableKind, fieldsOf, normalized } from "./RecordKind.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { hasId, hasOtherRefs, idOf, pickMembers, refsOf } from "./upsertItems.ts"
import type { WriteContext } from "./WriteContext.ts"

/** How items are matched and written. */
export interface UpsertOptions {
  /** Whether to write in spite of possible duplicates. */
  readonly force: boolean
  /**
   * Whether an item without id and known references matches the one record that it would be a duplicate of, unless that record has
   * another reference in one of the item's systems.
   */
  readonly matchByMembers: boolean
}

type Item = UnvalidatedJson

const ambiguousRefs = InvalidRequest.of([
  bodyFault("/externalRefs", "ambiguous", "These references belong to different records.")
])

const invalidId = InvalidRequest.of([bodyFault("/id", "wrong_type", "Must be a string.")])

/** Makes the matching of one kind of record. */
export const make = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: EditableKind<Fields, Resource, Rejection>
) => {
  const { blank, decodeCreate, decodePatch, type } = kind

  type Writes = ReturnType<typeof PendingWrites.make<Fields, Resource, Rejection>>

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

  const decodeAs = (item: Item, target: Stored<Resource> | undefined) =>
    Effect.result(target === undefined ? decodeCreate(item) : decodePatch(item, target.resource))

  const writableMembers = Object.keys(blank)

  /** Decodes an item that has an ETag, and so was read from a record: what is read-only does not count if it is not found. */
  const decodeAsRead = (item: Item, target: Stored<Resource> | undefined) =>
    decodeAs(target === undefined ? pickMembers(item, writableMembers) : item, target)

  /** Decodes the members of an item, without those that a new record needs. */
  const decodeMembers = (item: Item) => Effect.result(decodePatch(pickMembers(item, writableMembers), {}))

  /** The states that items may lead to. The items before one can change the record that its references name. */
  const possibleStates = Effect.fnUntraced(function* (writes: Writes, items: ReadonlyArray<Item>) {
    const states: Array<Fields> = []
    const pace = makePacer()
    for (const item of items) {
      yield* pace
      const target = Result.getOrUndefined(namedRecord(writes, item))
      const readings = hasId(item)
        ? []
        : [
            { input: yield* decodeAsRead(item, undefined), current: blank },
            { input: yield* decodeMembers(item), current: blank }
          ]
      if (target !== undefined) {
        readings.push({ input: yield* decodeAs(item, target), current: fieldsOf(blank, target.resource) })
      }
      for (const { current, input } of readings) {
        if (Result.isSuccess(input)) states.push({ ...current, ...normalized(kind, input.success, current) })
      }
    }
    return states
  })

  /** The record that an item without id and known references means by its members; `asNew` is the item as a new record. */
  const matchByMembers = Effect.fnUntraced(function* (
    writes: Writes,
    context: WriteContext<Fields, Resource, Rejection>,
    item: Item,
    asNew: Result.Result<Partial<Fields>, InvalidRequest>,
    options: UpsertOptions
  ) {
    // An existing record has the members that a new one needs, such as a name.
    const input = options.matchByMembers && Result.isFailure(asNew) ? yield* decodeMembers(item) : asNew
    if (Result.isFailure(input)) return undefined
    const match = context.findMatch?.({ ...blank, ...normalized(kind, input.success, blank) })
    if (match === undefined) return undefined
    // The pair of a link identifies it. Members that look alike do not, if another system has the record under another id.
    if (options.matchByMembers && hasOtherRefs(match.resource.externalRefs, input.success.externalRefs ?? [])) {
      return undefined
    }
    if (writes.get(match.uuid) === undefined) writes.add(match)
    return match
  })

  return { namedRecord, decodeAs, decodeAsRead, possibleStates, matchByMembers }
}
