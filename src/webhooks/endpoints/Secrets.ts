/** The secrets of a webhook, sealed as they are stored. */
import { Effect } from "effect"
import * as Id from "../../Id.ts"
import type { Box } from "../../secrets/SecretBox.ts"
import { type PreviousSecret, validAt } from "./rules.ts"

/** The secrets of a webhook as its row has them. */
export interface SealedSecrets {
  readonly webhookUuid: string
  readonly sealed: Uint8Array
  /** Those that were replaced, the newest first. */
  readonly previous: ReadonlyArray<PreviousSecret>
}

/**
 * The secrets that sign at `now`, the newest first: the present one, and the replaced ones whose overlap has not ended.
 * One that does not open is a defect, as `SecretBox` has it.
 */
export const openAll = (
  box: Box,
  { now, previous, sealed, webhookUuid }: SealedSecrets & { readonly now: Date }
): Effect.Effect<ReadonlyArray<string>> => {
  const context = Id.fromUuid("webhook", webhookUuid)
  const replaced = validAt(previous, now).map((secret) => Uint8Array.from(Buffer.from(secret.sealed, "base64")))
  return Effect.forEach([sealed, ...replaced], (one) => box.open(one, context))
}
