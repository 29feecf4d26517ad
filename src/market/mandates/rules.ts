/** What mandates want: where they look, in which mode (docs/behaviour/mandates.md#place), and what becomes of what is sent. Pure. */
import * as Id from "../../core/Id.ts"
import { Result } from "effect"
import { bodyFault } from "../../core/usecase/Input.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import { type Area, circleAt, toDegrees } from "./geography/Area.ts"
import { areaOf, geographyOf, type Near } from "./geography/Geography.ts"
import type {
  Investor,
  InvestorInput,
  Mandate,
  MandateCreate,
  MandateFields,
  MandatePatch,
  ResolvedLocation,
  StoredMandate
} from "./Mandate.ts"
import { changedFieldNames } from "../../core/mutation/Event.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"
import { changeRecordMapper } from "../../core/records/RecordKind.ts"
import { leftOut, type NotRestored } from "../../core/records/Restored.ts"
import type { WriteContext } from "../../core/records/WriteContext.ts"

/**
 * The members of a mandate that are its place: `near` and `radius` if it is a circle, `geography` in any case, and the countries that
 * it consists of if it came as their name.
 */
export type Place = Pick<MandateFields, "geography" | "near" | "radius" | "wholeCountries">

/** The members by which a request names a place. */
export type SentPlace = Pick<MandateCreate, "geography" | "near" | "radius" | "location">

/** A mandate without a place. */
export const nowhere: Place = { geography: null, near: null, radius: null, wholeCountries: [] }

/** What a request wants: to leave the place as it is, to have none, an area, or one that is to be resolved from its name. */
export type WantedPlace =
  | { readonly kind: "unchanged" }
  | { readonly kind: "none" }
  | { readonly kind: "area"; readonly area: Area }
  | { readonly kind: "location"; readonly location: string }

/** An area, and what its name was resolved to if it was named, with the countries that it consists of. */
export interface Resolved {
  readonly area: Area
  readonly wholeCountries: ReadonlyArray<string>
  readonly resolvedLocation?: ResolvedLocation
}

const conflict = (pointer: string) =>
  bodyFault(
    pointer,
    "geography_conflict",
    "Name a place in one way: `geography`, or `near` with `radius`, or `location`."
  )

const missing = (pointer: "/near" | "/radius") =>
  bodyFault(pointer, "required", "A circle has both: `near` and `radius`.")

const isPresent = <A>(value: A | null | undefined): value is A => value !== undefined && value !== null

const circleOf = (near: Near, radius: number): Area => circleAt(near.longitude, near.latitude, radius)

/**
 * What the members of a request mean for a mandate with this place. A member with its present value says nothing, so that a client can
 * send back what it read; of a circle, one of `near` and `radius` can be changed alone.
 */
export const wantedPlace = (sent: SentPlace, current: Place): Result.Result<WantedPlace, ReadonlyArray<Fault>> => {
  const isNew = (member: "geography" | "near" | "radius") =>
    sent[member] !== undefined && differing({ [member]: sent[member] }, current).length > 0
  const { location } = sent
  const geography = isNew("geography") ? sent.geography : undefined
  const near = isNew("near") ? sent.near : undefined
  const radius = isNew("radius") ? sent.radius : undefined
  const modes = [
    ...(isPresent(geography) ? ["/geography"] : []),
    ...(isPresent(near) ? ["/near"] : isPresent(radius) ? ["/radius"] : []),
    ...(location === undefined ? [] : ["/location"])
  ]
  const [mode, ...others] = modes
  if (others.length > 0) return Result.fail(others.map(conflict))
  if (mode === undefined) {
    return Result.succeed({ kind: geography === null || near === null || radius === null ? "none" : "unchanged" })
  }
  if (location !== undefined) return Result.succeed({ kind: "location", location })
  if (isPresent(geography)) return Result.succeed({ kind: "area", area: areaOf(geography) })
  const center = near === undefined ? current.near : near
  const distance = radius === undefined ? current.radius : radius
  if (!isPresent(center)) return Result.fail([missing("/near")])
  return isPresent(distance)
    ? Result.succeed({ kind: "area", area: circleOf(center, distance) })
    : Result.fail([missing("/radius")])
}

/**
 * What a request wants of the place of a mandate whose place is the country that it names: with another `country` alone, that country.
 */
export const followingCountry = (
  wanted: WantedPlace,
  { country }: Pick<MandateCreate, "country">,
  current: WithCountry
): WantedPlace =>
  wanted.kind === "unchanged" && isPresent(country) && country !== (countryOfPlace(current) ?? country)
    ? { kind: "location", location: `place:${country}` }
    : wanted

/**
 * The `country` of a mandate whose place changes, as far as it follows: a place that is a country sets it, and takes it away when it
 * is replaced by a place elsewhere.
 */
export const countryAfter = (
  { country }: Pick<MandateCreate, "country">,
  current: WithCountry,
  resolved: Resolved | undefined
): Partial<Pick<MandateFields, "country">> => {
  const [set, ...others] = resolved?.wholeCountries ?? []
  if (set !== undefined && others.length === 0) return { country: set }
  const before = countryOfPlace(current)
  const isElsewhere = before !== undefined && resolved?.resolvedLocation?.country !== before
  return country === undefined && isElsewhere ? { country: null } : {}
}

/** The members of a mandate whose place is this area, which may consist of whole countries. */
export const toPlace = (area: Area, wholeCountries: ReadonlyArray<string> = []): Place =>
  area.kind === "circle"
    ? {
        geography: geographyOf(area),
        near: { latitude: toDegrees(area.latitude), longitude: toDegrees(area.longitude) },
        radius: area.radius,
        wholeCountries
      }
    : { geography: geographyOf(area), near: null, radius: null, wholeCountries }

/** The members of a mandate that say where it is. */
export type WithCountry = Place & Pick<MandateFields, "country">

/** The country that a mandate has because its place came as the name of that country; undefined if it has none so. */
export const countryOfPlace = ({ country, wholeCountries }: Pick<WithCountry, "country" | "wholeCountries">) =>
  wholeCountries.length === 1 && country === wholeCountries[0] ? wholeCountries[0] : undefined

/** What the place of a mandate follows from: its own area, the countries that this consists of, or else its country. */
export interface Located {
  readonly area: Area | undefined
  readonly wholeCountries: ReadonlyArray<string>
  readonly country: string | null
}

/** Where a mandate with these members is. */
export const locatedOf = ({ country, geography, near, radius, wholeCountries }: WithCountry): Located => ({
  area: near !== null && radius !== null ? circleOf(near, radius) : geography === null ? undefined : areaOf(geography),
  wholeCountries,
  country
})

/** The countries that a place consists of: without an area of its own, the one that the mandate names. */
export const countriesOf = ({ area, country, wholeCountries }: Located): ReadonlyArray<string> =>
  area !== undefined ? wholeCountries : country === null ? [] : [country]

/** A mandate without values. */
export const blank: MandateFields = {
  name: null,
  description: null,
  status: "active",
  validUntilUtc: null,
  investor: null,
  categories: [],
  subcategories: [],
  lifecycleStages: [],
  tenures: [],
  dealStructures: [],
  conversions: [],
  riskProfiles: [],
  investmentSize: null,
  yearBuilt: null,
  parcelArea: null,
  lettableArea: null,
  zoningGfa: null,
  netInitialYield: null,
  vacancyRate: null,
  targetIrr: null,
  wault: null,
  unitCount: null,
  pricePerSqm: null,
  worstEnergyClass: null,
  country: null,
  ...nowhere,
  positiveTags: [],
  negativeTags: [],
  externalRefs: []
}

/** The mandate with these members; a tombstone has no status. Neither JSON nor copies have what answers do not show. */
export const toMandate = (
  id: string,
  { wholeCountries, ...fields }: MandateFields,
  audit: Pick<Mandate, AuditMember>
): StoredMandate => {
  const mandate: Mandate = { id, ...fields, ...audit }
  Object.defineProperty(mandate, "wholeCountries", { value: wholeCountries, enumerable: false })
  return mandate as StoredMandate
}

/** The countries that the place of a mandate consists of, which copies of it lack. */
export const wholeCountriesOf = (mandate: object): ReadonlyArray<string> =>
  "wholeCountries" in mandate ? (mandate as Pick<MandateFields, "wholeCountries">).wholeCountries : []

type AuditMember = "createdUtc" | "updatedUtc" | "etag" | "changeType" | "changeOrigin" | "deletedUtc"

const investorOf = ({ companyId, contactId }: typeof InvestorInput.Type): Investor => ({
  ...(contactId === undefined || contactId === null ? {} : { contactId }),
  ...(companyId === undefined || companyId === null ? {} : { companyId })
})

/** The values to store for those that were sent, with the place that they mean if it is a new one. */
export const fieldsOf = (
  {
    geography: _geography,
    investor,
    location: _location,
    near: _near,
    radius: _radius,
    validUntilUtc,
    ...sent
  }: MandatePatch,
  place: Place | undefined
): Partial<MandateFields> => ({
  ...Object.fromEntries(
    Object.entries(sent).map(([member, value]) => [
      member,
      Array.isArray(value) && member !== "externalRefs" ? distinctTags(value as ReadonlyArray<string>) : value
    ])
  ),
  ...(investor === undefined ? {} : { investor: investor === null ? null : investorOf(investor) }),
  ...(validUntilUtc === undefined
    ? {}
    : { validUntilUtc: validUntilUtc === null ? null : (parseTimestamp(validUntilUtc)?.toISOString() ?? null) }),
  ...place
})

/** The faults of a mandate as a whole: it needs a name, and no tag can be both wanted and excluded. */
export const faultsOf = ({
  name,
  negativeTags,
  positiveTags
}: Pick<MandateFields, "name" | "negativeTags" | "positiveTags">): ReadonlyArray<Fault> => {
  const both = negativeTags.filter((tag) => positiveTags.includes(tag))
  return [
    ...(name === null ? [bodyFault("/name", "required", "Is required.")] : []),
    ...(both.length === 0
      ? []
      : [
          bodyFault(
            "/negativeTags",
            "tag_conflict",
            `A tag is either positive or negative, not both: ${both.join(", ")}.`
          )
        ])
  ]
}

/** The UUID of the contact or company for which a mandate is kept; null if it is the team's own. */
export const investorUuid = ({ investor }: Pick<MandateFields, "investor">): string | null =>
  Id.toUuid("contact", investor?.contactId ?? "") ?? Id.toUuid("company", investor?.companyId ?? "") ?? null

/**
 * How a deleted mandate comes back: for what its investor (UUID) is by now. If that is deleted, it is closed, as the deletion of an
 * investor leaves its mandates.
 */
export const returnOf = (
  id: string,
  fields: MandateFields,
  living: ReadonlyMap<string, string>
): { readonly fields: MandateFields; readonly notRestored: ReadonlyArray<NotRestored> } => {
  const named = investorUuid(fields)
  if (named === null) return { fields, notRestored: [] }
  const uuid = living.get(named)
  if (uuid === undefined) {
    return {
      fields: { ...fields, status: "closed" },
      notRestored: fields.status === "closed" ? [] : [leftOut("mandate", id, "investor_deleted")]
    }
  }
  const investor =
    fields.investor?.contactId === undefined
      ? { companyId: Id.fromUuid("company", uuid) }
      : { contactId: Id.fromUuid("contact", uuid) }
  return { fields: { ...fields, investor }, notRestored: [] }
}

const changeRecordOf = changeRecordMapper<MandateFields, StoredMandate>({
  type: "mandate",
  // Its countries change with `geography`, and have no name of their own.
  fieldNames: { ...changedFieldNames.mandate, wholeCountries: [] },
  namesOf: ({ investor }) => ({
    ...(investor?.contactId === undefined ? {} : { contact_id: investor.contactId }),
    ...(investor?.companyId === undefined ? {} : { company_id: investor.companyId })
  })
})

/** The change record of a write. It names the contact or company for which the mandate is kept. */
export const toChangeRecord: typeof changeRecordOf = (kind, mandate, uuid, changed) =>
  changeRecordOf(
    kind,
    mandate,
    uuid,
    changed.filter((member) => member !== "wholeCountries")
  )

/** Checks mandates: a new investor exists. `existing` are the ids of the contacts and companies that do. */
export const writeContextOf = (existing: ReadonlySet<string>): WriteContext<MandateFields, StoredMandate> => ({
  faultsOf: ({ changed, fields: { investor } }) => {
    const id = investor?.contactId ?? investor?.companyId
    if (!changed.includes("investor") || id === undefined || existing.has(id)) return []
    const member = investor?.contactId === undefined ? "companyId" : "contactId"
    const what = member === "contactId" ? "contact" : "company"
    return [bodyFault(`/investor/${member}`, "invalid_reference", `There is no ${what} with this id.`)]
  }
})
