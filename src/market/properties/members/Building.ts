/** What a property is, physically and legally: areas, zoning, the building. */
import { anyOf, area, date, decimal, flag, list, money, object, oneOf, share, text, whole } from "./Member.ts"
import {
  categories,
  conditions,
  conversions,
  dealStructures,
  grades,
  hotelContractTypes,
  lifecycleStages,
  planningPermissions,
  propertyTags,
  subcategories,
  tenures,
  zoningStatuses,
  zoningUses
} from "./vocabulary.ts"

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
