/** The files of offers, whose module decides where they belong. */
import { Context, Effect, Layer } from "effect"
import { type FileMove, FilesRepo } from "./FilesRepo.ts"
import type { Change } from "../../core/mutation/Changes.ts"

/** What investors shared with a broker, whose files these are. */
export class OfferFiles extends Context.Service<
  OfferFiles,
  {
    /** Within a running change of the broker's team, gives the files of offers to others. */
    readonly move: (change: Change, moves: ReadonlyArray<FileMove>) => Effect.Effect<void>
  }
>()("content/files/OfferFiles") {
  static readonly layer = Layer.effect(
    OfferFiles,
    Effect.map(FilesRepo, (repo) => OfferFiles.of({ move: (change, moves) => repo.move(change, "offer", moves) }))
  )
}
