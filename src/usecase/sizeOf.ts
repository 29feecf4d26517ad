import { Predicate } from "effect"

// What numbers, times and the like take, and the quotes and separators of a member.
const others = 8

// The bytes of a short text need not be counted.
const shortText = 100

/** The bytes that a value takes as JSON, roughly. Every row of a list is looked at, so that it makes no arrays of entries. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < shortText ? value.length : Buffer.byteLength(value)
  if (!Predicate.isObjectOrArray(value) || value instanceof Date || ArrayBuffer.isView(value)) return others
  let size = others
  if (Array.isArray(value)) for (const one of value) size += sizeOf(one)
  else for (const name in value) size += name.length + others + sizeOf(value[name])
  return size
}
