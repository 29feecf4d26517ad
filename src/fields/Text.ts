/** Text members and their limits: docs/behaviour/http.md#text. */
import { Schema, SchemaIssue } from "effect"

/** Whether a string has at most `max` characters, counted in code points as JSON Schema counts them. */
const within = (value: string, max: number) => {
  if (value.length <= max) return true
  if (value.length > 2 * max) return false
  let pairs = 0
  for (let index = 0; index < value.length; index++) {
    if ((value.codePointAt(index) ?? 0) > 0xffff) {
      pairs++
      index++
    }
  }
  return value.length - pairs <= max
}

/**
 * A schema check with an error code and a message for people. `jsonSchema` holds its keywords in the OpenAPI document.
 */
export const check = <T>(
  code: string,
  detail: string,
  accepts: (value: T) => boolean,
  jsonSchema: Record<string, unknown> = {}
) =>
  Schema.makeFilter<T>(
    (value) => (accepts(value) ? undefined : new SchemaIssue.InvalidValue({ message: detail, code })),
    { toJsonSchema: () => jsonSchema }
  )

/** A text of one to `max` characters. */
export const Text = (max: number) =>
  Schema.String.check(
    check("blank", "Must not be blank.", (value: string) => value.length > 0, { minLength: 1 }),
    check("too_long", `Must have at most ${max} characters.`, (value: string) => within(value, max), {
      maxLength: max
    })
  )

/** A name: at most 200 characters. */
export const Name = Text(200)

/** Free text: at most 20,000 characters. */
export const LongText = Text(20_000)
