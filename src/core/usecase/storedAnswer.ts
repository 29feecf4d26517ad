/** The text of an answer as it is stored for replays (`Idempotency.ts`). */
import { deflateRawSync, inflateRawSync } from "node:zlib"

// Shorter answers, such as those of most creates, are not worth the time.
const minCompressed = 2048

// JSON texts of answers never begin like this.
const mark = "deflate:"

/**
 * The text to store. Long ones are compressed: refused items of a batch repeat the same sentences, and their faults are a
 * fraction of the request then, not several times as long.
 */
export const toStored = (json: string): string =>
  json.length < minCompressed ? json : `${mark}${deflateRawSync(json).toString("base64")}`

/** The JSON text of a stored one. */
export const fromStored = (stored: string): string =>
  stored.startsWith(mark) ? inflateRawSync(Buffer.from(stored.slice(mark.length), "base64")).toString() : stored
