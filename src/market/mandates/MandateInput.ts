/** The search of mandates by place (docs/behaviour/mandates.md#search). */
import { Schema } from "effect"
import { OpenEnum } from "../../core/fields/OpenEnum.ts"
import * as vocabulary from "../properties/members/vocabulary.ts"
import { Cursor, defaultPageSize } from "../../core/usecase/Page.ts"
import { Geography, Near, Radius } from "./geography/Geography.ts"
import { Mandate, statuses } from "./Mandate.ts"
import { placeInput } from "./Location.ts"

/** The body of a search. */
export const MandateSearch = Schema.Struct({
  geography: Schema.optionalKey(Geography).annotate({ description: "The place as GeoJSON." }),
  near: Schema.optionalKey(Near).annotate({ description: "The centre of a circle, with `radius`." }),
  radius: Schema.optionalKey(Radius).annotate({ description: "The radius of the circle in metres, with `near`." }),
  location: Schema.optionalKey(placeInput.location),
  categories: Schema.optionalKey(
    Schema.Array(Schema.Literals(vocabulary.categories)).annotate({
      description: "Find mandates that want one of these uses, and those that leave the uses open.",
      examples: [["logistics"]]
    })
  ),
  tags: Schema.optionalKey(
    Schema.Array(Schema.Literals(vocabulary.propertyTags)).annotate({
      description:
        "Find mandates with one of these among their positive tags, and those without positive tags; none with one of them among its negative tags.",
      examples: [["motorway_access"]]
    })
  ),
  status: Schema.optionalKey(
    Schema.Literals([...statuses, "all"]).annotate({
      description:
        "Find mandates with this status, whether or not they are still valid. If it is left out: active ones whose `validUntilUtc` has not passed.",
      examples: ["active"]
    })
  ),
  cursor: Schema.optionalKey(
    Cursor.annotate({ description: "The `nextCursor` of the previous page, with the same search. Opaque." })
  ),
  page_size: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({
      // No `default`: generators of types take a member with a default for a required one.
      description: `Rows per page; ${defaultPageSize} if it is left out.`,
      examples: [defaultPageSize]
    })
  )
}).annotate({
  identifier: "MandateSearch",
  description: "A search by place, in exactly one mode: `geography`, `near` with `radius`, or `location`.",
  examples: [{ location: "Munich", categories: ["logistics"], page_size: 50 }]
})
export type MandateSearch = typeof MandateSearch.Type

/** What mandates must be besides where they are. */
export type MandateConditions = Pick<MandateSearch, "categories" | "status" | "tags">

/** A mandate that a search found. */
export const FoundMandate = Schema.Struct({
  ...Mandate.fields,
  match: OpenEnum(
    ["area", "anywhere"],
    "`area`: its place meets the searched one, if only at the edge. `anywhere`: it has no place."
  )
}).annotate({ identifier: "FoundMandate", description: "A mandate that a search found." })
export type FoundMandate = typeof FoundMandate.Type
