/** The member by which tombstones of merged records name the record that they became part of. */
import { Schema } from "effect"

/** Makes the member of records of a type. */
export const MergedInto = (type: "company" | "contact") =>
  Schema.NullOr(Schema.String).annotate({
    description: `On the tombstone of a ${type} that was merged: the id of the ${type} that it became part of. If that one has a tombstone, too, go on from its \`mergedInto\`. Null otherwise.`,
    examples: [null]
  })
