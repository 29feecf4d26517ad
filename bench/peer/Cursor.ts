/** Places in the list of contacts: opaque, and good for the team that they were given to. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Problem } from "./Problem.ts"

/** A place: the time and the UUID of the last row that was seen. */
export type Position = readonly [at: string, uuid: string]

const macBytes = 16

/** Seals and opens places under the service's secret key. */
export const make = (key: Buffer) => {
  const macKey = createHmac("sha256", key).update("property-network cursors v1").digest()
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
      return JSON.parse(text) as Position
    }
  }
}
