/** The steps of a random two-way sync: what users of both sides do, what the sync does, and what goes wrong. */
import fc from "fast-check"
import type { Members } from "../../../examples/crm-sync/Crm.ts"

/** Something that a user does. `on` and `other` choose among what exists at that moment. */
export type Edit =
  | { readonly kind: "create"; readonly members: Members }
  | { readonly kind: "change"; readonly on: number; readonly members: Partial<Members> }
  | { readonly kind: "delete"; readonly on: number }

/** Something that a user of the network does. */
export type NetworkEdit =
  | Edit
  | { readonly kind: "merge"; readonly on: number; readonly other: number }
  | { readonly kind: "changeAll"; readonly members: Partial<Members> }
  | { readonly kind: "deleteSome"; readonly on: number; readonly count: number }

/**
 * What happens while the sync runs: at its n-th request it is killed, or the service is, or somebody changes the network
 * first.
 */
export type Trouble =
  | { readonly kind: "killedBefore"; readonly request: number }
  | { readonly kind: "serviceKilled"; readonly request: number }
  | { readonly kind: "killedAfter"; readonly request: number }
  | { readonly kind: "overtaken"; readonly request: number; readonly by: NetworkEdit }

/** A step. */
export type Step =
  | { readonly kind: "crm"; readonly edit: Edit }
  | { readonly kind: "network"; readonly edit: NetworkEdit }
  | { readonly kind: "sync"; readonly trouble: Trouble | undefined }
  /** What only one of the services can do: time passes, or a process is killed. */
  | { readonly kind: "disturbance"; readonly name: string }
  /** The integration is down from now on, until it is started again. */
  | { readonly kind: "down" }
  | { readonly kind: "up" }

const text = fc.constantFrom("Anna", "Béla", "Chiara", "Đorđe", "Eve")

const members: fc.Arbitrary<Members> = fc.record({
  // Never null: a contact needs a name or an address.
  firstName: text,
  lastName: fc.option(text),
  email: fc.constant(null),
  phone: fc.option(fc.constantFrom("+49 30 1", "+39 02 2"))
})

const change = fc.record(
  { firstName: text, lastName: fc.option(text), phone: fc.option(fc.constantFrom("+49 30 1", "+39 02 2")) },
  { requiredKeys: [] }
)

const index = fc.nat(9)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("create" as const), members }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), on: index, members: change }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), on: index }) }
)

const networkEdit: fc.Arbitrary<NetworkEdit> = fc.oneof(
  { weight: 7, arbitrary: edit },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("merge" as const), on: index, other: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("changeAll" as const), members: change }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("deleteSome" as const), on: index, count: fc.integer({ min: 1, max: 3 }) })
  }
)

const request = fc.nat(5)

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ kind: fc.constant("killedBefore" as const), request }),
  fc.record({ kind: fc.constant("killedAfter" as const), request }),
  fc.record({ kind: fc.constant("serviceKilled" as const), request }),
  fc.record({ kind: fc.constant("overtaken" as const), request, by: networkEdit })
)

/** The steps of one run, with these disturbances. */
export const stepsWith = (disturbances: ReadonlyArray<string>): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("crm" as const), edit }) },
      { weight: 8, arbitrary: fc.record({ kind: fc.constant("network" as const), edit: networkEdit }) },
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant("sync" as const), trouble: fc.option(trouble, { nil: undefined }) })
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("disturbance" as const),
          name: fc.constantFrom(...disturbances)
        })
      },
      { weight: 1, arbitrary: fc.constant<Step>({ kind: "down" }) },
      { weight: 2, arbitrary: fc.constant<Step>({ kind: "up" }) }
    ),
    { minLength: 5, maxLength: 40 }
  )
