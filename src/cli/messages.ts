/** The operator's commands by which brokers and investors talk to each other: docs/behaviour/messages.md. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Messages } from "../deals/messages/Messages.ts"
import { creation, idempotencyKey, onBehalf, onBehalfFlags, uploadOf } from "./Command.ts"

const conversation = Argument.String("prospect-or-offer").pipe(
  Argument.withDescription("The prospect's id, for a broker; the offer's id, for an investor")
)

const send = Command.make(
  "send",
  {
    conversation,
    text: Flag.String("text").pipe(Flag.withDescription("The message, of up to 20,000 characters")),
    ...onBehalfFlags,
    idempotencyKey
  },
  ({ conversation: id, idempotencyKey: key, text, ...person }) =>
    onBehalf(
      person,
      Effect.gen(function* () {
        const { send } = yield* Messages
        return (yield* send(id, creation(`message send ${id}`, { text }, key))).value
      }),
      { text: "--text" }
    )
).pipe(
  Command.withDescription("Send a message to an investor, or to the broker of an offer, once the offer is accepted"),
  Command.withExamples([
    { command: 'message send prospect_… --text "The rent roll is in the room." --as anna@example.com' }
  ])
)

/** `message …` */
export const message = Command.make("message").pipe(
  Command.withDescription("Messages between brokers and investors"),
  Command.withSubcommands([send])
)

const share = Command.make(
  "share",
  {
    conversation,
    path: Argument.String("file").pipe(Argument.withDescription("The path of the file")),
    contentType: Flag.String("content-type").pipe(
      Flag.withDescription("The media type of the file"),
      Flag.withDefault("application/octet-stream")
    ),
    ...onBehalfFlags,
    idempotencyKey
  },
  ({ contentType, conversation: id, idempotencyKey: key, path, ...person }) =>
    Effect.flatMap(uploadOf(path, contentType), (file) =>
      onBehalf(
        person,
        Effect.gen(function* () {
          const { share } = yield* Messages
          return (yield* share(id, { ...creation(`file share ${id}`, {}, key), file })).value
        }),
        { file: "FILE" }
      )
    )
).pipe(
  Command.withDescription("Share a file with an investor, or with the broker of an offer, once the offer is accepted"),
  Command.withExamples([
    { command: "file share offer_… loi.pdf --content-type application/pdf --as maria@example.com" }
  ])
)

/** `file …` */
export const file = Command.make("file").pipe(
  Command.withDescription("Files that brokers and investors share with each other"),
  Command.withSubcommands([share])
)

const log = Command.make(
  "log",
  {
    prospect: Argument.String("prospect").pipe(Argument.withDescription("The prospect's id")),
    note: Flag.String("note").pipe(Flag.withDescription("What was said, for brokers of the team only")),
    ...onBehalfFlags,
    idempotencyKey
  },
  ({ idempotencyKey: key, note, prospect, ...person }) =>
    onBehalf(
      person,
      Effect.gen(function* () {
        const { logCall } = yield* Messages
        return (yield* logCall(prospect, creation(`call log ${prospect}`, { note }, key))).value
      }),
      { note: "--note" }
    )
).pipe(
  Command.withDescription("Log a call with an investor"),
  Command.withExamples([{ command: 'call log prospect_… --note "Wants a second visit" --as anna@example.com' }])
)

/** `call …` */
export const call = Command.make("call").pipe(
  Command.withDescription("Calls with investors"),
  Command.withSubcommands([log])
)
