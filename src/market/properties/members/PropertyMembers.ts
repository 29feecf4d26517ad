/** The members of a property: where and what it is, what it earns and costs, and how sustainable it is. */
import { Country } from "../../../core/fields/Place.ts"
import {
  anyOf,
  area,
  code,
  date,
  decimal,
  degrees,
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
  categories,
  certificationSchemes,
  conditions,
  conversions,
  dealStructures,
  energyBases,
  energyClasses,
  grades,
  hotelContractTypes,
  indexations,
  leaseTypes,
  lifecycleStages,
  planningPermissions,
  priceQualifiers,
  propertyTags,
  subcategories,
  tenures,
  vatTreatments,
  zoningStatuses,
  zoningUses
} from "./vocabulary.ts"

const both = "Also in `address`, with one value: a write may name either, or both alike."

const country = code(Country, `ISO 3166-1 alpha-2, upper case. ${both}`, "DE")

const locality = text(`The town or city. ${both}`, "München")

/** The members that say where a property is. */
export const locationMembers = {
  country,
  locality,
  address: object(
    "PropertyAddress",
    "The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`.",
    {
      street: text("The street, without the house number.", "Landsberger Straße"),
      houseNumber: text("The house number, with its suffix.", "84a"),
      postalCode: text("The postal code.", "80339"),
      region: text("The state, province or region.", "Bayern"),
      country,
      locality
    }
  ),
  coordinates: object("PropertyCoordinates", "The position in WGS 84: both members, or neither.", {
    latitude: degrees("Degrees north; negative is south.", 48.1385, 90),
    longitude: degrees("Degrees east; negative is west.", 11.5309, 180)
  }),
  // PropertyParcel and its area would be called as the property's own parcelArea is.
  parcels: list("Parcel", ["The parcels of land.", "A parcel of land."], 200, {
    cadastralId: text("The number of the parcel in the cadastre.", "8412/3"),
    register: text("The land register, and where the parcel is in it.", "Grundbuch von München, Sektion 7, Blatt 1204"),
    area: area("The area of the parcel.", 4_180)
  })
}

const use = text("What the area is used for: one of the `categories` where one fits, or any other text.", "office")

/** What kind of property it is, and what is for sale. */
export const classMembers = {
  categories: anyOf(categories, "The uses of the property."),
  subcategories: anyOf(subcategories, "The uses of the property, more precisely."),
  lifecycleStage: oneOf(lifecycleStages, "The stage in the life of the property."),
  tenure: oneOf(tenures, "How the property is held."),
  groundLease: object("PropertyGroundLease", "The lease of the land under the building.", {
    expiresOn: date("When the lease ends.", "2091-12-31"),
    annualRent: money("The rent of the land for a year.", 84_000)
  }),
  ownershipShare: share("The part of the property that is for sale.", 100),
  dealStructure: oneOf(
    dealStructures,
    "Whether the property itself is sold (`asset`), the company that owns it (`share`), or `either`."
  )
}

/** The areas, all in square metres. */
export const areaMembers = {
  parcelArea: area("The area of all parcels of land.", 4_180),
  grossFloorArea: area("The area of all floors within the outer walls.", 12_450.5),
  internalArea: area("The area of all floors within the inner walls.", 11_200),
  lettableArea: area("The area that can be let.", 10_640),
  rentedArea: area("The area that is let.", 9_870),
  vacantArea: area("The area that is not let.", 770),
  areasByUse: list("PropertyAreaByUse", ["The areas by their use.", "The area of one use."], 50, {
    use,
    area: area("The area of this use.", 8_400),
    rentedArea: area("The part of it that is let.", 7_630)
  })
}

/** What may be built, and what the property can become. */
export const zoningMembers = {
  zoning: object("PropertyZoning", "What may be built on the parcels.", {
    gfa: area("The gross floor area that may be built.", 14_000),
    uses: anyOf(zoningUses, "The uses that are allowed."),
    useClass: text("The class of use in the words of the plan.", "MK (Kerngebiet)"),
    status: oneOf(zoningStatuses, "How far the zoning is."),
    planReference: text("The plan that says so.", "Bebauungsplan 1926a"),
    floorAreaRatio: decimal("The floor area that is allowed per area of land: 2.4 is 240 %.", {
      example: 2.4,
      maximum: 1_000
    }),
    siteCoverageRatio: decimal("The part of the land that may be built over: 0.6 is 60 %.", {
      example: 0.6,
      maximum: 1
    }),
    planningPermission: oneOf(planningPermissions, "How far the planning permission is.")
  }),
  conversions: anyOf(conversions, "What the property can be converted to."),
  tags: anyOf(propertyTags, "What else describes the property: a closed vocabulary, which mandates share.")
}

const year = (description: string, example: number) => whole(description, { example, minimum: 1, maximum: 2_200 })

const count = (description: string, example: number) => whole(description, { example, maximum: 1_000_000 })

/** The building. */
export const buildingMembers = {
  yearBuilt: year("The year in which the building was finished.", 1998),
  yearRenovated: year("The year of the latest renovation.", 2016),
  buildingCount: count("The number of buildings.", 1),
  floorCount: count("The number of floors above ground.", 6),
  unitCount: count("The number of units that can be let one by one, such as flats.", 14),
  parkingSpaces: count("The number of parking spaces.", 120),
  grade: oneOf(grades, "The grade of the building's quality, `a` being the best."),
  condition: oneOf(conditions, "The structural condition."),
  heritageListed: flag("Whether the building is listed as heritage.", false),
  industrial: object("PropertyIndustrial", "What warehouses and factories are compared by.", {
    clearHeightM: decimal("The clear height in metres.", { example: 10.5, maximum: 1_000 }),
    dockDoors: count("The number of loading docks.", 24),
    driveInDoors: count("The number of gates at ground level.", 2),
    floorLoadKnPerSqm: decimal("The load that the floor bears, in kilonewtons per square metre.", {
      example: 50,
      maximum: 100_000
    }),
    powerKva: decimal("The power supply in kilovolt-amperes.", { example: 1_600, maximum: 10_000_000 }),
    yardDepthM: decimal("The depth of the yard in metres.", { example: 35, maximum: 100_000 })
  }),
  hotel: object("PropertyHotel", "What hotels are compared by.", {
    roomCount: count("The number of rooms.", 148),
    stars: decimal("The official stars, half ones included.", { example: 4, maximum: 5 }),
    contractType: oneOf(hotelContractTypes, "How the hotel is run.")
  })
}

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
