/** `Prefer: dry-run` (decisions §2): everything but the commit. */
import { Context } from "effect"
import type { Id } from "../Id.ts"
import type { ChangeRecord } from "./ChangeRecord.ts"

/** That something would be changed. */
export interface Affected {
  readonly type: string
  readonly id: Id
  readonly change: ChangeRecord["change"]
}

/** What a change would do, besides its answer. */
export interface Outcome {
  readonly events: Array<{ readonly event: string; readonly resource_id: string }>
  /** Each resource once. */
  affected: ReadonlyArray<Affected>
}

// What is new has no former state, what is gone none after it, and what came back may be another, too.
const strength: { readonly [Change in Affected["change"]]: number } = {
  created: 3,
  deleted: 2,
  restored: 1,
  updated: 0
}

/** What would be changed with `more`: each once, where it was first mentioned. Of several changes the strongest says it. */
export const affecting = (
  affected: ReadonlyArray<Affected>,
  more: ReadonlyArray<Affected>
): ReadonlyArray<Affected> => {
  const strongest = new Map<string, Affected>()
  for (const one of [...affected, ...more]) {
    const known = strongest.get(one.id)
    if (known === undefined || strength[one.change] > strength[known.change]) strongest.set(one.id, one)
  }
  return [...strongest.values()]
}

/**
 * Set by a door for a call that must not commit; {@link Changes} rolls back and leaves here what it would have done.
 */
export const DryRun = Context.Reference<Outcome | undefined>("changes/DryRun", { defaultValue: () => undefined })

/** An outcome that nothing has been left in. */
export const empty = (): Outcome => ({ events: [], affected: [] })
