import { Effect } from "effect"
import type { Calls } from "./Call.ts"

export const identity: Calls = { get_me: () => Effect.succeed({}) }
