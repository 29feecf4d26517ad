/** Files follow what they belong to: the deals that become one. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { type FileMove, FilesRepo, type FileSubject } from "./FilesRepo.ts"

const make = Effect.map(FilesRepo, (repo) => ({
  /** Within a running change of the team whose files these are, gives the files of prospects or offers (UUIDs) to others. */
  moveEach: (
    change: Change,
    type: Extract<FileSubject["type"], "offer" | "prospect">,
    moves: ReadonlyArray<FileMove>
  ) => repo.move(change, type, moves)
}))

/** Moves files, for modules that have authorized their caller. */
export class FileMoves extends Context.Service<FileMoves, Effect.Success<typeof make>>()("content/files/FileMoves") {
  static readonly layer = Layer.effect(FileMoves, make)
}
