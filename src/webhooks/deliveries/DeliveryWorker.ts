/** Sends the deliveries that this process takes, and records how that went: of a team, many at once. */
import { Cause, Clock, Context, Effect, FiberSet, Layer, Schedule } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { onWallClock } from "../../db/WallClock.ts"
import { WorkerSession, lockSeed, type Lease } from "../../jobs/WorkerSession.ts"
import { ForgottenRepo } from "./ReconciliationRepo.ts"
import { type Ended, hasAnswer, type Judged, Recorder, withoutAnswer } from "./Recorder.ts"
import { classify, type DueDelivery, isSlow } from "./rules.ts"
import { maxHoldTime } from "./schedule.ts"
import { Sender } from "./Sender.ts"
import { type Held, Stock } from "./LocalQueue.ts"
import { Turns } from "./Scheduler.ts"
import { TurnsRepo } from "./SchedulerRepo.ts"

// How many attempts a process makes at a time: processes often may open but 1024 files. Slow receivers get half of them.
const maxInFlight = 400

// One record is written at a time; another beside it, when so much has ended meanwhile.
const maxWriters = 2
const worthAnother = 50

// How often a worker looks for what those held that are gone.
const lookEvery = "2 seconds"

const make = Effect.gen(function* () {
  const repo = yield* TurnsRepo
  const forgotten = yield* ForgottenRepo
  const turns = yield* Turns
  const recorder = yield* Recorder
  const sender = yield* Sender
  const duty = yield* WorkerSession
  const database = yield* Database
  const fork = yield* FiberSet.make<void>().pipe(Effect.flatMap((set) => FiberSet.runtime(set)()))

  const stocks = new Map<string, Stock>()
  let inFlight = 0
  let slowInFlight = 0

  const stockOf = (teamId: string): Stock => {
    const known = stocks.get(teamId)
    if (known !== undefined) return known
    duty.startWork()
    const made = new Stock(teamId)
    stocks.set(teamId, made)
    return made
  }

  const present = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  /** Sends as much as there is room for. What was taken a while ago is given back instead: its webhook may have changed. */
  const send = (stock: Stock, millis: number): void => {
    while (inFlight < maxInFlight) {
      const held = stock.next(slowInFlight < maxInFlight / 2)
      if (held === undefined) break
      if (held.session === duty.currentLease() && millis - held.since <= maxHoldTime) {
        launch(stock, held)
        continue
      }
      stock.landed(held)
      stock.giveBack([held])
    }
    if (stock.ended.length + stock.returned.length > 0) write(stock)
  }

  const launch = (stock: Stock, held: Held): void => {
    const { slow } = held.found
    inFlight++
    if (slow) slowInFlight++
    fork(
      Effect.flatMap(sender.send(held.found), (made) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const wasFull = inFlight >= maxInFlight
          inFlight--
          if (slow) slowInFlight--
          const isWell = classify(made.attempt) === "delivered" && !isSlow(made.attempt)
          stock.end(held, { found: held.found, made, isEarlier: false }, isWell ? made.attempt.durationMs : undefined)
          send(stock, millis)
          // Others may have waited for this one to end.
          if (wasFull || slow) for (const other of stocks.values()) send(other, millis)
        })
      )
    )
  }

  const write = (stock: Stock): void => {
    if (stock.writers > 0 && (stock.writers >= maxWriters || stock.ended.length < worthAnother)) return
    stock.writers++
    fork(writeAll(stock))
  }

  /** As {@link admit}; after the commit what was taken is sent. */
  const admit = Effect.fn("Courier.admit")(function* (teamId: string, at: Date, rang?: Date) {
    const session = duty.currentLease()
    if (session === undefined) return yield* turns.ask(teamId, at)
    const taken = yield* turns.take(teamId, at, { holder: session.id, stocks: stocks.get(teamId)?.stocks ?? [] }, rang)
    if (taken.length > 0)
      yield* database.afterCommit(Effect.map(Clock.currentTimeMillis, (now) => sendAll(taken, session, now)))
  })

  const sendAll = (taken: ReadonlyArray<DueDelivery>, session: Lease, now: number): void => {
    for (const found of taken) stockOf(found.teamId).add({ found, session, since: now })
    for (const teamId of new Set(taken.map((found) => found.teamId))) send(stockOf(teamId), now)
  }

  /** Writes in one transaction what attempts came to and what is given back, and takes what may be sent then. */
  const commit = (stock: Stock, judged: ReadonlyArray<Judged>, returned: ReadonlyArray<Held>, at: Date) =>
    turns.transaction(
      stock.teamId,
      Effect.gen(function* () {
        const recorded = judged.length === 0 ? new Set<string>() : yield* recorder.write(judged, at)
        for (const session of new Set(returned.map((held) => held.session))) {
          yield* repo.giveBack(
            session.id,
            returned.filter((held) => held.session === session).map(({ found }) => found.id)
          )
        }
        yield* admit(stock.teamId, at)
        return recorded
      })
    )

  // The requests were made: what they came to is not given up because the database is away, or they would be made once
  // more. What it refuses among others is tried alone, and then without what the receiver said.
  const insist = (
    stock: Stock,
    judged: ReadonlyArray<Judged>,
    returned: ReadonlyArray<Held>,
    at: Date
  ): Effect.Effect<ReadonlySet<string>> =>
    Effect.catchCauseIf(
      commit(stock, judged, returned, at),
      (cause) => Cause.hasDies(cause) && !Cause.hasInterrupts(cause),
      (cause) => {
        const isRefused = Transaction.refusedAlone(cause)
        if (isRefused && judged.length > 1) {
          return Effect.map(
            Effect.forEach(judged, (some, index) => insist(stock, [some], index === 0 ? returned : [], at)),
            (sets) => new Set(sets.flatMap((set) => [...set]))
          )
        }
        const bare = judged.map(withoutAnswer)
        return Effect.logWarning("The end of an attempt could not be recorded; trying again", cause).pipe(
          Effect.andThen(isRefused && judged.some(hasAnswer) ? Effect.void : onWallClock(Effect.sleep("1 second"))),
          Effect.andThen(Effect.suspend(() => insist(stock, isRefused ? bare : judged, returned, at)))
        )
      }
    )

  const untilFound = (unrecorded: ReadonlyArray<Judged>): Effect.Effect<ReadonlyArray<Ended>> =>
    Effect.catchCauseIf(
      recorder.anew(unrecorded),
      (cause) => !Cause.hasInterrupts(cause),
      () =>
        Effect.andThen(
          onWallClock(Effect.sleep("1 second")),
          Effect.suspend(() => untilFound(unrecorded))
        )
    )

  const writeSome = Effect.fnUntraced(function* (stock: Stock) {
    const at = yield* present
    const returned = stock.returned.splice(0)
    const ended = stock.ended.splice(0)
    const judged = yield* recorder.judgeAll(ended, at)
    const recorded = yield* insist(stock, judged, returned, at)
    yield* Effect.forEach(judged, (one) => (recorded.has(one.row.found.id) ? recorder.measure(one, at) : Effect.void), {
      discard: true
    })
    const unrecorded = judged.filter(({ row }) => !recorded.has(row.found.id))
    const anew = yield* untilFound(unrecorded)
    const isAnew = new Set(anew.map(({ found }) => found.id))
    stock.ended.push(...anew)
    stock.left(ended.map(({ found }) => found.id).filter((id) => !isAnew.has(id)))
    stock.left(returned.map(({ found }) => found.id))
  })

  const writeAll = (stock: Stock): Effect.Effect<void> =>
    writeSome(stock).pipe(
      Effect.repeat({ while: () => stock.ended.length + stock.returned.length > 0 }),
      Effect.catchCause((cause) =>
        Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.logError("Attempts were not recorded", cause)
      ),
      Effect.andThen(
        Effect.sync(() => {
          stock.writers--
          if (stock.ended.length + stock.returned.length > 0) return write(stock)
          if (!stock.isEmpty || stock.writers > 0) return
          stocks.delete(stock.teamId)
          duty.endWork()
        })
      )
    )

  const admitAll = (teams: Iterable<string>) =>
    Effect.forEach(
      new Set(teams),
      (teamId) =>
        // What is wrong with one team is not the others' affair.
        Effect.catchCause(
          turns.transaction(
            teamId,
            Effect.flatMap(present, (at) => admit(teamId, at))
          ),
          (cause) => Effect.logError(`The deliveries of the team ${teamId} could not be looked after`, cause)
        ),
      { discard: true }
    )

  /** Takes up what others held that are gone, and frees what is held in this process's name without its knowledge. */
  let suspects: ReadonlySet<string> = new Set()
  const lookAfter = Effect.fnUntraced(function* (session: Lease) {
    const teams = yield* forgotten.freeOfDead(session.id, lockSeed)
    const unknown = (yield* forgotten.heldBy(session.id)).filter(
      ({ id, teamId }) => stocks.get(teamId)?.has(id) !== true
    )
    // Twice in a row: what a commit has just taken is not known yet.
    const lost = unknown.filter(({ id }) => suspects.has(id))
    suspects = new Set(unknown.map(({ id }) => id))
    if (lost.length > 0)
      yield* repo.giveBack(
        session.id,
        lost.map(({ id }) => id)
      )
    yield* admitAll([...teams, ...lost.map(({ teamId }) => teamId)])
    if (teams.length + lost.length > 0) {
      yield* Effect.logWarning(`Took up deliveries of ${teams.length} teams from workers that are gone`)
    }
  })

  yield* Effect.suspend(() => {
    const session = duty.currentLease()
    return session?.isShared === true ? lookAfter(session) : Effect.void
  }).pipe(
    Effect.catchCause((cause) => Effect.logDebug("Nobody looks after what workers held that are gone", cause)),
    Effect.repeat(Schedule.spaced(lookEvery)),
    onWallClock,
    Effect.forkScoped
  )

  duty.onLeaseEnd(() => {
    for (const stock of stocks.values()) {
      stock.giveBackAll()
      if (stock.returned.length > 0) write(stock)
    }
  })

  return {
    /**
     * Takes what waits in a team, as far as there is room at `at`, and sends it after the commit. The last step of a
     * transaction that makes something wait, or room free (see `Turns.take`). In a process that may take nothing now, a
     * worker is asked to.
     */
    admit,
    admitAll
  }
})

/** The deliveries that this process sends. */
export class Courier extends Context.Service<Courier, Effect.Success<typeof make>>()("webhooks/deliveries/Courier") {
  static readonly layer = Layer.effect(Courier, make)
}
