/** The pure decisions on merges. */
import { Result } from "effect"
import { type ExternalRef, maxRefs } from "../../externalRefs/ExternalRef.ts"
import { bodyFault } from "../../usecase/Input.ts"
import { type Fault, InvalidRequest } from "../../usecase/Problem.ts"
import type { Stored } from "../../records/Table.ts"
import type { MergeType } from "./Merge.ts"

interface Referenced {
  readonly id: string
  readonly externalRefs: ReadonlyArray<ExternalRef>
}

/** A merge that may be made. */
export interface Decision<Resource> {
  /** Those that become part of the other now; none, when all of them have been for long. */
  readonly merged: ReadonlyArray<Stored<Resource>>
  /** The references that the other has then: its own first. */
  readonly externalRefs: ReadonlyArray<ExternalRef>
}

/**
 * Whether these records may become part of `into`, and what comes of it. `from` are the ids that were sent, with the UUIDs
 * that they stand for; `found` are those of them that there are or were, by their UUIDs. Who sends a merge again that was
 * made changes nothing.
 */
export const decide = <Resource extends Referenced>(options: {
  readonly type: MergeType
  readonly into: Stored<Resource>
  readonly from: ReadonlyArray<string | undefined>
  readonly found: ReadonlyMap<string, Stored<Resource>>
}): Result.Result<Decision<Resource>, InvalidRequest> => {
  const { found, from, into, type } = options
  const seen = new Set<string>()
  const faults: Array<Fault> = []
  const merged: Array<Stored<Resource>> = []
  for (const [index, uuid] of from.entries()) {
    const refuse = (code: string, detail: string) => faults.push(bodyFault(`/from/${index}`, code, detail))
    const stored = found.get(uuid ?? "")
    const isRepeated = uuid !== undefined && seen.has(uuid)
    if (uuid !== undefined) seen.add(uuid)
    if (isRepeated) refuse("not_unique", "Is named before.")
    else if (uuid === into.uuid) refuse("invalid_reference", `Is the ${type} itself.`)
    else if (stored?.mergedInto === into.resource.id) continue
    else if (stored !== undefined && stored.mergedInto !== null) {
      refuse("invalid_reference", `Has become part of ${stored.mergedInto}.`)
    } else if (stored === undefined || stored.deleted) {
      refuse("invalid_reference", `There is no ${type} with this id.`)
    } else merged.push(stored)
  }
  if (faults.length > 0) return Result.fail(InvalidRequest.of(faults))
  // A reference belongs to one record at a time, so none is there twice.
  const externalRefs = [into, ...merged].flatMap(({ resource }) => resource.externalRefs)
  return externalRefs.length > maxRefs
    ? Result.fail(
        InvalidRequest.of([
          bodyFault(
            "/from",
            "too_many",
            `The ${type} would have ${externalRefs.length} external references, and may have ${maxRefs}. Remove some first.`
          )
        ])
      )
    : Result.succeed({ merged, externalRefs })
}
