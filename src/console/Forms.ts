/**
 * The fields of forms of records, by the members that people write (`FormMembers.ts`): with what is stored or was typed, and what is wrong
 * with it.
 *
 *     memberFields(reader, members, contact, attempt)
 */
import { valuesOf } from "../core/usecase/Problem.ts"
import type { Attempt, Form } from "./Console.ts"
import {
  differingMembers,
  formOf,
  isBlank,
  maxRows,
  type Member,
  partsOf,
  restName,
  rowMembers,
  rowsIn,
  saysNothing,
  sentOf,
  valueAt
} from "./FormMembers.ts"
import { html, type Html } from "./Html.ts"
import { plainNumber, quantity } from "./Numbers.ts"
import { box, facts, faultOf, field, hidden, notice, numberField, select, textarea } from "./Parts.ts"
import { common, type Reader, texts } from "./Texts.ts"

const idOf = (name: string) => `field-${name.replaceAll(".", "-")}`

/** How many blank rows a list has to write into. */
const blankRows = 2

const fieldOf = (reader: Reader, member: Member, form: Form, attempt: Attempt | undefined): Html => {
  const { any = "", hint, isRequired, kind, label, name, names, options = [] } = member
  const about = {
    id: idOf(name),
    name,
    label,
    value: form.text(name) ?? "",
    fault: faultOf(attempt?.problem.errors, name.replaceAll(".", "/")),
    ...(hint === undefined ? {} : { hint }),
    ...(isRequired === undefined ? {} : { isRequired })
  }
  const isOption = (value: string) => options.some(([known]) => known === value)
  // The value goes along with what of it no field has.
  const rest = (of: string) => {
    const text = form.text(restName(of))
    return text !== undefined && hidden(restName(of), text)
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
        ${parts.map((part) => fieldOf(reader, part, form, attempt))} ${rest(name)}
        ${whole !== undefined && html`<p class="fault">${whole}</p>`}
      </div>`
    }
    case "rows":
      return html`<fieldset class="wide" id="${idOf(name)}">
        <legend>${label}</legend>
        ${Array.from(
          { length: Math.min(maxRows, (rowsIn(form, member).at(-1) ?? -1) + 1 + blankRows) },
          (_, index) =>
            html`<div class="parts">
              ${rowMembers(member, index).map((one) => fieldOf(reader, one, form, attempt))} ${rest(`${name}.${index}`)}
            </div>`
        )}
      </fieldset>`
    case "choice": {
      // A value that is no choice any more stays one until another is chosen.
      const own = about.value === "" || isOption(about.value) ? [] : [[about.value, about.value] as const]
      return select({ ...about, options: [...options, ...own], ...(isRequired === true ? {} : { any }) })
    }
    case "choices": {
      const chosen = form.all(name)
      return html`<fieldset class="wide" id="${idOf(name)}">
        <legend>${label}</legend>
        <div class="boxes">
          ${options.map(([value, title]) => box({ id: `${idOf(name)}-${value}`, name, value, label: title, isTicked: chosen.includes(value) }))}
        </div>
        ${chosen.filter((value) => !isOption(value)).map((value) => hidden(name, value))}
        ${about.fault !== undefined && html`<p class="fault">${about.fault}</p>`}
      </fieldset>`
    }
    case "flag":
      return box({ id: idOf(name), name, label, isTicked: form.has(name) })
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
): Html => {
  const form = attempt?.form ?? formOf(reader, members, record)
  return html`<div class="fields">${members.map((member) => fieldOf(reader, member, form, attempt))}</div>`
}

/** Members that a form has under one title. */
export interface Group {
  /** Unique in the form. */
  readonly id: string
  readonly title: string
  readonly members: ReadonlyArray<Member>
  /** Whether it is open also where nothing is in it: the first things that one writes. */
  readonly isMain?: boolean
}

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

const readable = (reader: Reader, { kind, members = [], options = [] }: Member, value: unknown): string => {
  if (isBlank(value)) return "–"
  if (kind === "flag") return value === true ? common[reader.language].yes : common[reader.language].no
  if (kind === "rows" && Array.isArray(value)) {
    const rowOf = (row: object) =>
      members
        .map((member) => [member, valueAt(row, member.name)] as const)
        .filter(([, one]) => !isBlank(one))
        .map(([member, one]) => `${member.label}: ${readable(reader, member, one)}`)
    return value.map((row: object) => rowOf(row).join(", ")).join("; ")
  }
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
