/** The pure decisions on users. */

/** Given and family name of a display name: the first word, and the rest. */
export const partsOf = (name: string): { readonly firstName: string; readonly lastName: string | null } => {
  const [firstName = "", ...rest] = name.split(/\s+/)
  return { firstName, lastName: rest.length === 0 ? null : rest.join(" ") }
}
