/** Degrees of latitude and longitude (WGS 84), as all requests may have them: docs/behaviour/properties.md#coordinates. */
import { Schema } from "effect"
import { check } from "./Text.ts"

/** Coordinates are kept as whole numbers of this many parts of a degree: 1e-7°, at most 1.1 cm. */
export const partsPerDegree = 1e7

/** Degrees as they are kept: seven decimals. Never -0. */
export const roundDegrees = (degrees: number): number => Math.round(degrees * partsPerDegree) / partsPerDegree + 0

/** Whether degrees, as they are kept, are within a limit and its negative. Programs compute 180.00000000000003. */
export const isWithinDegrees = (degrees: number, limit: number): boolean => Math.abs(roundDegrees(degrees)) <= limit

/** Degrees between a limit and its negative, once they are rounded. `code` is that of the fault of others. */
export const Degrees = (limit: 90 | 180, code: string) =>
  Schema.Finite.check(
    check(code, `Must be from -${limit} to ${limit}.`, (value: number) => isWithinDegrees(value, limit), {
      minimum: -limit,
      maximum: limit
    })
  )
