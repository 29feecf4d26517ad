/** Contacts and companies that become part of another (decisions §4). */
import { Schema } from "effect"
import { check } from "../../fields/Text.ts"
import { IdOf } from "../../Id.ts"

/** How many records may become part of another at once. */
export const maxMerged = 100

/** What merges. */
export type MergeType = "contact" | "company"

const several = check("too_few", "Must have at least one id.", (ids: ReadonlyArray<string>) => ids.length > 0, {
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
      .check(several, atMost)
      .annotate({
        description: `The ids of 1 to ${maxMerged} other ${plural}, each once. Those that have become part of this one already are left as they are.`
      })
  }).annotate({
    identifier,
    description: `The ${plural} that become part of this one.`,
    // Not the example of the record that they become part of.
    examples: [{ from: [`${type}_01kb3n9w4hfr8tz2q6y1x5c7ve`] }]
  })

/** The contacts that become part of another. */
export const ContactMerge = mergeOf("contact", "ContactMerge", "contacts")

/** The companies that become part of another. */
export const CompanyMerge = mergeOf("company", "CompanyMerge", "companies")
