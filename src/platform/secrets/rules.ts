/** Which of the keys of a process belongs to its database. Pure. */

/** The key of a process that has a fingerprint: its `current` one, its `previous` one, or `neither`. */
export type KeyMatch = "current" | "previous" | "neither"

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Finds the key of a process that has the stored fingerprint. */
export const matchOf = (
  keys: { readonly current: Uint8Array; readonly previous: Uint8Array | undefined },
  stored: Uint8Array
): KeyMatch => {
  if (isEqual(keys.current, stored)) return "current"
  return keys.previous !== undefined && isEqual(keys.previous, stored) ? "previous" : "neither"
}

/**
 * Whether the keys of a process fit the values of a database that has no fingerprint yet. Some values may be sealed under a
 * key that was lost, but not all.
 */
export const fits = (sealedUnder: ReadonlyArray<"current" | "previous" | "unknown">): boolean =>
  sealedUnder.length === 0 || sealedUnder.some((key) => key !== "unknown")
