import { Data } from "effect"

/**
 * Why the schema could not be brought up to date.
 *
 * - `Misnamed`: a file of sql/ is not called `NNNN_name.sql`, or two have the same number
 * - `Changed`: a file was edited after it was applied
 * - `Missing`: an applied file is gone (or this code is older than the database)
 * - `OutOfOrder`: a new file has a lower number than one that was applied
 * - `Failed`: the database refused a file (it was rolled back), or graphile-worker's own migrations
 * - `Unreachable`: no answer from the database
 */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason: "Misnamed" | "Changed" | "Missing" | "OutOfOrder" | "Failed" | "Unreachable"
  /** The file concerned, such as `0001_identity.sql`. */
  readonly file?: string
  readonly message: string
  readonly cause?: unknown
}> {}
