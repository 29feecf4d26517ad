/** What can be wrong with a request, for programs: docs/behaviour/http.md#problems. Pages say each in German, too (`console/faultTexts.ts`). */

/** What can be wrong with a member, a parameter or a header. */
export type FaultCode =
  | "ambiguous"
  | "ambiguous_edge"
  | "ambiguous_reference"
  | "area_too_complex"
  | "blank"
  | "category_not_taken"
  | "contradictory"
  | "coordinate_out_of_range"
  | "credentials"
  | "different"
  | "exactly_one"
  | "excluded"
  | "forbidden"
  | "forbidden_address"
  | "fragment"
  | "geography_conflict"
  | "has_credentials"
  | "has_fragment"
  | "has_wildcard"
  | "hole_outside"
  | "holes_overlap"
  | "invalid"
  | "invalid_characters"
  | "invalid_choices"
  | "invalid_classification"
  | "invalid_columns"
  | "invalid_country"
  | "invalid_currency"
  | "invalid_date"
  | "invalid_deadline"
  | "invalid_domain"
  | "invalid_due_date"
  | "invalid_email"
  | "invalid_expiry"
  | "invalid_format"
  | "invalid_id"
  | "invalid_language"
  | "invalid_period"
  | "invalid_radius"
  | "invalid_range"
  | "invalid_reference"
  | "invalid_time_zone"
  | "invalid_timestamp"
  | "invalid_url"
  | "location_ambiguous"
  | "location_unknown"
  | "malformed"
  | "malformed_etag"
  | "malformed_key"
  | "names_hidden"
  | "no_room"
  | "not_a_file"
  | "not_a_host"
  | "not_absolute"
  | "not_allowed"
  | "not_canonical"
  | "not_checked"
  | "not_found"
  | "not_https"
  | "not_in_future"
  | "not_secure"
  | "not_unique"
  | "other_list"
  | "out_of_range"
  | "read_only"
  | "repeated"
  | "required"
  | "ring_crosses_itself"
  | "ring_not_closed"
  | "rings_cross"
  | "tag_conflict"
  | "too_deep"
  | "too_few"
  | "too_few_positions"
  | "too_long"
  | "too_many"
  | "too_precise"
  | "unavailable_mode"
  | "unchanged"
  | "unknown_action"
  | "unknown_field"
  | "unknown_format"
  | "unknown_member"
  | "unknown_outcome"
  | "unknown_parameter"
  | "unknown_preference"
  | "unreadable"
  | "unsupported_encoding"
  | "wrong_type"

/** A type of a value of JSON. */
export type ValueType = "array" | "boolean" | "null" | "number" | "object" | "string"

/** What the sentence about a fault has besides its code, such as the limit: a sentence in another language is made of it. */
export interface FaultValues {
  /** Of `too_long`, `too_many`, `too_few` and `out_of_range`, by the keywords of JSON Schema. */
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  /** Of `not_allowed`: what is; of `ambiguous_reference`: what may be meant. */
  readonly allowed?: ReadonlyArray<string>
  /** Of `wrong_type`: what it may be. */
  readonly types?: ReadonlyArray<ValueType>
  /** Of `unknown_member` and `unknown_parameter`. */
  readonly name?: string
  /** Of `ring_crosses_itself`, `rings_cross` and `holes_overlap`: what else of the geography it is about, as the pointer has the first. */
  readonly other?: ReadonlyArray<string | number>
}
