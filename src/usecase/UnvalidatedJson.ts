/** Parsed JSON of a caller, with trimmed strings, not yet validated: docs/behaviour/http.md#bodies. */
import { Effect, Result, type Schema } from "effect"
import { decode, type Input, type Json } from "./Input.ts"
import { type Fault, InvalidRequest, MalformedJson } from "./Problem.ts"

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

/** Whether arrays and objects are nested deeper than {@link maxDepth}. Scans the text, so that no deep value is built. */
const tooDeep = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

const escaped = (key: string | number) => String(key).replaceAll("~", "~0").replaceAll("/", "~1")

const faultOf = (text: string, pointer: string): Fault | undefined => {
  if (text.includes("\0")) {
    return { in: "body", pointer, code: "invalid_characters", detail: "Must not contain the NUL character." }
  }
  if (!text.isWellFormed()) {
    return { in: "body", pointer, code: "invalid_characters", detail: "Must not contain lone surrogates." }
  }
  return undefined
}

// From this number of values on, faults are not collected, because there could be millions.
const maxValues = 10_000

interface Found {
  readonly faults: Array<Fault>
  values: number
}

const tidy = (value: Json, pointer: string, found: Found): Json => {
  found.values++
  if (typeof value === "string") {
    const fault = faultOf(value, pointer)
    if (fault !== undefined && found.faults.length <= maxValues) found.faults.push(fault)
    return value.trim()
  }
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) {
    return value.map((item: Json, index) => tidy(item, `${pointer}/${index}`, found))
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, Json]) => {
      const at = `${pointer}/${escaped(key.slice(0, 100))}`
      const fault = faultOf(key, at)
      if (fault !== undefined && found.faults.length <= maxValues) found.faults.push(fault)
      return [key, tidy(item, at, found)]
    })
  )
}

/** Trims every string of a value, and finds NUL and lone surrogates: docs/behaviour/http.md#text. */
export const of = (value: Json): UnvalidatedJson => {
  const found: Found = { faults: [], values: 0 }
  const tidied = tidy(value, "", found)
  return { value: tidied, sent: value, exhaustive: found.values <= maxValues, faults: found.faults }
}

/** Parses JSON text. Fails for an empty text. */
export const parse = (text: string): Effect.Effect<UnvalidatedJson, MalformedJson> => {
  if (text.trim() === "") {
    return Effect.fail(new MalformedJson({ detail: "The request needs a JSON body." }))
  }
  if (tooDeep(text)) {
    return Effect.fail(
      new MalformedJson({ detail: `Arrays and objects must not be nested deeper than ${maxDepth} levels.` })
    )
  }
  try {
    return Effect.succeed(of(JSON.parse(text) as Json))
  } catch (error) {
    return Effect.fail(
      new MalformedJson({
        detail: error instanceof Error ? `The body is not JSON: ${error.message}.` : "The body is not JSON."
      })
    )
  }
}

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
  return (document: UnvalidatedJson): Input<A> => {
    const decoded = Result.mapError(decodeValue(document.value, document.exhaustive), (refusal) =>
      refusal.map(asReadOnly)
    )
    if (document.faults.length === 0) return Effect.fromResult(decoded)
    const ofStrings = InvalidRequest.of(document.faults)
    return Effect.fail(
      Result.isFailure(decoded) ? ofStrings.and(decoded.failure.errors, decoded.failure.moreErrors) : ofStrings
    )
  }
}
