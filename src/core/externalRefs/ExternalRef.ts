/** External references: the names of a resource in other systems. docs/behaviour/http.md#external-references */
import { Schema } from "effect"
import { check, inNfc, Name, rewritten } from "../fields/Text.ts"

/** An external reference. */
export const ExternalRef = Schema.Struct({
  namespace: rewritten(
    Name.check(
      check("invalid_characters", "Must not contain a colon.", (value: string) => !value.includes(":"))
    ).annotate({ description: "The name of the other system, without a colon.", examples: ["hubspot"] }),
    inNfc
  ),
  externalId: rewritten(
    Name.annotate({ description: "The id of the resource in the other system.", examples: ["8812"] }),
    inNfc
  )
}).annotate({ identifier: "ExternalRef", description: "The name of a resource in another system." })
export type ExternalRef = typeof ExternalRef.Type

/** A key that two references share if they are equal. No text of a reference has a NUL. */
export const refKey = ({ externalId, namespace }: ExternalRef): string => `${namespace}\0${externalId}`

const distinct = (refs: ReadonlyArray<ExternalRef>) => new Set(refs.map(refKey)).size === refs.length

/** The maximum number of references of a resource. */
export const maxRefs = 20

/** The references of a resource: at most 20, each once. */
export const ExternalRefs = Schema.Array(ExternalRef).check(
  check(
    "too_many",
    `Must have at most ${maxRefs} references.`,
    (refs: ReadonlyArray<ExternalRef>) => refs.length <= maxRefs,
    {
      maxItems: maxRefs
    }
  ),
  check("not_unique", "Must not contain a reference twice.", distinct)
)

/** The check of a reference as text, NAMESPACE:ID. */
export const isRefText = check(
  "invalid_format",
  "Must be NAMESPACE:ID.",
  (value: string) => value.indexOf(":") > 0 && value.indexOf(":") < value.length - 1
)

/** The check of the beginning that all references of a namespace have as text, NAMESPACE: with the colon. */
export const isNamespacePrefix = check(
  "invalid_format",
  "Must be NAMESPACE: with the colon.",
  (value: string) => value.indexOf(":") > 0 && value.indexOf(":") === value.length - 1
)

/** The `external_ref=NAMESPACE:ID` parameter of lists. */
export const ExternalRefQuery = Schema.String.check(isRefText).annotate({
  description:
    "Lists only the resource with this external reference, in the form NAMESPACE:ID, such as `hubspot:8812`.",
  examples: ["hubspot:8812"]
})

/** A reference as text, NAMESPACE:ID, from which `parseQuery` reads it back. */
export const refText = ({ externalId, namespace }: ExternalRef): string => `${namespace}:${externalId}`

/**
 * Parses a reference, or the beginning of those of a namespace, as text. The first colon separates the two parts, so an id may contain
 * colons.
 */
export const parseQuery = (value: string): ExternalRef => {
  const text = inNfc(value)
  const colon = text.indexOf(":")
  return { namespace: text.slice(0, colon), externalId: text.slice(colon + 1) }
}
