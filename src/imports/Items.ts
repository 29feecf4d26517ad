/** Turns rows into items of the API's batch upsert. Pure. */
import { Predicate, Result } from "effect"
import { canonicalDomain, domainOf } from "../fields/Domain.ts"
import type { Json } from "../usecase/Input.ts"
import * as Cells from "./cells/Cells.ts"
import { type Mapping, type Target, targetsOf, type ColumnChoices } from "./Columns.ts"
import { type Kind, singular } from "./Members.ts"
import * as PropertyItems from "./properties/items.ts"
import * as PropertyTargets from "./properties/targets.ts"

/** An item of a batch upsert. */
export type Item = { readonly [member: string]: Json }

/** The reason why a row has no item. */
export interface RowError {
  readonly code: string
  readonly detail: string
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
  properties: { members: ["id"], words: "an id" }
}

/** Refuses an item without a key, of which a second run would create a duplicate. */
const requireKey = (kind: Kind, item: Item): Result.Result<Item, RowError> => {
  const { members, words } = keyMembers[kind]
  const refs = item["externalRefs"]
  if (members.some((member) => isText(item[member])) || (Array.isArray(refs) && refs.length > 0))
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

const checkItem = (kind: Kind, item: Item) => requireKey(kind, withoutConflictingDomain(kind, item))

/** How the cells of a file are read. */
export interface CellReading extends PropertyItems.Reading {
  readonly kind: Kind
}

/** A column of a file. */
export interface FileColumn {
  readonly name: string
  readonly targets: ReadonlyArray<Target>
}

// The limit of requests.
const maxDepth = 64

const exceedsDepth = (value: Json, left: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 || Object.values(value).some((part: Json) => exceedsDepth(part, left - 1)))

const tooDeep = problem("malformed_json", `Arrays and objects may be nested at most ${maxDepth} levels deep.`)

/** The members of a property that cells set. Empty cells set none. */
const membersOfProperty = (
  cells: ReadonlyArray<PropertyItems.Cell>,
  reading: PropertyItems.Reading
): Result.Result<Item, RowError> => {
  const members = PropertyItems.membersOf(
    cells.filter(({ text }) => text.trim() !== ""),
    reading
  )
  if (Result.isFailure(members)) return problem("invalid_cell", members.failure.join(" "))
  return exceedsDepth(members.success, maxDepth) ? tooDeep : Result.succeed(members.success)
}

/** The item of a CSV row. */
export const ofCells = (
  reading: CellReading,
  columns: ReadonlyArray<FileColumn>,
  cells: ReadonlyArray<string>
): Result.Result<Item, RowError> => {
  const { kind, separator } = reading
  if (cells.length !== columns.length) {
    return problem("wrong_number_of_cells", `The row has ${cells.length} cells, but the header has ${columns.length}.`)
  }
  if (cells.every((cell) => cell.trim() === "")) return problem("empty_row", "All cells of the row are empty.")
  const members: Array<readonly [string, Json]> = []
  const ofProperty: Array<PropertyItems.Cell> = []
  let refs: ReadonlyArray<Json> | undefined
  for (const [index, cell] of cells.entries()) {
    const { name: column = "", targets = [] } = columns[index] ?? {}
    for (const target of targets) {
      if (target.is === "value" || target.is === "currency") {
        ofProperty.push({ target, column, text: cell })
        continue
      }
      if (target.is === "text") {
        const value = Cells.toText(cell)
        if (value !== undefined) members.push([target.member, value])
        continue
      }
      const values = Cells.toList(cell, separator)
      if (values === undefined) continue
      if (target.is === "list") members.push([target.member, values])
      else {
        const named = values.map((value): Json =>
          target.is === "refs" ? refOf(value) : { namespace: target.namespace, externalId: value }
        )
        refs = [...(refs ?? []), ...named]
      }
    }
  }
  return Result.flatMap(membersOfProperty(ofProperty, reading), (nested) =>
    checkItem(kind, {
      ...nested,
      ...Object.fromEntries(refs === undefined ? members : [...members, ["externalRefs", refs]])
    })
  )
}

const idsIn = (value: Json): ReadonlyArray<Json> =>
  (Array.isArray(value) ? (value as ReadonlyArray<Json>) : value === null ? [] : [value]).map((id) =>
    typeof id === "number" ? String(id) : id
  )

const membersOfApi: ReadonlySet<string> = new Set(PropertyItems.members)

/** Whether a member of a line is that of a property of the API, whatever columns of this name mean. */
const ofApi = (kind: Kind, { ignored, mapped, taken }: ColumnChoices, name: string): boolean =>
  kind === "properties" && membersOfApi.has(name) && !mapped.has(name) && !ignored.has(name) && !taken.has(name)

/** The item of a line of NDJSON: an item of the API, except for members that the operator maps or leaves out. */
export const ofJson = (
  mapping: Mapping & CellReading,
  choices: ColumnChoices,
  text: string
): Result.Result<Item, RowError> => {
  let row: Json
  try {
    row = JSON.parse(text) as Json
  } catch (error) {
    return problem("malformed_json", `The line is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (!Predicate.isObject(row)) return problem("malformed_json", "The line must be a JSON object.")
  if (exceedsDepth(row, maxDepth)) return tooDeep
  const members: Array<readonly [string, Json]> = []
  const cells: Array<PropertyItems.Cell> = []
  let refs: ReadonlyArray<Json> = []
  for (const [name, value] of Object.entries(row) as ReadonlyArray<readonly [string, Json]>) {
    const targets = ofApi(mapping.kind, choices, name) ? undefined : targetsOf(mapping, choices, name)
    // The API refuses unknown members with a message.
    if (targets === undefined) members.push([name, value])
    for (const target of targets ?? []) {
      if (target.is === "value" || target.is === "currency") {
        const member = PropertyTargets.keyOf(target)
        const cell = PropertyItems.cellOf(value, mapping.separator)
        if (cell === undefined) members.push([member, value])
        else cells.push({ target, column: name, text: cell, isNumber: typeof value === "number" })
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
    return problem("ambiguous", `Several members of the line map to ${double}. Choose one with --map ${double}=NAME.`)
  }
  const own = members.find(([member]) => member === "externalRefs")?.[1]
  if (refs.length > 0)
    members.push(["externalRefs", [...(Array.isArray(own) ? (own as ReadonlyArray<Json>) : []), ...refs]])
  return Result.flatMap(membersOfProperty(cells, mapping), (nested) =>
    checkItem(mapping.kind, { ...nested, ...Object.fromEntries(members) })
  )
}
