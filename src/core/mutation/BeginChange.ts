/** The SQL that begins a change: its id and time in each team that it reaches (docs/adr/0029-changes-begin-by-team.md). */
import { Effect } from "effect"
import { byCell } from "../../platform/db/CurrentCell.ts"
import type { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** What `begin_change` gave a transaction for a team. */
export interface Begun {
  readonly at: Date
  readonly transactionId: string
}

/** Begins changes on a database. */
export const make = (sql: Database["Service"]) => {
  // In a cell, the function must run on the server that has the rows of the cell, whose transactions its ids are of. A statement runs
  // there that reads a table of the cell: this one has a single row.
  const ofCell = sql.cells === undefined ? sql.literal("") : sql.literal("this_cell cross join lateral")

  /** Draws numbers for change records. */
  const drawNumbers = Effect.fnUntraced(function* (count: number) {
    const drawn = yield* orDie(sql<{ readonly number: string }>`
      select nextval('action_numbers')::text as number from generate_series(1, ${count}::int)`)
    return drawn.map(({ number }) => Number(number))
  })

  /** Fails while the rows of a team are moved to another cell. */
  const admit = (teamId: string) => (sql.cells === undefined ? Effect.void : orDie(sql.cells.takesChanges(teamId)))

  /** Begins the change of a team (UUID), and draws its first number. `time` is null for the clock of the database. */
  const begin = Effect.fnUntraced(function* (teamId: string, time: Date | null) {
    yield* admit(teamId)
    const number = sql.literal(sql.cells === undefined ? `nextval('action_numbers')::text` : "null::text")
    const [row] = yield* orDie(
      sql<Begun & { readonly number: string | null }>`
        select changed_at as at, transaction_id::text as "transactionId", ${number} as number
        from ${ofCell} begin_change(${teamId}::uuid, ${time}::timestamptz)`
    )
    if (row === undefined) return yield* Effect.die(new Error("begin_change returned no row"))
    const { number: first, ...begun } = row
    const numbers = first === null ? yield* drawNumbers(1) : [Number(first)]
    return { begun, numbers }
  })

  /** Begins the change in further teams (UUIDs), at this time or, where a later one was given before, at that. */
  const beginIn = (teamIds: ReadonlyArray<string>, at: Date) =>
    byCell(
      sql,
      teamIds,
      (teamId) => teamId,
      (ofOneCell) =>
        Effect.andThen(
          Effect.forEach(ofOneCell, admit, { discard: true }),
          orDie(sql<Begun & { readonly teamId: string }>`
          select team_id as "teamId", changed_at as at, transaction_id::text as "transactionId"
          from unnest(${ofOneCell}::uuid[]) as further (team_id),
            ${ofCell} begin_change(team_id, ${at}::timestamptz)`)
        )
    )

  return { begin, beginIn, drawNumbers }
}
