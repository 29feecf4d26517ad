/** The operator's commands on encrypted values and the rotation of their key: docs/operations.md#secret-keys. */
import * as SecretKeyCheck from "../process/SecretKeyFile.ts"
import * as Installation from "./Installation.ts"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"
import { Reencryption, type SealedCounts, type SecretsStatus } from "../webhooks/Reencryption.ts"
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

const status = Command.make("status", {}, () =>
  Effect.gen(function* () {
    const { services } = yield* Installation.everything
    yield* print(yield* Effect.flatMap(Reencryption, ({ status }) => status).pipe(Effect.provide(services)), linesOf)
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Count the values sealed under SECRET_KEY (current), under SECRET_KEY_PREVIOUS (previous), and under an " +
      "unknown key (unknown)"
  ),
  Command.withShortDescription("Count encrypted values by secret key")
)

const reencrypt = Command.make("reencrypt", {}, () =>
  Effect.gen(function* () {
    const { secretKeys, services } = yield* Installation.everything
    // Before, because what is sealed under the current key needs processes that have it.
    const run = Effect.andThen(
      SecretKeyCheck.verifyAndTakeOver(secretKeys),
      Effect.flatMap(Reencryption, (reencryption) => reencryption.run())
    )
    yield* print(yield* Effect.provide(run, services))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Re-encrypt webhook secrets under SECRET_KEY now. The worker does the same every hour. " +
      "Answers of idempotent creates are not re-encrypted: they expire after 24 hours"
  ),
  Command.withShortDescription("Re-encrypt webhook secrets under SECRET_KEY now")
)

const adopt = Command.make("adopt", {}, () =>
  Effect.gen(function* () {
    const { database, secretKeys } = yield* Installation.keysAndDatabase
    yield* Effect.flatMap(DatabaseKey, (key) => key.adopt).pipe(
      Effect.provide(Layer.provide(DatabaseKey.layer(secretKeys), database))
    )
    yield* print({ adopted: true }, () => ["SECRET_KEY is now the key of this database."])
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Make SECRET_KEY the key of this database, when the key that was used with it is lost. What was sealed under the lost " +
      "key stays unreadable: `secrets status` counts it, and the secrets of those webhooks must be replaced"
  ),
  Command.withShortDescription("Use the database with another key, when its key is lost")
)

/** `secrets …` */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Encrypted values and the rotation of their key"),
  Command.withSubcommands([status, reencrypt, adopt])
)
