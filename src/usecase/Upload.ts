/** A file that comes with a request, as a use-case gets it: read while it arrives, and never held whole. */
import type { Effect, Scope, Stream } from "effect"
import type { InvalidRequest, MalformedMultipart, PayloadTooLarge, UnsupportedMediaType } from "./Problem.ts"

/** The most bytes that a file may have. */
export const maxFileBytes = 104_857_600

/** Why a file cannot be read. */
export type UploadError = InvalidRequest | MalformedMultipart | PayloadTooLarge | UnsupportedMediaType

/** A file that arrives. */
export interface Upload {
  /** As the client sent it: a use-case decides what it is called. */
  readonly filename: string
  readonly contentType: string
  /** To be read once. It fails when more comes than may, or than one file, and when what comes ends early. */
  readonly content: Stream.Stream<Uint8Array, UploadError>
}

/** The file of a request: its name, once that has arrived; its content is read within the scope. */
export type PendingUpload = Effect.Effect<Upload, UploadError, Scope.Scope>
