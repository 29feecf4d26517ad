import { Data } from "effect"

/**
 * The reason why the schema could not be migrated.
 *
 * - `Misnamed`: a file of sql/ is not named `NNNN_name.sql`, or two have the same number
 * - `Changed`: a file was edited after it was applied
 * - `Missing`: an applied file does not exist (or this code is older than the database)
 * - `OutOfOrder`: a new file has a lower number than one that was applied
 * - `Cells`: a file changed a table of teams, but not those of the cells (which was rolled back)
 * - `Failed`: the database rejected a file (which was rolled back), or one of graphile-worker's own migrations
 * - `Unreachable`: the database did not answer
 */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason: "Misnamed" | "Changed" | "Missing" | "OutOfOrder" | "Cells" | "Failed" | "Unreachable"
  /** The file concerned, such as `0001_identity.sql`. */
  readonly file?: string
  readonly message: string
  readonly cause?: unknown
}> {}
