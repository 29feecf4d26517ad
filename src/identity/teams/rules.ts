/** The decisions on teams: docs/behaviour/identity.md#teams. */

/** The maximum number of members in the answer of a team. */
export const maxInlineMembers = 50

/**
 * The sort key of members within their role: the display name without case and accents. Cut off, so that it fits into an index
 * even if normalization expands some characters.
 */
export const sortNameOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, 200)
    .toWellFormed()
