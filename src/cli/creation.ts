/** Commands that create something: `--idempotency-key`, and the request that their use-cases get. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Option } from "effect"
import { Flag } from "effect/cli"
import type { Json } from "../core/usecase/Input.ts"

/** The flag of each of these commands. */
export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withDescription("A repeated command with the same key changes nothing, and gets the first answer again"),
  Flag.optional
)

/** The request of a command that creates something. `operation` names the command and what it is about. */
export const creation = (operation: string, body: Json, key: Option.Option<string>) =>
  UseCaseRequest.make({
    operation,
    query: {},
    body,
    ...(Option.isSome(key) ? { idempotencyKey: key.value } : {})
  })
