/** Files of this machine, as use-cases get uploads. */
import { Effect, FileSystem, Stream } from "effect"
import { basename } from "node:path"
import { bodyFault } from "../core/usecase/Input.ts"
import { InvalidRequest, PayloadTooLarge } from "../core/usecase/Problem.ts"
import { maxFileBytes, type PendingUpload } from "../core/usecase/UseCaseRequest.ts"

const unreadable = InvalidRequest.of([bodyFault("/file", "unreadable", "The file cannot be read.")])

const tooLarge = new PayloadTooLarge({ detail: "A file must not be larger than 104,857,600 bytes (100 MiB)." })

/** A file by its path, which is read while it is stored. */
export const uploadOf = (path: string, contentType: string) =>
  Effect.map(FileSystem.FileSystem, (files): PendingUpload =>
    Effect.gen(function* () {
      const { size, type } = yield* Effect.mapError(files.stat(path), () => unreadable)
      if (type !== "File") return yield* unreadable
      if (size > maxFileBytes) return yield* tooLarge
      const content = Stream.mapError(files.stream(path), () => unreadable)
      return { filename: basename(path), contentType, minSize: Number(size), content }
    })
  )
