/** The REST contract that contacts, companies, links and other records share: single records, their list, batches, and their search. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  type mergedRedirect,
  mergePatch,
  OnlyReads,
  orNotModified,
  refusals,
  requestHeaders,
  responseHeaders
} from "./Contract.ts"
import {
  ExternalReferenceTaken,
  InvalidCursor,
  InvalidRequest,
  Merged,
  NotDeleted,
  QueryTooExpensive,
  ResyncRequired
} from "../core/usecase/Problem.ts"
import {
  BatchIds,
  BatchItems,
  DeleteReceipts,
  GetReceipts,
  maxItems,
  RestoreReceipts,
  UpsertReceipts
} from "../core/records/Batch.ts"
import { QuotaExceeded } from "../core/quotas/Quota.ts"
import type { PageOf } from "../core/usecase/Page.ts"
import { makeSearchBody, type Sent } from "../core/records/Search.ts"
import type { Members } from "../core/records/SearchTable.ts"

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
  /** What a restore answers (`RestoredOf`). */
  readonly restored: Schema.Top
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
  /** Sentences of the descriptions of creates, deletes and restores, and about how an upsert finds a record. */
  readonly onCreate: string
  readonly onDelete: string
  readonly onRestore: string
  readonly found: string
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The problems of writes, of deletes and of restores that not all kinds have. Restores have those of writes, too. */
interface OwnErrors<WriteError, DeleteError, RestoreError> {
  readonly writeErrors: ReadonlyArray<Schema.Codec<WriteError>>
  readonly deleteErrors: ReadonlyArray<Schema.Codec<DeleteError>>
  readonly restoreErrors: ReadonlyArray<Schema.Codec<RestoreError>>
}

/** No errors of one's own. */
export const noErrors: ReadonlyArray<Schema.Codec<never>> = []

/** The parameters of a path that names one record. */
export const idParams = (singular: string, exampleId: string) => ({
  id: Schema.String.annotate({ description: `The ${singular}'s id.`, examples: [exampleId] })
})

/** The endpoints of one kind of record. */
export const endpointsOf = <const Kind extends RecordContract, WriteError, DeleteError, RestoreError>(
  kind: Kind & OwnErrors<WriteError, DeleteError, RestoreError>
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
  const restored: Kind["restored"] = kind.restored
  const { deleteErrors, restoreErrors, writeErrors }: OwnErrors<WriteError, DeleteError, RestoreError> = kind
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
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, ...refusals.deletion, Merged, ...deleteErrors]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Delete ${article} ${singular}`,
        description: `Deltas list its tombstone for 90 days, and other records can take its external references. ${kind.onDelete}Emits \`${singular}.deleted\`.`
      })
    ),
    HttpApiEndpoint.post("restore", `${path}/:id/restore`, {
      params,
      query: writeQuery,
      headers: requestHeaders("if-match", "prefer"),
      success: restored.pipe(responseHeaders("etag")),
      error: [
        ...refusals.one,
        ...refusals.body,
        ...refusals.conditional,
        NotDeleted,
        Merged,
        QuotaExceeded,
        ...writeErrors,
        ...restoreErrors
      ]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Restore ${article} deleted ${singular}`,
        description: `For 30 days after its deletion, the ${singular} comes back with its id, members, ${kind.onRestore} Two things do not: external references that other records hold now, and what somebody has changed since; \`notRestored\` names them. Emits \`${singular}.restored\`.`
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
    ),
    HttpApiEndpoint.post("batchRestore", `${path}/batch/restore`, {
      query: writeQuery,
      headers: requestHeaders("prefer"),
      payload: BatchIds(`${name}BatchRestore`, exampleId),
      success: RestoreReceipts(name, exampleId).pipe(HttpApiSchema.status(207)),
      error: [InvalidRequest, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: `Restore up to ${maxItems} deleted ${plural}`,
        description: `One receipt for each id, in the order of the request: \`restored\` with what did not come back, \`missing\` for an id that can be restored no longer, or \`failed\` with the problem. Emits \`${singular}.restored\` for each.`
      })
    )
  ] as const
}

/** The parts of the contract of a search that depend on the kind of record. */
export interface Searched<Path extends `/${string}`, Resource extends Schema.Top> {
  readonly path: Path
  /** The plural noun, such as `contacts`. */
  readonly plural: string
  readonly page: ReturnType<typeof PageOf<Resource>>
  readonly identifier: string
  readonly members: Members
  /** The members that the query is searched in, such as `name` and `domain`, and special rules. */
  readonly looksIn: string
  readonly example: Sent
}

const numberRules =
  "\n- **Numbers** are compared exactly. An area, an amount of money, a percentage and a number of years are compared by their `value`; where there are amounts in several currencies, filter by the currency, too, such as `pricing.askingPrice.currency`. `true` sorts after `false`. Members inside of an object are named with a dot, such as `income.vacancyRate`."

const rulesOf = (members: Members) => `
Conditions combine with AND, as do several operators on one member. A search finds living records only and returns no totals. A page costs the same at any depth.

- **Text** is compared without case, accents, invisible characters and kinds of apostrophes, dashes, digits and widths in \`query\`, filters and sorts: \`muller\` equals \`Müller\`, \`strasse\` equals \`Straße\`. Umlauts may be spelled out, either way: \`mueller\` equals \`Müller\`, \`soeren\` equals \`Søren\`, \`Aalborg\` equals \`Ålborg\`. \`eq\` and \`in\` compare the whole text. \`%\`, \`_\` and \`\\\` are ordinary characters. \`gt\`, \`gte\`, \`lt\`, \`lte\` and sorts compare the code points of the first 200 characters.
- **query** finds records that contain all of its words (at most 10, of 200 characters together), each anywhere in one of the members. A word of one or two Latin letters or digits only matches the beginning of words.
- **tags** are compared exactly: \`eq\` and \`contains\` are true if the record has the tag, \`in\` if it has one of them, \`exists\` if it has any.
- **externalRefs** are compared exactly, as \`NAMESPACE:ID\`: \`eq\` is true if the record has the reference, \`in\` if it has one of them, \`prefix\` if it has one of a namespace, such as \`hubspot:\`, \`exists\` if it has any.
- **Ids** of the record and of others are compared exactly; \`gt\` and \`lt\` use their order. \`etag\` is compared exactly and sorted by version.${
  Object.values(members).includes("number") ? numberRules : ""
}
- **Timestamps** are ISO 8601 with an offset, or a date, which means its midnight in UTC.
- **Null** only matches \`exists: false\`. It sorts after all values, and with \`desc\` before them: \`desc\` is the exact reverse of \`asc\`.
- **sort**: earlier fields take precedence, and \`id\` breaks ties, in the direction of the last field. Without \`sort\`, results are ordered by \`createdUtc\`, also with a \`query\`.
- **Limits**: 20 conditions, 100 values of \`in\`, 2,048 characters per value, 10 fields to sort by.
- **cursor** and **page_size** (1 to 500, default 50) are members of the body. A cursor belongs to one query, filter and sort. A record that a change moves in the order between two pages may be missed or listed twice; sort by \`createdUtc\` or \`id\` where that matters.`

/** The endpoint of a search. */
export const searchOf = <const Path extends `/${string}`, Resource extends Schema.Top>({
  example,
  identifier,
  looksIn,
  members,
  page,
  path,
  plural
}: Searched<Path, Resource>) =>
  HttpApiEndpoint.post("search", `${path}:search`, {
    payload: makeSearchBody(members, identifier, example),
    success: page,
    error: [InvalidRequest, InvalidCursor, ...refusals.body, QueryTooExpensive]
  })
    .annotate(OnlyReads, true)
    .annotateMerge(
      OpenApi.annotations({
        summary: `Search ${plural}`,
        description: `Finds ${plural} by words and by their members. \`query\` is searched in ${looksIn}.\n${rulesOf(members)}\n\n`
      })
    )
