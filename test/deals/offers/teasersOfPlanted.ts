/** The teasers of planted projects: what they show of codes, and values that they cannot tell from the planted ones. */
import { assert } from "@effect/vitest"
import type { Projection } from "../../../src/deals/teasers/projection/Projection.ts"
import { named, type Plan, type planted, type Sample } from "./planted.ts"

/** A project with planted properties. */
interface Designed {
  readonly seller: { readonly plan: Plan }
  readonly propertyIds: ReadonlyArray<string>
  readonly sample: Sample
  readonly codes: ReturnType<typeof planted>["codes"]
}

interface Shown {
  readonly min: number | null
  readonly max: number | null
}

/** Members of properties that ranges show together, with other values in the same cells of the grid. */
export const movedWithin = (
  { area, price, yearBuilt, yield: netInitialYield, zoning }: Projection,
  { propertyIds, sample: { options }, seller: { plan } }: Designed
) => {
  const isExact = (mode: string) => plan !== "free" && mode === "exact"
  const inside = (range: Shown | null, mode: string, part = 0.371_93) =>
    range === null || range.min === null || range.max === null || isExact(mode)
      ? []
      : [range.min + (range.max - range.min) * part]
  const isSingle = propertyIds.length === 1
  /** The part of one property in a sum. */
  const partOf = (range: Shown | null, mode: string, position: number) =>
    inside(range, mode).map((sum) => {
      const first = Math.round(sum * (isSingle ? 1 : 0.413_57))
      return position === 0 ? first : Math.round(sum) - first
    })
  return propertyIds.map((id, position) => {
    const sqm = partOf(area, options.area, position)
    const gfa = partOf(zoning?.gfa ?? null, options.zoning, position)
    const money = partOf(price, options.price, position)
    const percent = inside(netInitialYield, options.yield, position === 0 ? 0.371_93 : 0.438_71).map((value) =>
      Number(value.toFixed(4))
    )
    // The first and the last decade keep a building each.
    const years =
      yearBuilt === null || isExact(options.yearBuilt) ? [] : [position === 0 ? yearBuilt.min + 3 : yearBuilt.max - 4]
    return {
      id,
      values: [...sqm, ...gfa, ...money, ...percent],
      patch: {
        ...Object.fromEntries(sqm.map((value) => ["lettableArea", { value, unit: "sqm" }])),
        ...Object.fromEntries(gfa.map((value) => ["zoning", { gfa: { value, unit: "sqm" } }])),
        ...Object.fromEntries(years.map((year) => ["yearBuilt", year])),
        pricing: Object.fromEntries([
          ...money.map((value) => ["askingPrice", { value, currency: "EUR" }]),
          ...percent.map((value) => ["netInitialYield", { value, unit: "percent" }])
        ])
      }
    }
  })
}

/** A teaser says no more than it should with codes and years, nor does its title. */
export const assertCodes = (teaser: Projection | undefined, { codes, sample }: Designed) => {
  const message = JSON.stringify(sample)
  assert.isDefined(teaser, message)
  const { categories, conversions, country, energy, tags, tenure, title, yearBuilt } = teaser as Projection
  assert.deepStrictEqual<unknown>(
    {
      country,
      categories: categories.toSorted(),
      tags: tags.toSorted(),
      conversions: conversions.toSorted(),
      tenure,
      energy,
      yearBuilt
    },
    codes,
    message
  )
  for (const [code, name] of Object.entries(named.country)) {
    if (code !== codes.country) assert.notInclude(title ?? "", name, message)
  }
  for (const [code, name] of Object.entries(named.category)) {
    if (!codes.categories.includes(code)) assert.notInclude((title ?? "").toLowerCase(), name, message)
  }
}
