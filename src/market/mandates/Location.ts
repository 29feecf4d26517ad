/** How requests name the place of a mandate, and what a name was resolved to (docs/behaviour/mandates.md#place). */
import { Schema } from "effect"
import { OpenEnum, Text } from "../../core/fields/Text.ts"
import { Geography, Near, Radius } from "./geography/Geography.ts"

/** The members by which a request names a place, in one of three modes. */
export const placeInput = {
  geography: Schema.NullOr(Geography).annotate({
    description: "The place as GeoJSON. Null clears the place."
  }),
  near: Schema.NullOr(Near).annotate({ description: "The centre of a circle, with `radius`. Null clears the place." }),
  radius: Schema.NullOr(Radius).annotate({
    description: "The radius of the circle in metres, with `near`. Null clears the place.",
    examples: [60_000]
  }),
  location: Text(200).annotate({
    description:
      "The place as people write it, which the service resolves itself: `Munich`, `75008 Paris`, `Kanton Zürich`, `Großraum Köln`, `Mallorca`, `Ruhrgebiet`, `DACH`, `東京`, or several, such as `Berlin, München`: their union. A name means the place whose own name it is before foreign and former names of others, and a city before the region of its name. A country sets `country`, and holds every property that says it is there. The fault of a text that is not known is `location_unknown`; of one that means several places of like size, `location_ambiguous`; both list spellings that resolve.",
    examples: ["Munich"]
  })
}

/** The members of {@link placeInput}. */
export const placeMembers = ["geography", "near", "radius", "location"] as const

/** What a `location` was resolved to. */
export const ResolvedLocation = Schema.Struct({
  name: Schema.String.annotate({
    description: "The name of the place; of several, all of them.",
    examples: ["München"]
  }),
  kind: OpenEnum(
    ["city", "region", "country", "group"],
    "The kind of the place; `group` for a group of countries and for several places."
  ),
  country: Schema.NullOr(Schema.String).annotate({
    description: "ISO 3166-1 alpha-2, or XK for Kosovo; null if it is in several.",
    examples: ["DE"]
  }),
  region: Schema.NullOr(Schema.String).annotate({ description: "The region that it is in.", examples: ["Bavaria"] }),
  latitude: Schema.Finite.annotate({ description: "Of a point in it, in degrees.", examples: [48.1372] }),
  longitude: Schema.Finite.annotate({ description: "Of a point in it, in degrees.", examples: [11.5755] }),
  source: Schema.String.annotate({
    description: "Where the data are from, with what their licence asks for.",
    examples: ["GeoNames (CC BY 4.0)"]
  })
}).annotate({ identifier: "ResolvedLocation", description: "The place that a `location` means." })
export type ResolvedLocation = typeof ResolvedLocation.Type
