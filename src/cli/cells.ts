/** The operator's commands on the cells of teams, which Citus distributes: docs/operations.md#citus. */
import * as CellMove from "../platform/db/CellMove.ts"
import * as CellSchema from "../platform/db/CellSchema.ts"
import * as Id from "../core/Id.ts"
import * as Installation from "./Installation.ts"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Database } from "../platform/db/Database.ts"
import { print, tableOf } from "./Output.ts"

const onDatabase = <A, E>(use: (sql: Database["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Database, use).pipe(Effect.provide(Installation.database))

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("The name of the cell and its schema, which begins with cell_")
)

const create = Command.make("create", { name: nameArgument }, ({ name }) =>
  Effect.gen(function* () {
    yield* print(
      yield* onDatabase((sql) => Effect.andThen(CellSchema.create(sql, name), CellSchema.find(sql, name))),
      (cell) => [`${cell.name} on ${cell.server}`]
    )
  })
).pipe(
  Command.withDescription(
    "Create a cell on the server that has the fewest. New teams go to the cell with the fewest teams"
  ),
  Command.withShortDescription("Create a cell")
)

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    yield* print(yield* onDatabase(CellSchema.list), (cells) =>
      cells.map(({ bytes, name, server, teams }) => `${name} on ${server}: ${teams} teams, ${bytes} bytes`)
    )
  })
).pipe(Command.withDescription("List the cells, with their servers, teams and sizes"))

const teamArgument = Argument.String("team").pipe(Argument.withDescription("The team's id (`team list` shows it)"))

const unknownTeam = new CellSchema.CellRefused({ message: "There is no such team: `admin team list` shows them." })

const move = Command.make("move", { team: teamArgument, cell: nameArgument }, ({ cell, team }) =>
  Effect.gen(function* () {
    const uuid = Id.toUuid("team", team)
    if (uuid === undefined) return yield* unknownTeam
    yield* print(yield* CellMove.run(uuid, cell).pipe(Effect.provide(Installation.database)), (moved) =>
      tableOf([
        ["TABLE", "ROWS"],
        ...moved.filter(({ rows }) => rows > 0).map(({ rows, table }) => [table, String(rows)])
      ])
    )
  })
).pipe(
  Command.withDescription(
    "Move a team to another cell. It takes no changes meanwhile, and in the end answers nothing. After an interruption, run it again"
  ),
  Command.withShortDescription("Move a team to another cell"),
  Command.withExamples([{ command: "cell move team_… cell_b" }])
)

/** `admin cell`. */
export const cell = Command.make("cell").pipe(
  Command.withDescription("Manage the cells of teams, where the database is Citus"),
  Command.withSubcommands([create, list, move])
)
