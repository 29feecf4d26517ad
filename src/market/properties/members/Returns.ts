/** What a property earns and costs, and how sustainable it is. Rents and costs are those of a year. */
import { Country } from "../../../core/fields/Place.ts"
import {
  area,
  code,
  date,
  decimal,
  flag,
  list,
  money,
  object,
  oneOf,
  percent,
  share,
  signedMoney,
  text,
  whole,
  years
} from "./Member.ts"
import {
  certificationSchemes,
  energyBases,
  energyClasses,
  indexations,
  leaseTypes,
  priceQualifiers,
  vatTreatments
} from "./vocabulary.ts"

const asGiven = "As it was given: the service does not compute it."

/** What the property earns, and from whom. */
export const incomeMembers = {
  income: object("PropertyIncome", "What the property earns. Amounts are those of a year.", {
    asOf: date("The date of these figures.", "2026-09-30"),
    passingRent: money("The rent that the leases bring in a year.", 2_310_000),
    marketRent: money("The rent that a new letting would bring in a year.", 2_480_000),
    nonRecoverableCosts: money("The costs of a year that tenants do not bear.", 185_000),
    netOperatingIncome: signedMoney(`The income of a year after costs. ${asGiven}`, 2_125_000),
    vacancyRate: share(`The part that is vacant. ${asGiven}`, 7.2),
    occupancyRate: share(`The part that is let. ${asGiven}`, 92.8),
    waultToBreak: years("The weighted average unexpired lease term to the first break.", 4.1),
    waultToExpiry: years("The weighted average unexpired lease term to the end of the leases.", 5.6),
    tenantCount: whole("The number of tenants.", { example: 9, maximum: 1_000_000 }),
    leaseType: oneOf(leaseTypes, "Who bears the costs."),
    indexation: oneOf(indexations, "How rents follow prices.")
  }),
  tenants: list("PropertyTenant", ["The tenants.", "A tenant."], 200, {
    name: text("The name of the tenant.", "Nordlicht Software GmbH"),
    use: text(
      "What the tenant uses the area for: one of the `categories` where one fits, or any other text.",
      "office"
    ),
    area: area("The area that the tenant rents.", 2_150),
    annualRent: money("The rent of a year.", 610_000),
    breakOn: date("When the tenant can leave first.", "2029-06-30"),
    expiresOn: date("When the lease ends.", "2031-06-30")
  })
}

/** What the property costs. */
export const pricingMembers = {
  pricing: object("PropertyPricing", "What the property costs.", {
    askingPrice: money("The asking price of the whole property.", 46_500_000),
    qualifier: oneOf(priceQualifiers, "How firm the asking price is."),
    purchaserCosts: share("The costs of the purchase, in percent of the price.", 6.5),
    netInitialYield: percent(`The net initial yield. ${asGiven}`, 4.3),
    toppedUpNetInitialYield: percent(`The net initial yield as if rent-free periods were over. ${asGiven}`, 4.5),
    grossInitialYield: percent(`The gross initial yield. ${asGiven}`, 4.97),
    reversionaryYield: percent(`The yield at the market rent. ${asGiven}`, 5.1),
    rentMultiplier: decimal(`The price as a multiple of the rent of a year. ${asGiven}`, {
      example: 20.13,
      maximum: 10_000
    }),
    vatTreatment: oneOf(vatTreatments, "How the price relates to value-added tax.")
  })
}

const perSqmYear = (what: string, example: number) =>
  decimal(`${what} per square metre and year.`, { example, minimum: -100_000, maximum: 100_000 })

/** How sustainable the property is. */
export const energyMembers = {
  energy: object("PropertyEnergy", "The energy certificate.", {
    class: oneOf(energyClasses, "The class, on the scale of `country`; `a_plus` is A+."),
    country: code(Country, "The country of the scale, ISO 3166-1 alpha-2, upper case.", "DE"),
    certificateNumber: text("The number of the certificate.", "BY-2024-004812345"),
    validUntil: date("Until when the certificate is valid.", "2034-05-31"),
    basis: oneOf(energyBases, "What the certificate is based on."),
    primaryKwhPerSqmYear: perSqmYear("The primary energy, in kilowatt-hours", 128.4),
    finalKwhPerSqmYear: perSqmYear("The final energy, in kilowatt-hours", 96.2),
    co2KgPerSqmYear: perSqmYear("The emissions, in kilograms of carbon dioxide", 24.8)
  }),
  certifications: list(
    "PropertyCertification",
    ["The certificates of sustainability.", "A certificate of sustainability."],
    50,
    {
      scheme: oneOf(certificationSchemes, "The scheme of the certificate."),
      level: text("The level that was reached.", "Gold"),
      phase: text("What was certified, such as the design or the building in use.", "in use"),
      validUntil: date("Until when the certificate is valid.", "2028-12-31")
    }
  ),
  euTaxonomyAligned: flag("Whether the property is aligned with the taxonomy of the EU.", true),
  strandingYear: whole("The year from which the emissions exceed the path to 1.5 °C (CRREM).", {
    example: 2037,
    minimum: 1900,
    maximum: 2_200
  })
}
