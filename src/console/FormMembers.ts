/**
 * What forms of records say: a table of the members that people write gives what the fields of a record have, and of what was sent the
 * body for the use-case, as a client of the API would send it. The fields themselves are in `Forms.ts`.
 *
 *     const members = [
 *       { name: "firstName", label: t.firstName, kind: "text" },
 *       { name: "pricing.askingPrice", label: t.askingPrice, kind: "money" }
 *     ] as const
 *     bodyOf(page.form, members)            // { firstName: "Anna", pricing: { askingPrice: { value: 12500000, currency: "EUR" } } }
 *     patchOf(page.form, members, contact)  // what nobody changed stays as it is stored
 *
 * What a value has besides what its fields show, such as how an area was measured, goes along in a hidden field.
 */
import type { Json } from "../core/usecase/Input.ts"
import { degreesIn, jsonIn } from "./browser/positions.ts"
import { Form } from "./Console.ts"
import { fieldNumber } from "./Numbers.ts"
import { common, type Reader, texts } from "./Texts.ts"

/** A member of a record in a form. */
export interface Member {
  /** Its name in the API; dots lead into nested members. */
  readonly name: string
  readonly label: string
  readonly kind:
    | "choice"
    | "choices"
    | "date"
    /** A latitude or a longitude, with a point or a comma: degrees have no groups of digits. */
    | "degrees"
    | "email"
    /** True or false: {@link yesOrNo} for what may be neither. */
    | "flag"
    | "long"
    /** A number in `unit`: `{ value, unit }`. */
    | "measure"
    /** An amount: `{ value, currency }`. */
    | "money"
    | "number"
    /** `{ min, max, currency, scale }`. */
    | "priceRange"
    /** `{ min, max }`, in `unit` if it has one. */
    | "range"
    /** A list of objects with `members`. */
    | "rows"
    | "tags"
    | "tel"
    | "text"
    | "url"
  /** Of `choice` and `choices`. */
  readonly options?: ReadonlyArray<readonly [value: string, name: string]>
  /** Of `measure` and `range`: the unit, as the API names it, and as people write it. */
  readonly unit?: string
  readonly shownUnit?: string
  /** Of `rows`: what each row has. */
  readonly members?: ReadonlyArray<Member>
  /** The name of no choice. */
  readonly any?: string
  readonly hint?: string
  /** The type of record that a text names. */
  readonly names?: "company" | "contact"
  readonly isRequired?: boolean
  /** Whether it is a part of a value that is null where all its parts are blank, such as the latitude of a position. */
  readonly isPart?: boolean
  /** How it is written and read where its kind has another text than people write; undefined sends nothing of it. */
  readonly write?: (record: object) => string
  readonly read?: (form: Form) => Json | undefined
}

/** The choice of a member that is true, false, or not known. */
export const yesOrNo = ({ language }: Reader, name: string): Pick<Member, "kind" | "options" | "read" | "write"> => ({
  kind: "choice",
  options: [
    ["true", common[language].yes],
    ["false", common[language].no]
  ],
  write: (record) => {
    const value = valueAt(record, name)
    return typeof value === "boolean" ? String(value) : ""
  },
  read: (form) => {
    const sent = form.text(name)
    return sent === undefined ? null : sent === "true"
  }
})

/** The value at a dotted path of a record; undefined where a part of it is missing. */
export const valueAt = (record: object | undefined, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? Object.entries(value).find(([key]) => key === name)?.[1]
          : undefined,
      record
    )

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Tags between commas; one that has a comma of its own is in quotes. */
const tagsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"(?=\s*(?:,|$))|[^,]+)/g)]
    .map(([item, quoted]) => (quoted === undefined ? item : quoted.replaceAll('""', '"')).trim())
    .filter((tag) => tag !== "")

const tagsText = (tags: ReadonlyArray<unknown>): string =>
  tags
    .map(String)
    .map((tag) => (/^\s*"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag))
    .join(", ")

/** The text of a value in a field. A field of one line has no line breaks. */
const shownText = (reader: Reader, kind: Member["kind"], value: unknown): string =>
  Array.isArray(value)
    ? tagsText(value)
    : typeof value === "number"
      ? fieldNumber(reader, value)
      : typeof value !== "string"
        ? ""
        : kind === "long"
          ? value
          : value.replaceAll(/[\r\n]/g, "")

/** Whether a value is none. */
export const isBlank = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const unitWords = texts({
  currency: [(label: string) => `${label}: currency`, (label: string) => `${label}: Währung`],
  from: [(label: string) => `${label}: from`, (label: string) => `${label}: von`],
  to: [(label: string) => `${label}: to`, (label: string) => `${label}: bis`],
  scale: [(label: string) => `${label}: in`, (label: string) => `${label}: in`],
  unit: ["Units", "Einheiten"],
  thousand: ["Thousands", "Tausend"],
  million: ["Millions", "Millionen"]
})

/** The fields that a value of several parts has, each a member of its own. */
export const partsOf = (reader: Reader, { kind, label, name, shownUnit }: Member): ReadonlyArray<Member> => {
  const t = unitWords[reader.language]
  const measured = shownUnit === undefined ? label : `${label} (${shownUnit})`
  const currency: Member = { name: `${name}.currency`, label: t.currency(label), kind: "text" }
  const ends: ReadonlyArray<Member> = [
    { name: `${name}.min`, label: t.from(measured), kind: "number" },
    { name: `${name}.max`, label: t.to(measured), kind: "number" }
  ]
  switch (kind) {
    case "measure":
      return [{ name: `${name}.value`, label: measured, kind: "number" }]
    case "money":
      return [{ name: `${name}.value`, label, kind: "number" }, currency]
    case "range":
      return ends
    case "priceRange":
      return [
        ...ends,
        currency,
        {
          name: `${name}.scale`,
          label: t.scale(label),
          kind: "choice",
          isRequired: true,
          options: [
            ["unit", t.unit],
            ["thousand", t.thousand],
            ["million", t.million]
          ]
        }
      ]
    default:
      return []
  }
}

/** How many rows a list may have. */
export const maxRows = 200

/** What a row of a list has, by its place in the list. */
export const rowMembers = ({ label, members = [], name }: Member, index: number): ReadonlyArray<Member> =>
  members.map((member) => ({
    ...member,
    name: `${name}.${index}.${member.name}`,
    label: `${label} ${index + 1}: ${member.label}`
  }))

/** The name of the hidden field with what a value has besides its fields. */
export const restName = (name: string) => `${name}.rest`

const restOf = (
  name: string,
  value: unknown,
  shown: ReadonlyArray<string>
): ReadonlyArray<readonly [string, string]> => {
  const rest = Object.entries(isObject(value) ? value : {}).filter(
    ([key, one]) => !shown.includes(key) && !isBlank(one)
  )
  return rest.length === 0 ? [] : [[restName(name), JSON.stringify(Object.fromEntries(rest))]]
}

interface Values {
  readonly [member: string]: Json
}

const restIn = (form: Form, name: string): Values => {
  const rest = jsonIn(form.text(restName(name)) ?? "")
  return isObject(rest) ? (rest as Values) : {}
}

/** What the fields of a member have, by their names, as the form of a record is first shown. */
const entriesOf = (
  reader: Reader,
  member: Member,
  record: object
): ReadonlyArray<readonly [name: string, value: string]> => {
  const { kind, members = [], name, write } = member
  if (write !== undefined) return [[name, write(record)]]
  const stored = valueAt(record, name)
  const list: ReadonlyArray<unknown> = Array.isArray(stored) ? stored : []
  switch (kind) {
    case "measure":
    case "money":
    case "priceRange":
    case "range": {
      const parts = partsOf(reader, member)
      const shown = [...parts.map((part) => part.name.slice(name.length + 1)), "unit"]
      return [...parts.flatMap((part) => entriesOf(reader, part, record)), ...restOf(name, stored, shown)]
    }
    case "rows": {
      const shown = members.map((one) => one.name)
      return list.flatMap((row, index) => [
        ...rowMembers(member, index).flatMap((one) => entriesOf(reader, one, record)),
        ...restOf(`${name}.${index}`, row, shown)
      ])
    }
    case "choices":
      return list.map((value) => [name, String(value)] as const)
    case "flag":
      return stored === true ? [[name, "on"]] : []
    default:
      return [[name, shownText(reader, kind, stored)]]
  }
}

/** The form of a record as it is first shown: what it sends where nobody changes anything. */
export const formOf = (reader: Reader, members: ReadonlyArray<Member>, record: object | undefined): Form => {
  const entries = record === undefined ? [] : members.flatMap((member) => entriesOf(reader, member, record))
  const values = new URLSearchParams()
  for (const [name, value] of entries) values.append(name, value)
  return new Form(values, reader)
}

/** Whether a value of a member is blank, or a box that nobody ticked. */
export const saysNothing = ({ kind }: Member, value: unknown): boolean =>
  isBlank(value) || (kind === "flag" && value === false)

const degreesSent = (form: Form, name: string): number | string | null => {
  const text = form.text(name)
  return text === undefined ? null : (degreesIn(text) ?? text)
}

/** The numbers of the rows of a list that a form has, blank ones included. */
export const rowsIn = (form: Form, { name }: Member): ReadonlyArray<number> => {
  const numbers = [...form.values.keys()].flatMap((key) => {
    const [, row] = key.startsWith(`${name}.`) ? (/^\.(\d{1,3})\./.exec(key.slice(name.length)) ?? []) : []
    return row === undefined || Number(row) >= maxRows ? [] : [Number(row)]
  })
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** What a form sends of a row of a list; undefined if nothing is in it. */
const rowSent = (form: Form, member: Member, index: number): Values | undefined => {
  const name = `${member.name}.${index}`
  const row = valueAt(bodyOf(form, rowMembers(member, index), { omitsBlank: true }), name)
  return isObject(row) ? { ...restIn(form, name), ...(row as Values) } : undefined
}

/**
 * A form without the blank rows of its lists: the others have the numbers that they have in what is sent, by which a refusal names them.
 */
export const withoutBlankRows = (form: Form, members: ReadonlyArray<Member>): Form => {
  const values = new URLSearchParams(form.values)
  for (const member of members) {
    if (member.kind !== "rows") continue
    const rows = rowsIn(form, member)
    const keysOf = (row: number) =>
      [...new Set(form.values.keys())].filter((key) => key.startsWith(`${member.name}.${row}.`))
    for (const key of rows.flatMap(keysOf)) values.delete(key)
    for (const [index, row] of rows.filter((one) => rowSent(form, member, one) !== undefined).entries()) {
      for (const key of keysOf(row)) {
        const own = key.slice(`${member.name}.${row}`.length)
        for (const value of form.all(key)) values.append(`${member.name}.${index}${own}`, value)
      }
    }
  }
  return new Form(values, form.reader)
}

/** What a form sends of a member; undefined for nothing. */
export const sentOf = (form: Form, member: Member): Json | undefined => {
  const { kind, name, read, unit } = member
  if (read !== undefined) return read(form)
  switch (kind) {
    case "measure": {
      const value = form.number(`${name}.value`)
      return value === null ? null : { value, unit: unit ?? "", ...restIn(form, name) }
    }
    case "money": {
      const value = form.number(`${name}.value`)
      return value === null ? null : { value, currency: form.text(`${name}.currency`) ?? "EUR", ...restIn(form, name) }
    }
    case "priceRange":
    case "range": {
      const [min, max] = [form.number(`${name}.min`), form.number(`${name}.max`)]
      if (min === null && max === null) return null
      if (kind === "range") return { min, max, ...(unit === undefined ? {} : { unit }), ...restIn(form, name) }
      return {
        min,
        max,
        currency: form.text(`${name}.currency`) ?? "EUR",
        scale: form.text(`${name}.scale`) ?? "unit",
        ...restIn(form, name)
      }
    }
    case "rows":
      return rowsIn(form, member).flatMap((index) => rowSent(form, member, index) ?? [])
    case "choices": {
      const chosen = new Set(form.all(name))
      const known = (member.options ?? []).flatMap(([value]) => (chosen.delete(value) ? [value] : []))
      return [...known, ...chosen]
    }
    case "flag":
      return form.has(name)
    case "tags":
      return [...tagsIn(form.text(name) ?? "")]
    case "degrees":
      return degreesSent(form, name)
    case "number":
      return form.number(name)
    default:
      return form.textOrNull(name)
  }
}

interface Nested {
  [name: string]: Json | Nested
}

/** A value whose parts are all blank is none. */
const withoutBlankParts = (body: Nested, members: ReadonlyArray<Member>): Nested => {
  for (const { isPart, name } of members) {
    const whole = name.split(".")[0] ?? name
    const parts = body[whole]
    if (isPart !== true || typeof parts !== "object" || parts === null) continue
    if (Object.values(parts).every((part) => part === null)) body[whole] = null
  }
  return body
}

const frozen = (nested: Nested): Json =>
  Object.fromEntries(
    Object.entries(nested).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && !Array.isArray(value) ? frozen(value as Nested) : (value as Json)
    ])
  )

const bodyWith = (members: ReadonlyArray<Member>, valueOf: (member: Member) => Json | undefined): Values => {
  const body: Nested = {}
  for (const member of members) {
    const value = valueOf(member)
    if (value === undefined) continue
    const names = member.name.split(".")
    let at = body
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Nested
    at[names.at(-1) ?? member.name] = value
  }
  return frozen(withoutBlankParts(body, members)) as Values
}

/** The body that a form sends: a member of each field, null where it is blank. `omitsBlank` leaves those out, as creates do. */
export const bodyOf = (
  form: Form,
  members: ReadonlyArray<Member>,
  { omitsBlank = false }: { readonly omitsBlank?: boolean } = {}
): Values =>
  bodyWith(members, (member) => {
    const value = sentOf(form, member)
    return omitsBlank && saysNothing(member, value) ? undefined : value
  })

/**
 * The body of the change of a record by its form. What nobody changed in the form is sent as it is stored: a field shows less of some
 * values, such as the space around a text or the order of choices.
 */
export const patchOf = (form: Form, members: ReadonlyArray<Member>, record: object): Values => {
  const shown = formOf(form.reader, members, record)
  return bodyWith(members, (member) => {
    const sent = sentOf(form, member)
    if (sent === undefined || !isSame(sent, sentOf(shown, member))) return sent
    const stored = valueAt(record, member.name)
    // No patch takes null of what is true or false.
    if (member.kind === "flag" && typeof stored !== "boolean") return undefined
    return stored === undefined ? sent : (stored as Json)
  })
}

/** Whether two values say the same: what is blank is as good as absent. */
const isSame = (one: unknown, other: unknown): boolean => {
  if (isBlank(one) || isBlank(other)) return isBlank(one) && isBlank(other)
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]))
  if (isObject(one) && isObject(other))
    return Object.keys({ ...one, ...other }).every((name) => isSame(one[name], other[name]))
  return one === other
}

/** The members that a form changes: what it sends of them is not what the form of the record sends as it is first shown. */
export const differingMembers = (members: ReadonlyArray<Member>, record: object, form: Form): ReadonlyArray<Member> => {
  const shown = formOf(form.reader, members, record)
  return members.filter((member) => {
    const sent = sentOf(form, member)
    return sent !== undefined && !isSame(sent, sentOf(shown, member))
  })
}
