/** The parts that contracts of endpoints share: required capabilities, headers, bodies and refusals. */
import { Context, Effect, Result, Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import type { Need } from "../core/auth/CurrentActor.ts"
import { DeletionLimitReached } from "../core/deletions/Deletion.ts"
import { QuotaExceeded } from "../core/quotas/Quota.ts"
import {
  ConcurrencyConflict,
  type Fault,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidCursor,
  InvalidRequest,
  MalformedJson,
  type Merged,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  RateLimited,
  Unavailable,
  UnsupportedMediaType
} from "../core/usecase/Problem.ts"
import { isBlank } from "../core/fields/Text.ts"
import { decode, type Input, unknownName } from "../core/usecase/Input.ts"

/** What an operation requires of its caller: nothing (`public`), or what its use-case authorizes. */
export type Needed = "public" | Need

/**
 * What an endpoint requires, for the documentation. The use-case enforces it; `test/surface.test.ts` checks that the two
 * agree.
 */
export const Needs = Context.Reference<Needed>("http/Contract/Needs", { defaultValue: () => "public" })

/** Whether a POST only reads, so that tokens of the scope `api:read` may send it. All GETs do. */
export const OnlyReads = Context.Reference<boolean>("http/Contract/OnlyReads", { defaultValue: () => false })

const requestHeaderSchemas = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Write only if the resource has one of these ETags; `*` matches any. Omit the header to skip the check. 412 `precondition_failed` answers an ETag that was outdated when the request arrived, and 409 `concurrency_conflict` one that another change outdated while the request ran. Handle both alike: read the resource again (`currentEtag` is its ETag), apply your change to it, and retry.",
      examples: ['"v1"']
    })
  ),
  "if-none-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "Answer 304 if the resource still has one of these ETags.",
      examples: ['"v1"']
    })
  ),
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. A request with the same key and body gets the first answer again.",
      examples: ["5f0c6b1e-3d0e-4f9a-9a38-0b8f6f1f8b7d"]
    })
  ),
  prefer: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`dry-run` does everything but commit. A refusal is the same as without the header; a success is 200 with `Preference-Applied: dry-run` and a `DryRunReport`, which says what the write would have answered and changed.",
      examples: ["dry-run"]
    })
  )
}

const responseHeaderSchemas = {
  etag: Schema.String.annotate({ description: "The resource's strong validator.", examples: ['"v1"'] }),
  location: Schema.String.annotate({ description: "The path of the resource." }),
  link: Schema.optionalKey(
    Schema.String.annotate({
      description: 'The next page: `<…>; rel="next"`. Absent on the last page.'
    })
  ),
  "idempotency-replayed": Schema.optionalKey(
    Schema.String.annotate({
      description: "`true` if this repeats the first answer."
    })
  )
}

/** The request headers of an endpoint. */
export const requestHeaders = <const Names extends ReadonlyArray<keyof typeof requestHeaderSchemas>>(...names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, requestHeaderSchemas[name]])) as Pick<
      typeof requestHeaderSchemas,
      Names[number]
    >
  )

/** The response headers of a success. */
export const responseHeaders =
  <const Names extends ReadonlyArray<keyof typeof responseHeaderSchemas>>(...names: Names) =>
  <S extends Schema.Top>(schema: S) =>
    HttpApiSchema.WithHeaders(
      schema,
      Object.fromEntries(names.map((name) => [name, responseHeaderSchemas[name]])) as Pick<
        typeof responseHeaderSchemas,
        Names[number]
      >
    )

/** The refusals that kinds of operations share, besides those of `Authorization`. */
export const refusals = {
  /** One resource, by its id. */
  one: [InvalidRequest, NotFound],
  /** A JSON body. */
  body: [MalformedJson, UnsupportedMediaType, PayloadTooLarge, RateLimited, Unavailable],
  /** A create that can be repeated. The stored answers count towards a quota, as do most new rows. */
  repeatable: [IdempotencyInProgress, IdempotencyKeyReused, QuotaExceeded],
  /** A deletion, which the team may bound. */
  deletion: [DeletionLimitReached],
  /** A change with `If-Match`. */
  conditional: [PreconditionFailed, ConcurrencyConflict]
} as const

/**
 * Documents a response that the REST adapter sends and no handler returns. `E` is the problem that the adapter replaces by
 * this response.
 */
const sentByAdapter = <E = never>(schema: unknown) => schema as Schema.Codec<E>

/** The success of a read with `If-None-Match`, or 304. */
export const orNotModified = <S extends Schema.Top>(success: S) =>
  [
    success,
    sentByAdapter(
      HttpApiSchema.Empty(304).annotate({
        description: "The resource still has one of the ETags in `If-None-Match`."
      })
    )
  ] as const

/** A read of a merged record, which the adapter redirects to the other record; `example` is a path there. */
export const mergedRedirect = (example: string) =>
  sentByAdapter<Merged>(
    HttpApiSchema.WithHeaders(
      HttpApiSchema.Empty(301).annotate({ description: "The record was merged into another one: read that one." }),
      {
        location: Schema.String.annotate({
          description: "The same path and query, with the id of the other record.",
          examples: [example]
        })
      }
    )
  )

/** A JSON body that may be omitted, which means the empty object. */
export const optionalBody = <S extends Schema.Top>(schema: S) => [HttpApiSchema.NoContent, schema] as const

/** The names of a schema's members: none for a schema that is no struct. */
export const memberNames = (schema: Schema.Top | undefined): ReadonlyArray<string> =>
  schema !== undefined && SchemaAST.isObjects(schema.ast)
    ? schema.ast.propertySignatures.map(({ name }) => String(name))
    : []

/** Whether the body of an endpoint's requests may be omitted. */
export const hasOptionalBody = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ schemas }) =>
    schemas.some(({ ast }) => SchemaAST.isVoid(SchemaAST.toType(ast)))
  )

/**
 * A merge patch, under its own media type or as plain JSON. Annotating a schema with a media type copies it. The annotation
 * is therefore on a reference to the schema, so that the OpenAPI document contains the schema only once.
 */
export const mergePatch = <S extends Schema.Top>(schema: S) =>
  [
    Schema.suspend(() => schema).pipe(HttpApiSchema.asJson({ contentType: "application/merge-patch+json" })),
    schema
  ] as const

// Validates the query parameters of a request by the contract of its endpoint.

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
export const explainingPlus = <E>(refusal: E, url: string): E | InvalidRequest | InvalidCursor => {
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
export const queryDecoder = (endpoint: HttpApiEndpoint.Top) => {
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
