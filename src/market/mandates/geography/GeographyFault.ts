/** What is wrong with a geography, and where. */

/** One fault; `path` leads from the geography to the position or member. */
export interface GeographyFault {
  readonly path: ReadonlyArray<string | number>
  readonly code:
    | "wrong_type"
    | "not_allowed"
    | "required"
    | "unknown_member"
    | "ring_not_closed"
    | "too_few_positions"
    | "coordinate_out_of_range"
    | "ambiguous_edge"
    | "area_too_complex"
    | "ring_crosses_itself"
    | "rings_cross"
    | "hole_outside"
    | "holes_overlap"
  readonly detail: string
}

/** Faults beyond this number are left out: a refusal does not show more. */
export const maxFaults = 100
