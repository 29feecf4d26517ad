/** `Prefer: dry-run` (decisions §2): everything but the commit. */
import { Context } from "effect"
import type { Id } from "../Id.ts"

/** What a change would do, besides its answer. */
export interface Outcome {
  readonly events: Array<{ readonly event: string; readonly resource_id: string }>
  readonly affected: Array<{ readonly type: string; readonly id: Id; readonly change: string }>
}

/**
 * Set by a door for a call that must not commit; {@link Changes} rolls back and leaves here what it would have done.
 */
export const DryRun = Context.Reference<Outcome | undefined>("changes/DryRun", { defaultValue: () => undefined })

/** An outcome that nothing has been left in. */
export const empty = (): Outcome => ({ events: [], affected: [] })
