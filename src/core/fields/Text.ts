/** Text members and their limits, tags, languages and enumerations: docs/behaviour/http.md#text. */
import { Schema, SchemaAST, SchemaGetter, SchemaIssue } from "effect"
import type { FaultCode } from "./FaultCode.ts"

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
  code: FaultCode,
  detail: string,
  accepts: (value: T) => boolean,
  jsonSchema: Record<string, unknown> = {}
) =>
  Schema.makeFilter<T>(
    (value) =>
      accepts(value) ? undefined : new SchemaIssue.InvalidValue({ message: detail, code, values: jsonSchema }),
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
 * A text that is stored in the form that `rewrite` gives it. Annotations and checks of `self` describe what is sent. What comes of it is
 * not checked again, which would cost more than all else that decoding does, unless `to` says how: the document describes parameters by
 * `to`.
 */
export const rewritten = (self: Schema.String, rewrite: (text: string) => string, to: Schema.String = Schema.String) =>
  self.pipe(Schema.decodeTo(to, { decode: SchemaGetter.transform(rewrite), encode: SchemaGetter.passthrough() }))

/** The form in which the texts are compared and stored that distinguish things: docs/behaviour/http.md#text. */
export const inNfc = (text: string): string => text.normalize("NFC")

/** A name: at most 200 characters. */
export const Name = Text(200)

/** Free text: at most 20,000 characters. */
export const LongText = Text(20_000)

/** The maximum number of tags of a resource. */
export const maxTags = 50

/** A tag: docs/behaviour/http.md#text. */
export const Tag = rewritten(Text(64), inNfc, Text(64))

/** At most 50 distinct tags of at most 64 characters each: docs/behaviour/http.md#text. */
export const Tags = Schema.Array(Tag)
  .check(
    check(
      "too_many",
      `Must have at most ${maxTags} tags.`,
      (value: ReadonlyArray<string>) => new Set(value).size <= maxTags,
      {
        maxItems: maxTags
      }
    )
  )
  .annotate({ examples: [["logistics", "core-plus"]] })

/** The parameter `tags` of lists, which may be repeated. */
export const TagsQuery = Tags.annotate({
  description: "Lists only those that have all of these tags, compared exactly; may be repeated.",
  examples: [["logistics"]]
})

/** Removes duplicates and keeps the order. */
export const distinctTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]

const maxLength = 35

const readLanguage = (tag: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

// Reading a tag takes as long as the rest of a contact, and contacts have few different ones.
const knownLanguages = new Map<string, string | undefined>()
const maxKnownLanguages = 500

/** The canonical case of a BCP-47 tag (`en-us` becomes `en-US`); `undefined` if it is not well-formed. */
export const canonicalLanguage = (tag: string): string | undefined => {
  if (tag.length > maxLength) return readLanguage(tag)
  if (knownLanguages.has(tag)) return knownLanguages.get(tag)
  if (knownLanguages.size >= maxKnownLanguages) knownLanguages.clear()
  const found = readLanguage(tag)
  knownLanguages.set(tag, found)
  return found
}

/** A well-formed BCP-47 language tag; the service stores it in canonical case (docs/behaviour/http.md#text). */
export const Language = Text(maxLength)
  .check(
    check(
      "invalid_language",
      "Must be a BCP-47 language tag such as en-US.",
      // A longer one is too long, and would take long to read.
      (value: string) => value.length > maxLength || canonicalLanguage(value) !== undefined
    )
  )
  .annotate({ examples: ["en-US"] })

/** An IANA time zone that `Intl` knows. Offsets such as `+01:00` are none. */
export const TimeZone = Text(64)
  .check(
    check("invalid_time_zone", "Must be an IANA time zone such as Europe/Berlin.", (value: string) => {
      try {
        return /^[A-Za-z]/.test(value) && new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions() !== null
      } catch {
        return false
      }
    })
  )
  .annotate({ examples: ["Europe/Berlin"] })

/**
 * An enumeration in responses that later versions may extend, so that clients must tolerate unknown values:
 * docs/behaviour/http.md#open-enumerations.
 */
export const OpenEnum = <const Values extends readonly [string, ...Array<string>]>(values: Values, meaning: string) =>
  Schema.String.annotate({
    description: `${meaning} Known values: ${values.map((value) => `\`${value}\``).join(", ")}. Later versions may add more.`,
    examples: [values[0]]
  })

// Marks members that authenticate their bearer: tokens and signing keys.

const annotation = "property-network/secret"

/** A secret. A REST response that shows one is sent with `Cache-Control: no-store` (http/RestResponse.ts). */
export const SecretText = Schema.String.annotate({ [annotation]: true })

/** Whether a schema is {@link SecretText}, with or without annotations. */
export const isSecret = (ast: SchemaAST.AST): boolean => SchemaAST.resolve(ast)?.[annotation] === true
