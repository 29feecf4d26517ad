/** Every use-case and repository: the only place where their layers are put together. */
import { Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Authorization } from "./auth/Authorization.ts"
import { Authentication } from "./auth/tokens/Authentication.ts"
import { TokensRepo } from "./auth/tokens/TokensRepo.ts"
import { Changes } from "./changes/Changes.ts"
import { Timelines } from "./changes/Timelines.ts"
import { ExternalRefsRepo } from "./externalRefs/ExternalRefsRepo.ts"
import { Idempotency } from "./http/Idempotency.ts"
import { Cursors } from "./http/Page.ts"
import { Contacts } from "./network/contacts/Contacts.ts"
import { ContactsRepo } from "./network/contacts/ContactsRepo.ts"
import { SecretBox } from "./secrets/SecretBox.ts"

const repositories = Layer.mergeAll(
  ContactsRepo.layer,
  ExternalRefsRepo.layer,
  TokensRepo.layer
)

const shared = Layer.mergeAll(Changes.layer, Idempotency.layer, Timelines.layer, Authentication.layer)

const useCases = Layer.mergeAll(Contacts.layer)

/** All use-cases. They need the database, the jobs and the way out for webhooks; `secretKey` has 32 bytes. */
export const layer = (options: { readonly secretKey: Redacted.Redacted<Uint8Array> }) =>
  Layer.mergeAll(useCases, Authorization.layer).pipe(
    Layer.provideMerge(shared),
    Layer.provideMerge(repositories),
    Layer.provideMerge(Layer.mergeAll(
      SecretBox.layer(options.secretKey),
      Cursors.layer(options.secretKey),
      SecureRandom.layerWebCrypto
    ))
  )
