/** Validates the query parameters of a request by the contract of its endpoint. */
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { isBlank } from "../core/fields/Text.ts"
import { decode, type Input, unknownName } from "../core/usecase/Input.ts"
import { type Fault, InvalidCursor, InvalidRequest } from "../core/usecase/Problem.ts"
import { memberNames } from "./Contract.ts"

/** The parameters of a URL by name. */
export type Parameters = { readonly [name: string]: string | ReadonlyArray<string> }

const forbiddenValue = (text: string): Pick<Fault, "code" | "detail"> | undefined => {
  if (text.includes("\0")) return { code: "invalid_characters", detail: "Must not contain the NUL character." }
  if (isBlank(text)) return { code: "blank", detail: "Must not be blank. Omit it instead." }
  return undefined
}

/** The faults of values that are invalid for every schema: one for each parameter. */
const forbiddenValues = (parameters: Parameters): ReadonlyArray<Fault> =>
  Object.entries(parameters).flatMap(([name, value]) => {
    const [fault] = (typeof value === "string" ? [value] : value).flatMap((text) => forbiddenValue(text) ?? [])
    return fault === undefined ? [] : [{ in: "query" as const, pointer: `/${name}`, ...fault }]
  })

/** The names of the parameters of a URL whose values have a `+`, which means a space there. */
const namesWithPlus = (url: string): ReadonlyArray<string> => {
  const mark = url.indexOf("?")
  if (mark < 0 || !url.includes("+", mark)) return []
  const pairs = url.slice(mark + 1).split("&")
  const found = pairs.filter((pair) => pair.includes("=") && pair.includes("+", pair.indexOf("=")))
  return [...new URLSearchParams(found.join("&")).keys()]
}

/** The name of the parameter that a fault points to, or into. */
const parameterOf = (pointer: string): string => pointer.slice(1).replace(/\/\d+$/, "")

const ofPlus = "In a URL, + means a space: write it as %2B."

/** A refusal of a request, with how to write a plus sign where a refused parameter has one in the URL. */
export const explaining = <E>(refusal: E, url: string): E | InvalidRequest | InvalidCursor => {
  const names = namesWithPlus(url)
  if (names.length === 0) return refusal
  if (refusal instanceof InvalidCursor) return new InvalidCursor({ detail: `${refusal.detail} ${ofPlus}` })
  if (!(refusal instanceof InvalidRequest)) return refusal
  return refusal.map((fault) =>
    fault.in === "query" && names.includes(parameterOf(fault.pointer)) && !fault.detail.includes("%2B")
      ? { ...fault, detail: `${fault.detail} ${ofPlus}` }
      : fault
  )
}

/** What an empty page says to a client whose URL has a `+` in a value: it may have meant a plus sign. */
export const hintOfEmptyPage = (url: string): string | undefined => {
  const [name] = namesWithPlus(url)
  return name === undefined
    ? undefined
    : `In a URL, + means a space, and ${name.slice(0, 100)} has one. Where you mean a plus sign, write %2B.`
}

// A struct without members would accept any value.
const decodeNone = (parameters: object): Result.Result<unknown, InvalidRequest> => {
  const names = Object.keys(parameters)
  return names.length === 0
    ? Result.succeed({})
    : Result.fail(InvalidRequest.of(names.map((name) => unknownName("query", [name], []))))
}

/** A repeated parameter reaches the schema as an array, but its sender did not send a wrong type. */
const asRepeated = (fault: Fault, parameters: Parameters): Fault =>
  fault.code === "wrong_type" && Array.isArray(parameters[fault.pointer.slice(1)])
    ? { ...fault, code: "repeated", detail: "May be given only once." }
    : fault

/** A validator of the parameters of `endpoint`, which rejects with all their faults. */
export const decoder = (endpoint: HttpApiEndpoint.Top) => {
  const decodeQuery =
    endpoint.query === undefined || memberNames(endpoint.query).length === 0
      ? decodeNone
      : decode(Schema.toCodecArrayFromSingle(endpoint.query) as Schema.Codec<unknown>, "query")
  return (parameters: Parameters): Input<unknown> =>
    Effect.suspend(() => {
      const decoded = decodeQuery(parameters)
      const refusal = Result.isFailure(decoded)
        ? decoded.failure.map((fault) => asRepeated(fault, parameters))
        : undefined
      const faults = refusal?.errors ?? []
      const isUnknown = (pointer: string) =>
        faults.some((fault) => fault.pointer === pointer && fault.code === "unknown_parameter")
      const forbidden = forbiddenValues(parameters).filter(({ pointer }) => !isUnknown(pointer))
      if (forbidden.length === 0) return Effect.fromResult(Result.mapError(decoded, (found) => refusal ?? found))
      // A forbidden value has no other fault worth listing.
      const others = faults.filter(({ pointer }) => !forbidden.some((fault) => fault.pointer === pointer))
      return Effect.fail(InvalidRequest.of([...forbidden, ...others], refusal?.moreErrors))
    })
}
