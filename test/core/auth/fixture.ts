/** The use-cases of identity and authentication, on the store of the run and with the test's clock. */
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { ClientsRepo } from "../../../src/identity/clients/ClientsRepo.ts"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { OwnTokens, Tokens } from "../../../src/identity/tokens/Tokens.ts"
import { CallersRepo } from "../../../src/core/auth/CallersRepo.ts"
import { TokensRepo } from "../../../src/identity/tokens/TokensRepo.ts"
import { Idempotency } from "../../../src/core/usecase/Idempotency.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"
import { Cursors } from "../../../src/core/usecase/Page.ts"
import { NewInvestors, Teams } from "../../../src/identity/teams/Teams.ts"
import { TeamsRepo } from "../../../src/identity/teams/TeamsRepo.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { UsersRepo } from "../../../src/identity/users/UsersRepo.ts"
import { secretKeys } from "../../support/TestService.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

/** These use-cases and their dependencies. */
export const fixture = Layer.mergeAll(Clients.layer, OwnTokens.layer, Tokens.layer, Authentication.layer).pipe(
  Layer.provideMerge(Users.layer),
  Layer.provideMerge(Teams.layer),
  // Nobody is sent anything.
  Layer.provide(Layer.succeed(NewInvestors, { arrived: () => Effect.void })),
  Layer.provideMerge(
    Layer.mergeAll(CallersRepo.layer, ClientsRepo.layer, TeamsRepo.layer, TokensRepo.layer, UsersRepo.layer)
  ),
  Layer.provideMerge(AuditLog.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provide(Layer.provideMerge(Idempotency.layer, SecretBox.layer(secretKeys))),
  Layer.provideMerge(Cursors.layer(secretKeys)),
  Layer.provideMerge(TestDatabase.layer)
)
