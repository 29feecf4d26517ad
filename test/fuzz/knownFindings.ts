/** Findings that are reported and not repaired yet. The list is empty when all are. */
export const knownFindings: ReadonlyArray<{
  /** Matches the operation and the name of the fault. */
  readonly finding: RegExp
  readonly reason: string
}> = []
