/** ETags of responses that are assembled from many rows and therefore have no version. */
import { createHash } from "node:crypto"

/** The strong ETag of a response's JSON text: a hash of it. */
export const contentEtag = (json: string): string =>
  `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`
