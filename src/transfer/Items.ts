/** Turns rows into items of the API's batch upsert. Pure. */
import type { RowCode } from "./rowCodes.ts"
import * as Options from "./CellOptions.ts"
import * as Cells from "./cells.ts"
import * as PropertyItems from "./propertyItems.ts"
import * as Employments from "./Employments.ts"
import * as References from "./References.ts"
import * as PropertyTargets from "./propertyTargets.ts"
import { Predicate, Result } from "effect"
import { canonicalDomain, domainOf } from "../core/fields/InternetAddress.ts"
import type { Json } from "../core/usecase/Input.ts"
import { readId, readLabels } from "./systems.ts"
import { absent, readCell, readerOf } from "./cells.ts"
import { type ColumnChoices, columnOf, type FileColumn, keyOf, type Mapping, noName, type Target } from "./Columns.ts"
import { faultsOf, isMeasured, type Kind, membersOf, singular } from "./Members.ts"

/** An item of a batch upsert. */
export type Item = { readonly [member: string]: Json }

/** The reason why a row has no item. */
export interface RowError {
  readonly code: RowCode
  readonly detail: string
  /** The cells that cannot be read, if these are the reason. */
  readonly errors?: ReadonlyArray<Cells.Remark>
}

/** What a row says. */
export interface ReadRow {
  readonly item: Result.Result<Item, RowError>
  /** The cells that were left out, or read in part. */
  readonly reported: ReadonlyArray<Cells.Remark>
  /** The records that it names, and whose ids the item does not have yet. */
  readonly references?: ReadonlyArray<References.Reference>
  /** The company of a contact. */
  readonly employment?: Employments.Employment
}

const problem = (code: RowCode, detail: string): Result.Result<never, RowError> => Result.fail({ code, detail })

const isText = (value: Json | undefined): value is string => typeof value === "string" && value.trim() !== ""

const refOf = (text: string): Json => {
  const colon = text.indexOf(":")
  return colon === -1
    ? { namespace: "", externalId: text }
    : { namespace: text.slice(0, colon), externalId: text.slice(colon + 1) }
}

const keyMembers: { readonly [K in Kind]: { readonly members: ReadonlyArray<string>; readonly words: string } } = {
  contacts: { members: ["id", "email"], words: "an e-mail address, an id" },
  companies: { members: ["id", "domain", "homepageUrl", "name"], words: "a name, a domain, an id" },
  properties: { members: ["id"], words: "an id" },
  mandates: { members: ["id"], words: "an id" },
  links: { members: ["id"], words: "the contact and the company, an id" }
}

/** Refuses an item without a key, of which a second run would create a duplicate. */
const requireKey = (
  kind: Kind,
  item: Item,
  named: ReadonlyArray<References.Reference>
): Result.Result<Item, RowError> => {
  const { members, words } = keyMembers[kind]
  const refs = item["externalRefs"]
  const ends = kind === "links" ? ["contactId", "companyId"] : []
  const hasEnds =
    ends.length > 0 && ends.every((end) => isText(item[end]) || named.some(({ member }) => member === end))
  if (hasEnds || members.some((member) => isText(item[member])) || (Array.isArray(refs) && refs.length > 0))
    return Result.succeed(item)
  return problem(
    "no_key",
    `The row does not identify a ${singular[kind]}. Add ${words}, or its id in another system (--namespace NAME --map externalId=Column).`
  )
}

/** Leaves out a domain that contradicts the homepage of the row: the API derives the domain from the homepage. */
const withoutConflictingDomain = (kind: Kind, item: Item): Item => {
  const { domain, homepageUrl } = item
  if (kind !== "companies" || typeof domain !== "string" || typeof homepageUrl !== "string") return item
  const derived = domainOf(homepageUrl)
  if (derived === undefined || derived === canonicalDomain(domain)) return item
  const { domain: _, ...rest } = item
  return rest
}

const checkItem = (kind: Kind, item: Item, named: ReadonlyArray<References.Reference>) =>
  requireKey(kind, withoutConflictingDomain(kind, item), named)

/** The cells of a row that name other records. */
const referenceCells = () => {
  const ids: Array<{ readonly member: string; readonly id: string | null }> = []
  const named: Array<References.Reference> = []
  const refused: Array<Cells.Remark> = []
  return {
    add: (target: References.ReferenceTarget, column: string, value: string | null) => {
      const found = References.read(target, column, value)
      if (found.is === "id") ids.push(found)
      else if (found.is === "named") named.push(found.reference)
      else refused.push(found.remark)
    },
    ids,
    named,
    refused
  }
}

/** How the cells of a file are read. */
export interface CellReading extends PropertyItems.Reading {
  readonly kind: Kind
  /** The country of records whose row names none. */
  readonly country?: string | undefined
  /** Whether to drop a cell that is not valid, and to keep its row. */
  readonly keepRows?: boolean
}

// The limit of requests.
const maxDepth = 64

const exceedsDepth = (value: Json, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((part: Json) => exceedsDepth(part, left - 1)))

const tooDeep = problem("malformed_json", `Arrays and objects may be nested at most ${maxDepth} levels deep.`)

const invalidCells = (errors: ReadonlyArray<Cells.Remark>): RowError => ({
  code: "invalid_cell",
  detail: errors.map(Cells.sentenceOf).join(" "),
  errors
})

const noMembers: PropertyItems.ReadMembers = { members: {}, refused: [], reported: [] }

/** What the cells of a property or mandate say. Empty cells say nothing. */
const membersOfProperty = (cells: ReadonlyArray<PropertyItems.Cell>, reading: CellReading) =>
  cells.length === 0
    ? noMembers
    : PropertyItems.membersOf(
        reading.kind === "mandates" ? "mandates" : "properties",
        cells.filter(({ text }) => !Cells.isEmpty(text)),
        reading
      )

/** Members by which a row without an id and a reference means a record. */
const matchedBy: ReadonlySet<string> = new Set(["email", "domain", "homepageUrl", "name", "country"])

const dropped = (remark: Omit<Cells.Remark, "code">): Cells.Remark => ({
  ...remark,
  code: "dropped",
  detail: `${remark.detail} Left out (--keep-rows).`
})

const without = (item: Item, [name = "", ...inner]: ReadonlyArray<string>): Item => {
  const { [name]: value, ...rest } = item
  if (inner.length === 0 || !Predicate.isObject(value)) return rest
  const left = without(value as Item, inner)
  return Object.keys(left).length === 0 ? rest : { ...rest, [name]: left }
}

const valueIn = (item: Item, path: ReadonlyArray<string>): Json | undefined =>
  path.reduce<Json | undefined>((value, name) => (Predicate.isObject(value) ? (value as Item)[name] : undefined), item)

const referencesOf = (references: ReadonlyArray<References.Reference>) =>
  references.length === 0 ? {} : { references }

/**
 * A row by what its cells say: without those that are not valid, if `--keep-rows` keeps it, and its cells do not say which record it is.
 */
const rowOf = (
  reading: CellReading,
  read: Item,
  remarks: { readonly refused: ReadonlyArray<Cells.Remark>; readonly reported: ReadonlyArray<Cells.Remark> },
  columns: ReadonlyArray<FileColumn>,
  { ids, named }: Pick<ReturnType<typeof referenceCells>, "ids" | "named">
): ReadRow => {
  const { country, keepRows = false, kind } = reading
  const hasCountry = kind === "companies" || kind === "properties" || kind === "mandates"
  const withCountry = hasCountry && country !== undefined && read["country"] === undefined ? { ...read, country } : read
  const complete = (item: Item, reported: ReadonlyArray<Cells.Remark>): ReadRow => ({
    item: checkItem(kind, References.withIds(item, ids), named),
    reported,
    ...referencesOf(named)
  })
  if (!keepRows && remarks.refused.length === 0) {
    return complete(withCountry, remarks.reported)
  }
  const hasId = isText(read["id"]) || (Array.isArray(read["externalRefs"]) && read["externalRefs"].length > 0)
  const isDropped = (member: string): boolean =>
    keepRows && !/^(?:id|externalRefs|contactId|companyId)(?:\.|$)/.test(member) && (hasId || !matchedBy.has(member))
  const targetsOfColumn = (name: string) =>
    columns.filter((column) => column.name === name).flatMap(({ targets }) => targets)
  const isKept = ({ column }: Cells.Remark): boolean => {
    const ofColumn = targetsOfColumn(column)
    return ofColumn.length === 0 || !ofColumn.every((target) => target.is !== "record" && isDropped(keyOf(target)))
  }
  const errors = remarks.refused.filter(isKept)
  const reported = [...remarks.reported, ...remarks.refused.filter((remark) => !isKept(remark)).map(dropped)]
  if (errors.length > 0) return { item: Result.fail(invalidCells(errors)), reported }
  let item: Item = withCountry
  const known: ReadonlySet<string> = new Set(keepRows ? membersOf(kind) : [])
  for (const { detail, path } of keepRows ? faultsOf(kind, item) : []) {
    const end = path.findIndex((_, index) => known.has(path.slice(0, index + 1).join(".")))
    const member = path.slice(0, end + 1)
    const value = valueIn(item, member)
    if (end === -1 || value === undefined || !isDropped(member.join("."))) continue
    item = without(item, member)
    const column = columns.find(({ targets }) => targets.some((target) => keyOf(target) === member.join(".")))?.name
    const shown = typeof value === "string" ? value : JSON.stringify(value)
    reported.push(dropped({ column: column ?? member.join("."), detail, value: Cells.shortened(shown) }))
  }
  return complete(item, reported)
}

/** The row of a contact, with the company that it names. */
const withEmployment = (row: ReadRow, cells: ReadonlyArray<Employments.EmploymentCell>, separator: string): ReadRow => {
  if (cells.length === 0) return row
  const { employment, reported } = Employments.read(cells, separator)
  return { ...row, reported: [...row.reported, ...reported], ...(employment === undefined ? {} : { employment }) }
}

/** Whether a column has several values in a cell. */
const hasList = (targets: ReadonlyArray<Target>): boolean =>
  targets.some((target) => target.is === "list" || (target.is === "value" && PropertyItems.isList(target)))

/** A value of JSON, as the options map it; undefined if it then is none. */
const mappedValue = (meanings: Options.Meanings, value: Json): Json | undefined => {
  const meant = (text: string): string => Options.mappedCell(meanings, text, undefined)
  if (typeof value === "string") return meant(value) === "" && value.trim() !== "" ? undefined : meant(value)
  return Array.isArray(value)
    ? (value as ReadonlyArray<Json>)
        .map((one) => (typeof one === "string" ? meant(one) : one))
        .filter((one) => one !== "")
    : value
}

const refused = (error: Result.Result<never, RowError>): ReadRow => ({ item: error, reported: [] })

/** A row without any value. */
export const emptyRow = refused(problem("empty_row", "All cells of the row are empty."))

/** What the cells of a contact or company say, member by member. */
interface TextCells {
  readonly members: ReadonlyArray<readonly [member: string, value: Json]>
  readonly refused: ReadonlyArray<Cells.Remark>
  readonly reported: ReadonlyArray<Cells.Remark>
}

/** A cell of a member that is one text. */
interface TextCell {
  readonly member: string
  readonly column: string
  readonly text: string
}

/**
 * Reads the cells of members that are one text. Of several columns for a member the first that has a value counts, and the others are
 * reported; a cell that cannot be read costs its row only if no other column has a value.
 */
const readTexts = (cells: ReadonlyArray<TextCell>): TextCells => {
  const members: Array<[member: string, value: Json]> = []
  // Of each, the column with its value.
  const owners: Array<string | undefined> = []
  const unread: Array<readonly [member: string, remark: Cells.Remark]> = []
  const reported: Array<Cells.Remark> = []
  for (const { column, member, text } of cells) {
    const remark = (code: RowCode, detail: string) => ({ column, code, detail, value: Cells.shortened(text) })
    const read = readCell(readerOf(member), text)
    if (Result.isFailure(read)) {
      unread.push([member, remark("invalid_cell", read.failure)])
      continue
    }
    const { note, value } = read.success
    if (note !== undefined) reported.push(remark(note.code, note.detail))
    if (value === undefined) continue
    const at = members.findIndex(([one]) => one === member)
    const owner = owners[at]
    if (at === -1) {
      members.push([member, value])
      owners.push(value === null ? undefined : column)
    } else if (value !== null && owner === undefined) {
      members[at] = [member, value]
      owners[at] = column
    } else if (value !== null && value !== members[at]?.[1]) {
      reported.push(remark("other_column", `The column ${owner} sets ${member}: left out.`))
    }
  }
  if (unread.length === 0) return { members, refused: [], reported }
  const isRead = ([member]: readonly [string, Cells.Remark]) =>
    members.some(([one], at) => one === member && owners[at] !== undefined)
  return {
    members,
    refused: unread.filter((one) => !isRead(one)).map(([, remark]) => remark),
    reported: [...reported, ...unread.filter(isRead).map(([, remark]) => remark)]
  }
}

const noId = (kind: Kind): string =>
  `Is no id of a ${singular[kind]} here. If it is one of another system, name that with --namespace NAME.`

/** Reads a CSV row. */
export const ofCells = (
  reading: CellReading,
  columns: ReadonlyArray<FileColumn>,
  cells: ReadonlyArray<string>
): ReadRow => {
  const { separator } = reading
  // Spreadsheets write empty cells behind the last column, and none for empty columns at the end.
  const isLeftOut = ({ targets }: FileColumn) => targets.length === 0
  if (
    cells.length !== columns.length &&
    (!cells.slice(columns.length).every(Cells.isEmpty) || !columns.slice(cells.length).every(isLeftOut))
  ) {
    return refused(
      problem("wrong_number_of_cells", `The row has ${cells.length} cells, but the header has ${columns.length}.`)
    )
  }
  if (cells.every(Cells.isEmpty)) return emptyRow
  const reported: Array<Cells.Remark> = []
  const lists: Array<[string, Json]> = []
  const errors: Array<Cells.Remark> = []
  const texts: Array<TextCell> = []
  const ofProperty: Array<PropertyItems.Cell> = []
  const ofRecords = referenceCells()
  const ofCompany: Array<Employments.EmploymentCell> = []
  let refs: ReadonlyArray<Json> | undefined
  for (let index = 0; index < cells.length; index++) {
    const written = cells[index] ?? ""
    const described = columns[index]
    if (described === undefined) break
    const { country, leftOut, name: column, meanings, targets } = described
    if (leftOut === noName && !Cells.isEmpty(written)) {
      reported.push({
        column,
        code: "no_name",
        detail: "The column has no name: left out.",
        value: Cells.shortened(written)
      })
    }
    if (targets.length === 0) continue
    const meant =
      meanings === undefined ? written : Options.mappedCell(meanings, written, hasList(targets) ? separator : undefined)
    const cell = Cells.isEmpty(meant) && country !== undefined ? country : meant
    if (Cells.isEmpty(cell)) continue
    for (const target of targets) {
      if (target.is === "value" || target.is === "currency") {
        ofProperty.push({ target, column, text: cell })
        continue
      }
      if (target.is === "text") {
        texts.push({ member: target.member, column, text: cell })
        continue
      }
      if (target.is === "record") {
        const value = Cells.toText(cell)
        if (value === undefined) reported.push({ column, ...absent, value: Cells.shortened(cell) })
        else ofRecords.add(target, column, value)
        continue
      }
      if (target.is === "employment") {
        ofCompany.push({ target, column, text: cell })
        continue
      }
      if (target.is === "id") {
        const text = Cells.toText(cell)
        const read = text === undefined || text === null ? undefined : readId(reading.kind, target.namespace, text)
        if (read?.is === "ours") lists.push(["id", read.id])
        if (read?.is === "theirs") refs = [...(refs ?? []), read.ref]
        if (read?.is === "unknown")
          errors.push({ column, code: "invalid_cell", detail: noId(reading.kind), value: Cells.shortened(cell) })
        continue
      }
      const { hasAbsence, values } =
        target.is === "list" && target.between !== undefined
          ? readLabels(cell, target.between)
          : Cells.readList(cell, separator)
      if (hasAbsence) reported.push({ column, ...absent, value: Cells.shortened(cell) })
      if (values === undefined) continue
      if (target.is === "list") {
        const before = lists.find(([member]) => member === target.member)
        if (before === undefined) lists.push([target.member, values])
        else before[1] = [...new Set([...(before[1] as ReadonlyArray<string>), ...values])]
      } else {
        const named = values.map((value): Json =>
          target.is === "refs" ? refOf(value) : { namespace: target.namespace, externalId: value }
        )
        refs = [...(refs ?? []), ...named]
      }
    }
  }
  const ofTexts = readTexts(texts)
  const nested = membersOfProperty(ofProperty, reading)
  // A cell of a property can be JSON; all others make one level or two.
  if (exceedsDepth(nested.members, maxDepth)) return refused(tooDeep)
  const row = rowOf(
    reading,
    {
      ...nested.members,
      ...Object.fromEntries([...ofTexts.members, ...lists]),
      ...(refs === undefined ? {} : { externalRefs: refs })
    },
    {
      refused: [...errors, ...ofTexts.refused, ...ofRecords.refused, ...nested.refused],
      reported: [...reported, ...ofTexts.reported, ...nested.reported]
    },
    columns,
    ofRecords
  )
  return withEmployment(row, ofCompany, separator)
}

const idsIn = (value: Json): ReadonlyArray<Json> =>
  (Array.isArray(value) ? (value as ReadonlyArray<Json>) : value === null ? [] : [value]).map((id) =>
    typeof id === "number" ? String(id) : id
  )

/** Whether a member of a line is that of a property or mandate of the API, whatever columns of this name mean. */
const ofApi = (kind: Kind, { ignored, mapped, taken }: ColumnChoices, name: string): boolean =>
  isMeasured(kind) &&
  PropertyItems.members[kind].includes(name) &&
  !mapped.has(name) &&
  !ignored.has(name) &&
  !taken.has(name)

// Lines of JSON may have other members each.
const maxNames = 1000

/** The columns that the lines of a file of NDJSON have, each found once: {@link ofJson}. */
export interface LineColumns {
  /** The column with this name; undefined if its value is that of a member of the API. */
  readonly columnOf: (name: string) => FileColumn | undefined
  /** The columns so far, at most 1000. */
  readonly known: () => ReadonlyArray<FileColumn>
}

/** The columns of a file of NDJSON. */
export const lineColumns = (mapping: Mapping, choices: ColumnChoices): LineColumns => {
  const seen = new Map<string, FileColumn | undefined>()
  let known: ReadonlyArray<FileColumn> = []
  const columnOfName = (name: string) => {
    const column = columnOf({ ...mapping, ofLines: true }, choices, name.trim())
    const found = ofApi(mapping.kind, choices, name) && column?.meanings === undefined ? undefined : column
    if (seen.size < maxNames) {
      seen.set(name, found)
      known = [...known, found ?? { name, targets: [{ is: "text", member: name }] }]
    }
    return found
  }
  return { columnOf: (name) => (seen.has(name) ? seen.get(name) : columnOfName(name)), known: () => known }
}

/** Reads a line of NDJSON: an item of the API, except for members that the operator maps or leaves out. */
export const ofJson = (reading: CellReading, columns: LineColumns, text: string): ReadRow => {
  let row: Json
  try {
    row = JSON.parse(text) as Json
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return refused(problem("malformed_json", `The line is not JSON: ${reason}.`))
  }
  if (!Predicate.isObject(row)) return refused(problem("malformed_json", "The line must be a JSON object."))
  if (exceedsDepth(row, maxDepth)) return refused(tooDeep)
  const members: Array<readonly [string, Json]> = []
  const cells: Array<PropertyItems.Cell> = []
  const texts: Array<TextCell> = []
  const unread: Array<Cells.Remark> = []
  const ofRecords = referenceCells()
  const ofCompany: Array<Employments.EmploymentCell> = []
  let refs: ReadonlyArray<Json> = []
  for (const [name, written] of Object.entries(row) as ReadonlyArray<readonly [string, Json]>) {
    const { meanings, problem: unreadable, targets } = columns.columnOf(name) ?? {}
    const value = meanings === undefined ? written : mappedValue(meanings, written)
    if (value === undefined) continue
    if (unreadable !== undefined)
      unread.push({ column: name, code: "invalid_cell", detail: unreadable, value: Cells.shortened(String(value)) })
    // The API refuses unknown members with a message.
    if (targets === undefined) members.push([name, value])
    for (const target of targets ?? []) {
      if (target.is === "value" || target.is === "currency") {
        const member = PropertyTargets.keyOf(target)
        const cell = PropertyItems.cellOf(value, reading.separator)
        if (cell === undefined) members.push([member, value])
        else cells.push({ target, column: name, text: cell, isNumber: typeof value === "number" })
        continue
      }
      if (target.is === "record") {
        // The API refuses values of other types with a message.
        if (value === null || typeof value === "string") ofRecords.add(target, name, value)
        else if (typeof value === "number") ofRecords.add(target, name, String(value))
        else members.push([target.member, value])
        continue
      }
      if (target.is === "employment") {
        const cell = typeof value === "number" ? String(value) : value
        if (typeof cell === "string") ofCompany.push({ target, column: name, text: cell })
        continue
      }
      if (target.is === "id") {
        const read = typeof value === "string" ? readId(reading.kind, target.namespace, value) : undefined
        // The API says what is wrong with it.
        if (read?.is === "theirs") refs = [...refs, read.ref]
        else members.push(["id", value])
        continue
      }
      if (target.is === "refsOf") {
        refs = [...refs, ...idsIn(value).map((externalId) => ({ namespace: target.namespace, externalId }))]
      } else if (target.is === "text" && name.trim() !== target.member && typeof value === "string") {
        texts.push({ member: target.member, column: name, text: value })
      } else members.push([target.is === "refs" ? "externalRefs" : target.member, value])
    }
  }
  const names = [
    ...members.map(([member]) => member),
    ...texts.map(({ member }) => member),
    ...cells.map(({ target }) => PropertyTargets.keyOf(target))
  ]
  const double = names.find(
    (name, index) =>
      names.indexOf(name) < index || members.some(([member]) => name !== member && name.startsWith(`${member}.`))
  )
  if (double !== undefined) {
    return refused(
      problem("ambiguous", `Several members of the line map to ${double}. Choose one with --map ${double}=NAME.`)
    )
  }
  const own = members.find(([member]) => member === "externalRefs")?.[1]
  if (refs.length > 0)
    members.push(["externalRefs", [...(Array.isArray(own) ? (own as ReadonlyArray<Json>) : []), ...refs]])
  const nested = membersOfProperty(cells, reading)
  const ofTexts = readTexts(texts)
  const read: Item = { ...nested.members, ...Object.fromEntries([...members, ...ofTexts.members]) }
  // References are a level deeper in it than in the line.
  if (exceedsDepth(read, maxDepth)) return refused(tooDeep)
  const whole = rowOf(
    reading,
    read,
    {
      refused: [...unread, ...ofTexts.refused, ...ofRecords.refused, ...nested.refused],
      reported: [...ofTexts.reported, ...nested.reported]
    },
    columns.known(),
    ofRecords
  )
  return withEmployment(whole, ofCompany, reading.separator)
}
