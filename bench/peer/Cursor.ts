/** Cursors of the list of contacts: opaque, and valid for one team only. */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import { Problem } from "./Problem.ts"

/** A position: the time and the UUID of the last row of a page. */
export type Position = readonly [at: string, uuid: string]

const macBytes = 16

/** Encodes and decodes cursors under the secret key of the service. */
export const make = (key: Buffer) => {
  // Derived as in src/platform/secrets/SecretKeys.ts, so that both sides respond with the same cursors.
  const macKey = Buffer.from(hkdfSync("sha256", key, "", "property-network key for cursors", 32))
  const mac = (teamId: string, position: string) =>
    createHmac("sha256", macKey)
      .update(JSON.stringify(["Contacts", teamId, [["include_deleted", false]], position]))
      .digest()
      .subarray(0, macBytes)
  return {
    seal: (teamId: string, position: Position): string => {
      const text = JSON.stringify(position)
      return Buffer.concat([mac(teamId, text), Buffer.from(text)]).toString("base64url")
    },
    open: (teamId: string, cursor: string): Position => {
      const bytes = Buffer.from(cursor, "base64url")
      const text = bytes.subarray(macBytes).toString()
      if (bytes.length <= macBytes || !timingSafeEqual(bytes.subarray(0, macBytes), mac(teamId, text))) {
        throw new Problem("invalid_cursor", "A cursor belongs to one list with one set of filters.")
      }
      const [at = "", id = ""] = JSON.parse(text) as Position
      return [at, id]
    }
  }
}
