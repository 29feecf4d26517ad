/** How much of what has no natural end a run does: docs/testing.md#what-runs-when. */

/** Whether this is `npm run test:long`. */
export const isLong = process.env["TEST_LONG"] === "true"

/** How many times: as an environment variable says, or else so many in `npm test`, and in `npm run test:long`. */
export const times = (variable: string, short: number, long: number): number =>
  Number(process.env[variable] ?? (isLong ? long : short))
