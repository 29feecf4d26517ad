import { Predicate } from "effect"

// What numbers, times and the like take, and the quotes and separators of a member.
const others = 8

// The bytes of a short text need not be counted.
const shortText = 100

/** The bytes that a value takes as JSON, roughly. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < shortText ? value.length : Buffer.byteLength(value)
  if (Array.isArray(value)) return value.reduce((sum: number, one: unknown) => sum + sizeOf(one), others)
  if (!Predicate.isObject(value) || value instanceof Date || ArrayBuffer.isView(value)) return others
  return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + others + sizeOf(one), others)
}
