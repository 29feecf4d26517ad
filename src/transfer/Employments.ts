/**
 * The companies where the contacts of a file work, which become links with `--link-companies`:
 * docs/behaviour/imports-and-exports.md#companies-of-contacts.
 *
 * Companies and links are written after the contacts, each in a transaction of its own: links are locked before contacts, and contacts
 * before companies, by all writers, so that one transaction of all three could deadlock. Nothing is lost or twice when an import stops
 * in between: the batch has no receipts then, so that it is run again, and finds what it has written.
 */
import type { RowCode } from "./rowCodes.ts"
import * as Id from "../core/Id.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Cells from "./cells.ts"
import { DryRun } from "../core/mutation/ChangeRecord.ts"
import { Effect, Result } from "effect"
import { type ExternalRef, refKey } from "../core/externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../core/externalRefs/ExternalRefsRepo.ts"
import { canonicalDomain, ownDomain } from "../core/fields/InternetAddress.ts"
import { inNfc } from "../core/fields/Text.ts"
import { Companies } from "../network/companies/Companies.ts"
import { nameKeyOf } from "../network/companies/naming.ts"
import { Links } from "../network/links/Links.ts"
import type { Json } from "../core/usecase/Input.ts"
import { readCell, readerOf } from "./cells.ts"

/** What a column says of the company where a contact works. */
export type Part = "company" | "companyId" | "companyDomain" | "companyCountry" | "jobTitle"

/** The names of these parts in `--map`. */
export const parts: ReadonlyArray<Part> = ["company", "companyId", "companyDomain", "companyCountry", "jobTitle"]

/** A column with a part. */
export interface EmploymentTarget {
  readonly is: "employment"
  readonly part: Part
  /** The system of ids of companies; undefined if none is known. */
  readonly namespace: string | undefined
}

/** What a column sets: several columns may set the same, of which the first that is filled counts. */
export const keyOf = ({ part }: EmploymentTarget): string => (part === "jobTitle" ? "link.jobTitle" : `link.${part}`)

/** The company of a contact, as a row says it, and the contact's title there. */
export interface Employment {
  /** The column of the first part, for messages. */
  readonly column: string
  readonly id?: string
  readonly ref?: ExternalRef
  readonly domain?: string
  readonly name?: string
  readonly country?: string
  readonly jobTitle?: string
}

/** A cell of a part. */
export interface EmploymentCell {
  readonly target: EmploymentTarget
  readonly column: string
  readonly text: string
}

const readers: { readonly [P in Part]: string } = {
  company: "name",
  companyId: "id",
  companyDomain: "domain",
  companyCountry: "country",
  jobTitle: "jobTitle"
}

const memberOf = ({ namespace, part }: EmploymentTarget, value: string): Partial<Employment> => {
  switch (part) {
    case "company":
      return { name: value }
    case "companyCountry":
      return { country: value }
    case "jobTitle":
      return { jobTitle: value }
    case "companyDomain": {
      // A host that many share is nobody's.
      const domain = ownDomain(canonicalDomain(value))
      return domain === undefined ? {} : { domain }
    }
    case "companyId": {
      if (Id.toUuid("company", value) !== undefined) return { id: value }
      return namespace === undefined ? {} : { ref: { namespace, externalId: inNfc(value) } }
    }
  }
}

/** Reads the cells of a row: undefined if they name no company. Cells that cannot be read are left out. */
export const read = (
  cells: ReadonlyArray<EmploymentCell>,
  separator: string
): { readonly employment: Employment | undefined; readonly reported: ReadonlyArray<Cells.Remark> } => {
  const reported: Array<Cells.Remark> = []
  const report = ({ column, text }: EmploymentCell, code: RowCode, detail: string) =>
    reported.push({ column, code, detail, value: Cells.shortened(text) })
  let employment: Partial<Employment> = {}
  let column: string | undefined
  for (const cell of cells) {
    const { target } = cell
    const several = target.part === "companyId" ? (Cells.toList(cell.text, separator) ?? []) : []
    const result = readCell(readerOf(readers[target.part]), several[0] ?? cell.text)
    if (Result.isFailure(result)) {
      report(cell, "left_out", `${result.failure} Left out.`)
      continue
    }
    const { note, value } = result.success
    if (note !== undefined) report(cell, note.code, note.detail)
    if (several.length > 1) report(cell, "further_values", "Has several values: the first was taken.")
    if (typeof value !== "string") continue
    const member = memberOf(target, value)
    if (Object.keys(member).length === 0) {
      const reason =
        target.part === "companyId"
          ? "Is no id of a company here. Name its system with --namespace NAME."
          : "Is a host that many share, and names no company."
      report(cell, "left_out", `${reason} Left out.`)
      continue
    }
    employment = { ...member, ...employment }
    if (target.part === "company" || (column === undefined && target.part !== "jobTitle")) column = cell.column
  }
  const { domain, id, name, ref } = employment
  const isNamed = (name ?? domain ?? id ?? ref) !== undefined
  if (!isNamed && employment.jobTitle !== undefined) {
    const [first] = cells
    if (first !== undefined) report(first, "not_linked", "The row names no company: its job title is left out.")
  }
  return { employment: isNamed ? { ...employment, column: column ?? "" } : undefined, reported }
}

/** A contact, and where it works. */
export interface Employed {
  readonly line: number
  /** The id of the contact; null if it only exists in a dry run. */
  readonly contactId: string | null
  readonly employment: Employment
}

/** What became of the company of a row. */
export interface Linked {
  readonly status: "created" | "updated" | "unchanged" | "failed"
  /** The ids of the link and the company; null without one. */
  readonly id: string | null
  readonly companyId: string | null
  /** Whether the row made a company. */
  readonly isNewCompany: boolean
  readonly remark?: Cells.Remark
}

/** A company that rows mean: one that there is, or a new one. */
interface Known {
  id: string | null
  readonly refs: ReadonlyArray<ExternalRef>
  readonly domain: string | null
  readonly nameKey: string | null
  readonly country: string | null
}

/** Companies by what rows name them with. */
const makeIndex = () => {
  const found = new Map<string, ReadonlyArray<Known>>()
  const put = (key: string, known: Known) => found.set(key, [...(found.get(key) ?? []), known])
  return {
    add: (known: Known) => {
      for (const ref of known.refs) put(`ref ${refKey(ref)}`, known)
      if (known.domain !== null) put(`domain ${known.domain}`, known)
      if (known.nameKey !== null) put(`name ${known.nameKey}`, known)
    },
    of: (key: string): ReadonlyArray<Known> => found.get(key) ?? []
  }
}

type Index = ReturnType<typeof makeIndex>

type Meant = { readonly is: "known"; readonly known: Known } | { readonly is: "several" } | { readonly is: "none" }

/** The company that a row means among those that are known. */
const meantBy = ({ country, domain, id, name, ref }: Employment, indexes: ReadonlyArray<Pick<Index, "of">>): Meant => {
  const of = (key: string) => indexes.flatMap((index) => index.of(key))
  const only = (found: ReadonlyArray<Known>): Meant | undefined => {
    const [first, another] = found
    if (first === undefined) return undefined
    return another === undefined ? { is: "known", known: first } : { is: "several" }
  }
  if (id !== undefined) {
    return { is: "known", known: { id, refs: [], domain: null, nameKey: null, country: null } }
  }
  const byRef = ref === undefined ? undefined : only(of(`ref ${refKey(ref)}`))
  if (byRef !== undefined) return byRef
  // What has another id in the same system is another company.
  const isSame = ({ refs }: Known) => ref === undefined || refs.every((one) => one.namespace !== ref.namespace)
  const byDomain = domain === undefined ? undefined : only(of(`domain ${domain}`).filter(isSame))
  if (byDomain !== undefined) return byDomain
  if (name === undefined) return { is: "none" }
  const named = of(`name ${nameKeyOf(name)}`).filter(isSame)
  const inCountry = country === undefined ? named : named.filter((one) => one.country === country)
  // One without a country may be in any.
  return only(inCountry) ?? only(named.filter((one) => one.country === null)) ?? { is: "none" }
}

const itemOf = ({ country, domain, name, ref }: Employment): { readonly [member: string]: Json } => ({
  name: name ?? null,
  ...(country === undefined ? {} : { country }),
  ...(domain === undefined ? {} : { domain }),
  ...(ref === undefined ? {} : { externalRefs: [{ ...ref }] })
})

const failed = ({ column, domain, id, name, ref }: Employment, detail: string): Linked => ({
  status: "failed",
  id: null,
  companyId: null,
  isNewCompany: false,
  remark: {
    column,
    code: "not_linked",
    detail,
    value: Cells.shortened(name ?? domain ?? id ?? ref?.externalId ?? "")
  }
})

const detailOf = (
  problem: { readonly detail?: string; readonly errors?: ReadonlyArray<{ readonly detail: string }> } | undefined
) => problem?.errors?.map(({ detail }) => detail).join(" ") ?? problem?.detail ?? "Was refused."

/** Makes the function that links contacts with their companies, with a fixed number of statements. Use it for one import. */
export const make = Effect.gen(function* () {
  const companies = yield* Companies
  const links = yield* Links
  const refs = yield* ExternalRefsRepo
  // Those that earlier batches of a dry run made, and rolled back.
  const rolledBack = makeIndex()

  const find = Effect.fnUntraced(function* (teamId: string, employments: ReadonlyArray<Employment>) {
    const domains = [...new Set(employments.flatMap(({ domain }) => domain ?? []))]
    const keys = [...new Set(employments.flatMap(({ name }) => (name === undefined ? [] : [nameKeyOf(name)])))]
    const wanted = employments.flatMap(({ ref }) => ref ?? [])
    const holders = yield* refs.holders({ teamId, type: "company" }, wanted)
    const held = Map.groupBy(holders, ({ holder }) => Id.fromUuid("company", holder))
    // A name is loaded for all countries.
    const limits = { perDomain: 2, perName: 300 }
    const found = domains.length + keys.length === 0 ? [] : yield* companies.candidates(teamId, domains, keys, limits)
    const loaded = new Map<string, Known>()
    for (const { resource } of found) {
      const { country, domain, externalRefs, id, name } = resource
      loaded.set(id, { id, refs: externalRefs, domain, nameKey: name === null ? null : nameKeyOf(name), country })
    }
    for (const [id, some] of held) {
      if (!loaded.has(id)) loaded.set(id, { id, refs: some, domain: null, nameKey: null, country: null })
    }
    return [...loaded.values()]
  })

  return Effect.fn("Employments.link")(function* (teamId: string, rows: ReadonlyArray<Employed>) {
    const linked = new Map<number, Linked>()
    if (rows.length === 0) return linked
    const isDryRun = (yield* DryRun) !== undefined
    const known = makeIndex()
    for (const one of yield* find(
      teamId,
      rows.map(({ employment }) => employment)
    ))
      known.add(one)
    const fresh: Array<{ readonly known: Known; readonly line: number; readonly item: Json }> = []
    const pairs: Array<Employed & { readonly known: Known }> = []
    for (const row of rows) {
      const { employment, line } = row
      const meant = meantBy(employment, [known, rolledBack])
      if (meant.is === "several") {
        linked.set(line, failed(employment, "Means several companies: the contact is not linked."))
      } else if (meant.is === "known") pairs.push({ ...row, known: meant.known })
      else if (employment.name === undefined) {
        linked.set(
          line,
          failed(employment, "Is of no company here, and the row has no name for a new one: not linked.")
        )
      } else {
        const { country = null, domain = null, name, ref } = employment
        const made: Known = {
          id: null,
          refs: ref === undefined ? [] : [ref],
          domain,
          nameKey: nameKeyOf(name),
          country
        }
        known.add(made)
        fresh.push({ known: made, line, item: itemOf(employment) })
        pairs.push({ ...row, known: made })
      }
    }
    const refusals = new Map<Known, string>()
    if (fresh.length > 0) {
      const request = {
        operation: "admin import companies of contacts",
        query: {},
        body: { items: fresh.map(({ item }) => item) }
      }
      const { value } = yield* companies.batchUpsert(UseCaseRequest.make(request))
      for (const [index, result] of value.results.entries()) {
        const made = fresh[index]?.known
        if (made === undefined) continue
        if (result.status === "failed") refusals.set(made, detailOf(result.problem))
        else if (isDryRun) rolledBack.add(made)
        else made.id = result.id
      }
    }
    const isFresh = (line: number) => fresh.some((one) => one.line === line)
    const sent: Array<(typeof pairs)[number] & { readonly contactId: string; readonly companyId: string }> = []
    for (const pair of pairs) {
      const refusal = refusals.get(pair.known)
      const { contactId, employment, known: company, line } = pair
      if (refusal !== undefined) {
        linked.set(line, failed(employment, `Its company was refused: ${refusal} The contact is not linked.`))
      } else if (contactId === null || company.id === null) {
        linked.set(line, { status: "created", id: null, companyId: company.id, isNewCompany: isFresh(line) })
      } else sent.push({ ...pair, contactId, companyId: company.id })
    }
    if (sent.length === 0) return linked
    const items = sent.map(({ companyId, contactId, employment: { jobTitle } }) => ({
      contactId,
      companyId,
      ...(jobTitle === undefined ? {} : { jobTitle })
    }))
    const request = { operation: "admin import links of contacts", query: {}, body: { items } }
    const { value } = yield* links.batchUpsert(UseCaseRequest.make(request))
    for (const [index, result] of value.results.entries()) {
      const pair = sent[index]
      if (pair === undefined) continue
      const { companyId, employment, line } = pair
      if (result.status === "created" || result.status === "updated" || result.status === "unchanged") {
        const id = isDryRun && result.status === "created" ? null : result.id
        linked.set(line, { status: result.status, id, companyId, isNewCompany: isFresh(line) })
      } else {
        linked.set(
          line,
          failed(employment, `${detailOf(result.status === "failed" ? result.problem : undefined)} Not linked.`)
        )
      }
    }
    return linked
  })
})
