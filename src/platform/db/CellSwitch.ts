/** The connection of a transaction that writes for teams of several cells, such as one that communicates a teaser. */
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { type CellDirectory, currentIn } from "./CellDirectory.ts"
import { searchPathOf } from "./searchPath.ts"

type Connection = SqlConnection.Connection

/** Sets the search path before a statement that is about another cell than the one before. */
export class CellSwitch implements Connection {
  private readonly connection: Connection
  private readonly directory: CellDirectory
  /** The cell whose tables statements find; undefined if that is not known. */
  private cell: string | undefined

  constructor(connection: Connection, directory: CellDirectory, cell: string | undefined) {
    this.connection = connection
    this.directory = directory
    this.cell = cell
  }

  private readonly switched: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.flatMap(currentIn(this.directory), (cell) =>
      cell === undefined || cell === this.cell
        ? Effect.void
        : Effect.map(
            this.connection.executeUnprepared(`set local search_path to ${searchPathOf(cell)}`, [], undefined),
            () => {
              this.cell = cell
            }
          )
    )
  )

  private run<A>(statement: string, effect: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, SqlError.SqlError> {
    if (!isControl(statement)) return Effect.andThen(this.switched, effect)
    // The search path is rolled back to that of the savepoint.
    if (statement.startsWith("ROLLBACK TO")) this.cell = undefined
    return effect
  }

  execute(...args: Parameters<Connection["execute"]>) {
    return this.run(args[0], this.connection.execute(...args))
  }

  executeUnprepared(...args: Parameters<Connection["executeUnprepared"]>) {
    return this.run(args[0], this.connection.executeUnprepared(...args))
  }

  executeRaw(...args: Parameters<Connection["executeRaw"]>) {
    return this.run(args[0], this.connection.executeRaw(...args))
  }

  executeValues(...args: Parameters<Connection["executeValues"]>) {
    return this.run(args[0], this.connection.executeValues(...args))
  }

  executeValuesUnprepared(...args: Parameters<Connection["executeValuesUnprepared"]>) {
    return this.run(args[0], this.connection.executeValuesUnprepared(...args))
  }

  executeStream(...args: Parameters<Connection["executeStream"]>) {
    return Stream.unwrap(Effect.map(this.switched, () => this.connection.executeStream(...args)))
  }
}

const isControl = (statement: string): boolean => /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/.test(statement)
