/** Exports a team's records to a file that an import can read: docs/behaviour/imports-and-exports.md#export. */
import * as Id from "../core/Id.ts"
import { type Audience, countryFor, delimiterFor } from "./audience.ts"
import * as Cells from "./cells.ts"
import { labelOf } from "./ColumnLabels.ts"
import * as PropertyItems from "./propertyItems.ts"
import { acquireFileLock, attempt, FileRefused, ifExists, isGzip, reportingStop, standard } from "./Source.ts"
import { makeProgress } from "./Import.ts"
import { Effect, Option, Predicate, type Scope, Stream } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { actAs, authorize, type CurrentActor, operatorOf } from "../core/auth/CurrentActor.ts"
import type { Problem } from "../console/Console.ts"
import type { Page } from "../core/usecase/Page.ts"
import { Mandates } from "../market/mandates/Mandates.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { Links } from "../network/links/Links.ts"
import { Properties } from "../market/properties/Properties.ts"
import { stringify } from "csv-stringify/sync"
import { type ExternalRef, refText } from "../core/externalRefs/ExternalRef.ts"
import { writeCell } from "./cells.ts"
import { columnsForPeople, idMembers, isMeasured, type Kind, membersOf, nameColumnOf } from "./Members.ts"
import { once } from "node:events"
import { open as openFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"

/** The options of an export. */
export interface Options extends Writing {
  /** The file; `-` for standard output. */
  readonly path: string
  /** The team's UUID. */
  readonly team: string
  readonly restart: boolean
}

/** How many records an export reads at once. */
export const pageSize = 500

const pagesOf = Effect.fnUntraced(function* (kind: Options["kind"]) {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const links = yield* Links
  const mandates = yield* Mandates
  const properties = yield* Properties
  return (cursor: string | null) => {
    const query = Effect.succeed({ page_size: pageSize, ...(cursor === null ? {} : { cursor }) })
    switch (kind) {
      case "contacts":
        return Effect.map(contacts.list({ query }), (page): Page<object> => page)
      case "companies":
        return Effect.map(companies.list({ query }), (page): Page<object> => page)
      case "properties":
        return Effect.map(properties.list({ query }), (page): Page<object> => page)
      case "links":
        return Effect.map(links.list({ query }), (page): Page<object> => page)
      case "mandates":
        return Effect.map(mandates.list({ query }), (page): Page<object> => page)
    }
  }
})

/**
 * Exports all records that are not deleted, in the order of their creation. The file contains each record that exists
 * throughout the export once, in its state when its page was read. A record that is created or deleted meanwhile may be
 * missing. An interrupted export finishes the running page.
 */
export const run = Effect.fn("Export.run")(function* (options: Options) {
  const { kind, path } = options
  const read = yield* pagesOf(kind)
  const { bom = false, format, separator, team } = options
  const of = JSON.stringify({ kind, team, format, separator, ...(bom ? { bom } : {}) })
  if (path !== standard) yield* acquireFileLock(path)
  const target = yield* openTarget({ path, of, restart: options.restart })
  const progress = yield* makeProgress
  const before = target.before?.rows ?? 0
  let rows = before

  const append = Effect.fnUntraced(function* (cursor: string | null, head: string) {
    const { data, page } = yield* read(cursor)
    rows += data.length
    yield* target.append(`${head}${exportLinesOf(options, data)}`, { cursor: page.nextCursor, rows })
    return page.nextCursor
  })

  const hint = path === standard ? "" : " Run the same command again to continue."
  yield* Effect.gen(function* () {
    let cursor = target.before?.cursor ?? null
    if (target.before === undefined || cursor !== null) {
      let head = target.before === undefined ? exportHeadOf(options) : ""
      do {
        cursor = yield* Effect.uninterruptible(append(cursor, head))
        head = ""
        yield* progress.show({ rows, before, failed: 0, share: undefined, shareBefore: 0 })
      } while (cursor !== null)
    }
    yield* Effect.uninterruptible(target.finish)
  }).pipe(
    actAs(operatorOf(options.team)),
    Effect.ensuring(progress.end),
    reportingStop(() => `${rows} rows were written.${hint}`)
  )
  return { rows, before, seconds: yield* progress.seconds }
}, Effect.scoped)

/** Reads a page from a cursor on. */
export type Read<Row, R> = (cursor: string | null) => Effect.Effect<Row, Problem, R | CurrentActor>

/** A file, as it is written page by page. */
export interface Download<P> {
  /** What it has, as the audit log names it. */
  readonly kind: Kind | "prospects"
  readonly format: Writing["format"]
  /** The header, if the format has one. */
  readonly head: string
  readonly linesOf: (page: P) => string
}

/**
 * The lines of what the caller reads, for a download: page after page, as the receiver takes them. The first is read before anything is
 * sent, so that a refusal is an answer. The audit log has how many rows were written, also where the receiver left.
 */
export const exported = Effect.fn("Export.exported")(function* <P extends Page<object>, R>(
  { format, head, kind, linesOf }: Download<P>,
  read: Read<P, R>
) {
  const actor = yield* authorize("broker")
  const auditLog = yield* AuditLog
  // The stream goes on after its handler has ended.
  const context = yield* Effect.context<R>()
  let rows = 0
  const written = (page: P) => {
    rows += page.data.length
    return linesOf(page)
  }
  const first = yield* read(null)
  const rest = Stream.paginate(first.page.nextCursor, (cursor) =>
    cursor === null
      ? Effect.succeed([[], Option.none<string | null>()] as const)
      : Effect.map(
          Effect.orDie(actAs(actor)(read(cursor))),
          (page) => [[written(page)], Option.some(page.page.nextCursor)] as const
        )
  )
  return Stream.concat(Stream.make(head + written(first)), rest).pipe(
    Stream.ensuring(
      Effect.suspend(() =>
        auditLog.record({
          action: "records.exported",
          teamId: actor.teamId,
          target: { type: "team", id: Id.fromUuid("team", actor.teamId) },
          details: { kind, format, count: rows }
        })
      ).pipe(actAs(actor))
    ),
    Stream.provideContext(context)
  )
})

// Writes records as lines that an import can read. Pure.

/** The format of a file. */
export interface Writing {
  readonly kind: Kind
  readonly format: "csv" | "ndjson"
  /** The character between the values of one cell. */
  readonly separator: string
  /** Whether a file of CSV begins with a byte order mark, by which spreadsheets know that it is UTF-8. */
  readonly bom?: boolean
  /** The people for whom a file of CSV is; without them, it is for programs. */
  readonly audience?: Audience
}

/** Names of records by their ids. */
export type Names = ReadonlyMap<string, string>

const noNames: Names = new Map()

const idAt = (record: object, member: string): string | undefined => {
  const id = PropertyItems.valueAt(record, member.split("."))
  return typeof id === "string" ? id : undefined
}

/** The ids in records of a kind whose names a file for people has beside them. */
export const idsIn = (kind: Kind, records: ReadonlyArray<object>): ReadonlyArray<string> => [
  ...new Set(records.flatMap((record) => idMembers[kind].flatMap((member) => idAt(record, member) ?? [])))
]

const isRef = (value: unknown): value is ExternalRef =>
  typeof value === "object" && value !== null && "namespace" in value

/** The cell of several values, which may be external references. */
export const listCell = (values: ReadonlyArray<unknown>, separator: string): string =>
  Cells.ofList(
    values.map((one) => (isRef(one) ? refText(one) : String(one))),
    separator
  )

const cellOf = (member: string, value: unknown, { audience, separator }: Writing): string => {
  if (!Array.isArray(value)) {
    if (typeof value !== "string") return ""
    return member === "country" ? countryFor(audience, value) : writeCell(member, value)
  }
  return listCell(value, separator)
}

const valuesOf = (record: object, members: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const values = new Map<string, unknown>(Object.entries(record))
  return members.map((member) => values.get(member) ?? null)
}

/** A mandate without the outline of its place, if that is a circle: an import takes one of both. */
const withoutOutline = (record: object): object => {
  if (!("near" in record) || record.near === null || !("geography" in record)) return record
  const { geography: _geography, ...rest } = record
  return rest
}

/** The members of a record as JSON. */
const documentOf = (kind: Kind, record: object): object => {
  const members = isMeasured(kind) ? [...PropertyItems.exported(kind), "externalRefs"] : membersOf(kind)
  const values = valuesOf(record, members)
  const document = Object.fromEntries(members.map((member, index) => [member, values[index]]))
  return kind === "mandates" ? withoutOutline(document) : document
}

/** The cells of a record, in the order of the members of its kind. */
const cellsOf = (writing: Writing, record: object): ReadonlyArray<string> => {
  const { audience, kind, separator } = writing
  const cellsOfMembers = (members: ReadonlyArray<string>) =>
    valuesOf(record, members).map((value, index) => cellOf(members[index] ?? "", value, writing))
  return isMeasured(kind)
    ? [...PropertyItems.cellsOf(kind, record, separator, audience), ...cellsOfMembers(["externalRefs"])]
    : cellsOfMembers(membersOf(kind))
}

/** The cells of a record for people, in the order of their columns. */
const cellsForPeople = (writing: Writing, record: object, names: Names): ReadonlyArray<string> => {
  const { kind } = writing
  const cells = cellsOf(writing, record)
  const byColumn = new Map(membersOf(kind).map((member, index) => [member, cells[index] ?? ""]))
  for (const member of idMembers[kind]) {
    byColumn.set(nameColumnOf(member), Cells.ofText(names.get(idAt(record, member) ?? "") ?? null))
  }
  return columnsForPeople(kind).map((column) => byColumn.get(column) ?? "")
}

/** Rows as lines of CSV, for an audience or for programs. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string>>, audience?: Audience) =>
  // Also quotes the separators that spreadsheets may assume instead of the comma, and all that may be taken for a line break.
  stringify(
    rows.map((row) => [...row]),
    { delimiter: delimiterFor(audience), record_delimiter: "\n", quoted_match: /[,;|\t\r\n\v\f\u0085\u2028\u2029]/ }
  )

const headingsOf = ({ audience, kind }: Writing): ReadonlyArray<string> =>
  audience === undefined ? membersOf(kind) : columnsForPeople(kind).map((column) => labelOf(audience, column))

/** The header, if the format has one. */
export const exportHeadOf = (writing: Writing): string =>
  writing.format === "csv"
    ? `${writing.bom === true ? "\uFEFF" : ""}${csvOf([headingsOf(writing)], writing.audience)}`
    : ""

/** The lines of records; a file for people has these names of those whose ids they have. */
export const exportLinesOf = (writing: Writing, records: ReadonlyArray<object>, names: Names = noNames): string => {
  const { audience, format, kind } = writing
  if (format === "csv") {
    return csvOf(
      records
        .map((record) => (kind === "mandates" ? withoutOutline(record) : record))
        .map((record) => (audience === undefined ? cellsOf(writing, record) : cellsForPeople(writing, record, names))),
      audience
    )
  }
  return records.map((record) => `${JSON.stringify(documentOf(kind, record))}\n`).join("")
}

// The output of an export. It is written to `FILE.part`, which is renamed to `FILE` when it is complete. `FILE.export.json`
// holds the position, from which an interrupted export continues.

/** A position in an export. */
export interface Position {
  /** The cursor of the next page; null after the last. */
  readonly cursor: string | null
  readonly rows: number
}

/** An open output. */
export interface Target {
  /** The position that an interrupted run reached. */
  readonly before: Position | undefined
  /** Appends a page, and stores the position after it. */
  readonly append: (text: string, position: Position) => Effect.Effect<void, FileRefused>
  /** Completes the file and renames it. */
  readonly finish: Effect.Effect<void, FileRefused>
}

interface State extends Position {
  readonly export: 1
  /** The kind of records, team and format, which must be the same to continue. */
  readonly of: string
  /** The length of the file at this position. */
  readonly bytes: number
}

const isState = (value: unknown): value is State =>
  Predicate.isObject(value) &&
  "export" in value &&
  value.export === 1 &&
  "bytes" in value &&
  typeof value.bytes === "number"

/** The state of an interrupted run; undefined if there is none, or if its file is incomplete. */
const readInterrupted = Effect.fnUntraced(function* (state: string, part: string, of: string) {
  const found = yield* attempt(state, async () => {
    const text = await ifExists(() => readFile(state, "utf8"))
    const size = (await ifExists(() => stat(part)))?.size ?? 0
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return isState(value) && size >= value.bytes ? value : undefined
  })
  if (found !== undefined && found.of !== of) {
    return yield* new FileRefused({
      code: "export_refused",
      detail: `${state}: An export with other options was interrupted here. Replace it with --restart.`
    })
  }
  return found
})

const toStandardOutput: Target = {
  before: undefined,
  append: (text) =>
    attempt("Standard output", async () => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    }),
  finish: Effect.void
}

/** Opens the output of an export of `of`; `-` is standard output. Compresses it if the name of the file ends with `.gz`. */
const openTarget = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly of: string
  readonly restart: boolean
}): Effect.fn.Return<Target, FileRefused, Scope.Scope> {
  const { of, path, restart } = options
  if (path === standard) return toStandardOutput
  const part = `${path}.part`
  const state = `${path}.export.json`
  const found = restart ? undefined : yield* readInterrupted(state, part, of)
  if (found === undefined) yield* attempt(state, () => rm(state, { force: true }))
  const file = yield* Effect.acquireRelease(
    attempt(part, () => openFile(part, found === undefined ? "w" : "a")),
    (handle) => Effect.promise(() => handle.close())
  )
  let bytes = found?.bytes ?? 0
  yield* attempt(part, () => file.truncate(bytes))
  return {
    before: found,
    append: (text, position) =>
      attempt(part, async () => {
        // Concatenated gzip members are a valid gzip file.
        const bytesOfPage = isGzip(path) ? gzipSync(text) : Buffer.from(text)
        await file.appendFile(bytesOfPage)
        bytes += bytesOfPage.length
        const next: State = { export: 1, of, bytes, cursor: position.cursor, rows: position.rows }
        await writeFile(`${state}.new`, JSON.stringify(next))
        await rename(`${state}.new`, state)
      }),
    finish: attempt(path, async () => {
      await file.sync()
      await rename(part, path)
      await rm(state, { force: true })
    })
  }
})
