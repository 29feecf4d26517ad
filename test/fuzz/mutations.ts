/** Small damages to a value: what is left is nearly what the operation expects. */
import fc from "fast-check"
import { idOf, isObject, odd, textOf, texts, textsLike, type Value, Verbatim } from "./values.ts"

/** A damage at one place of a value; `place` counts the places in order and begins again after the last. */
export interface Mutation {
  readonly place: number
  readonly change: (value: Value, member: string) => Value | undefined
}

const idTypes = [
  "contact",
  "company",
  "link",
  "property",
  "project",
  "prospect",
  "user",
  "mandate",
  "file",
  "act",
  "room"
]

const repeated =
  (count: number) =>
  (value: Value): Value =>
    Array.isArray(value)
      ? Array.from({ length: count }, (_, index) => value[index % Math.max(value.length, 1)] ?? null)
      : Array.from({ length: count }, () => value)

const withMember =
  (member: string, added: Value) =>
  (value: Value): Value =>
    isObject(value)
      ? new Verbatim(
          textOf(value).replace(
            /\}$/,
            `${Object.keys(value).length === 0 ? "" : ","}${JSON.stringify(member)}:${textOf(added)}}`
          )
        )
      : added

const twice = (value: Value): Value => {
  const [first] = isObject(value) ? Object.entries(value) : []
  return first === undefined ? value : withMember(first[0], first[1])(value)
}

const changes: fc.Arbitrary<Mutation["change"]> = fc.oneof(
  { weight: 8, arbitrary: odd.map((value) => () => value) },
  {
    weight: 14,
    arbitrary: fc.nat(60).map((number) => (value: Value) => {
      if (typeof value !== "string") return value
      const like = textsLike(value)
      return like[number % like.length] ?? ""
    })
  },
  { weight: 3, arbitrary: fc.constant<Mutation["change"]>(() => null) },
  { weight: 3, arbitrary: fc.constant<Mutation["change"]>(() => undefined) },
  { weight: 2, arbitrary: fc.constant<Mutation["change"]>((value) => [value]) },
  { weight: 1, arbitrary: fc.constant<Mutation["change"]>((value) => ({ eq: value })) },
  { weight: 2, arbitrary: fc.constant<Mutation["change"]>((value) => (typeof value === "number" ? String(value) : 7)) },
  { weight: 2, arbitrary: fc.constant<Mutation["change"]>((value) => (typeof value === "number" ? -value : "")) },
  { weight: 2, arbitrary: fc.constantFrom(2, 51, 101, 501).map(repeated) },
  { weight: 2, arbitrary: fc.constantFrom("unknown", "id", "", "__proto__", "tags").map((one) => withMember(one, 1)) },
  { weight: 1, arbitrary: fc.constant<Mutation["change"]>(twice) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...idTypes), fc.nat(9), fc.boolean()).map(
      ([type, number, isForeign]) =>
        () =>
          idOf(type, number, isForeign)
    )
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...texts)
      .map((text) => (value: Value) => (typeof value === "string" ? `${value.slice(0, 3)}${text}` : text))
  }
)

/** An arbitrary damage. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({ place: fc.nat(60), change: changes })

const placesOf = (value: Value): number =>
  1 +
  (Array.isArray(value)
    ? value.reduce<number>((sum, one) => sum + placesOf(one), 0)
    : isObject(value)
      ? Object.values(value).reduce<number>((sum, one) => sum + placesOf(one), 0)
      : 0)

/** The value with the damage. */
export const applied = (value: Value, { change, place }: Mutation): Value => {
  // The first place is the whole value, which is worth a damage now and then only.
  let left = place === 0 ? 0 : 1 + ((place - 1) % Math.max(placesOf(value) - 1, 1))
  const walk = (one: Value, member: string): Value | undefined => {
    if (left-- === 0) return change(one, member)
    if (Array.isArray(one))
      return one.flatMap((item: Value, index) => {
        const changed = walk(item, String(index))
        return changed === undefined ? [] : [changed]
      })
    if (!isObject(one)) return one
    return Object.fromEntries(
      Object.entries(one).flatMap(([name, item]) => {
        const changed = walk(item, name)
        return changed === undefined ? [] : [[name, changed] as const]
      })
    )
  }
  return walk(value, "") ?? {}
}
