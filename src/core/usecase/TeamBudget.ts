/**
 * What one team may have at work at a time, whatever the others do. Each database has one budget, with a lane for each kind of work
 * ({@link lanes}): work that may take long waits for its turn, and bytes that find no room are refused. Transactions have permits of their
 * own (src/platform/db/TransactionPermits.ts). At the end, slow reads, which are one of the kinds. See
 * docs/adr/0033-one-budget-of-a-team.md.
 */
import { Cause, Context, Effect, Layer } from "effect"
import { QueryTooExpensive, RateLimited, Unavailable } from "./Problem.ts"
import { isSqlError } from "effect/sql/SqlError"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { DatabaseUnavailable, orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { atStandby, CurrentStandby } from "../../platform/db/Standbys.ts"
import { onWallClock } from "../../platform/Time.ts"

/** How much a lane has room for. */
export interface Size {
  readonly unit: "bytes" | "requests"
  /** How much of one team is in it at a time. */
  readonly team: number
  /** How much of all teams is in it at a time. A lane in which work waits has no such bound. */
  readonly process: number
  /** How many requests of a team may wait for their turn. Where none may, what finds no room is refused at once. */
  readonly waiting: number
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** The lanes of a budget. */
export const lanes = {
  /** Reads that look at many rows, on the four connections that are theirs: docs/behaviour/http.md#slow-reads. */
  slowReads: { unit: "requests", team: 2, process: Infinity, waiting: 32 },
  /** Pages of more than 50 rows, by the bytes of their rows, while they are read: docs/behaviour/http.md#pagination. */
  largePages: { unit: "bytes", team: 4 * mebibyte, process: Infinity, waiting: Infinity },
  /** Writes of much text, which Postgres folds and indexes for seconds: docs/behaviour/http.md#batches. */
  largeWrites: { unit: "requests", team: 1, process: Infinity, waiting: Infinity },
  /** Bodies, until their request has ended. A team may send four of the largest at once: docs/behaviour/http.md#bodies. */
  bodies: { unit: "bytes", team: 16 * mebibyte, process: 64 * mebibyte, waiting: 0 },
  /** Answers that clients have not received yet. A team may wait for eight of the largest pages: docs/behaviour/http.md#pagination. */
  answers: { unit: "bytes", team: 32 * mebibyte, process: 128 * mebibyte, waiting: 0 }
} as const satisfies { readonly [lane: string]: Size }

/** The sizes of the lanes of a budget. */
export type Sizes = { readonly [Name in keyof typeof lanes]: Size }

/** Which bound leaves no room. */
export type Shortage = "process" | "team"

/** Work in a lane, or on its way into it. */
export interface Ticket {
  readonly teamId: string
  readonly amount: number
  isTurn: boolean
  /** Called when its turn comes, if it had to wait. */
  begin: (() => void) | undefined
}

interface InLane {
  taken: number
  /** In the order in which they came. */
  readonly waiting: Set<Ticket>
}

/** What is in a lane and what waits for it. It decides without effects. */
export class Lane {
  readonly size: Size
  private readonly teams = new Map<string, InLane>()
  private taken = 0

  constructor(size: Size) {
    this.size = size
  }

  /** Takes an amount at once, or says which bound leaves no room. What has no team counts for the process alone. */
  take(teamId: string | undefined, amount: number): Shortage | undefined {
    if (teamId !== undefined && !this.hasRoom(teamId, amount)) return "team"
    if (this.taken + amount > this.size.process) return "process"
    this.add(teamId, amount)
    return undefined
  }

  /** Gives back what `take` took. */
  release(teamId: string | undefined, amount: number): void {
    this.add(teamId, -amount)
  }

  /** Enters as soon as the team has room, behind those of it that wait. Nothing is larger than the lane. */
  enter(teamId: string, amount: number): Ticket {
    const ticket: Ticket = { teamId, amount: Math.min(amount, this.size.team), isTurn: false, begin: undefined }
    ticket.isTurn = (this.teams.get(teamId)?.waiting.size ?? 0) === 0 && this.hasRoom(teamId, ticket.amount)
    if (ticket.isTurn) this.add(teamId, ticket.amount)
    else this.inLane(teamId).waiting.add(ticket)
    return ticket
  }

  /** Leaves the lane, or the queue before it. Returns those whose turn it is now. */
  leave(ticket: Ticket): ReadonlyArray<Ticket> {
    const { teamId } = ticket
    const { waiting } = this.inLane(teamId)
    if (!waiting.delete(ticket)) this.add(teamId, -ticket.amount)
    const next: Array<Ticket> = []
    for (const waiter of waiting) {
      if (!this.hasRoom(teamId, waiter.amount)) break
      waiting.delete(waiter)
      waiter.isTurn = true
      this.add(teamId, waiter.amount)
      next.push(waiter)
    }
    this.forgetIfIdle(teamId)
    return next
  }

  /** Whether as many of a team wait as may. */
  isFull(teamId: string): boolean {
    return (this.teams.get(teamId)?.waiting.size ?? 0) >= this.size.waiting
  }

  /** Whether nothing is in the lane and nothing waits for it. */
  get isEmpty(): boolean {
    return this.taken === 0 && this.teams.size === 0
  }

  private inLane(teamId: string): InLane {
    const team = this.teams.get(teamId) ?? { taken: 0, waiting: new Set() }
    this.teams.set(teamId, team)
    return team
  }

  private hasRoom(teamId: string, amount: number): boolean {
    return (this.teams.get(teamId)?.taken ?? 0) + amount <= this.size.team
  }

  private add(teamId: string | undefined, amount: number): void {
    this.taken += amount
    if (teamId === undefined) return
    this.inLane(teamId).taken += amount
    this.forgetIfIdle(teamId)
  }

  private forgetIfIdle(teamId: string): void {
    const team = this.teams.get(teamId)
    if (team?.taken === 0 && team.waiting.size === 0) this.teams.delete(teamId)
  }
}

/** The bytes that a row of a list counts for before a page of it was read. */
const unknownRow = 10 * kibibyte

/** Of how many lists of teams the bytes of a row are remembered: those that were read last. */
const maxRemembered = 10_000

/** What the pages of lists will take, by those that were read last. */
export class RowBytes {
  private readonly remembered = new Map<string, number>()

  /** The bytes that a row of a list is expected to take. */
  expected(list: string): number {
    return this.remembered.get(list) ?? unknownRow
  }

  /** One page of short rows among others of long ones halves at most what the next is expected to take. */
  remember(list: string, bytes: number): void {
    const next = Math.max(bytes, (this.remembered.get(list) ?? 0) / 2)
    this.remembered.delete(list)
    this.remembered.set(list, next)
    if (this.remembered.size <= maxRemembered) return
    for (const oldest of this.remembered.keys()) return void this.remembered.delete(oldest)
  }
}

/** The lanes of all teams of a database. */
export type Budget = { readonly [Name in keyof Sizes]: Lane } & { readonly rowBytes: RowBytes }

/** A budget of which nothing is taken yet. */
export const make = (sizes: Sizes): Budget => ({
  slowReads: new Lane(sizes.slowReads),
  largePages: new Lane(sizes.largePages),
  largeWrites: new Lane(sizes.largeWrites),
  bodies: new Lane(sizes.bodies),
  answers: new Lane(sizes.answers),
  rowBytes: new RowBytes()
})

/** The sizes of the lanes of budgets that are made. */
export const LaneSizes = Context.Reference<Sizes>("core/usecase/TeamBudget/LaneSizes", { defaultValue: () => lanes })

/** The budget that the running request or job counts for. */
export const TeamBudget = Context.Reference<Budget>("core/usecase/TeamBudget", { defaultValue: () => make(lanes) })

/** A budget for the database whose use-cases stand on the layer. */
export const layer: Layer.Layer<never> = Layer.effect(TeamBudget, Effect.map(LaneSizes, make))

const turnOf = (ticket: Ticket) =>
  Effect.callback<void>((resume) => {
    if (ticket.isTurn) resume(Effect.void)
    else ticket.begin = () => resume(Effect.void)
  })

/** Runs an effect of a team when its lane has room. One that is interrupted while it waits leaves the queue. */
export const inTurn = <A, E, R>(
  lane: Lane,
  teamId: string,
  amount: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.suspend(() => {
      const ticket = lane.enter(teamId, amount)
      return Effect.ensuring(
        restore(ticket.isTurn ? effect : Effect.andThen(turnOf(ticket), effect)),
        Effect.sync(() => {
          for (const next of lane.leave(ticket)) {
            // Not at once: resumed fibers run inside of this call, and could resume further ones.
            queueMicrotask(() => next.begin?.())
          }
        })
      )
    })
  )

/** The number of rows up to which a page takes nothing. */
const smallPage = 50

/** The bytes that a larger page takes at least, so that 32 pages of ordinary rows are read at a time. */
const minPageBytes = 128 * kibibyte

/** The rows that were read for a page, and their bytes. */
interface Read {
  readonly rows: ReadonlyArray<unknown>
  readonly bytes: number
}

/** Reads a page of at most `pageSize` rows of a list when its team has room for it. */
export const pageInTurn = <A extends Read, E, R>(
  teamId: string,
  list: string,
  pageSize: number,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  pageSize <= smallPage
    ? read
    : Effect.flatMap(TeamBudget, ({ largePages, rowBytes }) => {
        const key = `${teamId} ${list}`
        const remembering = Effect.tap(read, ({ bytes, rows }) =>
          Effect.sync(() => rows.length > 0 && rowBytes.remember(key, bytes / rows.length))
        )
        return inTurn(largePages, teamId, Math.max(minPageBytes, rowBytes.expected(key) * pageSize), remembering)
      })

/** Reads what takes megabytes when no large page of its team is read. */
export const alone = <A, E, R>(teamId: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(TeamBudget, ({ largePages }) => inTurn(largePages, teamId, Infinity, read))

// What numbers, times and the like take, and the quotes and separators of a member.
const others = 8

// The bytes of a short text need not be counted.
const shortText = 100

/** The bytes that a value takes as JSON, roughly. Every row of a list is looked at, so that it makes no arrays of entries. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length < shortText ? value.length : Buffer.byteLength(value)
  if (typeof value !== "object" || value === null) return others
  if (Array.isArray(value)) return sizeOfAll(value)
  if (value instanceof Date || ArrayBuffer.isView(value)) return others
  let size = others
  for (const name in value) size += name.length + others + sizeOf(value[name as keyof typeof value])
  return size
}

const sizeOfAll = (values: ReadonlyArray<unknown>): number => {
  let size = others
  for (const value of values) size += sizeOf(value)
  return size
}

/** The bytes from which a write is a large one, and those of each of many records. A batch of ordinary ones has fewer. */
const largeWrite = { all: 256 * kibibyte, each: 2.5 * kibibyte }

/** Runs a write of these values when no other large one of its team runs. */
export const writeInTurn = <A, E, R>(
  teamId: string,
  values: ReadonlyArray<unknown>,
  write: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  sizeOf(values) < Math.max(largeWrite.all, largeWrite.each * values.length)
    ? write
    : Effect.flatMap(TeamBudget, ({ largeWrites }) => inTurn(largeWrites, teamId, 1, write))

/** What one request takes of lanes. Its readers can only take; who made it gives all of it back, at once. */
export interface Holding {
  /** Takes bytes until `release`, or says which bound leaves no room. Afterwards it is a defect. */
  readonly take: (lane: Lane, teamId: string | undefined, bytes: number) => Shortage | undefined
  readonly release: () => void
}

/** A holding of nothing. */
export const hold = (): Holding => {
  const held: Array<{ readonly lane: Lane; readonly teamId: string | undefined; bytes: number }> = []
  let hasEnded = false
  return {
    take: (lane, teamId, bytes) => {
      if (hasEnded) throw new Error("a request that has ended takes bytes of a budget")
      const lacking = lane.take(teamId, bytes)
      if (lacking !== undefined) return lacking
      const same = held.find((one) => one.lane === lane && one.teamId === teamId)
      if (same === undefined) held.push({ lane, teamId, bytes })
      else same.bytes += bytes
      return undefined
    },
    release: () => {
      hasEnded = true
      for (const { bytes, lane, teamId } of held.splice(0)) lane.release(teamId, bytes)
    }
  }
}

/** The refusal of bytes that a lane has no room for. `what` names them. */
export const shortage = ({ size }: Lane, lacking: Shortage, what: string): RateLimited | Unavailable =>
  lacking === "process"
    ? new Unavailable({ detail: `${what} of all teams take too much memory.` })
    : new RateLimited({
        detail: `${what} of the team must not have more than ${size.team} bytes together. Try again in 1 s.`
      })

/** The refusal of a write that would be one too many of its team to wait for a permit (src/platform/db/TransactionPermits.ts). */
export const tooManyWrites = new RateLimited({
  detail: "Too many writes of this team wait for their turn. Send fewer at the same time, and this one again in 1 s."
})

// Reads that can be slow: searches, and lists that read more rows than they answer. They have connections of their own, a time
// limit, and a bound for each team, so that one team's do not stop anybody else's requests: docs/behaviour/http.md#slow-reads.

/** How long a read waits for its turn, in milliseconds. */
const maxWaitMs = 5_000

const tooMany = ({ team }: Size) =>
  new RateLimited({
    detail: `Of one team, ${team} searches run at a time, and as many more wait as can run within ${maxWaitMs / 1000} s. Send fewer at a time.`
  })

const allBusy = new DatabaseUnavailable({ cause: "all connections for slow reads are busy" })

const timedOut = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isDieReason(reason) &&
      reason.defect instanceof DatabaseUnavailable &&
      isSqlError(reason.defect.cause) &&
      reason.defect.cause.reason._tag === "StatementTimeoutError"
  )

/** Makes the function that runs slow reads. */
export const makeSlowReads = Effect.gen(function* () {
  const sql = yield* Database
  const { slowReads: lane } = yield* TeamBudget

  /** Lets `read` begin when it is its turn, and not at all if that takes too long. `begin` is run when it is. */
  const whenItIsItsTurn = <A, E, R>(teamId: string, read: (begin: () => void) => Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | RateLimited, R> => {
      if (lane.isFull(teamId)) return Effect.fail(tooMany(lane.size))
      let waitsFor: "turn" | "connection" | undefined = "turn"
      const tooLate = Effect.andThen(
        onWallClock(Effect.sleep(maxWaitMs)),
        Effect.suspend(() =>
          waitsFor === undefined
            ? Effect.never
            : waitsFor === "turn"
              ? Effect.fail(tooMany(lane.size))
              : Effect.die(allBusy)
        )
      )
      const inTime = inTurn(
        lane,
        teamId,
        1,
        Effect.suspend(() => {
          waitsFor = "connection"
          return read(() => {
            waitsFor = undefined
          })
        })
      )
      return Effect.raceFirst(inTime, tooLate)
    })

  /**
   * Runs a read of a team, which writes nothing. If one of its statements takes too long, it fails and says how to `narrow` it. A
   * read whose caller is interrupted ends at once.
   */
  return <A, E, R>(
    teamId: string,
    narrow: string,
    read: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | QueryTooExpensive | RateLimited, R> =>
    Effect.gen(function* () {
      const { slowReads, transactionService } = sql
      const inTransaction = (yield* Effect.serviceOption(transactionService))._tag === "Some"
      // In memory there is one session.
      if (inTransaction || slowReads === undefined) return yield* read
      const { timeoutMs } = slowReads
      const reading = whenItIsItsTurn(teamId, (begin) =>
        Effect.gen(function* () {
          const standby = yield* CurrentStandby
          const reserved = yield* orDie(inTeam(teamId)(standby?.slowReads ?? slowReads.connection))
          begin()
          // As in a transaction, but for the BEGIN: all statements of the read are sent on this connection.
          return yield* Effect.provideService(read, transactionService, [reserved, 0])
        }).pipe(Effect.scoped)
      )
      return yield* atStandby(
        Effect.catchCauseIf(reading, timedOut, () =>
          Effect.fail(new QueryTooExpensive({ detail: `The query took longer than ${timeoutMs} ms. ${narrow}` }))
        )
      )
    })
})

/** Runs slow reads. */
export type SlowReads = Effect.Success<typeof makeSlowReads>
