/**
 * The records that rows name: the contact and the company of a link, and the investor of a mandate. A file has them by their ids, their
 * references, or the e-mail address of a contact and the domain of a company: docs/behaviour/imports-and-exports.md#named-records.
 */
import type { RowCode } from "./rowCodes.ts"
import * as Id from "../core/Id.ts"
import * as Cells from "./cells.ts"
import { Effect, Predicate, Result } from "effect"
import { type ExternalRef, parseQuery, refKey } from "../core/externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../core/externalRefs/ExternalRefsRepo.ts"
import { canonicalDomain, canonicalEmail } from "../core/fields/InternetAddress.ts"
import { inNfc } from "../core/fields/Text.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import type { Json } from "../core/usecase/Input.ts"
import { plain } from "../core/fields/spelling.ts"
import type { Kind } from "./Members.ts"

type Type = "contact" | "company"

/** By what a column names a record: by any of what follows, or one of them. */
type By = "any" | "email" | "domain" | "externalId" | "externalRef"

/** A column that names a record. */
export interface ReferenceTarget {
  readonly is: "record"
  /** The path of the member that gets its id; `investor` gets a contact or a company. */
  readonly member: string
  readonly types: ReadonlyArray<Type>
  readonly by: By
  /** The namespace of ids in another system. */
  readonly namespace: string | undefined
}

interface Base {
  readonly member: string
  readonly types: ReadonlyArray<Type>
  readonly names: ReadonlyArray<string>
}

const person = ["contact", "person", "Kontakt", "Ansprechpartner"]
const company = ["company", "organization", "organisation", "Firma", "Unternehmen"]

const bases: { readonly [K in Kind]?: ReadonlyArray<Base> } = {
  links: [
    { member: "contactId", types: ["contact"], names: person },
    { member: "companyId", types: ["company"], names: company }
  ],
  mandates: [
    { member: "investor.contactId", types: ["contact"], names: ["investor.contact", ...person] },
    { member: "investor.companyId", types: ["company"], names: ["investor.company", ...company] },
    { member: "investor", types: ["contact", "company"], names: ["investor", "Investorin", "Käufer", "buyer"] }
  ]
}

const suffixes: { readonly [B in By]: ReadonlyArray<string> } = {
  any: ["", "id"],
  email: ["email", "mail", "e-mail address", "E-Mail-Adresse"],
  domain: ["domain"],
  externalId: ["externalId"],
  externalRef: ["externalRef", "externalRefs", "reference", "Referenz"]
}

const accepts = ({ types }: Pick<Base, "types">, by: By) =>
  by === "email" ? types.includes("contact") : by === "domain" ? types.includes("company") : true

const ofNamespace = /^(.+?)[ ._-]*external[ _-]?refs?[ ]*\.(.+)$/i

/** The target of a column by its name; undefined if it names no record. `namespace` is that of ids in another system. */
export const targetOf = (kind: Kind, namespace: string | undefined, name: string): ReferenceTarget | undefined => {
  const [, before, ownNamespace] = ofNamespace.exec(name.trim()) ?? []
  const wanted = plain(before ?? name)
  for (const base of bases[kind] ?? []) {
    const { member, types } = base
    const isNamed = (suffix: string) => base.names.some((one) => plain(`${one}${suffix}`) === wanted)
    if (ownNamespace !== undefined) {
      if (isNamed("")) return { is: "record", member, types, by: "externalId", namespace: ownNamespace.trim() }
      continue
    }
    const [by] = Object.entries(suffixes).find(([, some]) => some.some(isNamed)) ?? []
    const found = (Object.keys(suffixes) as ReadonlyArray<By>).find((one) => one === by)
    if (found !== undefined && accepts(base, found)) return { is: "record", member, types, by: found, namespace }
  }
  return undefined
}

/** What a column sets: no two columns of a file may set the same. */
export const keyOf = ({ by, member, namespace }: ReferenceTarget): string => {
  const name = member.replace(/Id$/, "")
  if (by === "any") return member
  return by === "externalId" && namespace !== undefined ? `${name}.externalRefs.${namespace}` : `${name}.${by}`
}

/** The columns of the kind that name records, for messages. */
export const columnsOf = (kind: Kind): ReadonlyArray<string> =>
  (bases[kind] ?? []).flatMap((base) => {
    const name = base.member.replace(/Id$/, "")
    return [
      base.member,
      ...(["email", "domain", "externalId", "externalRef"] as const)
        .filter((by) => accepts(base, by))
        .map((by) => `${name}.${by}`)
    ]
  })

/** A record as a cell names it. */
type Name =
  | { readonly by: "ref"; readonly type: Type; readonly ref: ExternalRef }
  | { readonly by: "email"; readonly type: "contact"; readonly value: string }
  | { readonly by: "domain"; readonly type: "company"; readonly value: string }

/** A record that a row names, and that is to be found. */
export interface Reference {
  readonly member: string
  readonly column: string
  /** The cell. */
  readonly text: string
  /** What it can mean, the first that is found. */
  readonly names: ReadonlyArray<Name>
}

const refsOf = ({ types }: ReferenceTarget, ref: ExternalRef): ReadonlyArray<Name> =>
  types.map((type) => ({ by: "ref", type, ref }))

const emailOf = (text: string): Name => ({ by: "email", type: "contact", value: canonicalEmail(text) ?? text })

const domainsIn = (text: string): ReadonlyArray<Name> => {
  const domain = canonicalDomain(text)
  return domain === undefined ? [] : [{ by: "domain", type: "company", value: domain }]
}

const namesOf = (target: ReferenceTarget, text: string): ReadonlyArray<Name> => {
  const { by, namespace, types } = target
  const inNamespace = namespace === undefined ? [] : refsOf(target, { namespace, externalId: inNfc(text) })
  const isRef = text.indexOf(":") > 0 && text.indexOf(":") < text.length - 1
  switch (by) {
    case "email":
      return [emailOf(text)]
    case "domain":
      return domainsIn(text)
    case "externalId":
      return inNamespace
    case "externalRef":
      return isRef ? refsOf(target, parseQuery(text)) : []
    case "any":
      if (text.includes("@")) return types.includes("contact") ? [emailOf(text)] : []
      return isRef
        ? refsOf(target, parseQuery(text))
        : [...inNamespace, ...(types.includes("company") ? domainsIn(text) : [])]
  }
}

const said = (target: ReferenceTarget): string => {
  const what = target.types.join(" or ")
  switch (target.by) {
    case "email":
      return "Must be the e-mail address of a contact."
    case "domain":
      return "Must be the domain of a company, such as example.com."
    case "externalId":
      return `Needs --namespace, which names the system of the ids, or the column ${keyOf({ ...target, by: "externalRef" })}.`
    case "externalRef":
      return `Must be a reference of a ${what}, as NAMESPACE:ID.`
    case "any": {
      const by = [
        ...(target.types.includes("contact") ? ["e-mail address"] : []),
        ...(target.types.includes("company") ? ["domain"] : [])
      ]
      return `Must be the id, the reference (NAMESPACE:ID, or ID with --namespace) or the ${by.join(" or ")} of a ${what}.`
    }
  }
}

/** Members by their names, as of an item of a batch. */
type Members = { readonly [member: string]: Json }

/** Sets the value at the path of a member. */
const put = (item: Members, member: string, value: Json): Members => {
  const [name = "", inner] = member.split(".")
  if (inner === undefined) return { ...item, [name]: value }
  const nested = item[name]
  return { ...item, [name]: { ...(Predicate.isObject(nested) ? (nested as Members) : {}), [inner]: value } }
}

const pathOf = (member: string, type: Type) => (member === "investor" ? `investor.${type}Id` : member)

/** What a cell says: a member with an id or null, a record that is to be found, or a reason to refuse it. */
export type ReadReference =
  | { readonly is: "id"; readonly member: string; readonly id: string | null }
  | { readonly is: "named"; readonly reference: Reference }
  | { readonly is: "refused"; readonly remark: Cells.Remark }

/** Reads a value of a column. `null` clears the member. */
export const read = (target: ReferenceTarget, column: string, value: string | null): ReadReference => {
  const { by, member, types } = target
  if (value === null) return { is: "id", member: member.replace(/^investor\..*$/, "investor"), id: null }
  const text = value.trim()
  // In a column of references, an id is one of another installation.
  const type = by === "any" ? types.find((one) => Id.toUuid(one, text) !== undefined) : undefined
  if (type !== undefined) return { is: "id", member: pathOf(member, type), id: text }
  const names = namesOf(target, text)
  return names.length === 0
    ? {
        is: "refused",
        remark: { column, code: "invalid_cell", detail: said(target), value: Cells.shortened(text) }
      }
    : { is: "named", reference: { member, column, text, names } }
}

/** Adds members with ids to an item. A member that another cell sets counts before one that a cell clears. */
export const withIds = (
  item: Members,
  ids: ReadonlyArray<{ readonly member: string; readonly id: string | null }>
): Members =>
  ids.length === 0
    ? item
    : [...ids.filter(({ id }) => id === null), ...ids.filter(({ id }) => id !== null)].reduce(
        (whole, { id, member }) => put(whole, member, id),
        item
      )

const keyOfName = (name: Name): string =>
  name.by === "ref" ? `${name.type} ${refKey(name.ref)}` : `${name.by} ${name.value.toLowerCase()}`

/** The public ids of the records that have a name, by {@link keyOfName}. */
type Found = ReadonlyMap<string, ReadonlyArray<string>>

/** A row, as far as it names records. */
interface Row {
  readonly item: Result.Result<
    Members,
    { readonly code: RowCode; readonly detail: string; readonly errors?: ReadonlyArray<Cells.Remark> }
  >
  readonly references?: ReadonlyArray<Reference>
}

/** The row with the ids of the records that it names; refused if there are none, or several. */
const resolved = <R extends Row>(row: R, found: Found): R => {
  const { item, references = [] } = row
  if (references.length === 0 || Result.isFailure(item)) return row
  const ids: Array<{ readonly member: string; readonly id: string }> = []
  const errors: Array<Cells.Remark> = []
  const byMember = Object.groupBy(references, ({ member }) => member)
  for (const some of Object.values(byMember)) {
    const [first, ...others] = some ?? []
    if (first === undefined) continue
    // References say more than addresses, which people may share.
    const names = [first, ...others].flatMap((reference) => reference.names)
    const hits = [...names.filter(({ by }) => by === "ref"), ...names.filter(({ by }) => by !== "ref")].map((name) => ({
      name,
      ids: found.get(keyOfName(name)) ?? []
    }))
    const hit = hits.find((one) => one.ids.length > 0)
    const same = hits.filter(({ name }) => name.by === hit?.name.by).flatMap((one) => one.ids)
    const [id, another] = new Set(same)
    const refuse = (detail: string) =>
      errors.push({ column: first.column, code: "invalid_reference", detail, value: Cells.shortened(first.text) })
    if (id === undefined || hit === undefined) {
      const types = [...new Set(names.map(({ type }) => type))]
      refuse(`There is no ${types.join(" or ")} with this reference, e-mail address or domain.`)
    } else if (another !== undefined) refuse(`Several records have it: ${id} and ${another}. Write the id of one.`)
    else ids.push({ member: pathOf(first.member, hit.name.type), id })
  }
  const failure = {
    code: "invalid_reference",
    detail: errors.map(Cells.sentenceOf).join(" "),
    errors
  }
  return { ...row, item: errors.length > 0 ? Result.fail(failure) : Result.succeed(withIds(item.success, ids)) }
}

/** Makes the function that finds the records which rows name, with a fixed number of statements. */
export const make = Effect.gen(function* () {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const refs = yield* ExternalRefsRepo

  const find = Effect.fnUntraced(function* (teamId: string, names: ReadonlyArray<Name>) {
    const found = new Map<string, Array<string>>()
    const add = (name: Name, id: string) => {
      const key = keyOfName(name)
      found.set(key, [...(found.get(key) ?? []), id])
    }
    for (const type of ["contact", "company"] as const) {
      const wanted = names.flatMap((name) => (name.by === "ref" && name.type === type ? [name.ref] : []))
      for (const { holder, ...ref } of yield* refs.holders({ teamId, type }, wanted)) {
        add({ by: "ref", type, ref }, Id.fromUuid(type, holder))
      }
    }
    const emails = [...new Set(names.flatMap((name) => (name.by === "email" ? [name.value.toLowerCase()] : [])))]
    for (const { resource } of emails.length === 0 ? [] : yield* contacts.withEmails(teamId, emails, 2)) {
      if (resource.email !== null) add(emailOf(resource.email), resource.id)
    }
    const domains = [...new Set(names.flatMap((name) => (name.by === "domain" ? [name.value] : [])))]
    const limits = { perDomain: 2, perName: 0 }
    for (const { resource } of domains.length === 0 ? [] : yield* companies.candidates(teamId, domains, [], limits)) {
      if (resource.domain !== null) add({ by: "domain", type: "company", value: resource.domain }, resource.id)
    }
    return found
  })

  return Effect.fn("References.resolve")(function* <R extends Row>(teamId: string, rows: ReadonlyArray<R>) {
    const names = rows.flatMap(({ references = [] }) => references.flatMap((reference) => reference.names))
    if (names.length === 0) return rows
    const found = yield* find(teamId, names)
    return rows.map((row) => resolved(row, found))
  })
})
