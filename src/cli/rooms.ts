/** The commands of rooms: docs/behaviour/rooms.md. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AccessLifecycle } from "../deals/lifecycle/AccessLifecycle.ts"
import { Rooms } from "../deals/rooms/Rooms.ts"
import { Documents } from "../deals/rooms/Documents.ts"
import { creation, idempotencyKey, onBehalf, onBehalfFlags, uploadOf } from "./Command.ts"
import { given } from "./Output.ts"

const project = Argument.String("project").pipe(Argument.withDescription("The project's id"))

/** `none` stands for no end. */
const endOrNone = (text: string) => (text === "none" ? null : text)

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
    idempotencyKey,
    ...onBehalfFlags
  },
  ({ defaultAccess, idempotencyKey: key, name, nda, project: id, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(Rooms, (rooms) =>
        Effect.map(
          rooms.open(
            id,
            creation(
              `room open ${id}`,
              { name, ndaRequired: nda, ...given({ defaultAccess: Option.map(defaultAccess, endOrNone) }) },
              key
            )
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

const roomId = Argument.String("room").pipe(Argument.withDescription("The room's id"))

const prospects = Flag.String("prospect").pipe(
  Flag.withDescription("The id of a prospect; may be given several times"),
  Flag.atLeast(1)
)

const accessFlags = { prospectIds: "--prospect", until: "--until" }

const grant = Command.make(
  "grant",
  {
    roomId,
    prospects,
    until: Flag.String("until").pipe(
      Flag.withDescription("When the access ends: 3d, 2w, 1m, ISO 8601, or none (by default, what the room has)"),
      Flag.optional
    ),
    ...onBehalfFlags
  },
  ({ prospects: prospectIds, roomId: id, until, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(AccessLifecycle, (access) =>
        access.grant(
          id,
          UseCaseRequest.make({
            operation: `room grant ${id}`,
            query: {},
            body: { prospectIds, ...given({ until: Option.map(until, endOrNone) }) }
          })
        )
      ),
      accessFlags
    )
).pipe(Command.withDescription("Give prospects access to a data room"))

const revoke = Command.make("revoke", { roomId, prospects, ...onBehalfFlags }, ({ prospects: prospectIds, ...given }) =>
  onBehalf(
    given,
    Effect.flatMap(AccessLifecycle, (access) =>
      access.revoke(
        given.roomId,
        UseCaseRequest.make({ operation: `room revoke ${given.roomId}`, query: {}, body: { prospectIds } })
      )
    ),
    accessFlags
  )
).pipe(Command.withDescription("Withdraw the access of prospects to a data room"))

const close = Command.make("close", { roomId, ...onBehalfFlags }, ({ roomId: id, ...flags }) =>
  onBehalf(
    flags,
    Effect.flatMap(Rooms, (rooms) => rooms.close(id, { query: Effect.succeed({}) }))
  )
).pipe(Command.withDescription("Close a data room: access to it ends"))

const upload = Command.make(
  "upload",
  {
    roomId,
    file: Argument.String("file").pipe(Argument.withDescription("The path of the file")),
    path: Flag.String("path").pipe(
      Flag.withDescription(
        "Folders and name in the room (the name of the file by default); the same path: next version"
      ),
      Flag.optional
    ),
    contentType: Flag.String("content-type").pipe(
      Flag.withDescription("The media type of the file"),
      Flag.withDefault("application/octet-stream")
    ),
    idempotencyKey,
    ...onBehalfFlags
  },
  ({ contentType, file: local, idempotencyKey: key, path, roomId: id, ...flags }) =>
    Effect.flatMap(uploadOf(local, contentType), (file) =>
      onBehalf(
        flags,
        Effect.flatMap(Documents, (documents) =>
          Effect.map(
            documents.upload(id, {
              // The path is part of the operation, because the key of a repeated command is for one document.
              ...creation(`room upload ${id} ${Option.getOrElse(path, () => "")}`, {}, key),
              file,
              ...(Option.isSome(path) ? { path: path.value } : {})
            }),
            ({ value }) => value
          )
        ),
        { file: "FILE", path: "--path" }
      )
    )
).pipe(Command.withDescription("Upload a document to a data room"))

const documents = Command.make("documents", { roomId, ...onBehalfFlags }, ({ roomId: id, ...flags }) =>
  onBehalf(
    flags,
    Effect.flatMap(Documents, ({ list: listOf }) => listOf(id))
  )
).pipe(Command.withDescription("List the documents of a data room, as its broker or as an investor with access"))

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
  Command.withSubcommands([open, close, grant, revoke, upload, documents, list])
)
