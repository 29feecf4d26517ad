/** Folds the long texts that the release before `sql/0056_folded_texts.sql` wrote, so that searches need not. */
import { Context, Effect, Layer } from "effect"
import { FoldedTextsRepo } from "./FoldedTextsRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* FoldedTextsRepo

  /** Folds some texts that are not folded yet, of all teams; returns how many. Records keep their versions. */
  const fold = Effect.fn("FoldedTexts.fold")(() => repo.fold())

  return { fold }
})

/** Folds texts, for the worker. */
export class FoldedTexts extends Context.Service<FoldedTexts, Effect.Success<typeof make>>()(
  "core/foldedTexts/FoldedTexts"
) {
  static readonly layer = Layer.effect(FoldedTexts, make)
}
