// What numbers, times and the like take, and the quotes and separators of a member.
const others = 8

// The bytes of a short text need not be counted.
const shortText = 100

/** The bytes that a value takes as JSON, roughly. Every row of a list is looked at, so that it makes no arrays of entries. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < shortText ? value.length : Buffer.byteLength(value)
  if (typeof value !== "object" || value === null) return others
  if (Array.isArray(value)) return sizeOfAll(value)
  if (value instanceof Date || ArrayBuffer.isView(value)) return others
  let size = others
  for (const name in value) size += name.length + others + sizeOf(value[name as keyof typeof value])
  return size
}

const sizeOfAll = (values: ReadonlyArray<unknown>): number => {
  let size = others
  for (const value of values) size += sizeOf(value)
  return size
}
