/** Turns rows into items of the API's batch upsert. Pure. */
import { Predicate, Result } from "effect"
import { canonicalDomain, domainOf } from "../fields/Domain.ts"
import type { Json } from "../usecase/Input.ts"
import * as Cells from "./cells/Cells.ts"
import { absent, readCell, readerOf } from "./cells/readers.ts"
import { columnOf, type ColumnChoices, type FileColumn, type Mapping } from "./Columns.ts"
import { type Kind, singular } from "./Members.ts"
import * as PropertyItems from "./properties/items.ts"
import * as References from "./References.ts"
import * as PropertyTargets from "./properties/targets.ts"

/** An item of a batch upsert. */
export type Item = { readonly [member: string]: Json }

/** The reason why a row has no item. */
export interface RowError {
  readonly code: string
  readonly detail: string
  /** The cells that cannot be read, if these are the reason. */
  readonly errors?: ReadonlyArray<Cells.Remark>
}

/** What a row says. */
export interface ReadRow {
  readonly item: Result.Result<Item, RowError>
  /** The cells that were left out, or read in part. */
  readonly told: ReadonlyArray<Cells.Remark>
  /** The records that it names, and whose ids the item does not have yet. */
  readonly references?: ReadonlyArray<References.Reference>
}

const problem = (code: string, detail: string): Result.Result<never, RowError> => Result.fail({ code, detail })

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

/** The members of a property that cells set. Empty cells set none. */
const membersOfProperty = (
  cells: ReadonlyArray<PropertyItems.Cell>,
  reading: PropertyItems.Reading,
  unread: ReadonlyArray<Cells.Remark> = []
): ReadRow => {
  const { members, refused, told } = PropertyItems.membersOf(
    cells.filter(({ text }) => text.trim() !== ""),
    reading
  )
  const errors = [...unread, ...refused]
  if (errors.length > 0) return { item: Result.fail(invalidCells(errors)), told }
  return { item: exceedsDepth(members, maxDepth) ? tooDeep : Result.succeed(members), told }
}

const refused = (error: Result.Result<never, RowError>): ReadRow => ({ item: error, told: [] })

/** What the cells of a contact or company say, member by member. */
interface TextCells {
  readonly members: ReadonlyMap<string, Json>
  readonly refused: ReadonlyArray<Cells.Remark>
  readonly told: ReadonlyArray<Cells.Remark>
}

/** A cell of a member that is one text. */
interface TextCell {
  readonly member: string
  readonly column: string
  readonly text: string
}

/**
 * Reads the cells of members that are one text. Of several columns for a member the first that has a value counts, and the others are
 * told; a cell that cannot be read costs its row only if no other column has a value.
 */
const readTexts = (cells: ReadonlyArray<TextCell>): TextCells => {
  const members = new Map<string, Json>()
  const owners = new Map<string, string>()
  const unread: Array<readonly [member: string, remark: Cells.Remark]> = []
  const told: Array<Cells.Remark> = []
  for (const { column, member, text } of cells) {
    const remark = (code: string, detail: string) => ({ column, code, detail, value: Cells.shortened(text) })
    const read = readCell(readerOf(member), text)
    if (Result.isFailure(read)) {
      unread.push([member, remark("invalid_cell", read.failure)])
      continue
    }
    const { note, value } = read.success
    if (note !== undefined) told.push(remark(note.code, note.detail))
    if (value === undefined) continue
    const owner = owners.get(member)
    if (owner === undefined) {
      if (value !== null || !members.has(member)) members.set(member, value)
      if (value !== null) owners.set(member, column)
    } else if (value !== null && value !== members.get(member)) {
      told.push(remark("other_column", `The column ${owner} sets ${member}: left out.`))
    }
  }
  const isRead = ([member]: readonly [string, Cells.Remark]) => owners.has(member)
  return {
    members,
    refused: unread.filter((one) => !isRead(one)).map(([, remark]) => remark),
    told: [...told, ...unread.filter(isRead).map(([, remark]) => remark)]
  }
}

const referencesOf = (references: ReadonlyArray<References.Reference>) =>
  references.length === 0 ? {} : { references }

/** Reads a CSV row. */
export const ofCells = (
  reading: CellReading,
  columns: ReadonlyArray<FileColumn>,
  cells: ReadonlyArray<string>
): ReadRow => {
  const { kind, separator } = reading
  if (cells.length !== columns.length) {
    return refused(
      problem("wrong_number_of_cells", `The row has ${cells.length} cells, but the header has ${columns.length}.`)
    )
  }
  if (cells.every(Cells.isEmpty)) return refused(problem("empty_row", "All cells of the row are empty."))
  const told: Array<Cells.Remark> = []
  const lists: Array<readonly [string, Json]> = []
  const texts: Array<TextCell> = []
  const ofProperty: Array<PropertyItems.Cell> = []
  const ofRecords = referenceCells()
  let refs: ReadonlyArray<Json> | undefined
  for (const [index, cell] of cells.entries()) {
    const { name: column = "", targets = [] } = columns[index] ?? {}
    if (targets.length === 0 || Cells.isEmpty(cell)) continue
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
        if (value === undefined) told.push({ column, ...absent, value: Cells.shortened(cell) })
        else ofRecords.add(target, column, value)
        continue
      }
      const { hasAbsence, values } = Cells.readList(cell, separator)
      if (hasAbsence) told.push({ column, ...absent, value: Cells.shortened(cell) })
      if (values === undefined) continue
      if (target.is === "list") lists.push([target.member, values])
      else {
        const named = values.map((value): Json =>
          target.is === "refs" ? refOf(value) : { namespace: target.namespace, externalId: value }
        )
        refs = [...(refs ?? []), ...named]
      }
    }
  }
  const ofTexts = readTexts(texts)
  const nested = membersOfProperty(ofProperty, reading)
  const errors = [
    ...ofTexts.refused,
    ...ofRecords.refused,
    ...(Result.isFailure(nested.item) ? (nested.item.failure.errors ?? []) : [])
  ]
  const item =
    errors.length > 0
      ? Result.fail(invalidCells(errors))
      : Result.flatMap(nested.item, (members) =>
          checkItem(
            kind,
            References.withIds(
              {
                ...members,
                ...Object.fromEntries([...ofTexts.members, ...lists]),
                ...(refs === undefined ? {} : { externalRefs: refs })
              },
              ofRecords.ids
            ),
            ofRecords.named
          )
        )
  return { item, told: [...told, ...ofTexts.told, ...nested.told], ...referencesOf(ofRecords.named) }
}

const idsIn = (value: Json): ReadonlyArray<Json> =>
  (Array.isArray(value) ? (value as ReadonlyArray<Json>) : value === null ? [] : [value]).map((id) =>
    typeof id === "number" ? String(id) : id
  )

const membersOfApi: ReadonlySet<string> = new Set(PropertyItems.members)

/** Whether a member of a line is that of a property of the API, whatever columns of this name mean. */
const ofApi = (kind: Kind, { ignored, mapped, taken }: ColumnChoices, name: string): boolean =>
  kind === "properties" && membersOfApi.has(name) && !mapped.has(name) && !ignored.has(name) && !taken.has(name)

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
    const found = ofApi(mapping.kind, choices, name) ? undefined : columnOf(mapping, choices, name.trim())
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
  const unread: Array<Cells.Remark> = []
  const ofRecords = referenceCells()
  let refs: ReadonlyArray<Json> = []
  for (const [name, value] of Object.entries(row) as ReadonlyArray<readonly [string, Json]>) {
    const { problem: unreadable, targets } = columns.columnOf(name) ?? {}
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
      if (target.is === "refsOf") {
        refs = [...refs, ...idsIn(value).map((externalId) => ({ namespace: target.namespace, externalId }))]
      } else members.push([target.is === "refs" ? "externalRefs" : target.member, value])
    }
  }
  const names = [...members.map(([member]) => member), ...cells.map(({ target }) => PropertyTargets.keyOf(target))]
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
  const { ids, named } = ofRecords
  const nested = membersOfProperty(cells, reading, [...unread, ...ofRecords.refused])
  const item = Result.flatMap(nested.item, (ofCellsOnly) =>
    checkItem(reading.kind, References.withIds({ ...ofCellsOnly, ...Object.fromEntries(members) }, ids), named)
  )
  return { item, told: nested.told, ...referencesOf(named) }
}
