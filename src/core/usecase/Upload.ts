/** The uploaded file of a request, streamed to a use-case while it arrives. */
import type { Effect, Scope, Stream } from "effect"
import type { InvalidRequest, MalformedMultipart, PayloadTooLarge, UnsupportedMediaType } from "./Problem.ts"

/** The maximum size of a file, in bytes. */
export const maxFileBytes = 104_857_600

/** Why a file cannot be read. */
export type UploadError = InvalidRequest | MalformedMultipart | PayloadTooLarge | UnsupportedMediaType

/** A file that is arriving. */
export interface Upload {
  /** As the client sent it, before the use-case cleans it. */
  readonly filename: string
  readonly contentType: string
  /** The size in bytes that it has at least, as far as the client announced it. */
  readonly minSize?: number
  /** Can be read once. Fails if the file is too large, if the form has another part, or if the body ends early. */
  readonly content: Stream.Stream<Uint8Array, UploadError>
}

/** Waits for the header of the file. The content must be read within the scope. */
export type PendingUpload = Effect.Effect<Upload, UploadError, Scope.Scope>
