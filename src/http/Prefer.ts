/** The `Prefer` header (RFC 7240), of which the service supports `dry-run`: docs/behaviour/http.md#dry-run. */
import { Effect } from "effect"
import { nearest } from "../core/fields/KnownNames.ts"
import type { Input } from "../core/usecase/Input.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"

/**
 * Whether the header asks for a dry run. Unknown preferences are ignored, as the RFC requires, except a misspelled `dry-run`:
 * ignoring that would really write.
 */
export const isDryRun = (header: string | undefined): Input<boolean> => {
  const names = (header ?? "").split(",").map((preference) => (preference.split(/[;=]/)[0] ?? "").trim().toLowerCase())
  const misspelled = names.find((name) => name !== "dry-run" && nearest(name, ["dry-run"]) !== undefined)
  return misspelled === undefined
    ? Effect.succeed(names.includes("dry-run"))
    : Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/Prefer",
            code: "unknown_preference",
            detail: `Unknown preference "${misspelled}". Did you mean "dry-run"?`
          }
        ])
      )
}
