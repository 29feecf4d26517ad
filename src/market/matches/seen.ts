/** Compares what an investor sees of a property, which are ranges, with a mandate. Pure. */
import type { ComparedMandate, ComparedProperty } from "./rules.ts"

interface Ends {
  readonly min: number | null
  readonly max: number | null
}

/** What is seen of a property. An exact value has `min` equal to `max`. */
export interface SeenProperty {
  readonly categories: ReadonlyArray<string>
  readonly country: string | null
  readonly prices: ReadonlyArray<Ends & { readonly currency: string }>
  readonly yield: Ends | null
  readonly area: Ends | null
  readonly yearBuilt: Ends | null
  readonly zoning: { readonly gfa: Ends } | null
  readonly tenure: string | null
  readonly tags: ReadonlyArray<string>
  readonly conversions: ReadonlyArray<string>
  readonly energy: { readonly class: string } | null
  readonly wault: Ends | null
}

const scales = { unit: 1, thousand: 1e3, million: 1e6 }

/** The value of a range that is nearest to what is wanted; null if neither says anything. */
const nearest = (seen: Ends | null, wanted: Ends | null, scale = 1): number | null => {
  if (seen === null) return null
  const [min, max] = [seen.min ?? seen.max ?? 0, seen.max ?? seen.min ?? 0]
  const [low, high] = [(wanted?.min ?? -Infinity) * scale, (wanted?.max ?? Infinity) * scale]
  return max < low ? max : min > high ? min : Math.max(min, low)
}

const isExact = (seen: Ends | null | undefined): boolean =>
  seen?.min !== undefined && seen.min !== null && seen.min === seen.max

const valueOr = <A>(value: number | null, make: (value: number) => A): A | null => (value === null ? null : make(value))

/**
 * The property of which as much fits the mandate as what is seen allows, and the mandate without what does not follow from ranges:
 * the price per square metre.
 */
export const bestCase = (
  seen: SeenProperty,
  mandate: ComparedMandate
): { readonly property: ComparedProperty; readonly mandate: ComparedMandate } => {
  const { investmentSize } = mandate
  const price = seen.prices.find(({ currency }) => currency === investmentSize?.currency) ?? seen.prices[0]
  const scale = scales[investmentSize?.scale ?? "unit"]
  const askingPrice =
    price === undefined
      ? null
      : valueOr(
          nearest(price, price.currency === investmentSize?.currency ? investmentSize : null, scale),
          (value) => ({
            value,
            currency: price.currency
          })
        )
  const percent = (value: number) => ({ value, unit: "percent" as const })
  const sqm = (value: number) => ({ value, unit: "sqm" as const })
  const gfa = valueOr(nearest(seen.zoning?.gfa ?? null, mandate.zoningGfa), sqm)
  const wault = valueOr(nearest(seen.wault, mandate.wault), (value) => ({ value, unit: "years" as const }))
  const compared = {
    country: seen.country,
    coordinates: null,
    categories: seen.categories,
    subcategories: [],
    lifecycleStage: null,
    tenure: seen.tenure,
    dealStructure: null,
    parcelArea: null,
    lettableArea: valueOr(nearest(seen.area, mandate.lettableArea), sqm),
    zoning: gfa === null ? null : { gfa },
    conversions: seen.conversions,
    tags: seen.tags,
    yearBuilt: nearest(seen.yearBuilt, mandate.yearBuilt),
    unitCount: null,
    income: wault === null ? null : { waultToBreak: wault, waultToExpiry: null, vacancyRate: null },
    pricing: { askingPrice, netInitialYield: valueOr(nearest(seen.yield, mandate.netInitialYield), percent) },
    energy: seen.energy === null ? null : { class: seen.energy.class, country: seen.country }
  }
  const isComparable = isExact(price) && isExact(seen.area)
  return {
    property: compared,
    mandate: isComparable ? mandate : { ...mandate, pricePerSqm: null }
  }
}
