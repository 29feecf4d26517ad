/** Merges of contacts and companies (docs/behaviour/network.md#merges). */
import { Schema } from "effect"
import { check } from "../../core/fields/Text.ts"
import { IdOf } from "../../core/Id.ts"

/** The maximum number of records to merge at once. */
export const maxMerged = 100

/** The types that can be merged. */
export type MergeType = "contact" | "company"

const notEmpty = check("too_few", "Must have at least one id.", (ids: ReadonlyArray<string>) => ids.length > 0, {
  minItems: 1
})

const atMost = check(
  "too_many",
  `Must have at most ${maxMerged} ids.`,
  (ids: ReadonlyArray<string>) => ids.length <= maxMerged,
  { maxItems: maxMerged }
)

const mergeOf = (type: MergeType, identifier: string, plural: string) =>
  Schema.Struct({
    from: Schema.Array(IdOf(type))
      .check(notEmpty, atMost)
      .annotate({
        description: `The ids of 1 to ${maxMerged} other ${plural}, each once. Those that were already merged into this one are ignored.`
      })
  }).annotate({
    identifier,
    description: `The ${plural} to merge into this one.`,
    // Another id than the example of the path.
    examples: [{ from: [`${type}_01kb3n9w4hfr8tz2q6y1x5c7ve`] }]
  })

/** The contacts to merge into another one. */
export const ContactMerge = mergeOf("contact", "ContactMerge", "contacts")

/** The companies to merge into another one. */
export const CompanyMerge = mergeOf("company", "CompanyMerge", "companies")
