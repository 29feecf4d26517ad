/** Ranges of bytes (RFC 9110 §14): the part of a download that a client asks for. */

/** A part of a content: its first and its last byte, from 0, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const single = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i

/**
 * What `Range` asks for of a content of `size` bytes; `undefined` is all of it. A header that names several ranges,
 * another unit, or nothing that can be read is ignored, as §14.2 permits.
 */
export const parseRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined => {
  const [match, from = "", to = "", suffix] = single.exec(header?.trim() ?? "") ?? []
  if (match === undefined) return undefined
  if (suffix !== undefined) {
    const length = Number(suffix)
    if (length === 0) return "unsatisfiable"
    // All of nothing has no first byte to name.
    return size === 0 ? undefined : { first: Math.max(0, size - length), last: size - 1 }
  }
  const first = Number(from)
  const last = to === "" ? Infinity : Number(to)
  if (last < first) return undefined
  return first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) }
}

/**
 * Whether `Range` counts: with `If-Range` only while the content still has that ETag. Times are not kept, so that a date
 * names no state of it.
 */
export const rangeCounts = (etag: string, ifRange: string | undefined): boolean =>
  ifRange === undefined || ifRange.trim() === etag
