/** Merge patches (RFC 7396): docs/behaviour/http.md#merge-patches. */
import { Effect, Predicate, Result, type Schema } from "effect"
import { afterTurn, type UnvalidatedJson } from "./UnvalidatedJson.ts"
import { bodyFault, collector, decode, type Input, type Json, unknownName } from "./Input.ts"
import { InvalidRequest } from "./Problem.ts"

const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (Predicate.isObject(a) && Predicate.isObject(b) && !Array.isArray(a) && !Array.isArray(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key as keyof typeof a], b[key as keyof typeof b]))
    )
  }
  return false
}

/**
 * A decoder of patches of one resource. `schema` has the writable members, all optional. Any other member of the resource is
 * read-only: its current value is accepted, so that a client can send back what it read, and another value is rejected.
 * `answered` adds read-only members that the current resource may lack; for those, null means absent.
 */
export const make = <A extends object, I>(
  schema: Schema.Codec<A, I> & { readonly fields: { readonly [member: string]: unknown } },
  answered: { readonly [member: string]: unknown } = {}
) => {
  const decodeChange = decode(schema)
  const writable = Object.keys(schema.fields)
  return afterTurn((document: UnvalidatedJson, current: object): Input<A> => {
    const { value } = document
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      return Effect.fail(InvalidRequest.of([bodyFault("", "wrong_type", "Must be an object.")]))
    }
    const found = collector()
    if (document.faults.length > 0) found.addAll(InvalidRequest.of(document.faults))
    const change: Record<string, Json> = {}
    for (const [key, sent] of Object.entries(value as { readonly [key: string]: Json })) {
      if (!found.isEmpty() && !document.exhaustive) break
      if (writable.includes(key)) change[key] = sent
      else if (!Object.hasOwn(current, key) && !Object.hasOwn(answered, key)) {
        found.add(() => unknownName("body", [key], writable))
      } else if (!sameJson(sent, current[key as keyof typeof current] ?? null)) {
        found.add(() => bodyFault(`/${key}`, "read_only", "Is read-only: omit it, or send its current value."))
      }
    }
    const decoded = decodeChange(change, document.exhaustive)
    if (Result.isFailure(decoded)) found.addAll(decoded.failure)
    return found.isEmpty() ? Effect.fromResult(decoded) : Effect.fail(found.refusal())
  })
}

/** The members of `change` whose values differ from those of `current`. */
export const differing = <Change extends object>(
  change: Change,
  current: object
): ReadonlyArray<keyof Change & string> =>
  (Object.keys(change) as Array<keyof Change & string>).filter(
    (key) => !sameJson(change[key], current[key as keyof typeof current])
  )
