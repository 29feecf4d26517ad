/** An app as it is stored. */
import type { App } from "./App.ts"

/** An app that is not revoked. `id` is a UUID. */
export interface AppState {
  readonly id: string
  readonly name: string
  readonly kind: App["kind"]
  readonly secretHash: Uint8Array | null
  readonly redirectUris: ReadonlyArray<string>
  readonly documentUrl: string | null
  /** Whether it registered itself. */
  readonly isRegistered: boolean
}
