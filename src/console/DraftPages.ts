/** What becomes of a draft that nobody wants any more (`KeptForms.ts`). */
import { Effect } from "effect"
import { post } from "./Console.ts"
import { withoutKept } from "./KeptForms.ts"
import { backOf } from "./Lists.ts"
import { discardPath } from "./LostSession.ts"
import { seeOther } from "./Visit.ts"

const discard = post(discardPath, (page) =>
  Effect.sync(() => withoutKept(seeOther(backOf(page, "/console")), page.visit))
)

/** The form that discards a draft. */
export const pages = [discard]
