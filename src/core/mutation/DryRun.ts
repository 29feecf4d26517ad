/** Dry runs (docs/behaviour/http.md#dry-run): everything except the commit. */
import * as Id from "../Id.ts"
import { Context } from "effect"
import { type ChangeRecord, eventsOf } from "./ChangeRecord.ts"

/** A resource that would change. */
export interface Affected {
  readonly type: string
  readonly id: Id.Id
  readonly change: ChangeRecord["change"]
}

/** The report of a dry run, besides the answer. */
export interface Outcome {
  readonly events: Array<{ readonly event: string; readonly resource_id: string }>
  /** Each resource once. */
  affected: ReadonlyArray<Affected>
  /** What would change after the transaction, because it is too much for one. */
  later: ReadonlyArray<Later>
}

/** How many resources of a type change later. */
export interface Later {
  readonly type: string
  readonly change: ChangeRecord["change"]
  readonly count: number
}

// A created resource has no former state, a deleted one no later state, and a restored one may have been updated, too.
const strength: { readonly [Change in Affected["change"]]: number } = {
  created: 3,
  deleted: 2,
  restored: 1,
  updated: 0
}

/** Adds resources: each is listed once, in the order of their first mention, with its strongest change. */
export const addAffected = (
  affected: ReadonlyArray<Affected>,
  added: ReadonlyArray<Affected>
): ReadonlyArray<Affected> => {
  const strongest = new Map<string, Affected>()
  for (const one of [...affected, ...added]) {
    const known = strongest.get(one.id)
    if (known === undefined || strength[one.change] > strength[known.change]) strongest.set(one.id, one)
  }
  return [...strongest.values()]
}

/** Set by an adapter for a request that must not be committed: `Changes` fills in the outcome, and rolls back. */
export const DryRun = Context.Reference<Outcome | undefined>("core/mutation/DryRun", { defaultValue: () => undefined })

/** An outcome to fill in. */
export const empty = (): Outcome => ({ events: [], affected: [], later: [] })

/** Adds change records to the outcome. */
export const report = (outcome: Outcome, changeRecords: ReadonlyArray<ChangeRecord>): void => {
  const affected: Array<Affected> = []
  for (const changeRecord of changeRecords) {
    const { change, resource } = changeRecord
    const id = Id.fromUuid(resource.type, resource.id)
    for (const { type } of eventsOf(changeRecord)) outcome.events.push({ event: type, resource_id: id })
    affected.push({ type: Id.nounOf(resource.type), id, change })
  }
  outcome.affected = addAffected(outcome.affected, affected)
}
