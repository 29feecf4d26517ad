/** The flat arguments of agents for members that REST nests: ranges and investors. Pure. */
import { Result } from "effect"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"

type End = number | null | undefined

/** The ends of the ranges that agents can write. */
export interface FlatRanges {
  readonly investmentSizeMin?: End
  readonly investmentSizeMax?: End
  readonly currency?: string | undefined
  readonly lettableAreaMin?: End
  readonly lettableAreaMax?: End
}

const faultAt = (argument: string, detail: string) => bodyFault(`/${argument}`, "required", detail)

/**
 * A member with a range, from its two ends: nothing if neither is sent, null if both are null. A range is replaced as a whole, so a
 * change needs both ends: one alone would open the other unseen.
 */
const rangeOf = (member: string, [min, max]: readonly [End, End], others: object, isChange: boolean) => {
  if (min === undefined && max === undefined) return Result.succeed({})
  if (isChange && (min === undefined || max === undefined)) {
    const missing = `${member}${min === undefined ? "Min" : "Max"}`
    return Result.fail([faultAt(missing, "Send both ends of a range; null for an open end.")])
  }
  const ends = { min: min ?? null, max: max ?? null }
  return Result.succeed({ [member]: ends.min === null && ends.max === null ? null : { ...ends, ...others } })
}

/** The ranges of a body. */
export const rangesOf = (
  sent: FlatRanges,
  isChange: boolean
): Result.Result<{ readonly [member: string]: object | null }, ReadonlyArray<Fault>> => {
  const { currency, investmentSizeMax, investmentSizeMin, lettableAreaMax, lettableAreaMin } = sent
  const hasSize = typeof investmentSizeMin === "number" || typeof investmentSizeMax === "number"
  if (hasSize && currency === undefined) {
    return Result.fail([faultAt("currency", "Needs the currency of investmentSizeMin and investmentSizeMax.")])
  }
  if (!hasSize && currency !== undefined) {
    return Result.fail([faultAt("investmentSizeMin", "Needs an end of the range that currency belongs to.")])
  }
  return Result.gen(function* () {
    const size = [investmentSizeMin, investmentSizeMax] as const
    const area = [lettableAreaMin, lettableAreaMax] as const
    return {
      ...(yield* rangeOf("investmentSize", size, { currency, scale: "unit" }, isChange)),
      ...(yield* rangeOf("lettableArea", area, { unit: "sqm" }, isChange))
    }
  })
}

/** The member `investor` of a body, from the ids that were sent: null clears it. */
export const investorOf = (contactId: string | null | undefined, companyId: string | null | undefined) => {
  if (contactId === undefined && companyId === undefined) return {}
  const ids = {
    ...(typeof contactId === "string" ? { contactId } : {}),
    ...(typeof companyId === "string" ? { companyId } : {})
  }
  return { investor: Object.keys(ids).length === 0 ? null : ids }
}
