/** Exports a team's records to a file that an import can read: docs/behaviour/imports-and-exports.md#export. */
import * as FileLock from "../imports/FileLock.ts"
import * as Progress from "../imports/Progress.ts"
import * as Lines from "./Lines.ts"
import * as Target from "./Target.ts"
import { Effect } from "effect"
import { actAs, operatorOf } from "../../core/auth/CurrentActor.ts"
import type { Page } from "../../core/usecase/Page.ts"
import { reportingStop, standard } from "../imports/Source.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { Companies } from "../../network/companies/Companies.ts"
import { Contacts } from "../../network/contacts/Contacts.ts"
import { Links } from "../../network/links/Links.ts"
import { Properties } from "../../market/properties/Properties.ts"

/** The options of an export. */
export interface Options extends Lines.Writing {
  /** The file; `-` for standard output. */
  readonly path: string
  /** The team's UUID. */
  readonly team: string
  readonly restart: boolean
}

const pageSize = 500

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
  if (path !== standard) yield* FileLock.acquire(path)
  const target = yield* Target.open({ path, of, restart: options.restart })
  const progress = yield* Progress.make
  const before = target.before?.rows ?? 0
  let rows = before

  const append = Effect.fnUntraced(function* (cursor: string | null, head: string) {
    const { data, page } = yield* read(cursor)
    rows += data.length
    yield* target.append(`${head}${Lines.linesOf(options, data)}`, { cursor: page.nextCursor, rows })
    return page.nextCursor
  })

  const hint = path === standard ? "" : " Run the same command again to continue."
  yield* Effect.gen(function* () {
    let cursor = target.before?.cursor ?? null
    if (target.before === undefined || cursor !== null) {
      let head = target.before === undefined ? Lines.headOf(options) : ""
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
