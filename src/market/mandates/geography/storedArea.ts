import { type Area, circleAt } from "./Area.ts"
import { decodeArea } from "./encoding.ts"

/** The columns that hold the area of a mandate. A circle has `near` and `radius`; its `geography` is only an outline. */
export interface StoredArea {
  readonly geography: Uint8Array | null
  readonly near: { readonly latitude: number; readonly longitude: number } | null
  readonly radius: number | null
}

/** The area of a stored mandate; undefined for one without. */
export const areaOfStored = ({ geography, near, radius }: StoredArea): Area | undefined => {
  if (near !== null && radius !== null) return circleAt(near.longitude, near.latitude, radius)
  return geography === null ? undefined : decodeArea(geography)
}
