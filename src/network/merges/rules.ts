/** The pure decisions on merges. */
import type { FaultCode } from "../../core/fields/FaultCode.ts"
import { Result } from "effect"
import { type ExternalRef, maxRefs } from "../../core/externalRefs/ExternalRef.ts"
import { distinctTags, maxTags } from "../../core/fields/Text.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { type Fault, InvalidRequest } from "../../core/usecase/Problem.ts"
import type { Stored } from "../../core/records/Table.ts"
import type { MergeType } from "./Merge.ts"

/** The lists of a record that a merge joins. */
export interface JoinedLists {
  readonly externalRefs: ReadonlyArray<ExternalRef>
  readonly tags: ReadonlyArray<string>
}

interface Mergeable extends JoinedLists {
  readonly id: string
}

/** An accepted merge. */
export interface Decision<Resource> {
  /** The records to merge; empty if all of them were merged before. */
  readonly merged: ReadonlyArray<Stored<Resource>>
  /** The lists of the survivor after the merge: what it has itself comes first. */
  readonly joined: JoinedLists
}

/**
 * Decides whether these records can be merged into `into`. `from` are the UUIDs of the ids that were sent, undefined for ids of another
 * type; `found` are the loaded records, tombstones included, by UUID. Repeating a merge changes nothing.
 */
export const decide = <Resource extends Mergeable>(options: {
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
    const refuse = (code: FaultCode, detail: string) => faults.push(bodyFault(`/from/${index}`, code, detail))
    const stored = found.get(uuid ?? "")
    const isRepeated = uuid !== undefined && seen.has(uuid)
    if (uuid !== undefined) seen.add(uuid)
    if (isRepeated) refuse("not_unique", "Is listed before.")
    else if (uuid === into.uuid) refuse("invalid_reference", `Is the ${type} itself.`)
    else if (stored?.mergedInto === into.resource.id) continue
    else if (stored !== undefined && stored.mergedInto !== null) {
      refuse("invalid_reference", `Was merged into ${stored.mergedInto}.`)
    } else if (stored === undefined || stored.deleted) {
      refuse("invalid_reference", `There is no ${type} with this id.`)
    } else merged.push(stored)
  }
  if (faults.length > 0) return Result.fail(InvalidRequest.of(faults))
  const all = [into, ...merged].map(({ resource }) => resource)
  // A reference belongs to one record, so none of them occurs twice.
  const externalRefs = all.flatMap((one) => one.externalRefs)
  const tags = distinctTags(all.flatMap((one) => one.tags)).slice(0, maxTags)
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
    : Result.succeed({ merged, joined: { externalRefs, tags } })
}
