/** The `Prefer` header (RFC 7240), of which the service knows `dry-run`. */
import { Effect } from "effect"
import { type Input, nearest } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"

/**
 * Whether the header, a list of tokens with values and parameters, asks for a dry run. Unknown preferences are ignored, as
 * the RFC wants, except a misspelt `dry-run`: ignoring it would write for real.
 */
export const isDryRun = (header: string | undefined): Input<boolean> => {
  const names = (header ?? "").split(",").map((preference) => (preference.split(/[;=]/)[0] ?? "").trim().toLowerCase())
  const misspelt = names.find((name) => name !== "dry-run" && nearest(name, ["dry-run"]) !== undefined)
  return misspelt === undefined
    ? Effect.succeed(names.includes("dry-run"))
    : Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/Prefer",
            code: "unknown_preference",
            detail: `Unknown preference "${misspelt}". Did you mean "dry-run"?`
          }
        ])
      )
}
