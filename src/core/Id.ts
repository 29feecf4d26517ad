/**
 * Public identifiers are TypeIDs: a resource prefix, `_`, and a UUIDv7 in 26 characters of base32 (docs/behaviour/http.md#ids).
 * Rows hold the bare UUID.
 */
import { Schema } from "effect"
import { fromString, fromUUID, getSuffix, toUUID } from "typeid-js"

/** The prefixes of all resource types. */
export const prefixes = [
  "user",
  "team",
  "token",
  "client",
  "contact",
  "company",
  "link",
  "file",
  "act",
  "project",
  "prospect",
  "task",
  "room",
  "question",
  "offer",
  "property",
  "mandate",
  "webhook",
  "dlv",
  "audit"
] as const

/** The prefix of an identifier. */
export type Prefix = (typeof prefixes)[number]

/** A public identifier of one resource type, such as `contact_01j…`. */
export type Id<P extends Prefix = Prefix> = `${P}_${string}`

// Encoding an id takes two microseconds. A page has hundreds of ids, most of which were encoded a moment ago.
const maxCachedIds = 10_000
const encoded = new Map<string, string>()

const suffixOf = (uuid: string): string => {
  const known = encoded.get(uuid)
  if (known !== undefined) return known
  const suffix = getSuffix(fromUUID(uuid))
  if (encoded.size >= maxCachedIds) encoded.clear()
  encoded.set(uuid, suffix)
  return suffix
}

/** Encodes a row's UUID as a public identifier. */
export const fromUuid = <P extends Prefix>(prefix: P, uuid: string): Id<P> => `${prefix}_${suffixOf(uuid)}`

/** {@link fromUuid} for a nullable column. */
export const fromUuidOrNull = <P extends Prefix>(prefix: P, uuid: string | null): Id<P> | null =>
  uuid === null ? null : fromUuid(prefix, uuid)

/** Decodes a public identifier; `undefined` when it is malformed or of another type. */
export const toUuid = (prefix: Prefix, id: string): string | undefined => {
  if (!id.startsWith(`${prefix}_`)) return undefined
  try {
    return toUUID(fromString(id, prefix))
  } catch {
    return undefined
  }
}

/** The type of a public identifier; `undefined` for any other text. */
export const prefixOf = (text: string): Prefix | undefined =>
  prefixes.find((prefix) => toUuid(prefix, text) !== undefined)

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID as rows have it: in lower case, with its hyphens. */
export const isUuid = (text: string): boolean => uuidForm.test(text)

/** The smallest UUIDv7 of a time. With it, the primary key finds rows by their creation time. */
export const minUuidOf = (time: Date): string => {
  const millis = time.getTime().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`
}

const example: Record<Prefix, string> = Object.fromEntries(
  prefixes.map((prefix) => [prefix, `${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`])
) as Record<Prefix, string>

/** The schema of an identifier in a response. */
export const IdOf = <P extends Prefix>(prefix: P) =>
  Schema.String.annotate({
    description: `An opaque identifier: \`${prefix}_\` and 26 characters.`,
    examples: [example[prefix]]
  })

/** The noun for resources with a prefix of these. */
export type NounOf<P extends Prefix> = P extends "dlv" ? "delivery" : P

/** The noun for a resource with this prefix, for messages. */
export const nounOf = <P extends Prefix>(prefix: P): NounOf<P> => (prefix === "dlv" ? "delivery" : prefix) as NounOf<P>
