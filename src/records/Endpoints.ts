/** The REST contract that all records share: one of them, their list, and batches. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  type mergedRedirect,
  mergePatch,
  orDryRunReport,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "../http/Contract.ts"
import type { PageOf } from "../usecase/Page.ts"
import {
  Duplicate,
  ExternalReferenceTaken,
  InvalidCursor,
  InvalidRequest,
  Merged,
  ResyncRequired
} from "../usecase/Problem.ts"
import { BatchIds, BatchItems, DeleteReceipts, GetReceipts, maxItems, UpsertReceipts } from "./Batch.ts"

/** What a contract says of one kind of record. */
export interface Described<
  Path extends `/${string}`,
  Resource extends Schema.Top,
  Create extends Schema.Top,
  Patch extends Schema.Top,
  Upsert extends Schema.Top,
  ListQuery extends Schema.Top,
  WriteQuery extends Schema.Top = Schema.Struct<Record<never, never>>
> {
  readonly path: Path
  /** How one is called, such as `contact`, with its article, and how several are. */
  readonly singular: string
  readonly article: "a" | "an"
  readonly plural: string
  readonly exampleId: string
  /** The redirect of reads of a merged record, if records of this kind can be merged. */
  readonly redirects: ReadonlyArray<ReturnType<typeof mergedRedirect>>
  readonly resource: Resource
  readonly page: ReturnType<typeof PageOf<Resource>>
  readonly create: Create
  readonly patch: Patch
  readonly upsert: Upsert
  readonly listQuery: ListQuery
  /** The parameters of writes; none when left out. */
  readonly writeQuery?: WriteQuery | undefined
  /** What its own operations say besides: of creates, deletes, and how an upsert finds one. */
  readonly onCreate: string
  readonly onDelete: string
  readonly found: string
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The parameters of a path that names one record. */
export const idParams = (singular: string, exampleId: string) => ({
  id: Schema.String.annotate({ description: `The ${singular}'s id.`, examples: [exampleId] })
})

/** The eight endpoints. */
export const endpointsOf = <
  const Path extends `/${string}`,
  Resource extends Schema.Top,
  Create extends Schema.Top,
  Patch extends Schema.Top,
  Upsert extends Schema.Top,
  ListQuery extends Schema.Top,
  WriteQuery extends Schema.Top = Schema.Struct<Record<never, never>>
>(
  kind: Described<Path, Resource, Create, Patch, Upsert, ListQuery, WriteQuery>
) => {
  const { article, exampleId, path, plural, singular } = kind
  const name = capital(singular)
  const params = idParams(singular, exampleId)
  return [
    HttpApiEndpoint.get("list", path, {
      query: kind.listQuery,
      success: kind.page.pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `List ${plural}`,
        description: `${capital(
          plural
        )} in the order of their creation or, with \`updated_since\`, what changed since then. No totals; a page costs the same at any depth.`
      })
    ),
    HttpApiEndpoint.post("create", path, {
      query: kind.writeQuery,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: kind.create,
      success: orDryRunReport(
        kind.resource.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed"))
      ),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, Duplicate, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Create ${article} ${singular}`,
        description: `${kind.onCreate} Emits \`${singular}.created\`.`
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(kind.resource.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...kind.redirects]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Get ${article} ${singular}`,
        description: `With \`If-None-Match\`, 304 while the ${singular} is unchanged.`
      })
    ),
    HttpApiEndpoint.patch("patch", `${path}/:id`, {
      params,
      query: kind.writeQuery,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(kind.patch),
      success: orDryRunReport(kind.resource.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, Merged, Duplicate, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Update ${article} ${singular}`,
        description: `A merge patch. One that changes nothing answers 200 with the same ETag and emits nothing. Emits \`${singular}.updated\`.`
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      headers: requestHeaders("if-match", "prefer"),
      success: orDryRunReport(HttpApiSchema.NoContent),
      error: [...refusals.one, ...refusals.conditional, Merged]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Delete ${article} ${singular}`,
        description: `Its tombstone stays in deltas for 90 days, and its external references are free for others. ${kind.onDelete}Emits \`${singular}.deleted\`.`
      })
    ),
    HttpApiEndpoint.post("batchGet", `${path}/batch/get`, {
      payload: BatchIds(`${name}BatchGet`, exampleId),
      success: GetReceipts(kind.resource, `${name}GetReceipts`, exampleId).pipe(HttpApiSchema.status(207)),
      error: [InvalidRequest, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Get up to ${maxItems} ${plural}`,
        description: `One receipt for each id, in the order of the request: \`found\` with the ${singular}, or \`missing\`.`
      })
    ),
    HttpApiEndpoint.post("batchUpsert", `${path}/batch/upsert`, {
      query: kind.writeQuery,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: BatchItems(kind.upsert, `${name}BatchUpsert`),
      success: orDryRunReport(
        UpsertReceipts(`${name}UpsertReceipts`, exampleId).pipe(
          HttpApiSchema.status(207),
          responseHeaders("idempotency-replayed")
        )
      ),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Create or update up to ${maxItems} ${plural}`,
        description: `${kind.found} One that is found is patched, else one is created. Items are taken one after the other, each on what the ones before it left; a bad one stops no other, and its receipt has the problem. Sending the same items again answers \`unchanged\` for all and emits nothing.`
      })
    ),
    HttpApiEndpoint.post("batchDelete", `${path}/batch/delete`, {
      headers: requestHeaders("prefer"),
      payload: BatchIds(`${name}BatchDelete`, exampleId),
      success: orDryRunReport(DeleteReceipts(`${name}DeleteReceipts`, exampleId).pipe(HttpApiSchema.status(207))),
      error: [InvalidRequest, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Delete up to ${maxItems} ${plural}`,
        description: `One receipt for each id, in the order of the request. One that is not there stops no other: its receipt says \`missing\`. ${kind.onDelete}Emits \`${singular}.deleted\` for each.`
      })
    )
  ] as const
}
