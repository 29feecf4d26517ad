/** Decodes and resolves patches of a prospect (docs/behaviour/projects-and-prospects.md#updating-prospects). */
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { expiryOf } from "./dates.ts"
import { ProspectPatch } from "./ProspectInput.ts"
import { Prospect } from "./Prospect.ts"
import type { ProspectState } from "./ProspectState.ts"
import type { Patch } from "./rules.ts"

const decodePatch = MergePatch.make(ProspectPatch, Prospect.fields)

/** Decodes a patch. The owner is sent as an id and answered with a name; one that is sent as it was answered changes nothing. */
export const decode = (document: UnvalidatedJson, current: Partial<Prospect>) => {
  const { value } = document
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  if (!isObject || !("owner" in value) || typeof value.owner !== "object" || value.owner === null) {
    return decodePatch(document, current)
  }
  const { owner, ...others } = value
  const asAnswered = current.owner !== undefined && MergePatch.differing({ owner }, current).length === 0
  return decodePatch(asAnswered ? { ...document, value: others } : document, current)
}

/** The id of the new owner, where `me` is the caller; undefined without one. */
export const ownerIdOf = ({ owner }: ProspectPatch, me: string | null): string | undefined =>
  owner === null ? undefined : owner === "me" ? (me ?? "me") : owner

/** The values that a patch writes, and its faults. */
export const resolve = (
  input: ProspectPatch,
  state: ProspectState,
  context: {
    readonly now: Date
    readonly ownerId: string | undefined
    /** Whether this user is an active member of the team. */
    readonly isMember: (userId: string) => boolean
  }
): { readonly patch: Patch; readonly faults: ReadonlyArray<Fault> } => {
  const { accessExpiry, owner, stageReason, ...plain } = input
  const faults: Array<Fault> = []
  if (stageReason !== undefined && input.stage === undefined) {
    faults.push(bodyFault("/stageReason", "not_allowed", "Is only allowed together with `stage`."))
  }
  const isNewOwner = context.ownerId !== undefined && context.ownerId !== state.ownerId
  if (isNewOwner && !context.isMember(context.ownerId)) {
    faults.push(bodyFault("/owner", "invalid_reference", "There is no active member of the team with this id."))
  }
  const expiry = typeof accessExpiry === "string" ? expiryOf(accessExpiry, context.now) : undefined
  if (typeof accessExpiry === "string") {
    if (expiry === undefined) {
      faults.push(
        bodyFault(
          "/accessExpiry",
          "invalid_expiry",
          "Must be a number of days, weeks or months (3d, 2w, 1m), tomorrow, next_week, next_month, or an ISO 8601 date or date and time."
        )
      )
    } else if (expiry.getTime() <= context.now.getTime()) {
      faults.push(bodyFault("/accessExpiry", "not_in_future", "Must be in the future."))
    }
    if (state.roomAccessUtc === null) {
      faults.push(bodyFault("/accessExpiry", "no_room", "The prospect has no access to a room."))
    }
  }
  return {
    faults,
    patch: {
      ...plain,
      ...(stageReason === undefined ? {} : { stageReason }),
      ...(owner === undefined ? {} : { ownerId: context.ownerId ?? null }),
      ...(accessExpiry === undefined ? {} : { accessExpiryUtc: expiry?.toISOString() ?? null })
    }
  }
}
