/** The size of answers (docs/behaviour/mcp.md#size): JSON is never cut, but pages end early and long texts are shortened. */
import type { Json } from "../core/usecase/Input.ts"
import { excerpt, isProse } from "./text.ts"

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

type View = { readonly [member: string]: Json }

/**
 * A view of a record with as many items of its lists as fit into these numbers of characters of JSON. `leftOut` has how many items of a
 * list are left out.
 */
export const cutLists = <V extends object>(
  view: V,
  rooms: { readonly [List in keyof V]?: number }
): V & { readonly leftOut?: { readonly [list: string]: number } } => {
  const shown: { [List in keyof V]?: unknown } = {}
  const leftOut: Record<string, number> = {}
  for (const list in rooms) {
    const items = (view[list] ?? []) as ReadonlyArray<Json>
    const count = fitting(items, rooms[list] ?? 0)
    if (count === items.length) continue
    shown[list] = items.slice(0, count)
    leftOut[list] = items.length - count
  }
  return Object.keys(leftOut).length === 0 ? view : { ...view, ...shown, leftOut }
}

type Path = ReadonlyArray<string>

/** The texts in a value that can be shortened, each with the name of its member; items of a list have that of the list. */
const proseIn = (
  value: Json,
  name = "",
  path: Path = []
): ReadonlyArray<{ name: string; path: Path; length: number }> => {
  if (typeof value === "string") return isProse(name) ? [{ name, path, length: value.length }] : []
  if (value === null || typeof value !== "object") return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    proseIn(item, isList ? name : key, [...path, key])
  )
}

const shortenedAt = (value: Json, [key, ...rest]: Path, length: number): Json => {
  if (key === undefined) return typeof value === "string" ? excerpt(value, length) : value
  if (Array.isArray(value)) {
    return (value as ReadonlyArray<Json>).map((item, index) =>
      String(index) === key ? shortenedAt(item, rest, length) : item
    )
  }
  const members = value as { readonly [key: string]: Json }
  const member = members[key]
  return member === undefined ? value : { ...members, [key]: shortenedAt(member, rest, length) }
}

// A text that was shortened to less says nothing.
const minTextLength = 100

/**
 * A value whose JSON has at most `room` characters: its longest texts are halved until it fits, and `shortened` names the
 * members whose texts were. Ids, references, addresses and words of a vocabulary stay whole. A value that has no long text stays as it is.
 */
export const shortened = (
  value: View,
  room: number
): { readonly value: View; readonly shortened: ReadonlyArray<string> } => {
  let current = value
  const names = new Set<string>()
  while (JSON.stringify(current).length > room) {
    const [longest] = proseIn(current).toSorted((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= minTextLength) break
    names.add(longest.name)
    current = shortenedAt(current, longest.path, Math.max(minTextLength, longest.length >> 1)) as View
  }
  return { value: current, shortened: [...names].toSorted() }
}
