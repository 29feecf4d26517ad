/** The schemas of batches: their bodies, and a receipt for each item (docs/behaviour/http.md#batches). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { check } from "../fields/Text.ts"
import { Duplicate, Fault } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"

/** The maximum number of items of a batch. */
export const maxItems = 100

const atMost = check(
  "too_many",
  `Must have at most ${maxItems} items.`,
  (items: ReadonlyArray<unknown>) => items.length <= maxItems,
  { maxItems }
)

/** The ids of a batch; `example` is one of them. */
export const BatchIds = (identifier: string, example: string) =>
  Schema.Struct({
    ids: Schema.Array(Schema.String)
      .check(atMost)
      .annotate({ examples: [[example]] })
  }).annotate({ identifier, description: `The ids of at most ${maxItems} records.` })

/** The body of an upsert, with its items not yet validated. */
export const UpsertEnvelope = Schema.Struct({ items: Schema.Array(Schema.Unknown).check(atMost) })

/** The body of a batch without the faults of its items, which their receipts report. */
export const envelopeOf = (body: UnvalidatedJson): UnvalidatedJson => ({
  ...body,
  faults: body.faults.filter(({ pointer }) => !/^\/items\/\d+/.test(pointer))
})

/** The body of a get and of a delete. */
export const IdsEnvelope = Schema.Struct({ ids: Schema.Array(Schema.String).check(atMost) })

/** The body of an upsert in the contract. */
export const BatchItems = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({ items: Schema.Array(item).check(Schema.isMaxLength(maxItems)) }).annotate({
    identifier,
    description: `At most ${maxItems} items. They are processed in order, each on the state that the ones before it left.`
  })

const ItemProblem = Schema.Struct({
  type: Schema.String.annotate({
    description: "The address of an explanation.",
    examples: ["https://example.com/help/invalid-request"]
  }),
  title: Schema.String.annotate({ examples: ["The request is not valid."] }),
  status: Schema.Int.annotate({
    description: "The status that a request for this item alone would answer.",
    examples: [400]
  }),
  code: Schema.String.annotate({
    description: "The code of the problem, for programs.",
    examples: ["invalid_request"]
  }),
  detail: Schema.String.annotate({ examples: ["body /items/0/email: Must be an e-mail address."] }),
  requestId: Schema.optionalKey(Schema.String).annotate({
    description: "The id of the request. Quote it when you ask for help."
  }),
  errors: Schema.optionalKey(Schema.Array(Fault)).annotate({ description: "On `invalid_request`: all faults." }),
  candidates: Schema.optionalKey(Duplicate.fields.candidates).annotate({
    description: "On `duplicate`: the records that it may duplicate."
  }),
  holderId: Schema.optionalKey(Schema.String).annotate({
    description: "On `external_reference_taken`: the id of the record that holds the reference."
  }),
  namespace: Schema.optionalKey(Schema.String).annotate({ description: "On `external_reference_taken`." }),
  externalId: Schema.optionalKey(Schema.String).annotate({ description: "On `external_reference_taken`." }),
  mergedInto: Schema.optionalKey(Schema.String).annotate({
    description: "On `merged`: the id of the record that it was merged into."
  }),
  prospectId: Schema.optionalKey(Schema.String).annotate({
    description: "On `prospect_exists`: the id of the prospect."
  })
}).annotate({
  identifier: "ItemProblem",
  description: "The problem that a request for this item alone would answer, with the members of its code.",
  examples: [
    {
      type: "https://example.com/help/invalid-request",
      title: "The request is not valid.",
      status: 400,
      code: "invalid_request",
      detail: "body /items/0/email: Must be an e-mail address such as anna@example.com.",
      requestId: "req-8812",
      errors: [
        {
          in: "body",
          pointer: "/items/0/email",
          code: "invalid_email",
          detail: "Must be an e-mail address such as anna@example.com."
        }
      ]
    }
  ]
})

export type ItemProblem = typeof ItemProblem.Type

const index = Schema.Int.annotate({ description: "The index of the item in the request, from 0.", examples: [0] })

const etag = Schema.NullOr(Schema.String).annotate({
  description: "The ETag of the record; null if it has none.",
  examples: ['"v1"']
})

const statusOf = <const Statuses extends readonly [string, ...Array<string>]>(...statuses: Statuses) =>
  OpenEnum(statuses, "The outcome of the item.")

const receiptsOf = <S extends Schema.Top>(receipt: S, identifier: string) =>
  Schema.Struct({ results: Schema.Array(receipt) }).annotate({
    identifier,
    description: "One receipt for each item, in the order of the request."
  })

const refused = Schema.optionalKey(ItemProblem)

const idOf = (exampleId: string) =>
  Schema.NullOr(Schema.String).annotate({
    description: "The id of the record, if it is known.",
    examples: [exampleId]
  })

/** The receipts of a get. `exampleId` is the id of a record. */
export const GetReceipts = <S extends Schema.Top>(resource: S, identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: statusOf("found"), etag, resource: Schema.optionalKey(resource) }),
      Schema.Struct({ index, id, status: statusOf("missing"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of an upsert. */
export const UpsertReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: statusOf("created", "updated", "unchanged"), etag }),
      Schema.Struct({ index, id, status: statusOf("failed"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of additions, which may restore a prospect. */
export const AddReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: statusOf("created", "restored"), etag }),
      Schema.Struct({ index, id, status: statusOf("failed"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of a delete. */
export const DeleteReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: statusOf("deleted"), etag: etag.annotate({ examples: [null] }) }),
      Schema.Struct({
        index,
        id,
        status: statusOf("missing", "failed"),
        etag: Schema.NullOr(Schema.String),
        problem: refused
      })
    ]),
    identifier
  )
}

/** The receipt of one item. */
export interface Receipt<Resource> {
  readonly index: number
  readonly status: "created" | "updated" | "unchanged" | "failed" | "found" | "missing" | "deleted" | "restored"
  readonly id: string | null
  readonly etag: string | null
  readonly resource?: Resource
  readonly problem?: ItemProblem
}

/** The receipts of all items, in their order. */
export interface Results<Resource> {
  readonly results: ReadonlyArray<Receipt<Resource>>
}
