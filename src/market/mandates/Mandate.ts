/** What an investor looks for (docs/behaviour/mandates.md). */
import * as vocabulary from "../properties/members/vocabulary.ts"
import { Record, Schema, Struct } from "effect"
import { auditFields, ItemEtag } from "../../core/mutation/Audit.ts"
import { deltaQuery } from "../../core/mutation/DeltaList.ts"
import { ExternalRef, ExternalRefQuery, ExternalRefs } from "../../core/externalRefs/ExternalRef.ts"
import { Country } from "../../core/fields/Place.ts"
import { check, LongText, Name, OpenEnum, Text } from "../../core/fields/Text.ts"
import { AreaRange, PercentRange, PriceRange, UnitRange, YearRange, YearsRange } from "../../core/fields/Measure.ts"
import { Timestamp, TimestampInput } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"
import { Geography, Near, Radius } from "./geography/Geography.ts"
import { Cursor, defaultPageSize } from "../../core/usecase/Page.ts"

// The place of a mandate, as requests name it, and what a name was resolved to (docs/behaviour/mandates.md#place).

/** The members by which a request names a place, in one of three modes. */
const placeInput = {
  geography: Schema.NullOr(Geography).annotate({
    description: "The place as GeoJSON. Null clears the place."
  }),
  near: Schema.NullOr(Near).annotate({ description: "The centre of a circle, with `radius`. Null clears the place." }),
  radius: Schema.NullOr(Radius).annotate({
    description: "The radius of the circle in metres, with `near`. Null clears the place.",
    examples: [60_000]
  }),
  location: Text(200).annotate({
    description:
      "The place as people write it, which the service resolves itself: `Munich`, `75008 Paris`, `Kanton Zürich`, `Großraum Köln`, `Mallorca`, `Ruhrgebiet`, `DACH`, `東京`, or several, such as `Berlin, München`: their union. A name means the place whose own name it is before foreign and former names of others, and a city before the region of its name. A country sets `country`, and holds every property that says it is there. The fault of a text that is not known is `location_unknown`; of one that means several places of like size, `location_ambiguous`; both list spellings that resolve.",
    examples: ["Munich"]
  })
}

/** What a `location` was resolved to. */
export const ResolvedLocation = Schema.Struct({
  name: Schema.String.annotate({
    description: "The name of the place; of several, all of them.",
    examples: ["München"]
  }),
  kind: OpenEnum(
    ["city", "region", "country", "group"],
    "The kind of the place; `group` for a group of countries and for several places."
  ),
  country: Schema.NullOr(Schema.String).annotate({
    description: "ISO 3166-1 alpha-2, or XK for Kosovo; null if it is in several.",
    examples: ["DE"]
  }),
  region: Schema.NullOr(Schema.String).annotate({ description: "The region that it is in.", examples: ["Bavaria"] }),
  latitude: Schema.Finite.annotate({ description: "Of a point in it, in degrees.", examples: [48.1372] }),
  longitude: Schema.Finite.annotate({ description: "Of a point in it, in degrees.", examples: [11.5755] }),
  source: Schema.String.annotate({
    description: "Where the data are from, with what their licence asks for.",
    examples: ["GeoNames (CC BY 4.0)"]
  })
}).annotate({ identifier: "ResolvedLocation", description: "The place that a `location` means." })
export type ResolvedLocation = typeof ResolvedLocation.Type

// The members of a mandate.

/** The statuses of a mandate. */
export const statuses = ["active", "paused", "closed"] as const

/** How much risk an investor takes, from the least to the most. */
export const riskProfiles = ["core", "core_plus", "value_add", "opportunistic"] as const

const name = Name.annotate({ examples: ["Value-add logistics, greater Munich"] })

const investorDescription =
  "The contact or company of the network for which the team keeps the mandate: one of the two. Null if it is the team's own."

const contactId = IdOf("contact").annotate({ description: "The id of the contact." })
const companyId = IdOf("company").annotate({ description: "The id of the company." })

/** For whom a mandate is kept, in a request. */
export const InvestorInput = Schema.Struct({
  contactId: Schema.optionalKey(Schema.NullOr(contactId)),
  companyId: Schema.optionalKey(Schema.NullOr(companyId))
})
  .check(
    check(
      "exactly_one",
      "Must have a `contactId` or a `companyId`, and not both.",
      (ids: { readonly contactId?: string | null; readonly companyId?: string | null }) =>
        ((ids.contactId ?? null) === null) !== ((ids.companyId ?? null) === null)
    )
  )
  .annotate({
    identifier: "MandateInvestorInput",
    description: "A contact or a company: exactly one of the two.",
    examples: [{ companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" }]
  })

/** For whom a mandate is kept. */
export const Investor = Schema.Struct({
  contactId: Schema.optionalKey(contactId),
  companyId: Schema.optionalKey(companyId)
}).annotate({
  identifier: "MandateInvestor",
  description: "A contact or a company: one of the two is present.",
  examples: [{ companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" }]
})
export type Investor = typeof Investor.Type

const tagsOf = (meaning: string) => `${meaning} A tag cannot be in both lists of tags.`

/** The uses that can be wanted. */
export const categories = vocabulary.categories

/** The lists of codes: their values, and what they mean. An empty list leaves the criterion open. */
const lists = {
  categories: { values: categories, meaning: "The wanted uses." },
  subcategories: { values: vocabulary.subcategories, meaning: "The wanted uses, more precisely." },
  lifecycleStages: { values: vocabulary.lifecycleStages, meaning: "The wanted stages in the life of a property." },
  tenures: { values: vocabulary.tenures, meaning: "The wanted tenures." },
  dealStructures: {
    values: vocabulary.dealStructures,
    meaning: "Whether the investor buys the property (`asset`), the company that owns it (`share`), or `either`."
  },
  conversions: { values: vocabulary.conversions, meaning: "The conversions that the investor is interested in." },
  riskProfiles: { values: riskProfiles, meaning: "The risk profiles of the wanted investments." },
  positiveTags: { values: vocabulary.propertyTags, meaning: tagsOf("What makes a property desirable.") },
  negativeTags: { values: vocabulary.propertyTags, meaning: tagsOf("What rules a property out.") }
} as const

type Lists = typeof lists

const open = "Empty: open."

const inputOf = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.Array(Schema.Literals(values)).annotate({
    description: `${meaning} ${open} The whole list; each value counts once.`,
    examples: [[values[0]]] as never
  })

const answerOf = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.Array(OpenEnum(values, "One of them.")).annotate({
    description: `${meaning} ${open}`,
    examples: [[values[0]]]
  })

const mapLists = <Mapped>(map: (list: Lists[keyof Lists]) => unknown): Mapped => {
  const mapped: unknown = Record.map(lists, map)
  return mapped as Mapped
}

const listInputs = mapLists<{
  readonly [Member in keyof Lists]: ReturnType<typeof inputOf<Lists[Member]["values"]>>
}>(({ meaning, values }) => inputOf<readonly [string, ...Array<string>]>(values, meaning))

const listAnswers = mapLists<{
  readonly [Member in keyof Lists]: ReturnType<typeof answerOf<Lists[Member]["values"]>>
}>(({ meaning, values }) => answerOf<readonly [string, ...Array<string>]>(values, meaning))

/** The members that are alike in requests and answers. */
const criteria = {
  description: Schema.NullOr(LongText).annotate({
    description: "What the investor looks for, as free text.",
    examples: ["Buys vacant or nearly vacant halls within an hour of Munich."]
  }),
  investmentSize: Schema.NullOr(PriceRange).annotate({ description: "How much the investor invests in one deal." }),
  yearBuilt: Schema.NullOr(YearRange).annotate({ description: "When the building was finished." }),
  parcelArea: Schema.NullOr(AreaRange).annotate({ description: "The area of the parcels." }),
  lettableArea: Schema.NullOr(AreaRange).annotate({ description: "The lettable area." }),
  zoningGfa: Schema.NullOr(AreaRange).annotate({ description: "The gross floor area that zoning allows." }),
  netInitialYield: Schema.NullOr(PercentRange).annotate({ description: "The net initial yield." }),
  vacancyRate: Schema.NullOr(PercentRange).annotate({ description: "The vacant part of the lettable area." }),
  targetIrr: Schema.NullOr(PercentRange).annotate({ description: "The internal rate of return that is aimed at." }),
  wault: Schema.NullOr(YearsRange).annotate({ description: "The weighted average unexpired lease term." }),
  unitCount: Schema.NullOr(UnitRange).annotate({ description: "The number of units, such as flats." }),
  pricePerSqm: Schema.NullOr(PriceRange).annotate({ description: "The price per square metre of lettable area." }),
  country: Schema.NullOr(Country).annotate({
    description:
      "ISO 3166-1 alpha-2, upper case. Without a `geography`, the place is the whole country; with one, searches by place go by the `geography`. A `location` that is a country sets it.",
    examples: ["DE"]
  }),
  externalRefs: ExternalRefs.annotate({ description: "The names of the mandate in other systems; the whole list." })
}

const statusMeaning =
  "`active`: matches and searches find it until `validUntilUtc`. `paused` and `closed`: only searches that ask for them do."

const writable = {
  status: Schema.Literals(statuses).annotate({
    description: `${statusMeaning} A new mandate is \`active\`.`,
    examples: ["active"]
  }),
  validUntilUtc: Schema.NullOr(TimestampInput).annotate({
    description: "Until when it is valid; null for no end. ISO 8601.",
    examples: ["2027-12-31T23:00:00Z"]
  }),
  investor: Schema.NullOr(InvestorInput).annotate({ description: investorDescription }),
  ...listInputs,
  worstEnergyClass: Schema.NullOr(Schema.Literals(vocabulary.energyClasses)).annotate({
    description: "The worst class of the energy certificate that is accepted.",
    examples: ["d"]
  }),
  ...criteria
}

const optional = Struct.map({ ...writable, ...placeInput }, Schema.optionalKey)

const example = {
  name: "Value-add logistics, greater Munich",
  categories: ["logistics", "light_industrial"],
  riskProfiles: ["value_add"],
  investmentSize: { min: 5, max: 25, currency: "EUR", scale: "million" },
  lettableArea: { min: 3_000, max: null, unit: "sqm" },
  positiveTags: ["motorway_access", "partly_vacant"],
  negativeTags: ["contaminated_land"],
  near: { latitude: 48.1372, longitude: 11.5755 },
  radius: 60_000,
  externalRefs: [{ namespace: "hubspot", externalId: "m-88" }]
} as const

/** The body of a create. */
export const MandateCreate = Schema.Struct({ name, ...optional }).annotate({
  identifier: "MandateCreate",
  description: "A new mandate. Its place has at most one mode: `geography`, `near` with `radius`, or `location`.",
  examples: [example]
})
export type MandateCreate = typeof MandateCreate.Type

/** The body of a patch. */
export const MandatePatch = Schema.Struct({ name: Schema.optionalKey(name), ...optional }).annotate({
  identifier: "MandatePatch",
  description:
    "A merge patch (RFC 7396): omitted members stay, null clears, arrays and ranges replace. Read-only members may be sent with their present value. A place replaces the present one, whatever its mode; members of the place with their present values do not count.",
  examples: [{ status: "paused", categories: ["logistics"] }]
})
export type MandatePatch = typeof MandatePatch.Type

/** An item of an upsert. */
export const MandateUpsert = Schema.Struct({
  id: Schema.optionalKey(IdOf("mandate")),
  etag: ItemEtag,
  name: Schema.optionalKey(name),
  ...optional
}).annotate({
  identifier: "MandateUpsert",
  description:
    "A mandate to create or patch. It is found by `id`, or else by one of `externalRefs`, and created if there is none. `externalRefs` replace those of the same namespaces; the record keeps the others.",
  examples: [example]
})

const answered = {
  name: Schema.NullOr(Schema.String).annotate({
    description: "Null on a tombstone.",
    examples: ["Value-add logistics, greater Munich"]
  }),
  status: Schema.NullOr(OpenEnum(statuses, statusMeaning)).annotate({
    description: `${statusMeaning} Null on a tombstone.`,
    examples: ["active"]
  }),
  validUntilUtc: Schema.NullOr(Timestamp).annotate({
    description: "Until when it is valid; null for no end.",
    examples: ["2027-12-31T23:00:00.000Z"]
  }),
  investor: Schema.NullOr(Investor).annotate({ description: investorDescription }),
  ...listAnswers,
  worstEnergyClass: Schema.NullOr(
    OpenEnum(vocabulary.energyClasses, "The worst class of the energy certificate that is accepted.")
  ),
  ...criteria,
  geography: Schema.NullOr(Geography).annotate({
    description:
      "The place; for a circle, a polygon that approximates it. Null without a place, and for a whole country."
  }),
  near: Schema.NullOr(Near).annotate({ description: "The centre of a place that is a circle; else null." }),
  radius: Schema.NullOr(Radius).annotate({
    description: "The radius in metres of a place that is a circle; else null.",
    examples: [60_000]
  })
}

/** A mandate or, in a delta, its tombstone. */
export const Mandate = Schema.Struct({
  id: IdOf("mandate"),
  ...answered,
  externalRefs: Schema.Array(ExternalRef),
  ...auditFields
}).annotate({
  identifier: "Mandate",
  description: "What an investor looks for. A tombstone only has its audit members and external references."
})
export type Mandate = typeof Mandate.Type

/** The answer of a write. */
export const WrittenMandate = Schema.Struct({
  ...Mandate.fields,
  resolvedLocation: Schema.optionalKey(ResolvedLocation).annotate({
    description: "What `location` was resolved to, if the request had one. No read answers it."
  })
}).annotate({ identifier: "WrittenMandate", description: "The mandate after a write." })
export type WrittenMandate = typeof WrittenMandate.Type

/** The members that are stored. */
export interface MandateFields extends Pick<Mandate, keyof typeof answered | "externalRefs"> {
  /**
   * The countries that the place consists of, if its `location` was a country or a group of countries: ISO 3166-1 alpha-2. Then
   * `geography` is their outline. No answer shows it.
   */
  readonly wholeCountries: ReadonlyArray<string>
}

/** A mandate with what its answer does not show: JSON and copies leave it out. */
export type StoredMandate = Mandate & Pick<MandateFields, "wholeCountries">

/** The parameters of the list; all of them combine. */
export const MandateListQuery = Schema.Struct({
  ...deltaQuery,
  external_ref: Schema.optionalKey(ExternalRefQuery),
  status: Schema.optionalKey(
    Schema.Literals(statuses).annotate({ description: "List only mandates with this status.", examples: ["active"] })
  ),
  contact_id: Schema.optionalKey(
    contactId.annotate({ description: "List only the mandates that are kept for this contact." })
  ),
  company_id: Schema.optionalKey(
    companyId.annotate({ description: "List only the mandates that are kept for this company." })
  )
})
export type MandateListQuery = typeof MandateListQuery.Type

// The search of mandates by place (docs/behaviour/mandates.md#search).

/** The body of a search. */
export const MandateSearch = Schema.Struct({
  geography: Schema.optionalKey(Geography).annotate({ description: "The place as GeoJSON." }),
  near: Schema.optionalKey(Near).annotate({ description: "The centre of a circle, with `radius`." }),
  radius: Schema.optionalKey(Radius).annotate({ description: "The radius of the circle in metres, with `near`." }),
  location: Schema.optionalKey(placeInput.location),
  categories: Schema.optionalKey(
    Schema.Array(Schema.Literals(vocabulary.categories)).annotate({
      description: "Find mandates that want one of these uses, and those that leave the uses open.",
      examples: [["logistics"]]
    })
  ),
  tags: Schema.optionalKey(
    Schema.Array(Schema.Literals(vocabulary.propertyTags)).annotate({
      description:
        "Find mandates with one of these among their positive tags, and those without positive tags; none with one of them among its negative tags.",
      examples: [["motorway_access"]]
    })
  ),
  status: Schema.optionalKey(
    Schema.Literals([...statuses, "all"]).annotate({
      description:
        "Find mandates with this status, whether or not they are still valid. If it is left out: active ones whose `validUntilUtc` has not passed.",
      examples: ["active"]
    })
  ),
  contact_id: Schema.optionalKey(
    contactId.annotate({ description: "Find only the mandates that are kept for this contact." })
  ),
  company_id: Schema.optionalKey(
    companyId.annotate({ description: "Find only the mandates that are kept for this company." })
  ),
  external_ref: Schema.optionalKey(
    ExternalRefQuery.annotate({
      description: "Find only the mandate with this external reference, in the form NAMESPACE:ID.",
      examples: ["hubspot:8812"]
    })
  ),
  cursor: Schema.optionalKey(
    Cursor.annotate({ description: "The `nextCursor` of the previous page, with the same search. Opaque." })
  ),
  page_size: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({
      // No `default`: generators of types take a member with a default for a required one.
      description: `Rows per page; ${defaultPageSize} if it is left out.`,
      examples: [defaultPageSize]
    })
  )
}).annotate({
  identifier: "MandateSearch",
  description: "A search by place, in exactly one mode: `geography`, `near` with `radius`, or `location`.",
  examples: [{ location: "Munich", categories: ["logistics"], page_size: 50 }]
})
export type MandateSearch = typeof MandateSearch.Type

/** What mandates must be besides where they are. */
export type MandateConditions = Pick<
  MandateSearch,
  "categories" | "company_id" | "contact_id" | "external_ref" | "status" | "tags"
>

/** A mandate that a search found. */
export const FoundMandate = Schema.Struct({
  ...Mandate.fields,
  match: OpenEnum(
    ["area", "anywhere"],
    "`area`: its place meets the searched one, if only at the edge. `anywhere`: it has no place."
  )
}).annotate({ identifier: "FoundMandate", description: "A mandate that a search found." })
export type FoundMandate = typeof FoundMandate.Type
