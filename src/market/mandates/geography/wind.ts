/** The winding of rings. */
import type { Ring } from "./Area.ts"
import { side } from "./side.ts"

/** Whether a ring that does not cross or touch itself goes counterclockwise. */
const isCounterclockwise = (ring: Ring): boolean => {
  const last = ring.length - 2
  let lowest = 0
  for (let i = 2; i < last; i += 2) {
    const [x, y] = [ring[i] as number, ring[i + 1] as number]
    const [lowestX, lowestY] = [ring[lowest] as number, ring[lowest + 1] as number]
    if (x < lowestX || (x === lowestX && y < lowestY)) lowest = i
  }
  const before = lowest === 0 ? last - 2 : lowest - 2
  const after = lowest + 2
  const at = (index: number) => ring[index] as number
  return side(at(before), at(before + 1), at(lowest), at(lowest + 1), at(after), at(after + 1)) > 0
}

/** The ring in the given direction, from the same first position. */
export const wind = (ring: Ring, counterclockwise: boolean): Ring => {
  if (isCounterclockwise(ring) === counterclockwise) return ring
  const reversed = new Int32Array(ring.length)
  for (let i = 0; i < ring.length; i += 2) {
    reversed[i] = ring[ring.length - 2 - i] as number
    reversed[i + 1] = ring[ring.length - 1 - i] as number
  }
  return reversed
}
