/** Findings that are reported and not repaired yet. The list is empty when all are. */
export const knownFindings: ReadonlyArray<{
  /** Matches the operation and the name of the fault. */
  readonly finding: RegExp
  readonly reason: string
}> = [
  { finding: /^companies\.findDuplicates answered 500/, reason: "%00 in `linkedInUrl` reaches the database as NUL" },
  { finding: /search answered 500/, reason: "dates of the year 0 in filters, which Postgres does not have" }
]
