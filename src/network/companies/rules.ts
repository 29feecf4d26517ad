/** The pure decisions on companies (docs/behaviour/network.md#companies). */
import { isInTheWay, makeDuplicateIndex, type WriteContext } from "../../core/records/WriteContext.ts"
import { canonicalDomain, domainOf, ownDomain } from "../../core/fields/InternetAddress.ts"
import { distinctTags } from "../../core/fields/Text.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { Duplicate, type Fault } from "../../core/usecase/Problem.ts"
import { changedFieldNames } from "../../core/mutation/Event.ts"
import { changeRecordMapper } from "../../core/records/RecordKind.ts"
import { blankOf, type Stored } from "../../core/records/Table.ts"
import { type Company, type CompanyFields, companyKinds } from "./Company.ts"
import { nameKeyOf } from "./naming.ts"

/** A company without values. */
export const blank: CompanyFields = blankOf(companyKinds)

/**
 * The values to store for the values that were sent: tags each once, and the domain of a new homepage. An unchanged homepage does not set
 * the domain, so that a client can send back what it read.
 */
export const normalize = (sent: Partial<CompanyFields>, current: CompanyFields): Partial<CompanyFields> => {
  const { domain, homepageUrl, tags } = sent
  const isNew = typeof homepageUrl === "string" && homepageUrl !== current.homepageUrl
  const derived = isNew ? domainOf(homepageUrl) : undefined
  const written = typeof domain === "string" ? (canonicalDomain(domain) ?? domain) : domain
  return {
    ...sent,
    ...(derived === undefined ? (written === undefined ? {} : { domain: written }) : { domain: derived }),
    ...(tags === undefined ? {} : { tags: distinctTags(tags) })
  }
}

/** The faults of a company as a whole: it needs a name. */
export const faultsOf = ({ name }: Pick<CompanyFields, "name">): ReadonlyArray<Fault> =>
  name === null ? [bodyFault("/name", "required", "Is required.")] : []

/** The change record of a write. */
export const toChangeRecord = changeRecordMapper<CompanyFields, Company>({
  type: "company",
  fieldNames: changedFieldNames.company
})

/** The domains by which a company with these members may be known: its own, and that of its homepage. */
export const domainsOf = ({
  domain,
  homepageUrl
}: Pick<CompanyFields, "domain" | "homepageUrl">): ReadonlyArray<string> =>
  [ownDomain(domain), homepageUrl === null ? undefined : domainOf(homepageUrl)].flatMap((one) => one ?? [])

/** The name as duplicates are compared; null without a name. */
export const keyOf = ({ name }: Pick<CompanyFields, "name">): string | null => (name === null ? null : nameKeyOf(name))

const keysOf = (fields: Pick<CompanyFields, "country" | "domain" | "name">, by = { domain: true, name: true }) => [
  ...(by.domain && ownDomain(fields.domain) !== undefined ? [`domain ${fields.domain}`] : []),
  ...(by.name && fields.name !== null ? [`name ${fields.country ?? ""} ${nameKeyOf(fields.name)}`] : [])
]

/** A company is known by its own domain, together with its name, or by its name and country. */
export const identity = {
  keysOf: (fields: Pick<CompanyFields, "country" | "domain" | "name">) => keysOf(fields),
  namesOf: (fields: Pick<CompanyFields, "name">) => [keyOf(fields)]
}

/**
 * Checks companies: no two have one domain, or one name in one country. `candidates` are the companies that have one of the wanted domains
 * or names.
 */
export const writeContextOf = (
  candidates: ReadonlyArray<Stored<Company>>
): WriteContext<CompanyFields, Company, Duplicate> => {
  const index = makeDuplicateIndex<Company>((company) => keysOf(company), candidates)
  return {
    faultsOf: () => [],
    findConflict: (write) => {
      const { changed, fields, force } = write
      if (force) return undefined
      const by = { domain: changed.includes("domain"), name: changed.includes("name") || changed.includes("country") }
      const candidates = index.find(keysOf(fields, by)).filter((stored) => isInTheWay(write, stored))
      return candidates.length === 0
        ? undefined
        : new Duplicate({
            detail:
              "A company with this domain, or with this name and country, exists. Update it, or write with force=true.",
            candidates: candidates
              .slice(0, 10)
              .map(({ resource: { country, domain, id, name } }) => ({ id, name, domain, country }))
          })
    },
    findByKeys: index.find,
    onWritten: index.add
  }
}
