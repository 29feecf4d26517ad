/** The refusal of a write that did not get its turn: see `TransactionPermits.ts`. */
import { RateLimited } from "./Problem.ts"

/** The problem of a write that would be one too many of its team to wait. */
export const tooManyWrites = new RateLimited({
  detail: "Too many writes of this team wait for their turn. Send fewer at the same time, and this one again in 1 s."
})
