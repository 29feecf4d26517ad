/** What faults say of names and values that are not known. Pure. */
import { distance } from "fastest-levenshtein"

// Longer names are cut off in faults, so that a response does not repeat megabytes of the request.
const maxNameLength = 100

/** A name of a request, as faults repeat it. */
export const shortened = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name

/** The known name that is most similar to `name`, for "Did you mean …?". */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name.length > maxNameLength) return undefined
  const near = known
    .map((candidate) => ({ candidate, steps: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, steps }) => steps < candidate.length && steps <= Math.max(2, Math.floor(candidate.length / 3))
    )
    .sort((a, b) => a.steps - b.steps)
  return near[0]?.candidate
}

/** Longer lists of known names are left out of a fault. */
export const maxListed = 12

/** What to say of a value that is none of these: the most similar one, or else all of them. */
export const mustBeOneOf = (value: unknown, known: ReadonlyArray<string>): string => {
  const meant = typeof value === "string" && known.length > maxListed ? nearest(value, known) : undefined
  return meant === undefined
    ? `Must be one of: ${known.join(", ")}.`
    : `Unknown value "${shortened(String(value))}". Did you mean "${meant}"?`
}
