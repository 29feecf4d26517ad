/** Why a row was refused, or a cell left out, for programs: docs/behaviour/imports-and-exports.md. */
import type { FaultCode } from "../core/fields/FaultCode.ts"
import type { ProblemCode } from "../core/usecase/ProblemCode.ts"

/** What only files can have. Pages say each in German, too (`CauseTexts.ts`). */
export type FileCode =
  | "absent"
  | "broken_quoting"
  | "dropped"
  | "empty_row"
  | "forced_decimal"
  | "further_values"
  | "invalid_card"
  | "invalid_cell"
  | "invalid_encoding"
  | "left_out"
  | "no_address"
  | "no_id"
  | "no_key"
  | "no_name"
  | "not_a_person"
  | "not_linked"
  | "other_column"
  | "read_in_part"
  | "repeated_row"
  | "wrong_number_of_cells"

/** Why: by the file, or as the API refuses what the row says. */
export type RowCode = FaultCode | FileCode | ProblemCode
