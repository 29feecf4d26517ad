/** The operator's commands on encrypted values and the rotation of their key: docs/operations.md#secret-keys. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { Reencryption, type SealedCounts, type SecretsStatus } from "../webhooks/endpoints/Reencryption.ts"
import * as Installation from "./Installation.ts"
import { print } from "./Output.ts"

const inWords = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([key, count]) => `${count} ${key}`)
    .join(", ")

const verdictOf = (status: SecretsStatus): string => {
  if (status.webhookSecrets.unknown + status.idempotencyAnswers.unknown > 0) {
    return "Unknown values are sealed under a key that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS: set the missing key."
  }
  return status.previousKeyNeeded
    ? "SECRET_KEY_PREVIOUS is still needed."
    : "SECRET_KEY_PREVIOUS is no longer needed: remove it."
}

const linesOf = (status: SecretsStatus): ReadonlyArray<string> => [
  `webhook secrets: ${inWords(status.webhookSecrets)}`,
  `idempotency answers: ${inWords(status.idempotencyAnswers)}`,
  verdictOf(status)
]

const withReencryption = <A>(use: (reencryption: Reencryption["Service"]) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const { services } = yield* Installation.everything
    return yield* Effect.flatMap(Reencryption, use).pipe(Effect.provide(services))
  }).pipe(Effect.scoped)

const status = Command.make("status", {}, () =>
  Effect.flatMap(
    withReencryption((reencryption) => reencryption.status),
    (answer) => print(answer, linesOf)
  )
).pipe(
  Command.withDescription(
    "Count the values sealed under SECRET_KEY (current), under SECRET_KEY_PREVIOUS (previous), in the format of version 1, " +
      "and under an unknown key (unknown)"
  ),
  Command.withShortDescription("Count encrypted values by secret key")
)

const reencrypt = Command.make("reencrypt", {}, () =>
  Effect.flatMap(
    withReencryption((reencryption) => reencryption.run()),
    (answer) => print(answer)
  )
).pipe(
  Command.withDescription(
    "Re-encrypt webhook secrets under SECRET_KEY now. The worker does the same every hour. " +
      "Answers of idempotent creates are not re-encrypted: they expire after 24 hours"
  ),
  Command.withShortDescription("Re-encrypt webhook secrets under SECRET_KEY now")
)

/** `secrets …` */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Encrypted values and the rotation of their key"),
  Command.withSubcommands([status, reencrypt])
)
