/** Checksums of files on disk. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"

// As much is allocated for each read: four times as much takes three times as long for small files, the default a quarter longer for large.
const bytesOfRead = 256 * 1024

/** The SHA-256 of a file's bytes, in hex. Rejects if the file cannot be read. */
export const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(path, { highWaterMark: bytesOfRead })) hash.update(chunk as Uint8Array)
  return hash.digest("hex")
}
