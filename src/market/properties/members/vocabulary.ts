/**
 * The closed vocabularies of properties, which mandates share (docs/behaviour/properties.md#vocabularies): closed in requests, open in
 * answers. `other` means that none of the others fits.
 */

/** The uses of a property. Mandates name the same ones. */
export const categories = [
  "office",
  "retail",
  "logistics",
  "light_industrial",
  "residential",
  "student_housing",
  "senior_living",
  "healthcare",
  "hotel",
  "leisure",
  "mixed_use",
  "data_centre",
  "life_science",
  "self_storage",
  "parking",
  "education",
  "public",
  "land",
  "other"
] as const

/** More precise uses of a property. */
export const subcategories = [
  "business_park",
  "serviced_office",
  "medical_office",
  "high_street",
  "shopping_centre",
  "retail_park",
  "supermarket",
  "showroom",
  "distribution_warehouse",
  "cold_storage",
  "manufacturing",
  "trade_counter",
  "workshop",
  "care_home",
  "clinic",
  "resort",
  "restaurant",
  "multifamily",
  "development_site",
  "petrol_station"
] as const

/** How a property is held. */
export const tenures = [
  "freehold",
  "leasehold",
  "ground_lease",
  "condominium",
  "share_of_freehold",
  "mixed",
  "other"
] as const

/** How a property is sold: itself, the company that owns it, or either. */
export const dealStructures = ["asset", "share", "either"] as const

/** The stages in the life of a property. */
export const lifecycleStages = ["operating", "refurbishment", "development", "pre_development", "land"] as const

/** The structural conditions of a building. */
export const conditions = ["new", "refurbished", "maintained", "needs_refurbishment", "shell", "demolition"] as const

/** The grades of a building's quality, the best first. */
export const grades = ["a", "b", "c"] as const

/** What a plan allows on a parcel. */
export const zoningUses = [
  "residential",
  "commercial",
  "industrial",
  "mixed",
  "public",
  "agricultural",
  "recreation",
  "transport",
  "special"
] as const

/** How far the zoning is. */
export const zoningStatuses = ["zoned", "in_progress", "expected", "unzoned"] as const

/** How far the planning permission is. */
export const planningPermissions = ["none", "pending", "approved"] as const

/** The tags of properties: a closed vocabulary. Mandates want or exclude the same ones. */
export const propertyTags = [
  "single_tenant",
  "multi_tenant",
  "fully_let",
  "partly_vacant",
  "vacant_possession",
  "long_lease",
  "short_lease",
  "indexed_rent",
  "public_tenant",
  "sale_and_leaseback",
  "under_rented",
  "over_rented",
  "value_add",
  "development_potential",
  "forward_purchase",
  "forward_funding",
  "newly_built",
  "refurbished",
  "heritage_listed",
  "contaminated_land",
  "distressed_sale",
  "portfolio",
  "prime_location",
  "city_centre",
  "out_of_town",
  "waterfront",
  "rail_access",
  "motorway_access",
  "airport_nearby",
  "esg_certified",
  "fossil_heating"
] as const

/** What a property can be converted to. */
export const conversions = [
  "to_residential",
  "to_student_housing",
  "to_senior_living",
  "to_hotel",
  "to_office",
  "to_retail",
  "to_logistics",
  "to_healthcare",
  "to_data_centre",
  "densification",
  "demolition"
] as const

/** How firm an asking price is. */
export const priceQualifiers = ["asking", "guide", "offers_over", "offers_around", "on_application"] as const

/** Who bears the costs of a leased property. */
export const leaseTypes = ["double_net", "triple_net", "gross", "modified_gross", "full_repairing"] as const

/** How rents follow prices. */
export const indexations = ["none", "cpi", "fixed_steps", "turnover"] as const

/** How a price relates to value-added tax. */
export const vatTreatments = ["exclusive", "inclusive", "exempt"] as const

/** The classes of energy certificates, the best first. Which scale they are on depends on the country. */
export const energyClasses = ["a_plus", "a0", "a", "b", "c", "d", "e", "f", "g", "h"] as const

/** What an energy certificate is based on. */
export const energyBases = ["demand", "consumption"] as const

/** The schemes of sustainability certificates. */
export const certificationSchemes = [
  "breeam",
  "leed",
  "dgnb",
  "hqe",
  "well",
  "gresb",
  "miljobyggnad",
  "greenbuilding",
  "other"
] as const

/** How a hotel is run. */
export const hotelContractTypes = ["lease", "management", "franchise", "owner_operated"] as const
