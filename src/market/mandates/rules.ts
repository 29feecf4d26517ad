/** The pure decisions on mandates (docs/behaviour/mandates.md). */
import { changedFieldNames } from "../../core/mutation/ChangedFields.ts"
import { distinctTags } from "../../core/fields/Tags.ts"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"
import * as Id from "../../core/Id.ts"
import { changeRecordMapper } from "../../core/records/changeRecords.ts"
import type { WriteContext } from "../../core/records/WriteContext.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import type { Investor, InvestorInput, Mandate, MandateFields, MandatePatch, StoredMandate } from "./Mandate.ts"
import { nowhere, type Place } from "./place.ts"

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
