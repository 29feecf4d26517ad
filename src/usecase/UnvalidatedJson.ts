/** A JSON document that a caller sent: read, tidied, and not yet validated. */
import { Effect, Result, type Schema } from "effect"
import { decode, type Input, type Json, orReject } from "./Input.ts"
import { type Fault, MalformedJson } from "./Problem.ts"

/** A JSON value, with the faults of its strings. */
export interface UnvalidatedJson {
  readonly value: Json
  /** The value as it came, before its strings were trimmed. */
  readonly sent: Json
  /** Whether it is small enough to look for all its faults; of a large one the first is told. */
  readonly exhaustive: boolean
  /** Strings that no member may hold, whatever its schema: told together with the faults that the schema finds. */
  readonly faults: ReadonlyArray<Fault>
}

const deepest = 64

/** Whether arrays and objects nest deeper than {@link deepest}; looks at the text, so that nothing deep is built. */
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
      if (++depth > deepest) return true
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

// More values than this are looked at one by one, but their faults are not collected: there could be millions.
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

/** The document of a value: every string trimmed, and NUL and lone surrogates found (decisions §1). */
export const of = (value: Json): UnvalidatedJson => {
  const found: Found = { faults: [], values: 0 }
  const tidied = tidy(value, "", found)
  return { value: tidied, sent: value, exhaustive: found.values <= maxValues, faults: found.faults }
}

/** The document of a text. An empty text is no document. */
export const parse = (text: string): Effect.Effect<UnvalidatedJson, MalformedJson> => {
  if (text.trim() === "") {
    return Effect.fail(new MalformedJson({ detail: "A JSON body is needed, and none was sent." }))
  }
  if (tooDeep(text)) {
    return Effect.fail(new MalformedJson({ detail: `Arrays and objects may nest ${deepest} deep.` }))
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
 * Validates documents by a schema: all faults at once, those of their strings included. `answered` are the members of the
 * resource that comes of it: those that only it has are not unknown, but read-only.
 */
export const decoder = <A, I>(schema: Schema.Codec<A, I>, answered: { readonly [member: string]: unknown } = {}) => {
  const decodeValue = decode(schema)
  const told = (fault: Fault): Fault =>
    fault.code === "unknown_member" && Object.hasOwn(answered, fault.pointer.slice(1))
      ? { ...fault, code: "read_only", detail: "Is read-only: leave it out." }
      : fault
  return (document: UnvalidatedJson): Input<A> => {
    const decoded = Result.mapError(decodeValue(document.value, document.exhaustive), (faults) => faults.map(told))
    if (document.faults.length === 0) return orReject(decoded)
    return orReject(Result.fail([...document.faults, ...(Result.isFailure(decoded) ? decoded.failure : [])]))
  }
}
