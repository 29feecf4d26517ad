/** The commands of rooms: docs/behaviour/rooms.md. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { RoomMoves } from "../rooms/RoomMoves.ts"
import { Rooms } from "../rooms/Rooms.ts"
import * as UseCaseRequest from "../usecase/UseCaseRequest.ts"
import { onBehalf, onBehalfFlags } from "./onBehalf.ts"
import { given } from "./Output.ts"

const project = Argument.String("project").pipe(Argument.withDescription("The project's id"))

const open = Command.make(
  "open",
  {
    project,
    name: Flag.String("name").pipe(Flag.withDescription("The name of the room")),
    nda: Flag.Boolean("nda").pipe(
      Flag.withDescription("Investors need a non-disclosure agreement"),
      Flag.withDefault(false)
    ),
    defaultAccess: Flag.String("default-access").pipe(
      Flag.withDescription("For how long access is granted: 30d (the default), 2w, 1m, or none for no end"),
      Flag.optional
    ),
    idempotencyKey: Flag.String("idempotency-key").pipe(
      Flag.withDescription("Makes the command safe to repeat for 24 hours"),
      Flag.optional
    ),
    ...onBehalfFlags
  },
  ({ defaultAccess, idempotencyKey, name, nda, project: id, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(RoomMoves, (rooms) =>
        Effect.map(
          rooms.open(
            id,
            UseCaseRequest.make({
              operation: `room open ${id}`,
              query: {},
              body: {
                name,
                ndaRequired: nda,
                ...given({ defaultAccess: Option.map(defaultAccess, (period) => (period === "none" ? null : period)) })
              },
              ...(Option.isSome(idempotencyKey) ? { idempotencyKey: idempotencyKey.value } : {})
            })
          ),
          ({ value }) => value
        )
      ),
      { name: "--name", defaultAccess: "--default-access" }
    )
).pipe(
  Command.withDescription("Open a data room of a project"),
  Command.withExamples([{ command: "room open project_… --name 'Due diligence' --as anna@example.com" }])
)

const list = Command.make("list", { project, ...onBehalfFlags }, ({ project: id, ...flags }) =>
  onBehalf(
    flags,
    Effect.flatMap(Rooms, (rooms) =>
      Effect.map(rooms.list(id, { query: Effect.succeed({ page_size: 500 }) }), ({ data }) => data)
    )
  )
).pipe(Command.withDescription("List the data rooms of a project"))

/** `room …` */
export const room = Command.make("room").pipe(
  Command.withDescription("Manage data rooms"),
  Command.withSubcommands([open, list])
)
