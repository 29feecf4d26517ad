/** The parts that contracts of endpoints share: what they need, headers in and out, and how bodies are sent. */
import { Context, Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import type { Need } from "../auth/CurrentActor.ts"
import {
  ConcurrencyConflict,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidRequest,
  MalformedJson,
  NotFound,
  PayloadTooLarge,
  PreconditionFailed,
  UnsupportedMediaType
} from "../usecase/Problem.ts"

/** What an operation needs: nobody in particular, or what its use-case authorises. */
export type Needed = "public" | Need

/**
 * What an endpoint needs, for those who read the contract. The use-case is what decides; `test/surface.test.ts` proves
 * that the two say the same.
 */
export const Needs = Context.Reference<Needed>("http/Contract/Needs", { defaultValue: () => "public" })

const requestHeaderSchemas = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "Write only while the resource has one of these ETags; `*` for any. Leave it out to skip the check.",
      examples: ['"v1"']
    })
  ),
  "if-none-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "Answer 304 while the resource still has one of these ETags.",
      examples: ['"v1"']
    })
  ),
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Makes the create safe to repeat for 24 hours: 1 to 255 visible characters. The same key with the same body gets the first answer again.",
      examples: ["5f0c6b1e-3d0e-4f9a-9a38-0b8f6f1f8b7d"]
    })
  ),
  prefer: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "`dry-run` does everything but commit. A refusal answers as it would have; a success is 200 with `{wouldAnswer, result, events, affected}`.",
      examples: ["dry-run"]
    })
  )
}

const responseHeaderSchemas = {
  etag: Schema.String.annotate({ description: "The resource's strong validator.", examples: ['"v1"'] }),
  location: Schema.String.annotate({ description: "The path of the resource." }),
  link: Schema.optionalKey(
    Schema.String.annotate({
      description: 'The next page: `<…>; rel="next"`. Absent on the last.'
    })
  ),
  "idempotency-replayed": Schema.optionalKey(
    Schema.String.annotate({
      description: "`true` when this is the first answer again."
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

/** The refusals that kinds of operations share, besides those of the caller (http/Authorization.ts). */
export const refusals = {
  /** One resource, by its id. */
  one: [InvalidRequest, NotFound],
  /** A JSON body. */
  body: [MalformedJson, UnsupportedMediaType, PayloadTooLarge],
  /** A create that can be repeated. */
  repeatable: [IdempotencyInProgress, IdempotencyKeyReused],
  /** A change on condition of the state that was read. */
  conditional: [PreconditionFailed, ConcurrencyConflict]
} as const

/** The answer of a dry run that would have succeeded (decisions §2). */
export const DryRunReport = Schema.Struct({
  wouldAnswer: Schema.Int.annotate({ description: "The status of the answer without `Prefer`.", examples: [201] }),
  result: Schema.Unknown.annotate({ description: "The body of that answer; null when it has none.", examples: [null] }),
  events: Schema.Array(
    Schema.Struct({
      event: Schema.String.annotate({ examples: ["contact.created"] }),
      resource_id: Schema.String.annotate({ examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"] })
    })
  ).annotate({ description: "The events that subscribers would get." }),
  affected: Schema.Array(
    Schema.Struct({
      type: Schema.String.annotate({ examples: ["contact"] }),
      id: Schema.String.annotate({ examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"] }),
      change: Schema.String.annotate({ examples: ["created"] })
    })
  ).annotate({ description: "What would be changed." })
}).annotate({ identifier: "DryRunReport", description: "What a write would have done." })

/** A JSON body. */
export const jsonBody = <S extends Schema.Top>(schema: S) => schema.pipe(HttpApiSchema.asJson())

/** A JSON body that may be left out, which is as good as an empty object. */
export const optionalBody = <S extends Schema.Top>(schema: S) => [HttpApiSchema.NoContent, jsonBody(schema)] as const

/** Whether the body of an endpoint's requests may be left out. */
export const hasOptionalBody = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ schemas }) =>
    schemas.some(({ ast }) => SchemaAST.isVoid(SchemaAST.toType(ast)))
  )

/** A merge patch, under its own media type or as plain JSON. */
export const mergePatch = <S extends Schema.Top>(schema: S) =>
  [
    schema.pipe(HttpApiSchema.asJson({ contentType: "application/merge-patch+json" })),
    schema.pipe(HttpApiSchema.asJson())
  ] as const
