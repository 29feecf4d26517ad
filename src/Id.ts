/**
 * Public identifiers: TypeIDs, a resource prefix, `_`, and a UUIDv7 in 26 characters of base32
 * (decisions §1). Rows hold the bare UUID.
 */
import { Schema } from "effect"
import { fromString, fromUUID, getSuffix, toUUID } from "typeid-js"

/** Every prefix there is, by the resource that it names. */
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
  "mandate",
  "property",
  "webhook",
  "dlv"
] as const

/** The prefix of an identifier. */
export type Prefix = (typeof prefixes)[number]

/** A public identifier of one resource type, such as `contact_01j…`. */
export type Id<P extends Prefix = Prefix> = `${P}_${string}`

// Spelling an id takes two microseconds, and a page has hundreds of them, most of which were spelt a moment ago.
const maxCachedIds = 10_000
const spelt = new Map<string, string>()

const suffixOf = (uuid: string): string => {
  const known = spelt.get(uuid)
  if (known !== undefined) return known
  const suffix = getSuffix(fromUUID(uuid))
  if (spelt.size >= maxCachedIds) spelt.clear()
  spelt.set(uuid, suffix)
  return suffix
}

/** The public identifier of a row's UUID. */
export const fromUuid = <P extends Prefix>(prefix: P, uuid: string): Id<P> => `${prefix}_${suffixOf(uuid)}`

/** As {@link fromUuid}, for a column that may be null. */
export const fromUuidOrNull = <P extends Prefix>(prefix: P, uuid: string | null): Id<P> | null =>
  uuid === null ? null : fromUuid(prefix, uuid)

/** The UUID of a public identifier, or `undefined` when it is not one of this type. */
export const toUuid = (prefix: Prefix, id: string): string | undefined => {
  if (!id.startsWith(`${prefix}_`)) return undefined
  try {
    return toUUID(fromString(id, prefix))
  } catch {
    return undefined
  }
}

/** The least UUIDv7 of a moment: rows with ids of their creation are found by their key, as by an index of their time. */
export const minUuidOf = (moment: Date): string => {
  const millis = moment.getTime().toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7000-8000-000000000000`
}

const example: Record<Prefix, string> = Object.fromEntries(
  prefixes.map((prefix) => [prefix, `${prefix}_01kb3n7x2ferwt5z8q4j6m9d0c`])
) as Record<Prefix, string>

/** The schema of an identifier in an answer. */
export const IdOf = <P extends Prefix>(prefix: P) =>
  Schema.String.annotate({
    description: `An opaque identifier: \`${prefix}_\` and 26 characters.`,
    examples: [example[prefix]]
  })

/** What people call a resource with ids of this prefix. */
export const nounOf = (prefix: Prefix): string => (prefix === "dlv" ? "delivery" : prefix)
