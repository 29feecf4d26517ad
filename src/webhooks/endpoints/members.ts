/** Reads single members of a body before its validation. */
import type { Json } from "../../core/usecase/Input.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"

/** A member of a JSON object; undefined if the value is no object or has no such member. */
export const memberOf = (value: Json, name: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as { readonly [member: string]: Json })[name]
    : undefined

const without = (body: UnvalidatedJson, name: string): UnvalidatedJson => ({
  ...body,
  value: Object.fromEntries(Object.entries(body.value ?? {}).filter(([member]) => member !== name))
})

/** The body without `health`. What a client read may differ by now, although nobody changed it. */
export const withoutHealth = (body: UnvalidatedJson): UnvalidatedJson =>
  memberOf(body.value, "health") === undefined ? body : without(body, "health")

/**
 * The body without `status` if that equals the current one. So a client may send a disabled webhook back as it read it, although
 * it cannot request `disabled`.
 */
export const withoutPresentStatus = (body: UnvalidatedJson, present: string): UnvalidatedJson =>
  memberOf(body.value, "status") === present ? without(body, "status") : body
