/** The decisions on users: docs/behaviour/identity.md#users. */

/** Splits a display name into the given name (the first word) and the family name (the rest). */
export const partsOf = (name: string): { readonly firstName: string; readonly lastName: string | null } => {
  const [firstName = "", ...rest] = name.split(/\s+/)
  return { firstName, lastName: rest.length === 0 ? null : rest.join(" ") }
}
