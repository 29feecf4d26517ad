/** Where a property is. */
import { Country } from "../../../core/fields/Place.ts"
import { area, code, degrees, list, object, text } from "./Member.ts"

const both = "Also in `address`, with one value: a write may name either, or both alike."

const country = code(Country, `ISO 3166-1 alpha-2, upper case. ${both}`, "DE")

const locality = text(`The town or city. ${both}`, "München")

/** The members that say where a property is. */
export const locationMembers = {
  country,
  locality,
  address: object(
    "PropertyAddress",
    "The postal address. As a whole, null clears `street`, `houseNumber`, `postalCode` and `region`, but not `country` and `locality`.",
    {
      street: text("The street, without the house number.", "Landsberger Straße"),
      houseNumber: text("The house number, with its suffix.", "84a"),
      postalCode: text("The postal code.", "80339"),
      region: text("The state, province or region.", "Bayern"),
      country,
      locality
    }
  ),
  coordinates: object("PropertyCoordinates", "The position in WGS 84: both members, or neither.", {
    latitude: degrees("Degrees north; negative is south.", 48.1385, 90),
    longitude: degrees("Degrees east; negative is west.", 11.5309, 180)
  }),
  // PropertyParcel and its area would be called as the property's own parcelArea is.
  parcels: list("Parcel", ["The parcels of land.", "A parcel of land."], 200, {
    cadastralId: text("The number of the parcel in the cadastre.", "8412/3"),
    register: text("The land register, and where the parcel is in it.", "Grundbuch von München, Sektion 7, Blatt 1204"),
    area: area("The area of the parcel.", 4_180)
  })
}
