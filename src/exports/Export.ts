/** An export: a team's records as a file that an import takes back. */
import { Effect } from "effect"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { operatorOf } from "../auth/Operator.ts"
import type { Page } from "../usecase/Page.ts"
import * as FileLock from "../imports/FileLock.ts"
import * as Progress from "../imports/Progress.ts"
import { standard, untilStopped } from "../imports/Source.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import * as Lines from "./Lines.ts"
import * as Target from "./Target.ts"

/** What to export, and where to. */
export interface Options extends Lines.Writing {
  /** The file; `-` is the standard output. */
  readonly path: string
  /** The team's UUID. */
  readonly team: string
  readonly restart: boolean
}

const pageSize = 500

const pagesOf = Effect.fnUntraced(function* (kind: Options["kind"]) {
  const contacts = yield* Contacts
  const companies = yield* Companies
  return (cursor: string | null) => {
    const query = Effect.succeed({ page_size: pageSize, ...(cursor === null ? {} : { cursor }) })
    return kind === "contacts"
      ? Effect.map(contacts.list({ query }), (page): Page<object> => page)
      : Effect.map(companies.list({ query }), (page): Page<object> => page)
  }
})

/**
 * Exports all live records in the order of their creation. Each record that is there all the while is in the file once,
 * as it was when its page was read; one that is made or deleted meanwhile may be in it or not. Interrupted, it finishes
 * the page that is running.
 */
export const run = Effect.fn("Export.run")(function* (options: Options) {
  const { kind, path } = options
  const read = yield* pagesOf(kind)
  const of = JSON.stringify({ kind, team: options.team, format: options.format, separator: options.separator })
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

  const goOn = path === standard ? "" : " The same command goes on from there."
  yield* Effect.gen(function* () {
    let cursor = target.before?.cursor ?? null
    if (target.before === undefined || cursor !== null) {
      let head = target.before === undefined ? Lines.headOf(options) : ""
      do {
        cursor = yield* Effect.uninterruptible(append(cursor, head))
        head = ""
        yield* progress.show({ rows, before, failed: 0, part: undefined, partBefore: 0 })
      } while (cursor !== null)
    }
    yield* Effect.uninterruptible(target.finish)
  }).pipe(
    Effect.provideService(CurrentActor, operatorOf(options.team)),
    Effect.ensuring(progress.end),
    untilStopped(() => `${rows} rows are written.${goOn}`)
  )
  return { rows, before, seconds: yield* progress.seconds }
}, Effect.scoped)
