/** The size of answers (docs/behaviour/mcp.md#size): JSON is never cut, but pages end early and long texts are shortened. */
import type { Json } from "../usecase/Input.ts"
import { excerpt } from "./text.ts"

/** The maximum length of an answer as JSON, in UTF-16 code units. */
export const maxLength = 40_000

/** How many of these items fit together into `room` characters as an array: at least 1. */
export const fitting = (items: ReadonlyArray<Json>, room: number): number => {
  let length = 2
  for (const [index, item] of items.entries()) {
    length += JSON.stringify(item).length + 1
    if (length > room) return Math.max(1, index)
  }
  return items.length
}

type Path = ReadonlyArray<string>

const textsIn = (value: Json, path: Path = []): ReadonlyArray<{ readonly path: Path; readonly length: number }> => {
  if (typeof value === "string") return [{ path, length: value.length }]
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([key, item]: [string, Json]) => textsIn(item, [...path, key]))
}

const shortenedAt = (value: Json, [key, ...rest]: Path, length: number): Json => {
  if (key === undefined) return typeof value === "string" ? excerpt(value, length) : value
  if (Array.isArray(value)) {
    return (value as ReadonlyArray<Json>).map((item, index) =>
      String(index) === key ? shortenedAt(item, rest, length) : item
    )
  }
  const members = value as { readonly [key: string]: Json }
  return { ...members, [key]: shortenedAt(members[key] as Json, rest, length) }
}

// A text that was shortened to less says nothing.
const minTextLength = 100

/**
 * A value whose JSON has at most `room` characters: its longest texts are halved until it fits, and `shortened` names the
 * members whose texts were. A value that has no long text stays as it is.
 */
export const shortened = (
  value: { readonly [member: string]: Json },
  room: number
): { readonly value: { readonly [member: string]: Json }; readonly shortened: ReadonlyArray<string> } => {
  let current = value
  const names = new Set<string>()
  while (JSON.stringify(current).length > room) {
    const [longest] = textsIn(current).toSorted((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= minTextLength) break
    names.add(longest.path.findLast((key) => !/^\d+$/.test(key)) ?? "")
    current = shortenedAt(current, longest.path, Math.max(minTextLength, longest.length >> 1)) as typeof value
  }
  return { value: current, shortened: [...names].toSorted() }
}
