/** The pure decisions on properties (docs/behaviour/properties.md#properties). */
import { Predicate, Record } from "effect"
import { changedFieldNames, type EventType } from "../../core/mutation/Event.ts"
import { ownerFaults } from "../../identity/teams/rules.ts"
import { changeRecordMapper } from "../../core/records/RecordKind.ts"
import { blankOf } from "../../core/records/Table.ts"
import type { WriteContext } from "../../core/records/WriteContext.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import type { Fault } from "../../core/usecase/Problem.ts"
import type { Members } from "./members/Member.ts"
import { type Property, type PropertyFields, propertyKinds, propertyMembers } from "./Property.ts"

/** A property without values. */
export const blank: PropertyFields = blankOf(propertyKinds)

const members: Members = propertyMembers

/** The country, locality and address after a write that names any of them: the first two are in both places, with one value. */
const locationOf = (
  { address: sent, country, locality }: Partial<PropertyFields>,
  current: PropertyFields
): Partial<PropertyFields> => {
  if (sent === undefined && country === undefined && locality === undefined) return {}
  const placed = {
    country: country === undefined ? (sent?.country === undefined ? current.country : sent.country) : country,
    locality: locality === undefined ? (sent?.locality === undefined ? current.locality : sent.locality) : locality
  }
  const { address } = propertyMembers
  const others = sent === undefined ? current.address : address.write(sent, current.address)
  return { ...placed, address: address.write(placed, others) as PropertyFields["address"] }
}

/**
 * The values to store for the values that were sent. Objects have only the members that were sent, and are merged into the present
 * ones at every depth.
 */
export const normalize = (sent: Partial<PropertyFields>, current: PropertyFields): Partial<PropertyFields> => ({
  ...(Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const member = members[name]
      return [name, member === undefined ? value : member.write(value, current[name as keyof PropertyFields])]
    })
  ) as Partial<PropertyFields>),
  ...locationOf(sent, current)
})

const isObject = (value: unknown): value is { readonly [member: string]: Json } =>
  Predicate.isObject(value) && !Array.isArray(value)

/** A patch whose values with a unit have what they omit from the stored ones: `{value}` keeps a currency or a standard. */
export const completed = (sent: Json, stored: unknown): Json => {
  if (!isObject(sent) || !isObject(stored)) return sent
  if (Object.hasOwn(stored, "value")) return { ...stored, ...sent }
  return Record.map(sent, (value, member) => completed(value, stored[member]))
}

const repeatsIn = (inner: Members, name: string, sent: Json, stored: unknown): boolean => {
  const of = Object.hasOwn(inner, name) ? inner[name]?.members : undefined
  return (
    of !== undefined &&
    isObject(sent) &&
    isObject(stored) &&
    differing(sent, stored).every((member) => repeatsIn(of, member, sent[member] ?? null, stored[member]))
  )
}

/** Whether an object says only what is stored: what it omits stays at every depth, but not in a value with a unit. */
export const repeatsMember = (name: string, sent: Json, stored: unknown): boolean =>
  repeatsIn(members, name, sent, stored)

/** The faults of a property as a whole: it needs a name, and its coordinates both members. */
export const faultsOf = ({ coordinates, name }: Pick<PropertyFields, "coordinates" | "name">): ReadonlyArray<Fault> => {
  const missing = (["latitude", "longitude"] as const).filter((member) => coordinates?.[member] === null)
  return [
    ...(name === null ? [bodyFault("/name", "required", "Is required.")] : []),
    ...missing.map((member) =>
      bodyFault(`/coordinates/${member}`, "required", "Latitude and longitude are only known together.")
    )
  ]
}

/** The change record of a write. */
export const toChangeRecord = changeRecordMapper<PropertyFields, Property>({
  type: "property",
  fieldNames: changedFieldNames.property
})

/** Checks properties: `owners` are the ids of those users who may own one. */
export const writeContextOf = (owners: ReadonlySet<string>): WriteContext<PropertyFields, Property> => ({
  faultsOf: (write) => ownerFaults(owners, write)
})

/** A project after a change: the properties (ids) that it lists now, and the event of the change. */
export interface ChangedList {
  readonly projectId: string
  readonly propertyIds: ReadonlyArray<string>
  readonly event: EventType
}

/** The properties (ids) that joined or left one of these lists; `naming` are the projects of those that named one of them before. */
export const movedBetween = (
  lists: ReadonlyArray<ChangedList>,
  naming: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const sets = lists.map(({ projectId, propertyIds }) => ({ projectId, now: new Set(propertyIds) }))
  const all = new Set([...naming.keys(), ...lists.flatMap(({ propertyIds }) => propertyIds)])
  return [...all].filter((id) =>
    sets.some(({ now, projectId }) => now.has(id) !== (naming.get(id)?.includes(projectId) === true))
  )
}

/**
 * The projects of a property after these projects (ids) were written; `listing` are those of them that list it now. The others keep
 * their order.
 */
export const projectIdsAfter = (
  current: ReadonlyArray<string>,
  written: ReadonlyArray<string>,
  listing: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...current.filter((id) => !written.includes(id) || listing.includes(id)),
  ...listing.filter((id) => !current.includes(id))
]
