/** The schemas of batches: their bodies, and a receipt for each item (docs/behaviour/http.md#batches). */
import { Schema } from "effect"
import { check } from "../fields/Text.ts"
import { notRestored } from "./Restored.ts"
import { Duplicate, Fault, maxFaults, MoreErrors } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"

/** The maximum number of items of a batch. */
export const maxItems = 100

const atMost = check(
  "too_many",
  `Must have at most ${maxItems} items.`,
  (items: ReadonlyArray<unknown>) => items.length <= maxItems,
  { maxItems }
)

const notEmpty = check("too_few", "Must not be empty.", (items: ReadonlyArray<unknown>) => items.length > 0, {
  minItems: 1
})

/** The ids of a batch; `example` is one of them. */
export const BatchIds = (identifier: string, example: string, { requiresIds = false } = {}) =>
  Schema.Struct({
    ids: Schema.Array(Schema.String)
      .check(atMost, ...(requiresIds ? [notEmpty] : []))
      .annotate({ examples: [[example]] })
  }).annotate({
    identifier,
    description: `The ids of at most ${maxItems} records${requiresIds ? ", and at least one" : ""}.`
  })

/** The body of an upsert, with its items not yet validated. */
export const UpsertEnvelope = Schema.Struct({ items: Schema.Array(Schema.Unknown).check(atMost) })

/** The rows of a file that are written together, with its items not yet validated. Whoever reads the file bounds their number. */
export const RowsEnvelope = Schema.Struct({ items: Schema.Array(Schema.Unknown) })

/** The body of a batch without the faults of its items, which their receipts report. */
export const envelopeOf = (body: UnvalidatedJson): UnvalidatedJson => ({
  ...body,
  faults: body.faults.filter(({ pointer }) => !/^\/items\/\d+/.test(pointer))
})

/** The body of a get and of a delete. */
export const IdsEnvelope = Schema.Struct({ ids: Schema.Array(Schema.String).check(atMost) })

/** As {@link IdsEnvelope}, with at least one id. */
export const SomeIdsEnvelope = Schema.Struct({ ids: IdsEnvelope.fields.ids.check(notEmpty) })

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
  errors: Schema.optionalKey(Schema.Array(Fault)).annotate({
    description: `On \`invalid_request\`: the faults, at most ${maxFaults}.`
  }),
  moreErrors: Schema.optionalKey(MoreErrors),
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
  currentEtag: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "On `precondition_failed`: the present ETag of the record; null if it does not exist any more."
  }),
  projectIds: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "On `property_on_project`: the ids of the projects."
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

const idOf = (exampleId: string) =>
  Schema.String.annotate({ description: "The id of the record.", examples: [exampleId] })

const etag = Schema.String.annotate({ description: "The ETag of the record.", examples: ['"v1"'] })

const noEtag = Schema.Null.annotate({ description: "Always null." })

// Clients tell receipts apart by `status`. Its values are therefore a closed list for each operation.
const MissingReceipt = Schema.Struct({
  index,
  id: Schema.String.annotate({
    description: "The id as it was sent, its first 100 characters.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  status: Schema.Literal("missing"),
  etag: noEtag,
  problem: Schema.optionalKey(ItemProblem).annotate({
    description: "On the id of a record that was merged: `merged`, with the id of the other record."
  })
}).annotate({
  identifier: "MissingReceipt",
  description: "There is no record with this id.",
  examples: [{ index: 1, id: "contact_01kb3n9w4hfr8tz2q6y1x5c7ve", status: "missing", etag: null }]
})

const FailedReceipt = Schema.Struct({
  index,
  id: Schema.NullOr(Schema.String).annotate({
    description: "The id of the record, if it is known.",
    examples: [null]
  }),
  status: Schema.Literal("failed"),
  etag: noEtag,
  problem: ItemProblem
}).annotate({ identifier: "FailedReceipt", description: "The item was rejected. Nothing of it was written." })

const deletedReceipt = (exampleId: string) =>
  Schema.Struct({ index, id: idOf(exampleId), status: Schema.Literal("deleted"), etag: noEtag })

const restoredReceipt = (exampleId: string) =>
  Schema.Struct({ index, id: idOf(exampleId), status: Schema.Literal("restored"), etag, notRestored })

const upsertedReceipt = (exampleId: string) =>
  Schema.Struct({ index, id: idOf(exampleId), status: Schema.Literals(["created", "updated", "unchanged"]), etag })

const addedReceipt = (exampleId: string) =>
  Schema.Struct({ index, id: idOf(exampleId), status: Schema.Literals(["created", "restored"]), etag })

const restoringReceipt = (exampleId: string) =>
  Schema.Struct({
    index,
    id: idOf(exampleId),
    status: Schema.Literals(["created", "updated", "restored", "unchanged"]),
    etag
  })

/** The receipt of an id without a record. */
export type MissingReceipt = typeof MissingReceipt.Type

/** The receipt of an item that was rejected. */
export type FailedReceipt = typeof FailedReceipt.Type

/** The receipt of a record that was deleted. */
export type DeletedReceipt = ReturnType<typeof deletedReceipt>["Type"]

/** The receipt of a record that was restored. */
export type RestoredReceipt = ReturnType<typeof restoredReceipt>["Type"]

/** The receipt of an item that was upserted. */
export type UpsertedReceipt = ReturnType<typeof upsertedReceipt>["Type"]

/** The receipt of a prospect that was upserted. */
export type RestoringReceipt = ReturnType<typeof restoringReceipt>["Type"]

/** The receipt of a prospect that was added. */
export type AddedReceipt = ReturnType<typeof addedReceipt>["Type"]

/** The receipt of a record that was found. */
export interface FoundReceipt<Resource> {
  readonly index: number
  readonly id: string
  readonly status: "found"
  readonly etag: string
  readonly resource: Resource
}

const receiptsOf = <S extends Schema.Top>(receipt: S, identifier: string) =>
  Schema.Struct({ results: Schema.Array(receipt) }).annotate({
    identifier,
    description: "One receipt for each item, in the order of the request. `status` tells the kinds of receipts apart."
  })

/** The receipts of a get. `name` is the noun of the record, such as `Contact`, and `exampleId` the id of one. */
export const GetReceipts = <S extends Schema.Top>(resource: S, name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      Schema.Struct({ index, id: idOf(exampleId), status: Schema.Literal("found"), etag, resource }).annotate({
        identifier: `${name}FoundReceipt`,
        description: "The record."
      }),
      MissingReceipt
    ]),
    `${name}GetReceipts`
  )

/** The receipts of an upsert. */
export const UpsertReceipts = (name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      upsertedReceipt(exampleId).annotate({
        identifier: `${name}UpsertedReceipt`,
        description: "The record is as the item asks."
      }),
      FailedReceipt
    ]),
    `${name}UpsertReceipts`
  )

/** The receipts of additions, which may restore a prospect. */
export const AddReceipts = (name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      addedReceipt(exampleId).annotate({
        identifier: `${name}AddedReceipt`,
        description: `The ${name.toLowerCase()} is on the list.`
      }),
      FailedReceipt
    ]),
    `${name}AddReceipts`
  )

/** The receipts of upserts that may restore a prospect. */
export const RestoringUpsertReceipts = (name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      restoringReceipt(exampleId).annotate({
        identifier: `${name}UpsertedReceipt`,
        description: `The ${name.toLowerCase()} is on the list, as the item asks.`
      }),
      FailedReceipt
    ]),
    `${name}UpsertReceipts`
  )

/** The receipts of a delete. */
export const DeleteReceipts = (name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      deletedReceipt(exampleId).annotate({
        identifier: `${name}DeletedReceipt`,
        description: "The record was deleted."
      }),
      MissingReceipt,
      FailedReceipt
    ]),
    `${name}DeleteReceipts`
  )

/** The receipts of a restore. */
export const RestoreReceipts = (name: string, exampleId: string) =>
  receiptsOf(
    Schema.Union([
      restoredReceipt(exampleId).annotate({
        identifier: `${name}RestoredReceipt`,
        description: "The record is back."
      }),
      MissingReceipt,
      FailedReceipt
    ]),
    `${name}RestoreReceipts`
  )

/** The receipt of one item, of whatever batch. */
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
