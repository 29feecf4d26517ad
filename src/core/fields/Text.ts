/** Text members and their limits: docs/behaviour/http.md#text. */
import { Schema, SchemaGetter, SchemaIssue } from "effect"

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

// White space, control and format characters, what fonts leave out (such as the Hangul filler), and the blank of Braille.
const shown = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Whether a text shows nothing: docs/behaviour/http.md#text. One with NUL is refused for that alone. */
export const isBlank = (text: string): boolean => !shown.test(text) && !text.includes("\0")

/** A text of one to `max` characters, of which some are visible. */
export const Text = (max: number) =>
  Schema.String.check(
    check("blank", "Must not be blank.", (value: string) => !isBlank(value), { minLength: 1 }),
    check("too_long", `Must have at most ${max} characters.`, (value: string) => within(value, max), {
      maxLength: max
    })
  )

/**
 * A text that is stored in the form that `rewrite` gives it. Annotations and checks of `self` describe what is sent. What comes of it is not
 * checked again, which would cost more than all else that decoding does, unless `to` says how: the document describes parameters by `to`.
 */
export const rewritten = (self: Schema.String, rewrite: (text: string) => string, to: Schema.String = Schema.String) =>
  self.pipe(Schema.decodeTo(to, { decode: SchemaGetter.transform(rewrite), encode: SchemaGetter.passthrough() }))

/** The form in which the texts are compared and stored that distinguish things: docs/behaviour/http.md#text. */
export const inNfc = (text: string): string => text.normalize("NFC")

/** A name: at most 200 characters. */
export const Name = Text(200)

/** Free text: at most 20,000 characters. */
export const LongText = Text(20_000)
