/** The pure decisions on teams. */

/** How many members a team shows inline. */
export const inlineMembers = 50

/**
 * What members are ordered by within their role: the display name without case and accents. Cut, so that it always
 * fits into an index, however much a few characters unfold.
 */
export const sortNameOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, 200)
    .toWellFormed()
