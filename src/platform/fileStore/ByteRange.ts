/** Byte ranges of downloads (RFC 9110 §14): docs/behaviour/timelines-notes-files.md#downloads. */

/** The first and last byte of a range, counted from 0, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const single = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * The range that `Range` selects of `size` bytes; undefined means all of them. A header with several ranges, another unit or
 * a syntax error is ignored, as §14.2 permits.
 */
export const parseRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [match, from = "", to = "", suffix] = single.exec(header?.trim() ?? "") ?? []
  if (match === undefined) return undefined
  if (suffix !== undefined) {
    const length = Number(suffix)
    if (length === 0) return "unsatisfiable"
    // Empty content has no first byte, so it is sent completely.
    return size === 0 ? undefined : { first: Math.max(0, size - length), last: size - 1 }
  }
  const first = Number(from)
  const last = to === "" ? Infinity : Number(to)
  if (last < first) return undefined
  return first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) }
}

/**
 * Whether `Range` applies: with `If-Range`, only if the content has that ETag. A date never matches, because downloads have no
 * `Last-Modified`.
 */
export const isRangeApplicable = (etag: string, ifRange: string | undefined): boolean =>
  ifRange === undefined || ifRange.trim() === etag
