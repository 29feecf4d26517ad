/**
 * Changes that may be too large for one transaction: what one step of them takes, and whether it left something for a later one
 * (docs/adr/0026-large-cascades-in-steps.md).
 */
import { Context } from "effect"
import type { Chunk } from "../../platform/db/Chunk.ts"

/** How many rows of a kind one transaction takes at most from those that depend on a deleted or merged record. */
export const StepSize = Context.Reference<number>("core/records/Steps/StepSize", { defaultValue: () => 1000 })

/** What a step left for later ones. */
export type Left = Chunk<unknown>["left"]

/** What the parts of a step left. */
export const leftBy = (...parts: ReadonlyArray<Left>): Left => (parts.includes("more") ? "more" : "nothing")
