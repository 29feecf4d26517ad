/** What an erasure answers, and what is kept of it (docs/behaviour/erasure.md). */
import { Schema } from "effect"

/** How many rows of a table were erased. */
export const ErasedRows = Schema.Struct({ table: Schema.String, kind: Schema.String, count: Schema.Int })

/** A place elsewhere where free text names the person, for a human to decide. */
export const Mention = Schema.Struct({
  team: Schema.String,
  type: Schema.String,
  id: Schema.String,
  member: Schema.String,
  /** Where in the text it begins, in characters from 0. */
  position: Schema.Int,
  excerpt: Schema.String
})
export type Mention = typeof Mention.Type

/** The receipt of an erasure. */
export const Receipt = Schema.Struct({
  id: Schema.String,
  erasedUtc: Schema.String,
  contacts: Schema.Array(Schema.String),
  account: Schema.NullOr(Schema.String),
  what: Schema.Array(ErasedRows),
  remaining: Schema.Array(Mention)
})
export type Receipt = typeof Receipt.Type

/** What is kept of the erasure of a person in a team: ids and HMACs. Ids are UUIDs, hashes hexadecimal. */
export const ErasureEntry = Schema.Struct({
  version: Schema.Literal(1),
  id: Schema.String,
  team: Schema.NullOr(Schema.String),
  contacts: Schema.Array(Schema.String),
  users: Schema.Array(Schema.String),
  hashes: Schema.Array(Schema.String),
  erasedUtc: Schema.String
})
export type ErasureEntry = typeof ErasureEntry.Type
