/** The parts that contracts of endpoints share: required capabilities, headers, bodies and refusals. */
import { Context, Schema, SchemaAST } from "effect"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import type { Need } from "../core/auth/CurrentActor.ts"
import { QuotaExceeded } from "../core/quotas/Quota.ts"
import {
  ConcurrencyConflict,
  IdempotencyInProgress,
  IdempotencyKeyReused,
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
