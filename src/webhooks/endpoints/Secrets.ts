/** The secrets of a webhook, sealed as they are stored. */
import { Effect } from "effect"
import * as Id from "../../core/Id.ts"
import type { Box } from "../../platform/secrets/SecretBox.ts"
import { type PreviousSecret, validAt } from "./rules.ts"

/** The secrets in the row of a webhook. */
export interface SealedSecrets {
  readonly webhookUuid: string
  readonly sealed: Uint8Array
  /** The replaced secrets, the newest first. */
  readonly previous: ReadonlyArray<PreviousSecret>
}

/**
 * The secrets that sign at `now`, the newest first: the current one, and replaced ones whose overlap has not ended. Dies if a
 * secret does not open.
 */
export const openAll = (
  box: Box,
  { now, previous, sealed, webhookUuid }: SealedSecrets & { readonly now: Date }
): Effect.Effect<ReadonlyArray<string>> => {
  const context = Id.fromUuid("webhook", webhookUuid)
  const replaced = validAt(previous, now).map((secret) => Uint8Array.from(Buffer.from(secret.sealed, "base64")))
  return Effect.forEach([sealed, ...replaced], (one) => box.open(one, context))
}
