/** Decides which references a resource has after an upsert (docs/behaviour/http.md#external-references). */
import { Result } from "effect"
import { bodyFault } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import { type ExternalRef, maxRefs, refKey } from "./ExternalRef.ts"

/** Those of the namespaces that are sent are replaced, and the others stay. */
const replaceByNamespace = (
  present: ReadonlyArray<ExternalRef>,
  sent: ReadonlyArray<ExternalRef>
): ReadonlyArray<ExternalRef> => {
  const [presentKeys, sentKeys] = [new Set(present.map(refKey)), new Set(sent.map(refKey))]
  const namespaces = new Set(sent.map(({ namespace }) => namespace))
  return [
    ...present.filter((ref) => !namespaces.has(ref.namespace) || sentKeys.has(refKey(ref))),
    ...sent.filter((ref) => !presentKeys.has(refKey(ref)))
  ]
}

/** These are added, and all others stay. */
const join = (present: ReadonlyArray<ExternalRef>, sent: ReadonlyArray<ExternalRef>): ReadonlyArray<ExternalRef> => {
  const keys = new Set(present.map(refKey))
  return [...present, ...sent.filter((ref) => !keys.has(refKey(ref)))]
}

/**
 * The references of a resource, `noun` for people, after an upsert that sends these: they replace those of their namespaces, or are
 * joined with them. Rejects them if the resource would have too many with those that stay.
 */
export const upsertedRefs = (
  present: ReadonlyArray<ExternalRef>,
  sent: ReadonlyArray<ExternalRef>,
  noun: "prospect" | "record",
  { joined = false }: { readonly joined?: boolean } = {}
): Result.Result<ReadonlyArray<ExternalRef>, InvalidRequest> => {
  const refs = joined ? join(present, sent) : replaceByNamespace(present, sent)
  return refs.length <= maxRefs
    ? Result.succeed(refs)
    : Result.fail(
        InvalidRequest.of([
          bodyFault(
            "/externalRefs",
            "too_many",
            `With those ${joined ? "that it has" : "of other namespaces"}, the ${noun} would have more than ${maxRefs} references.`
          )
        ])
      )
}
