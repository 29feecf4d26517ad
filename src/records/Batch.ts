/** Batches of records (decisions §4): what is sent, and a receipt for each item. */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { check } from "../fields/Text.ts"
import { Duplicate, Fault } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"

/** How many items a batch may have. */
export const maxItems = 100

const atMost = check(
  "too_many",
  `Must have at most ${maxItems} items.`,
  (items: ReadonlyArray<unknown>) => items.length <= maxItems,
  { maxItems }
)

/** The ids that a batch is about. `example` is one of them. */
export const BatchIds = (identifier: string, example: string) =>
  Schema.Struct({
    ids: Schema.Array(Schema.String)
      .check(atMost)
      .annotate({ examples: [[example]] })
  }).annotate({ identifier, description: `The ids of at most ${maxItems} records.` })

/** The envelope of an upsert, before its items are looked at. */
export const UpsertEnvelope = Schema.Struct({ items: Schema.Array(Schema.Unknown).check(atMost) })

/** The body of a batch without the faults inside its items: those are reported by item. */
export const envelopeOf = (body: UnvalidatedJson): UnvalidatedJson => ({
  ...body,
  faults: body.faults.filter(({ pointer }) => !/^\/items\/\d+/.test(pointer))
})

/** The envelope of a get and of a delete. */
export const IdsEnvelope = Schema.Struct({ ids: Schema.Array(Schema.String).check(atMost) })

/** The contract of an upsert's body. */
export const BatchItems = <S extends Schema.Top>(item: S, identifier: string) =>
  Schema.Struct({ items: Schema.Array(item).check(Schema.isMaxLength(maxItems)) }).annotate({
    identifier,
    description: `At most ${maxItems} items, each made as if the ones before it had been made alone.`
  })

const ItemProblem = Schema.Struct({
  type: Schema.String.annotate({
    description: "Leads to an explanation.",
    examples: ["https://example.com/help/invalid-request"]
  }),
  title: Schema.String.annotate({ examples: ["The request is not valid."] }),
  status: Schema.Int.annotate({
    description: "What a request for this item alone would have answered.",
    examples: [400]
  }),
  code: Schema.String.annotate({ description: "What was refused, for programs.", examples: ["invalid_request"] }),
  detail: Schema.String.annotate({ examples: ["body /items/0/email: Must be an e-mail address."] }),
  requestId: Schema.optionalKey(Schema.String).annotate({
    description: "The request's id, to quote when asking for help."
  }),
  errors: Schema.optionalKey(Schema.Array(Fault)).annotate({ description: "Of `invalid_request`: every fault." }),
  candidates: Schema.optionalKey(Duplicate.fields.candidates).annotate({
    description: "Of `duplicate`: what it may be."
  }),
  holderId: Schema.optionalKey(Schema.String).annotate({
    description: "Of `external_reference_taken`: the id of the record that holds the reference."
  }),
  namespace: Schema.optionalKey(Schema.String).annotate({ description: "Of `external_reference_taken`." }),
  externalId: Schema.optionalKey(Schema.String).annotate({ description: "Of `external_reference_taken`." }),
  mergedInto: Schema.optionalKey(Schema.String).annotate({
    description: "Of `merged`: the id of the record that it has become part of."
  }),
  prospectId: Schema.optionalKey(Schema.String).annotate({
    description: "Of `prospect_exists`: the id of the prospect."
  })
}).annotate({
  identifier: "ItemProblem",
  description:
    "Why an item was refused: the problem that a request for it alone would have answered, with its own members.",
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

const index = Schema.Int.annotate({ description: "The item's place in the request, from 0.", examples: [0] })

const etag = Schema.NullOr(Schema.String).annotate({
  description: "The record's ETag; null when there is none to tell.",
  examples: ['"v1"']
})

const became = <const Statuses extends readonly [string, ...Array<string>]>(...statuses: Statuses) =>
  OpenEnum(statuses, "What became of the item.")

const receiptsOf = <S extends Schema.Top>(receipt: S, identifier: string) =>
  Schema.Struct({ results: Schema.Array(receipt) }).annotate({
    identifier,
    description: "One receipt for each item, in the order of the request."
  })

const refused = Schema.optionalKey(ItemProblem)

const idOf = (exampleId: string) =>
  Schema.NullOr(Schema.String).annotate({
    description: "The record's id, as far as it is known.",
    examples: [exampleId]
  })

/** The receipts of a get. `exampleId` is the id of a record. */
export const GetReceipts = <S extends Schema.Top>(resource: S, identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: became("found"), etag, resource: Schema.optionalKey(resource) }),
      Schema.Struct({ index, id, status: became("missing"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of an upsert. */
export const UpsertReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: became("created", "updated", "unchanged"), etag }),
      Schema.Struct({ index, id, status: became("failed"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of additions, each of which may bring one back. */
export const AddReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: became("created", "restored"), etag }),
      Schema.Struct({ index, id, status: became("failed"), etag: Schema.NullOr(Schema.String), problem: refused })
    ]),
    identifier
  )
}

/** The receipts of a delete. */
export const DeleteReceipts = (identifier: string, exampleId: string) => {
  const id = idOf(exampleId)
  return receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id, status: became("deleted"), etag: etag.annotate({ examples: [null] }) }),
      Schema.Struct({
        index,
        id,
        status: became("missing", "failed"),
        etag: Schema.NullOr(Schema.String),
        problem: refused
      })
    ]),
    identifier
  )
}

/** What became of one item. */
export interface Receipt<Resource> {
  readonly index: number
  readonly status: "created" | "updated" | "unchanged" | "failed" | "found" | "missing" | "deleted" | "restored"
  readonly id: string | null
  readonly etag: string | null
  readonly resource?: Resource
  readonly problem?: ItemProblem
}

/** What became of all items. */
export interface Results<Resource> {
  readonly results: ReadonlyArray<Receipt<Resource>>
}
