/** The model of a restore: a record that is back, and what did not come back with it (docs/behaviour/http.md#restore). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/Text.ts"

/** What did not come back. */
export const NotRestored = Schema.Struct({
  type: Schema.String.annotate({
    description: "Its type. Of a reference, that of the record that had it.",
    examples: ["contact"]
  }),
  namespace: Schema.NullOr(Schema.String).annotate({
    description: "Of a reference: its namespace.",
    examples: ["hubspot"]
  }),
  externalId: Schema.NullOr(Schema.String).annotate({ description: "Of a reference: its id.", examples: ["8812"] }),
  id: Schema.NullOr(Schema.String).annotate({
    description: "Its id. Of a reference, that of the record that had it.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  code: OpenEnum(
    [
      "external_reference_taken",
      "investor_deleted",
      "duplicate",
      "quota_exceeded",
      "project_closed",
      "changed",
      "not_found"
    ],
    "Why it did not: another record holds the reference; the contact or company at the other end of the link is deleted, or that of the mandate, which is back but closed; the pair is linked again; the other end has all links that it may have; the project of the prospect is closed; somebody wrote since what the deletion had changed; or it does not exist any more."
  ),
  holderId: Schema.NullOr(Schema.String).annotate({
    description: "Of a reference: the id of the record that holds it now.",
    examples: ["contact_01kb3n9w4hfr8tz2q6y1x5c7ve"]
  })
}).annotate({ identifier: "NotRestored", description: "Something that did not come back with a restored record." })

/** What did not come back. */
export type NotRestored = typeof NotRestored.Type

/** The member that says what did not come back. */
export const notRestored = Schema.Array(NotRestored).annotate({
  description: "What did not come back with the record; empty if everything did."
})

/** A restored record: the members of its resource, and what did not come back. */
export const RestoredOf = <const Fields extends Schema.Struct.Fields>(
  { fields }: Schema.Struct<Fields>,
  identifier: string
) =>
  Schema.Struct({ ...fields, notRestored }).annotate({
    identifier,
    description: "The record as it is now, with what did not come back."
  })

/** A record, or a dependent of it, that did not come back. */
export const leftOut = (type: string, id: string, code: NotRestored["code"]): NotRestored => ({
  type,
  namespace: null,
  externalId: null,
  id,
  code,
  holderId: null
})
