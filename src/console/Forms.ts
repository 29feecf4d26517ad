/**
 * Forms of records: a table of the members that people write gives the fields of a form, with what is stored or was typed, and the body
 * that the form sends to the use-case, as a client of the API would send it.
 *
 *     const members = [
 *       { name: "firstName", label: t.firstName, kind: "text" },
 *       { name: "pricing.askingPrice.value", label: t.askingPrice, kind: "number" }
 *     ] as const
 *     memberFields(members, contact, attempt)
 *     bodyOf(page.form, members)   // { firstName: "Anna", pricing: { askingPrice: { value: 12500000 } } }
 */
import type { Json } from "../core/usecase/Input.ts"
import { valuesOf } from "../core/usecase/Problem.ts"
import { degreesIn } from "./browser/positions.ts"
import type { Attempt, Form } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { fieldNumber, plainNumber, quantity } from "./Numbers.ts"
import { box, facts, faultOf, field, notice, numberField, select, textarea } from "./Parts.ts"
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

const shownText = (reader: Reader, value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(", ")
    : typeof value === "number"
      ? fieldNumber(reader, value)
      : typeof value === "string"
        ? value
        : ""

/** What the field of a member has of a record. */
const writtenOf = (reader: Reader, { name, write }: Member, record: object | undefined): string =>
  write === undefined || record === undefined ? shownText(reader, valueAt(record, name)) : write(record)

const idOf = (name: string) => `field-${name.replaceAll(".", "-")}`

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
const partsOf = (reader: Reader, { kind, label, name, shownUnit }: Member): ReadonlyArray<Member> => {
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

/** How many blank rows a list has to write into. */
const blankRows = 2

/** How many rows a list may have. */
const maxRows = 200

const rowCount = (member: Member, record: object | undefined, attempt: Attempt | undefined): number => {
  if (attempt !== undefined) return rowsSent(attempt.form, member).length + blankRows
  const stored = valueAt(record, member.name)
  return Math.min(maxRows, (Array.isArray(stored) ? stored.length : 0) + blankRows)
}

const rowMembers = ({ label, members = [], name }: Member, index: number): ReadonlyArray<Member> =>
  members.map((member) => ({
    ...member,
    name: `${name}.${index}.${member.name}`,
    label: `${label} ${index + 1}: ${member.label}`
  }))

const fieldOf = (reader: Reader, member: Member, record: object | undefined, attempt: Attempt | undefined): Html => {
  const { any = "", hint, isRequired, kind, label, name, names, options = [] } = member
  const stored = valueAt(record, name)
  const about = {
    id: idOf(name),
    name,
    label,
    value: attempt === undefined ? writtenOf(reader, member, record) : (attempt.form.text(name) ?? ""),
    fault: faultOf(attempt?.problem.errors, name.replaceAll(".", "/")),
    ...(hint === undefined ? {} : { hint }),
    ...(isRequired === undefined ? {} : { isRequired })
  }
  switch (kind) {
    case "measure":
    case "money":
    case "priceRange":
    case "range": {
      const parts = partsOf(reader, member)
      const isOfPart = (pointer: string) => parts.some((part) => pointer === pointerOf(part))
      const whole = faultOf(
        attempt?.problem.errors?.filter(({ pointer }) => !isOfPart(pointer)),
        name.replaceAll(".", "/")
      )
      return html`<div class="parts">
        ${parts.map((part) => fieldOf(reader, part, record, attempt))}
        ${whole !== undefined && html`<p class="fault">${whole}</p>`}
      </div>`
    }
    case "rows":
      return html`<fieldset class="wide" id="${idOf(name)}">
        <legend>${label}</legend>
        ${Array.from(
          { length: rowCount(member, record, attempt) },
          (_, index) =>
            html`<div class="parts">
              ${rowMembers(member, index).map((one) => fieldOf(reader, one, record, attempt))}
            </div>`
        )}
      </fieldset>`
    case "choice":
      return select({ ...about, options, ...(isRequired === true ? {} : { any }) })
    case "choices": {
      const chosen: ReadonlyArray<unknown> = attempt?.form.all(name) ?? (Array.isArray(stored) ? stored : [])
      return html`<fieldset class="wide" id="${idOf(name)}">
        <legend>${label}</legend>
        <div class="boxes">
          ${options.map(([value, title]) => box({ id: `${idOf(name)}-${value}`, name, value, label: title, isTicked: chosen.includes(value) }))}
        </div>
        ${about.fault !== undefined && html`<p class="fault">${about.fault}</p>`}
      </fieldset>`
    }
    case "flag":
      return box({
        id: idOf(name),
        name,
        label,
        isTicked: attempt === undefined ? stored === true : attempt.form.has(name)
      })
    case "long":
      return html`<div class="wide">${textarea(about)}</div>`
    case "degrees":
    case "number":
      return numberField(about)
    case "tags":
      return html`<div class="wide">${field(about)}</div>`
    default:
      return field({
        ...about,
        type: kind,
        choices: choicesOf(attempt, name),
        ...(names === undefined ? {} : { names })
      })
  }
}

const pointerOf = ({ name }: Member) => `/${name.replaceAll(".", "/")}`

/** What a field that means several records may mean. */
export const choicesOf = (attempt: Attempt | undefined, name: string): ReadonlyArray<string> =>
  (attempt?.problem.errors ?? [])
    .filter(({ code, pointer }) => code === "ambiguous_reference" && pointer === `/${name.replaceAll(".", "/")}`)
    .flatMap((fault) => valuesOf(fault).allowed ?? [])

/** The fields of members: with what the record has, or with what was typed where the form was refused. */
export const memberFields = (
  reader: Reader,
  members: ReadonlyArray<Member>,
  record: object | undefined,
  attempt: Attempt | undefined
): Html => html`<div class="fields">${members.map((member) => fieldOf(reader, member, record, attempt))}</div>`

/** Members that a form has under one title. */
export interface Group {
  /** Unique in the form. */
  readonly id: string
  readonly title: string
  readonly members: ReadonlyArray<Member>
  /** Whether it is open also where nothing is in it: the first things that one writes. */
  readonly isMain?: boolean
}

/** Whether a value of a member is blank, or a box that nobody ticked. */
const saysNothing = ({ kind }: Member, value: unknown): boolean =>
  isBlank(value) || (kind === "flag" && value === false)

const isEmpty = (group: Group, record: object | undefined, attempt: Attempt | undefined): boolean =>
  group.members.every((member) => {
    if (faultOf(attempt?.problem.errors, member.name.replaceAll(".", "/")) !== undefined) return false
    const value = attempt === undefined ? valueAt(record, member.name) : sentOf(attempt.form, member)
    return saysNothing(member, value)
  })

/**
 * The fields of a form with many members, by group. A group in which nothing is and nothing is wrong is folded, so that the keyboard has
 * a short way; a folded field is sent as well.
 */
export const groupFields = (
  reader: Reader,
  groups: ReadonlyArray<Group>,
  record: object | undefined,
  attempt: Attempt | undefined
): Html =>
  html`<div>
    ${groups.map(
      (group) =>
        html`<details
          class="section group"
          id="fields-${group.id}"
          ${(group.isMain === true || !isEmpty(group, record, attempt)) && html`open`}
        >
          <summary>${group.title}</summary>
          <div class="stack">${memberFields(reader, group.members, record, attempt)}</div>
        </details>`
    )}
  </div>`

const degreesSent = (form: Form, name: string): number | string | null => {
  const text = form.text(name)
  return text === undefined ? null : (degreesIn(text) ?? text)
}

const rowsSent = (form: Form, member: Member): ReadonlyArray<Json> => {
  const last = Math.max(
    -1,
    ...[...form.values.keys()].flatMap((key) => {
      const [, index] = key.startsWith(`${member.name}.`)
        ? (/^\.(\d{1,3})\./.exec(key.slice(member.name.length)) ?? [])
        : []
      return index === undefined ? [] : [Number(index)]
    })
  )
  return Array.from({ length: Math.min(last + 1, maxRows) }, (_, index) => {
    const members = rowMembers(member, index)
    const row = bodyOf(form, members, { omitsBlank: true })
    return valueAt(row, `${member.name}.${index}`) as Json | undefined
  }).filter((row) => row !== undefined)
}

/** What a form sends of a member; undefined for nothing. */
const sentOf = (form: Form, member: Member): Json | undefined => {
  const { kind, name, read, unit } = member
  if (read !== undefined) return read(form)
  switch (kind) {
    case "measure": {
      const value = form.number(`${name}.value`)
      return value === null ? null : { value, unit: unit ?? "" }
    }
    case "money": {
      const value = form.number(`${name}.value`)
      return value === null ? null : { value, currency: form.text(`${name}.currency`) ?? "EUR" }
    }
    case "priceRange":
    case "range": {
      const [min, max] = [form.number(`${name}.min`), form.number(`${name}.max`)]
      if (min === null && max === null) return null
      if (kind === "range") return { min, max, ...(unit === undefined ? {} : { unit }) }
      return {
        min,
        max,
        currency: form.text(`${name}.currency`) ?? "EUR",
        scale: form.text(`${name}.scale`) ?? "unit"
      }
    }
    case "rows":
      return rowsSent(form, member)
    case "choices":
      return [...form.all(name)]
    case "flag":
      return form.has(name)
    case "tags":
      return (form.text(name) ?? "")
        .split(",")
        .map((tag) => tag.trim())
        .filter((tag) => tag !== "")
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

/** The body that a form sends: a member of each field, null where it is blank. `omitsBlank` leaves those out, as creates do. */
export const bodyOf = (
  form: Form,
  members: ReadonlyArray<Member>,
  { omitsBlank = false }: { readonly omitsBlank?: boolean } = {}
): { readonly [name: string]: Json } => {
  const body: Nested = {}
  for (const member of members) {
    const value = sentOf(form, member)
    if (value === undefined || (omitsBlank && saysNothing(member, value))) continue
    const names = member.name.split(".")
    let at = body
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Nested
    at[names.at(-1) ?? member.name] = value
  }
  return frozen(withoutBlankParts(body, members)) as { readonly [name: string]: Json }
}

// Two people on one record: what somebody else changed in the meantime is shown beside what was sent, and nothing typed is lost.

const words = texts({
  asNow: ["As it is now", "Jetziger Stand"],
  asSent: ["As you sent it", "Ihr Stand"],
  conflict: [
    "Somebody changed this while you were editing. Nothing of yours is saved yet.",
    "Jemand hat dies geändert, während Sie es bearbeitet haben. Von Ihnen ist noch nichts gespeichert."
  ],
  next: [
    "The form has your values. Save it to apply them to the present version, or cancel to keep that.",
    "Das Formular enthält Ihre Werte. Speichern Sie, um sie auf den jetzigen Stand anzuwenden, oder brechen Sie ab, um ihn zu behalten."
  ]
})

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const isSame = (a: unknown, b: unknown): boolean =>
  isBlank(a) || isBlank(b) ? isBlank(a) === isBlank(b) : JSON.stringify(a) === JSON.stringify(b)

/** The members whose values in a form differ from those of a record. */
export const differingMembers = (members: ReadonlyArray<Member>, record: object, form: Form): ReadonlyArray<Member> =>
  members.filter((member) => {
    const sent = sentOf(form, member)
    return sent !== undefined && !isSame(valueAt(record, member.name), sent)
  })

const readable = (reader: Reader, { kind, options = [] }: Member, value: unknown): string => {
  if (isBlank(value)) return "–"
  if (kind === "flag") return value === true ? common[reader.language].yes : common[reader.language].no
  const nameOf = (one: unknown) =>
    options.find(([known]) => known === one)?.[1] ??
    (typeof one === "number"
      ? plainNumber(reader, one)
      : typeof one === "object"
        ? (quantity(reader, one ?? {}) ?? JSON.stringify(one))
        : String(one))
  return Array.isArray(value) ? value.map(nameOf).join(", ") : nameOf(value)
}

/** Both versions of a record that somebody else changed: as it is now, and as the form sent it. */
export const bothVersions = (reader: Reader, members: ReadonlyArray<Member>, record: object, form: Form): Html => {
  const t = words[reader.language]
  const differing = differingMembers(members, record, form)
  const version = (id: string, title: string, valueOf: (member: Member) => string) =>
    html`<div>
      <h2 id="${id}">${title}</h2>
      ${facts(differing.map((member) => [member.label, html`<mark>${valueOf(member)}</mark>`]))}
    </div>`
  return html`${notice("bad", t.conflict)}
    <div class="versions">
      ${version("version-now", t.asNow, (member) => readable(reader, member, member.write?.(record) ?? valueAt(record, member.name)))}
      ${version("version-sent", t.asSent, (member) => readable(reader, member, member.write === undefined ? sentOf(form, member) : form.text(member.name)))}
    </div>
    <p class="soft">${t.next}</p>`
}
