/** Properties and mandates that have only the members that a test is about. */
import type { MandateFields } from "../../../src/market/mandates/Mandate.ts"
import type { PropertyFields } from "../../../src/market/properties/Property.ts"

/** Some members of a property. */
export type SomeProperty = Partial<PropertyFields>

/** Some members of a mandate. */
export type SomeMandate = Partial<MandateFields>

type Inside<Member extends keyof PropertyFields> = Partial<NonNullable<PropertyFields[Member]>>

/** An amount of money. */
export const eur = (value: number) => ({ value, currency: "EUR" })

/** An area. */
export const sqm = (value: number) => ({ value, unit: "sqm" as const })

/** A percentage. */
export const percent = (value: number) => ({ value, unit: "percent" as const })

/** A duration. */
export const years = (value: number) => ({ value, unit: "years" as const })

/** A range of prices in euros. */
export const prices = (min: number | null, max: number | null, scale: "million" | "thousand" | "unit" = "unit") => ({
  min,
  max,
  currency: "EUR",
  scale
})

/** A property with these prices and yields. */
export const pricing = (members: Inside<"pricing">) => ({
  pricing: {
    askingPrice: null,
    qualifier: null,
    purchaserCosts: null,
    netInitialYield: null,
    toppedUpNetInitialYield: null,
    grossInitialYield: null,
    reversionaryYield: null,
    rentMultiplier: null,
    vatTreatment: null,
    ...members
  }
})

/** A property with this income. */
export const income = (members: Inside<"income">) => ({
  income: {
    asOf: null,
    passingRent: null,
    marketRent: null,
    nonRecoverableCosts: null,
    netOperatingIncome: null,
    vacancyRate: null,
    occupancyRate: null,
    waultToBreak: null,
    waultToExpiry: null,
    tenantCount: null,
    leaseType: null,
    indexation: null,
    ...members
  }
})

/** A property with this zoning. */
export const zoning = (members: Inside<"zoning">) => ({
  zoning: {
    gfa: null,
    uses: [],
    useClass: null,
    status: null,
    planReference: null,
    floorAreaRatio: null,
    siteCoverageRatio: null,
    planningPermission: null,
    ...members
  }
})

/** A property with this energy certificate. */
export const energy = (members: Inside<"energy">) => ({
  energy: {
    class: null,
    country: null,
    certificateNumber: null,
    validUntil: null,
    basis: null,
    primaryKwhPerSqmYear: null,
    finalKwhPerSqmYear: null,
    co2KgPerSqmYear: null,
    ...members
  }
})
