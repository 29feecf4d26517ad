/** The REST contract that contacts, companies and links share: single records, their list, and batches. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  type mergedRedirect,
  mergePatch,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders,
  OnlyReads
} from "../../http/Contract.ts"
import { ExternalReferenceTaken, InvalidCursor, InvalidRequest, Merged, ResyncRequired } from "../usecase/Problem.ts"
import { QueryTooExpensive } from "../usecase/QueryTooExpensive.ts"
import { BatchIds, BatchItems, DeleteReceipts, GetReceipts, maxItems, UpsertReceipts } from "./Batch.ts"

/** The parts of the contract that depend on the kind of record. */
export interface RecordContract {
  readonly path: `/${string}`
  /** The noun, such as `contact`, with its article, and its plural. */
  readonly singular: string
  readonly article: "a" | "an"
  readonly plural: string
  readonly exampleId: string
  /** The redirects of reads of merged records, for kinds that are merged. */
  readonly redirects: ReadonlyArray<ReturnType<typeof mergedRedirect>>
  readonly resource: Schema.Top
  /** Whether a batch get needs at least one id. */
  readonly requiresIds?: boolean
  /** What a create and a patch answer: the resource, perhaps with members that reads do not answer. */
  readonly written: Schema.Top
  readonly page: Schema.Top
  readonly create: Schema.Top
  readonly patch: Schema.Top
  readonly upsert: Schema.Top
  readonly listQuery: Schema.Top
  /** The query parameters of writes. */
  readonly writeQuery: Schema.Top
  /** The query parameters of deletes. */
  readonly deleteQuery: Schema.Top
  /** Sentences of the descriptions of creates and deletes, and about how an upsert finds a record. */
  readonly onCreate: string
  readonly onDelete: string
  readonly found: string
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The problems of writes, and of deletes, that not all kinds have. */
interface OwnErrors<WriteError, DeleteError> {
  readonly writeErrors: ReadonlyArray<Schema.Codec<WriteError>>
  readonly deleteErrors: ReadonlyArray<Schema.Codec<DeleteError>>
}

/** No errors of one's own. */
export const noErrors: ReadonlyArray<Schema.Codec<never>> = []

/** The parameters of a path that names one record. */
export const idParams = (singular: string, exampleId: string) => ({
  id: Schema.String.annotate({ description: `The ${singular}'s id.`, examples: [exampleId] })
})

/** The endpoints of one kind of record. */
export const endpointsOf = <const Kind extends RecordContract, WriteError, DeleteError>(
  kind: Kind & OwnErrors<WriteError, DeleteError>
) => {
  const { article, exampleId, plural, singular } = kind
  // Annotated, because otherwise they would have the types of the constraint.
  const path: Kind["path"] = kind.path
  const resource: Kind["resource"] = kind.resource
  const written: Kind["written"] = kind.written
  const page: Kind["page"] = kind.page
  const create: Kind["create"] = kind.create
  const patch: Kind["patch"] = kind.patch
  const upsert: Kind["upsert"] = kind.upsert
  const listQuery: Kind["listQuery"] = kind.listQuery
  const writeQuery: Kind["writeQuery"] = kind.writeQuery
  const deleteQuery: Kind["deleteQuery"] = kind.deleteQuery
  const { deleteErrors, writeErrors }: OwnErrors<WriteError, DeleteError> = kind
  const name = capital(singular)
  const params = idParams(singular, exampleId)
  return [
    HttpApiEndpoint.get("list", path, {
      query: listQuery,
      success: page.pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `List ${plural}`,
        description: `${capital(
          plural
        )} ordered by creation or, with \`updated_since\`, those that changed since then. There are no totals; a page costs the same at any depth.`
      })
    ),
    HttpApiEndpoint.post("create", path, {
      query: writeQuery,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: create,
      success: written.pipe(HttpApiSchema.status(201), responseHeaders("etag", "location", "idempotency-replayed")),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable, ...writeErrors, ExternalReferenceTaken]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Create ${article} ${singular}`,
        description: `${kind.onCreate} Emits \`${singular}.created\`.`
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:id`, {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(resource.pipe(responseHeaders("etag"))),
      error: [...refusals.one, ...kind.redirects]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Get ${article} ${singular}`,
        description: `With \`If-None-Match\`, 304 while the ${singular} is unchanged.`
      })
    ),
    HttpApiEndpoint.patch("update", `${path}/:id`, {
      params,
      query: writeQuery,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(patch),
      success: written.pipe(responseHeaders("etag")),
      error: [
        ...refusals.one,
        ...refusals.body,
        ...refusals.conditional,
        Merged,
        ...writeErrors,
        ExternalReferenceTaken
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Update ${article} ${singular}`,
        description: `A merge patch. A patch that changes nothing answers 200 with the same ETag and emits no event. Emits \`${singular}.updated\`.`
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/:id`, {
      params,
      query: deleteQuery,
      headers: requestHeaders("if-match", "prefer"),
      success: HttpApiSchema.NoContent,
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, Merged, ...deleteErrors]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Delete ${article} ${singular}`,
        description: `Deltas list its tombstone for 90 days, and other records can take its external references. ${kind.onDelete}Emits \`${singular}.deleted\`.`
      })
    ),
    HttpApiEndpoint.post("batchGet", `${path}/batch/get`, {
      payload: BatchIds(`${name}BatchGet`, exampleId, { requiresIds: kind.requiresIds ?? false }),
      success: GetReceipts(resource, name, exampleId).pipe(HttpApiSchema.status(207)),
      error: [InvalidRequest, ...refusals.body]
    })
      .annotate(OnlyReads, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: `Get up to ${maxItems} ${plural}`,
          description: `One receipt for each id, in the order of the request: \`found\` with the ${singular}, or \`missing\`.`
        })
      ),
    HttpApiEndpoint.post("batchUpsert", `${path}/batch/upsert`, {
      query: writeQuery,
      headers: requestHeaders("idempotency-key", "prefer"),
      payload: BatchItems(upsert, `${name}BatchUpsert`),
      success: UpsertReceipts(name, exampleId).pipe(HttpApiSchema.status(207), responseHeaders("idempotency-replayed")),
      error: [InvalidRequest, ...refusals.body, ...refusals.repeatable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Create or update up to ${maxItems} ${plural}`,
        description: `${kind.found} An item patches the record that it finds, and otherwise creates one. Items are processed in order, each on the state that the ones before it left. A rejected item does not affect the others; its receipt has the problem. Sending the same items again answers \`unchanged\` for all of them and emits no events.`
      })
    ),
    HttpApiEndpoint.post("batchDelete", `${path}/batch/delete`, {
      query: deleteQuery,
      headers: requestHeaders("prefer"),
      payload: BatchIds(`${name}BatchDelete`, exampleId),
      success: DeleteReceipts(name, exampleId).pipe(HttpApiSchema.status(207)),
      error: [InvalidRequest, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Delete up to ${maxItems} ${plural}`,
        description: `One receipt for each id, in the order of the request. An id without a record does not affect the others; its receipt says \`missing\`. ${kind.onDelete}Emits \`${singular}.deleted\` for each.`
      })
    )
  ] as const
}
