/** Pages that may take megabytes take turns within their team, by the bytes of their rows: docs/behaviour/http.md#pagination. */
import { Effect } from "effect"
import * as TeamTurns from "./TeamTurns.ts"

/** The number of rows up to which a page takes no turn. */
const smallPage = 50

/** A page takes one turn for so many bytes. */
const bytesPerTurn = 128 * 1024

/** The turns of a team: twice as many as the largest page takes, so that 32 pages of ordinary rows are read at a time. */
const turnsPerTeam = 32

/** The bytes that a row of a list counts for before a page of it was read. */
const unknownRow = 10 * 1024

/** Of how many lists of teams the bytes of a row are remembered: those that were read last. */
const maxRemembered = 10_000

const turns = TeamTurns.make(turnsPerTeam)

/** What a row of a list of a team takes, in bytes, by the pages that were read last. */
const rowBytes = new Map<string, number>()

/** One short page among long ones lowers what the next is expected to take by half at most. */
const remember = (list: string, bytes: number) => {
  const expected = Math.max(bytes, (rowBytes.get(list) ?? 0) / 2)
  rowBytes.delete(list)
  rowBytes.set(list, expected)
  if (rowBytes.size <= maxRemembered) return
  for (const oldest of rowBytes.keys()) return void rowBytes.delete(oldest)
}

/** The rows that were read for a page, and their bytes. */
interface Read {
  readonly rows: ReadonlyArray<unknown>
  readonly bytes: number
}

/** Reads a page of at most `pageSize` rows of a list when it is its turn. */
export const inTurnOfTeam = <A extends Read, E, R>(
  teamId: string,
  list: string,
  pageSize: number,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  if (pageSize <= smallPage) return read
  const key = `${teamId} ${list}`
  const expected = (rowBytes.get(key) ?? unknownRow) * pageSize
  const needed = Math.min(turnsPerTeam, Math.max(1, Math.ceil(expected / bytesPerTurn)))
  return turns.inTurn(
    teamId,
    needed,
    Effect.tap(read, ({ bytes, rows }) => Effect.sync(() => rows.length > 0 && remember(key, bytes / rows.length)))
  )
}

/** Reads what takes megabytes when no large page of its team is read. */
export const alone = <A, E, R>(teamId: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  turns.inTurn(teamId, turnsPerTeam, read)
