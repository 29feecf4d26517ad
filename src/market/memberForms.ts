/** The members of properties and mandates in forms, by group, and their values as people read them. Pure. */
import { type Member, yesOrNo } from "../console/FormMembers.ts"
import type { Group } from "../console/Forms.ts"
import { html, type Part } from "../console/Html.ts"
import { memberLabel } from "../console/memberNames.ts"
import { plainNumber, type Quantity, quantity } from "../console/Numbers.ts"
import { naming } from "../console/References.ts"
import { common, countryOptions, type Reader, texts } from "../console/Texts.ts"
import { label, options } from "../console/Vocabulary.ts"
import { riskProfiles, statuses } from "./mandates/Mandate.ts"
import * as vocabulary from "./properties/members/vocabulary.ts"

const words = texts({
  where: ["Where it is", "Lage"],
  what: ["What it is", "Objekt"],
  title: ["Title, position and parcels", "Recht, Koordinaten und Flurstücke"],
  size: ["Size and price", "Größe und Preis"],
  yields: ["Yields and leases", "Renditen und Verträge"],
  kinds: ["Stage, title and risk", "Phase, Recht und Risiko"],
  areas: ["Areas", "Flächen"],
  zoning: ["Zoning and potential", "Planrecht und Potenzial"],
  building: ["Building", "Gebäude"],
  income: ["Income", "Einnahmen"],
  price: ["Price", "Preis"],
  energy: ["Energy and sustainability", "Energie und Nachhaltigkeit"],
  investor: ["For the contact", "Für den Kontakt"],
  company: ["Or for the company", "Oder für die Firma"]
})

type Kind = Member["kind"]

const sqm = { unit: "sqm", shownUnit: "m²" }
const percent = { unit: "percent", shownUnit: "%" }
const years = ({ language }: Reader) => ({ unit: "years", shownUnit: language === "de" ? "Jahre" : "years" })

const member = (reader: Reader, name: string, kind: Kind, more: Partial<Member> = {}): Member => ({
  name,
  label: memberLabel(reader, name),
  kind,
  ...more
})

const choice = (reader: Reader, name: string, values: ReadonlyArray<string>, kind: "choice" | "choices" = "choice") =>
  member(reader, name, kind, { options: options(reader, values) })

/** The members of properties that forms write, by group. */
export const propertyGroups = (reader: Reader): ReadonlyArray<Group> => {
  const t = words[reader.language]
  const of = (name: string, kind: Kind, more: Partial<Member> = {}) => member(reader, name, kind, more)
  const area = (name: string) => of(name, "measure", sqm)
  const share = (name: string) => of(name, "measure", percent)
  const some = (names: ReadonlyArray<string>, kind: Kind) => names.map((name) => of(name, kind))
  const answer = (name: string) => of(name, "choice", yesOrNo(reader, name))
  return [
    {
      id: "where",
      title: t.where,
      isMain: true,
      members: [
        of("country", "choice", { options: countryOptions(reader) }),
        ...some(["locality", "address.postalCode", "address.street", "address.houseNumber", "address.region"], "text")
      ]
    },
    {
      id: "what",
      title: t.what,
      isMain: true,
      members: [
        choice(reader, "categories", vocabulary.categories, "choices"),
        choice(reader, "lifecycleStage", vocabulary.lifecycleStages),
        of("description", "long")
      ]
    },
    {
      id: "subcategories",
      title: memberLabel(reader, "subcategories"),
      members: [choice(reader, "subcategories", vocabulary.subcategories, "choices")]
    },
    {
      id: "features",
      title: memberLabel(reader, "propertyTags"),
      members: [
        {
          ...choice(reader, "tags", vocabulary.propertyTags, "choices"),
          label: memberLabel(reader, "propertyTags")
        }
      ]
    },
    {
      id: "title",
      title: t.title,
      members: [
        choice(reader, "tenure", vocabulary.tenures),
        choice(reader, "dealStructure", vocabulary.dealStructures),
        share("ownershipShare"),
        of("groundLease.expiresOn", "date"),
        of("groundLease.annualRent", "money"),
        ...some(["coordinates.latitude", "coordinates.longitude"], "degrees"),
        of("parcels", "rows", { members: [of("cadastralId", "text"), of("register", "text"), area("area")] })
      ]
    },
    {
      id: "areas",
      title: t.areas,
      members: [
        ...["parcelArea", "grossFloorArea", "internalArea", "lettableArea", "rentedArea", "vacantArea"].map(area),
        of("areasByUse", "rows", { members: [of("use", "text"), area("area"), area("rentedArea")] })
      ]
    },
    {
      id: "zoning",
      title: t.zoning,
      members: [
        area("zoning.gfa"),
        choice(reader, "zoning.status", vocabulary.zoningStatuses),
        choice(reader, "zoning.planningPermission", vocabulary.planningPermissions),
        ...some(["zoning.useClass", "zoning.planReference"], "text"),
        ...some(["zoning.floorAreaRatio", "zoning.siteCoverageRatio"], "number"),
        choice(reader, "zoning.uses", vocabulary.zoningUses, "choices"),
        choice(reader, "conversions", vocabulary.conversions, "choices")
      ]
    },
    {
      id: "building",
      title: t.building,
      members: [
        ...some(["yearBuilt", "yearRenovated", "buildingCount", "floorCount", "unitCount", "parkingSpaces"], "number"),
        choice(reader, "grade", vocabulary.grades),
        choice(reader, "condition", vocabulary.conditions),
        answer("heritageListed"),
        ...some(
          ["clearHeightM", "dockDoors", "driveInDoors", "floorLoadKnPerSqm", "powerKva", "yardDepthM"].map(
            (name) => `industrial.${name}`
          ),
          "number"
        ),
        ...some(["hotel.roomCount", "hotel.stars"], "number"),
        choice(reader, "hotel.contractType", vocabulary.hotelContractTypes)
      ]
    },
    {
      id: "income",
      title: t.income,
      members: [
        of("income.asOf", "date"),
        ...some(
          ["passingRent", "marketRent", "nonRecoverableCosts", "netOperatingIncome"].map((name) => `income.${name}`),
          "money"
        ),
        share("income.vacancyRate"),
        share("income.occupancyRate"),
        of("income.waultToBreak", "measure", years(reader)),
        of("income.waultToExpiry", "measure", years(reader)),
        of("income.tenantCount", "number"),
        choice(reader, "income.leaseType", vocabulary.leaseTypes),
        choice(reader, "income.indexation", vocabulary.indexations),
        of("tenants", "rows", {
          members: [
            of("name", "text"),
            of("use", "text"),
            area("area"),
            of("annualRent", "money"),
            of("breakOn", "date"),
            of("expiresOn", "date")
          ]
        })
      ]
    },
    {
      id: "price",
      title: t.price,
      members: [
        of("pricing.askingPrice", "money"),
        choice(reader, "pricing.qualifier", vocabulary.priceQualifiers),
        ...[
          "purchaserCosts",
          "netInitialYield",
          "toppedUpNetInitialYield",
          "grossInitialYield",
          "reversionaryYield"
        ].map((name) => share(`pricing.${name}`)),
        of("pricing.rentMultiplier", "number"),
        choice(reader, "pricing.vatTreatment", vocabulary.vatTreatments)
      ]
    },
    {
      id: "energy",
      title: t.energy,
      members: [
        choice(reader, "energy.class", vocabulary.energyClasses),
        choice(reader, "energy.basis", vocabulary.energyBases),
        of("energy.certificateNumber", "text"),
        of("energy.validUntil", "date"),
        ...some(
          ["primaryKwhPerSqmYear", "finalKwhPerSqmYear", "co2KgPerSqmYear"].map((name) => `energy.${name}`),
          "number"
        ),
        answer("euTaxonomyAligned"),
        of("strandingYear", "number"),
        of("certifications", "rows", {
          members: [
            choice(reader, "scheme", vocabulary.certificationSchemes),
            of("level", "text"),
            of("phase", "text"),
            of("validUntil", "date")
          ]
        })
      ]
    }
  ]
}

/** The members of mandates that forms write, but for their place: what it is, and what is looked for. */
export const mandateGroups = (
  reader: Reader
): { readonly about: ReadonlyArray<Member>; readonly criteria: ReadonlyArray<Group> } => {
  const t = words[reader.language]
  const range = (name: string, more: Partial<Member> = {}) => member(reader, name, "range", more)
  const some = (name: string, values: ReadonlyArray<string>) => choice(reader, name, values, "choices")
  const alone = (name: string, values: ReadonlyArray<string>): Group => ({
    id: name,
    title: memberLabel(reader, name),
    members: [some(name, values)]
  })
  // The form of an investor has no field for it.
  const investor = (name: string, more: Pick<Member, "hint" | "label" | "names">): Member => ({
    name,
    kind: "text",
    isPart: true,
    read: (form) => (form.has(name) ? form.textOrNull(name) : undefined),
    ...more
  })
  const about = [
    member(reader, "name", "text", { isRequired: true }),
    member(reader, "status", "choice", { options: options(reader, statuses), isRequired: true }),
    investor("investor.contactId", { label: t.investor, ...naming(reader, "contact") }),
    investor("investor.companyId", { label: t.company, ...naming(reader, "company") })
  ] as const
  const criteria: ReadonlyArray<Group> = [
    {
      id: "what",
      title: t.what,
      isMain: true,
      members: [some("categories", vocabulary.categories), member(reader, "description", "long")]
    },
    {
      id: "size",
      title: t.size,
      members: [
        member(reader, "investmentSize", "priceRange"),
        member(reader, "pricePerSqm", "priceRange"),
        range("lettableArea", sqm),
        range("parcelArea", sqm),
        range("zoningGfa", sqm),
        range("yearBuilt"),
        range("unitCount"),
        choice(reader, "worstEnergyClass", vocabulary.energyClasses)
      ]
    },
    {
      id: "yields",
      title: t.yields,
      members: [
        range("netInitialYield", percent),
        range("vacancyRate", percent),
        range("targetIrr", percent),
        range("wault", years(reader))
      ]
    },
    {
      id: "kinds",
      title: t.kinds,
      members: [
        some("lifecycleStages", vocabulary.lifecycleStages),
        some("tenures", vocabulary.tenures),
        some("dealStructures", vocabulary.dealStructures),
        some("riskProfiles", riskProfiles),
        some("conversions", vocabulary.conversions)
      ]
    },
    alone("subcategories", vocabulary.subcategories),
    alone("positiveTags", vocabulary.propertyTags),
    alone("negativeTags", vocabulary.propertyTags)
  ]
  return { about, criteria }
}

/** A value of a record, as people read it: with its unit, its currency, its words. */
export const shownValue = (reader: Reader, value: unknown): Part => {
  const t = common[reader.language]
  if (value === null || value === undefined || value === "") return undefined
  if (typeof value === "boolean") return value ? t.yes : t.no
  if (typeof value === "number") return plainNumber(reader, value)
  if (typeof value === "string") return /^[a-z][a-z0-9_]*$/.test(value) ? label(reader, value) : value
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined
    return typeof value[0] === "object"
      ? html`<ul class="bullets">
          ${value.map((row) => html`<li>${shownValue(reader, row)}</li>`)}
        </ul>`
      : value.map((one) => String(shownValue(reader, one) ?? "")).join(", ")
  }
  const found = quantity(reader, value as Quantity)
  if (found !== undefined) return found
  return Object.entries(value)
    .flatMap(([name, one]) => {
      const shown = shownValue(reader, one)
      return shown === undefined ? [] : [`${memberLabel(reader, name)}: ${String(shown)}`]
    })
    .join("; ")
}
