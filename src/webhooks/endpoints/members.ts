/** Single members of a body that is not validated yet. */
import type { Json } from "../../usecase/Input.ts"
import type { UnvalidatedJson } from "../../usecase/UnvalidatedJson.ts"

/** A member of a JSON object; undefined if the value has none of this name. */
export const memberOf = (value: Json, name: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as { readonly [member: string]: Json })[name]
    : undefined

/**
 * The body without its `status` when that is the present one: a client may send a disabled webhook back as it was read, but
 * cannot ask for `disabled`.
 */
export const withoutPresentStatus = (body: UnvalidatedJson, present: string): UnvalidatedJson =>
  memberOf(body.value, "status") === present
    ? {
        ...body,
        value: Object.fromEntries(Object.entries(body.value ?? {}).filter(([member]) => member !== "status"))
      }
    : body
