/**
 * The ranges in which a teaser shows values: the cells of a fixed grid, so that looking again, or at another teaser of the same
 * property, never narrows them. Pure.
 */

/** Two ends, equal for an exact value. */
export interface Ends {
  readonly min: number
  readonly max: number
}

/** The digits of a positive number: its leading one with what follows, and the power of ten. */
const scientific = (value: number) => {
  const [leading = "", exponent = ""] = value.toExponential().split("e")
  return { leading: Number(leading), exponent }
}

/** The greatest of 1, 2, 5, 10, 20, 50 … that is at most a number that is not negative; 0 below the least one that counts. */
const atMost = (value: number, least: number): number => {
  if (value < least) return 0
  const { exponent, leading } = scientific(value)
  return Number(`${leading >= 5 ? 5 : leading >= 2 ? 2 : 1}e${exponent}`)
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is above such a number. */
const above = (value: number, least: number): number => {
  if (value < least) return least
  const { exponent, leading } = scientific(value)
  return Number(`${leading < 2 ? 2 : leading < 5 ? 5 : 10}e${exponent}`)
}

/**
 * Widens ends to the grid of 1, 2, 5, 10, 20, 50 … and its negatives. Cells smaller than `least`, itself on the grid, are one cell.
 * The ends of a cell are never equal, even for a value on the grid.
 */
export const onGrid = ({ max, min }: Ends, least: number): Ends => ({
  min: min < 0 ? 0 - above(-min, least) : atMost(min, least),
  max: max < 0 ? 0 - atMost(-max, least) : above(max, least)
})

const decade = 10

/** Widens years to decades. */
export const toDecades = ({ max, min }: Ends): Ends => ({
  min: Math.floor(min / decade) * decade,
  max: (Math.floor(max / decade) + 1) * decade
})
