/**
 * What is new of a team, for those who watch: one poll for each team and process, however many watch, and none while nobody does. All of
 * them get what a poll found, and hear of each poll that found nothing.
 */
import { Context, Effect, PubSub, RcMap, type Scope, Stream } from "effect"
import { inTeam } from "../../platform/db/Cells.ts"
import { Tenant } from "../../platform/db/TransactionPermits.ts"
import { onWallClock } from "../../platform/Time.ts"

/** How long a poll waits after the one before, in milliseconds. */
export const PollPause = Context.Reference<number>("core/usecase/Feed/PollPause", { defaultValue: () => 1000 })

/** Somebody who watches may not read as fast as a team writes: then the oldest of so many polls are lost. */
const keptPolls = 64

/** What is new of each team (UUID). */
export interface Feed<A> {
  /** Each poll of a team, from now on. */
  readonly follow: (teamId: string) => Stream.Stream<ReadonlyArray<A>>
}

/**
 * A feed. `begin` is the position from which a team's first poll goes on, `next` what comes after a position, with the position after it.
 */
export const makeFeed = Effect.fnUntraced(function* <A, Position>({
  begin,
  next
}: {
  readonly begin: (teamId: string) => Effect.Effect<Position>
  readonly next: (
    teamId: string,
    position: Position
  ) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly position: Position }>
}): Effect.fn.Return<Feed<A>, never, Scope.Scope> {
  const pause = yield* PollPause
  const polls = yield* RcMap.make({
    // Who goes from page to page keeps it.
    idleTimeToLive: "5 seconds",
    lookup: (teamId: string) =>
      Effect.gen(function* () {
        const found = yield* PubSub.sliding<ReadonlyArray<A>>(keptPolls)
        let position = yield* begin(teamId)
        const poll = Effect.suspend(() => next(teamId, position)).pipe(
          Effect.flatMap((one) => {
            position = one.position
            return PubSub.publish(found, one.items)
          }),
          // The database may be away for a while.
          Effect.catchCause((cause) => Effect.logDebug("What is new of a team could not be read.", cause))
        )
        yield* Effect.forkScoped(onWallClock(Effect.forever(Effect.andThen(Effect.sleep(pause), poll))))
        return found
      }).pipe(inTeam(teamId), Effect.provideService(Tenant, teamId))
  })
  return {
    follow: (teamId) => Stream.unwrap(Effect.map(RcMap.get(polls, teamId), (found) => Stream.fromPubSub(found)))
  }
})
