/** Pages of lists with opaque, authenticated keyset cursors that are bound to their list: docs/behaviour/http.md#pagination. */
import { Context, Effect, Layer, Schema, SchemaTransformation } from "effect"
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto"
import { check } from "../fields/Text.ts"
import { atStandby } from "../../platform/db/Standbys.ts"
import { keyFor, type SecretKeys } from "../../platform/secrets/SecretKeys.ts"
import { InvalidCursor } from "./Problem.ts"
import { pageInTurn, sizeOf } from "./TeamBudget.ts"

const wholeNumber = /^[1-9]\d{0,3}$/

/** A parameter with the rows per page: 1 to `max` (at most 9,999). */
export const RowsPerPage = (max: number, defaultValue: number) =>
  Schema.String.check(
    check(
      "out_of_range",
      `Must be a whole number from 1 to ${max}.`,
      (value: string) => wholeNumber.test(value) && Number(value) <= max
    )
  ).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })).annotate({
        description:
          "Rows per page. A page of long records may have fewer: only `nextCursor` says whether another follows.",
        default: defaultValue,
        examples: [defaultValue]
      }),
      SchemaTransformation.transform({ decode: Number, encode: String })
    )
  )

/** The default number of rows per page. */
export const defaultPageSize = 50

/** `page_size`: 1 to 500, defaults to 50. */
const PageSize = RowsPerPage(500, defaultPageSize)

/** `cursor`: where the previous page ended. */
export const Cursor = Schema.String.annotate({
  description: "The `nextCursor` of the previous page, with the same filters. Opaque."
})

/** The two parameters that every list has. */
export const pageQuery = {
  cursor: Schema.optionalKey(Cursor),
  page_size: Schema.optionalKey(PageSize)
}

/** A parameter that is `true` or `false`. */
export const Flag = (description: string) =>
  Schema.Literals(["true", "false"]).pipe(
    Schema.decodeTo(
      Schema.Boolean.annotate({ description, default: false }),
      SchemaTransformation.transform({
        decode: (text) => text === "true",
        encode: (flag) => (flag ? ("true" as const) : ("false" as const))
      })
    )
  )

/** The members of `page`, which every list has. */
const pageMembers = {
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "Where the next page begins; null on the last page.",
    examples: [null]
  }),
  pageSize: Schema.Int.annotate({ description: "The requested number of rows per page.", examples: [50] }),
  hasMore: Schema.Boolean.annotate({ description: "Whether another page follows.", examples: [false] }),
  hint: Schema.optionalKey(
    Schema.String.annotate({
      description: "For people, on some empty pages: how the request was read that found nothing.",
      examples: ["In a URL, + means a space, and external_ref has one. Where you mean a plus sign, write %2B."]
    })
  )
}

// What pages say, but for the hint of some.
const example = { nextCursor: null, pageSize: defaultPageSize, hasMore: false }
const nextSince = "WyJDb250YWN0cyIsIjAxOWFhYiJd"

const PageInfo = Schema.Struct(pageMembers).annotate({ identifier: "PageInfo", examples: [example] })

const DeltaPageInfo = Schema.Struct({
  ...pageMembers,
  nextSince: Schema.NullOr(Schema.String).annotate({
    description:
      "The `updated_since` of the next delta of this list; null on pages before the last. A delta from here has every later change, and nothing again that was on these pages. Opaque; it does not expire.",
    examples: [nextSince]
  })
}).annotate({ identifier: "DeltaPageInfo", examples: [{ ...example, nextSince }] })

/** The envelope of a list. */
export const PageOf = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({ data: Schema.Array(item), page: PageInfo }).annotate({
    identifier,
    description: "A page of a list."
  })

/** The envelope of a list with deltas (docs/behaviour/http.md#delta-sync). */
export const DeltaPageOf = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({
    data: Schema.Array(item),
    page: DeltaPageInfo
  }).annotate({ identifier, description: "A page of a list." })

/** A page of rows. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly page: { readonly nextCursor: string | null; readonly pageSize: number; readonly hasMore: boolean }
}

/** A page of a list with deltas. */
export interface DeltaPage<A> extends Page<A> {
  readonly page: Page<A>["page"] & { readonly nextSince: string | null }
}

/** The position of a row in the order of a list: the values of its keyset, as text. */
export type Position = ReadonlyArray<string>

/** What a cursor is valid for: one list of one team with one set of filters. */
export interface Binding {
  readonly list: string
  readonly teamId: string
  readonly filters: { readonly [name: string]: unknown }
}

const macBytes = 16

/** Seals and opens cursors. */
export class Cursors extends Context.Service<
  Cursors,
  {
    readonly seal: (binding: Binding, position: Position) => string
    readonly open: (binding: Binding, cursor: string) => Effect.Effect<Position, InvalidCursor>
  }
>()("core/usecase/Cursors") {
  /** Signs with the current key, and accepts what the previous one signed. */
  static readonly layer = ({ current, previous }: SecretKeys): Layer.Layer<Cursors> =>
    Layer.sync(Cursors, () => {
      const signingKey = keyFor("cursors", current)
      const verifyingKeys = previous === undefined ? [signingKey] : [signingKey, keyFor("cursors", previous)]
      const mac = (key: KeyObject, binding: Binding, position: string) => {
        const filters = Object.entries(binding.filters)
          .filter(([, value]) => value !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1))
        return createHmac("sha256", key)
          .update(JSON.stringify([binding.list, binding.teamId, filters, position]))
          .digest()
          .subarray(0, macBytes)
      }
      const refused = Effect.fail(
        new InvalidCursor({
          detail: "A cursor belongs to one list with one set of filters. Send `nextCursor` back with the same filters."
        })
      )
      return Cursors.of({
        seal: (binding, position) => {
          const text = JSON.stringify(position)
          return Buffer.concat([mac(signingKey, binding, text), Buffer.from(text)]).toString("base64url")
        },
        open: (binding, cursor) =>
          Effect.suspend(() => {
            const bytes = Buffer.from(cursor, "base64url")
            // Buffer skips characters that are not base64url. Only the canonical spelling of a cursor is accepted.
            if (bytes.length <= macBytes || bytes.toString("base64url") !== cursor) return refused
            const text = bytes.subarray(macBytes).toString()
            const signature = bytes.subarray(0, macBytes)
            return verifyingKeys.some((key) => timingSafeEqual(signature, mac(key, binding, text)))
              ? Effect.succeed(JSON.parse(text) as Position)
              : refused
          })
      })
    })
}

/** The most bytes of a page, roughly. A page of one record may have more. */
export const maxPageBytes = 2 * 1024 * 1024

/** How many rows of a page are read at first. Then as many more as were read before, until the page is full. */
const firstPortion = 101

/** The rows of a page, and whether another page follows. */
export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** What the rows take as JSON, roughly. */
  readonly bytes: number
  readonly hasMore: boolean
}

/**
 * Reads the rows of a page: `pageSize` of them, or fewer that have {@link maxPageBytes}. `fetch` returns at most `limit` rows after
 * another one. It is asked for a part of a large page at a time, so that what does not fit into the page is not read either.
 * `bytesOf` returns what a row takes as JSON, roughly.
 */
export const fill = Effect.fnUntraced(function* <Row, E, R>(
  pageSize: number,
  fetch: (after: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  bytesOf: (row: Row) => number = sizeOf
): Effect.fn.Return<Rows<Row>, E, R> {
  const rows: Array<Row> = []
  let bytes = 0
  // One row more than the page has tells that another page follows.
  while (rows.length <= pageSize) {
    const limit = Math.min(Math.max(firstPortion, rows.length), pageSize + 1 - rows.length)
    const found = yield* fetch(rows.at(-1), limit)
    for (const row of found) {
      const size = bytesOf(row)
      if (rows.length > 0 && bytes + size > maxPageBytes) return { rows: rows.slice(0, pageSize), bytes, hasMore: true }
      bytes += size
      rows.push(row)
    }
    if (found.length < limit) break
  }
  return { rows: rows.slice(0, pageSize), bytes, hasMore: rows.length > pageSize }
})

/** The page of these rows. */
export const pageOf = <Row, A>(options: {
  readonly rows: Rows<Row>
  readonly pageSize: number
  readonly toItem: (row: Row) => A
  readonly cursorAfter: (last: Row) => string
}): Page<A> => {
  const { pageSize } = options
  const { hasMore, rows } = options.rows
  const last = rows.at(-1)
  return {
    data: rows.map(options.toItem),
    page: { nextCursor: hasMore && last !== undefined ? options.cursorAfter(last) : null, pageSize, hasMore }
  }
}

/**
 * Reads the page after a cursor. `fetch` returns at most `limit` rows after a position (see {@link fill}). `positionOf` returns the
 * position of a row.
 */
export const read = Effect.fnUntraced(function* <Row, A, E, R>(options: {
  readonly cursors: Cursors["Service"]
  readonly binding: Binding
  readonly cursor: string | undefined
  readonly pageSize: number
  readonly fetch: (after: Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
  readonly positionOf: (row: Row, after: Position | undefined) => Position
  readonly toItem: (row: Row) => A
}) {
  const { binding, cursor, cursors, pageSize } = options
  const after = cursor === undefined ? undefined : yield* cursors.open(binding, cursor)
  const filling = fill(pageSize, (last: Row | undefined, limit) =>
    options.fetch(last === undefined ? after : options.positionOf(last, after), limit)
  )
  const rows = yield* pageInTurn(binding.teamId, binding.list, pageSize, atStandby(filling))
  return pageOf({
    rows,
    pageSize,
    toItem: options.toItem,
    cursorAfter: (last) => cursors.seal(binding, options.positionOf(last, after))
  })
})

/** The position of a row in a list that is ordered by a time and the UUID. */
export const timeAndId = (position: Position | undefined): { readonly at: string; readonly id: string } | undefined =>
  position === undefined ? undefined : { at: position[0] ?? "", id: position[1] ?? "" }
