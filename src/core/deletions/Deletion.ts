/** What a client may delete in an hour: docs/behaviour/quotas.md#deletions. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { declare, members } from "../usecase/Problem.ts"

/** The length of a window, in seconds. */
export const windowSeconds = 3600

/** 429: the client has deleted as much in this hour as the team allows. */
export class DeletionLimitReached extends HttpApiError.Problem<DeletionLimitReached>()(
  "DeletionLimitReached",
  declare("deletion_limit_reached", 429, "The client has deleted as much as it may in an hour."),
  {
    ...members("deletion_limit_reached"),
    limit: Schema.Finite.annotate({
      description: "How much the team lets a client delete in an hour.",
      examples: [100]
    }),
    retryAfterSeconds: Schema.Finite.annotate({
      description: "In how many seconds it may delete again, as in `Retry-After`.",
      examples: [1800]
    })
  }
) {
  /** The refusal of a deletion in a window that opened at a time. */
  static of(limit: number, openedAt: Date, now: Date): DeletionLimitReached {
    const left = Math.ceil((openedAt.getTime() - now.getTime()) / 1000) + windowSeconds
    const retryAfterSeconds = Math.min(Math.max(left, 1), windowSeconds)
    return new DeletionLimitReached({
      limit,
      retryAfterSeconds,
      detail: `The team lets each client delete ${limit} records in an hour. Nothing was deleted. Try again in ${retryAfterSeconds} s, or ask the operator of the service to raise \`deletions_per_hour\`.`
    })
  }
}
