/** ETags of answers that are put together from many rows, none of which has a version that stands for all. */
import { createHash } from "node:crypto"

/** The strong ETag of an answer's JSON text: another text has another tag. */
export const contentEtag = (json: string): string =>
  `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`
