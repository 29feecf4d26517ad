/** External references: the names that a resource has in other systems (docs/behaviour/http.md#external-references). */
import { Schema } from "effect"
import { check, Name } from "../fields/Text.ts"

/** One reference. */
export const ExternalRef = Schema.Struct({
  namespace: Name.check(
    check("invalid_characters", "Must not contain a colon.", (value: string) => !value.includes(":"))
  ).annotate({ description: "The other system; without a colon.", examples: ["hubspot"] }),
  externalId: Name.annotate({ description: "The resource's id there.", examples: ["8812"] })
}).annotate({ identifier: "ExternalRef", description: "The name of a resource in another system." })
export type ExternalRef = typeof ExternalRef.Type

/** A key that two references share if they are equal. */
export const refKey = ({ externalId, namespace }: ExternalRef): string => JSON.stringify([namespace, externalId])

const distinct = (refs: ReadonlyArray<ExternalRef>) => new Set(refs.map(refKey)).size === refs.length

/** How many references a resource may have. */
export const maxRefs = 20

/** The references of one resource: at most 20, each once. */
export const ExternalRefs = Schema.Array(ExternalRef).check(
  check(
    "too_many",
    `Must have at most ${maxRefs} references.`,
    (refs: ReadonlyArray<ExternalRef>) => refs.length <= maxRefs,
    {
      maxItems: maxRefs
    }
  ),
  check("not_unique", "Must not name one reference twice.", distinct)
)

/** The `external_ref=NAMESPACE:ID` parameter of lists. */
export const ExternalRefQuery = Schema.String.check(
  check(
    "invalid_format",
    "Must be NAMESPACE:ID.",
    (value: string) => value.indexOf(":") > 0 && value.indexOf(":") < value.length - 1
  )
).annotate({
  description: "List only the resource with this external reference. Written NAMESPACE:ID, such as `hubspot:8812`.",
  examples: ["hubspot:8812"]
})

/** The reference that the parameter names; the id may itself have colons. */
export const parseQuery = (value: string): ExternalRef => {
  const colon = value.indexOf(":")
  return { namespace: value.slice(0, colon), externalId: value.slice(colon + 1) }
}
