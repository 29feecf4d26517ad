/** The access of prospects to data rooms (docs/behaviour/rooms.md#access): who can read one, and until when. */
import { Schema } from "effect"
import { check } from "../../core/fields/Text.ts"

/** The states of a room: open ones can be read, and those that wind down for a while. */
export const roomStatuses = ["draft", "open", "winding_down", "closed"] as const
export type RoomStatus = (typeof roomStatuses)[number]

/** For how many days a room stays readable after its project was closed. */
export const windingDownDays = 14

/** For how long access is granted, unless the room or the grant says otherwise. */
export const usualAccess = "30d"

/** A period of access: a number of days, weeks or months. */
export const AccessPeriod = Schema.String.check(
  check("invalid_period", "Must be a number of days, weeks or months, such as 30d, 2w or 1m.", (text: string) =>
    /^(?!0+[dwm])\d{1,4}[dwm]$/.test(text)
  )
)

/** The maximum number of prospects of one request. */
export const maxProspects = 1_000

const ProspectIds = Schema.Array(Schema.String).check(
  check(
    "out_of_range",
    `Must have 1 to ${maxProspects} ids.`,
    (ids: ReadonlyArray<string>) => ids.length > 0 && ids.length <= maxProspects
  )
)

/** A grant of access. `until`: when it ends (`3d`, `2w`, `1m`, ISO 8601); null: never; left out: after the room's default. */
export const AccessGrant = Schema.Struct({
  prospectIds: ProspectIds,
  until: Schema.optionalKey(Schema.NullOr(Schema.String))
})

/** A withdrawal of access. */
export const AccessRevocation = Schema.Struct({ prospectIds: ProspectIds })

/** A prospect for which nothing was done. */
export interface Unserved {
  readonly prospectId: string
  readonly code: "not_found" | "prospect_removed" | "no_access"
  readonly detail: string
}

/** The answer of a grant. */
export interface Granted {
  readonly granted: ReadonlyArray<{ readonly prospectId: string; readonly accessExpiryUtc: string | null }>
  readonly failed: ReadonlyArray<Unserved>
}

/** The answer of a withdrawal. */
export interface Revoked {
  readonly revoked: ReadonlyArray<{ readonly prospectId: string }>
  readonly failed: ReadonlyArray<Unserved>
}
