/** What happens to the files of prospects that become one. */
import { Effect, Layer } from "effect"
import { ProspectFiles } from "../../deals/prospects/ProspectFiles.ts"
import { FilesRepo } from "./FilesRepo.ts"

/** Moves the files of merged prospects. */
export const layer = Layer.effect(
  ProspectFiles,
  Effect.map(FilesRepo, (repo) => ProspectFiles.of({ merged: (change, moves) => repo.move(change, "prospect", moves) }))
)
