/** On which side of a line a point is, exactly. */
import { orient2d } from "robust-predicates"

/**
 * Positive when (x, y) is left of the line from a to b, negative when right, 0 when on it: exact for coordinates in units,
 * also shifted by turns.
 */
export const side = (ax: number, ay: number, bx: number, by: number, x: number, y: number): number =>
  -orient2d(ax, ay, bx, by, x, y)
