/**
 * Parsed JSON of a caller, with trimmed strings, not yet validated (docs/behaviour/http.md#bodies), and what validates it: decoders of
 * whole bodies and of merge patches.
 */
import { Effect, Predicate, Result, type Schema } from "effect"
import { bodyFault, collector, decode, type Input, type Json, unknownName } from "./Input.ts"
import { inTurn } from "./EventLoop.ts"
import { type Fault, InvalidRequest, MalformedJson, PayloadTooLarge } from "./Problem.ts"

/** A JSON value and the faults of its strings. */
export interface UnvalidatedJson {
  readonly value: Json
  /** The value before its strings were trimmed. */
  readonly sent: Json
  /** Whether to report all faults, as far as a refusal lists them. For a large value, only the first is reported. */
  readonly exhaustive: boolean
  /** Faults of strings that are invalid for every schema. They are reported together with the faults of the schema. */
  readonly faults: ReadonlyArray<Fault>
}

const maxDepth = 64

/** The maximum number of values of a body: each number, string, literal, array and object counts. */
export const maxValues = 50_000

/** The index of the quote that ends the string whose text begins at `start`; the length of the text if there is none. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 0x5c && end - 1 - escapes >= start) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** What can be said of a JSON text without building its values. */
type Shape = "deep" | "large" | { readonly values: number }

/** How much a JSON text may have: values, and members of all objects together. */
export interface Most {
  readonly values: number
  readonly members?: number
}

/** Scans a text for more values or members than `most` and for arrays and objects that are nested deeper than {@link maxDepth}. */
const shapeOf = (text: string, most: Required<Most>): Shape => {
  let depth = 0
  let values = 1
  let members = 0
  // Whether the latest array or object has no value so far.
  let opened = false
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        continue
      case 0x5b:
      case 0x7b:
        if (opened) values++
        if (++depth > maxDepth) return "deep"
        opened = true
        break
      case 0x5d:
      case 0x7d:
        depth--
        opened = false
        break
      case 0x2c:
        values++
        break
      case 0x3a:
        members++
        break
      default:
        if (opened) {
          values++
          opened = false
        }
        if (text.charCodeAt(index) === 0x22) index = endOfString(text, index + 1)
    }
    if (values > most.values || members > most.members) return "large"
  }
  return { values }
}

const escaped = (key: string | number) => String(key).replaceAll("~", "~0").replaceAll("/", "~1")

const pointerOf = (path: ReadonlyArray<string | number>): string =>
  path.map((key) => `/${typeof key === "number" ? key : escaped(key.slice(0, 100))}`).join("")

const faultOf = (text: string): Pick<Fault, "code" | "detail"> | undefined => {
  if (text.includes("\0")) return { code: "invalid_characters", detail: "Must not contain the NUL character." }
  if (!text.isWellFormed()) return { code: "invalid_characters", detail: "Must not contain lone surrogates." }
  return undefined
}

// From this number of values on, faults are not collected: finding all of them takes much longer than finding one.
const maxExamined = 10_000

interface Found {
  readonly faults: Array<Fault>
  /** Where the value is that is being looked at. */
  readonly path: Array<string | number>
  values: number
}

const report = (text: string, found: Found): void => {
  const fault = faultOf(text)
  if (fault !== undefined) found.faults.push({ in: "body", pointer: pointerOf(found.path), ...fault })
}

/** A value with trimmed strings; the same one if nothing had to be trimmed. */
const tidy = (value: Json, found: Found): Json => {
  found.values++
  if (typeof value === "string") {
    report(value, found)
    return value.trim()
  }
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return tidyAll(value as ReadonlyArray<Json>, undefined, found)
  const keys = Object.keys(value)
  const values: ReadonlyArray<Json> = Object.values(value)
  const tidied = tidyAll(values, keys, found)
  // `fromEntries` also copies a member of the name `__proto__`.
  return tidied === values ? value : Object.fromEntries(keys.map((key, index) => [key, tidied[index] ?? null]))
}

/** The items of an array, or the values of an object's members with these names. */
const tidyAll = (
  values: ReadonlyArray<Json>,
  names: ReadonlyArray<string> | undefined,
  found: Found
): ReadonlyArray<Json> => {
  let tidied: Array<Json> | undefined
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? null
    const name = names?.[index]
    found.path.push(name ?? index)
    if (name !== undefined) report(name, found)
    const result = tidy(value, found)
    found.path.pop()
    if (tidied === undefined && result !== value) tidied = values.slice(0, index)
    tidied?.push(result)
  }
  return tidied ?? values
}

/** Trims every string of a value, and finds NUL and lone surrogates: docs/behaviour/http.md#text. */
export const of = (value: Json): UnvalidatedJson => {
  const found: Found = { faults: [], path: [], values: 0 }
  const tidied = tidy(value, found)
  return { value: tidied, sent: value, exhaustive: found.values <= maxExamined, faults: found.faults }
}

const malformed = (detail: string) => new MalformedJson({ detail })

const jsonOf = (text: string): Effect.Effect<Json, MalformedJson> =>
  Effect.try({
    try: () => JSON.parse(text) as Json,
    catch: (error) =>
      malformed(error instanceof Error ? `The body is not JSON: ${error.message}.` : "The body is not JSON.")
  })

/** Texts up to this length, in characters, are read in one go. */
export const shortText = 65_536

/**
 * Parses JSON text of at most `most` values and members. Fails for an empty text. Other requests get their turn between the steps that a
 * long text takes, each of which takes some milliseconds.
 */
export const parse = (
  text: string,
  { members = Infinity, values }: Most = { values: maxValues }
): Effect.Effect<UnvalidatedJson, MalformedJson | PayloadTooLarge> =>
  Effect.suspend((): Effect.Effect<UnvalidatedJson, MalformedJson | PayloadTooLarge> => {
    if (text.trim() === "") return Effect.fail(malformed("The request needs a JSON body."))
    const shape = shapeOf(text, { values, members })
    if (shape === "deep") {
      return Effect.fail(malformed(`Arrays and objects must not be nested deeper than ${maxDepth} levels.`))
    }
    if (shape === "large") {
      const limits = [
        `${values.toLocaleString("en")} values`,
        ...(members === Infinity ? [] : [`${members.toLocaleString("en")} members of objects`])
      ]
      return Effect.fail(
        new PayloadTooLarge({
          detail: `A JSON body must not have more than ${limits.join(" or ")}. Send fewer in one request.`
        })
      )
    }
    const json = jsonOf(text)
    return text.length <= shortText
      ? Effect.map(json, of)
      : Effect.flatMap(inTurn(json), (value) => inTurn(Effect.sync(() => of(value))))
  })

/** A validator that lets others have a turn before it validates a large document. */
const afterTurn =
  <A, Others extends ReadonlyArray<unknown>>(validated: (document: UnvalidatedJson, ...others: Others) => Input<A>) =>
  (document: UnvalidatedJson, ...others: Others): Input<A> =>
    document.exhaustive
      ? validated(document, ...others)
      : Effect.andThen(Effect.yieldNow, () => validated(document, ...others))

/**
 * A validator for a schema, which reports all faults, also those of strings. `answered` are the members of the resource that
 * the operation answers: those that the schema lacks are reported as read-only instead of unknown.
 */
export const decoder = <A, I>(schema: Schema.Codec<A, I>, answered: { readonly [member: string]: unknown } = {}) => {
  const decodeValue = decode(schema)
  const asReadOnly = (fault: Fault): Fault =>
    fault.code === "unknown_member" && Object.hasOwn(answered, fault.pointer.slice(1))
      ? { ...fault, code: "read_only", detail: "Is read-only: omit it." }
      : fault
  const validated = (document: UnvalidatedJson): Input<A> => {
    const decoded = Result.mapError(decodeValue(document.value, document.exhaustive), (refusal) =>
      refusal.map(asReadOnly)
    )
    if (document.faults.length === 0) return Effect.fromResult(decoded)
    const ofStrings = InvalidRequest.of(document.faults)
    return Effect.fail(
      Result.isFailure(decoded) ? ofStrings.and(decoded.failure.errors, decoded.failure.moreErrors) : ofStrings
    )
  }
  return afterTurn(validated)
}

// Merge patches (RFC 7396): docs/behaviour/http.md#merge-patches.

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
export const makeMergePatch = <A extends object, I>(
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
    (key) => !sameJson(change[key], Object.hasOwn(current, key) ? current[key as keyof typeof current] : undefined)
  )
