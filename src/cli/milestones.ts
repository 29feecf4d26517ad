/** The operator's commands by which a broker records milestones of prospects. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ProspectChanges } from "../deals/prospects/ProspectChanges.ts"
import { creation, idempotencyKey, onBehalf, onBehalfFlags } from "./Command.ts"

const prospect = Argument.String("prospect").pipe(Argument.withDescription("The prospect's id"))

const shareMemorandum = Command.make(
  "share",
  { prospect, ...onBehalfFlags, idempotencyKey },
  ({ idempotencyKey: key, prospect, ...person }) =>
    onBehalf(
      person,
      Effect.gen(function* () {
        const { shareMemorandum } = yield* ProspectChanges
        return (yield* shareMemorandum(prospect, creation(`im share ${prospect}`, {}, key))).value
      })
    )
).pipe(
  Command.withDescription("Record that a prospect received the information memorandum, which raises its stage"),
  Command.withExamples([{ command: "im share prospect_… --as anna@example.com" }])
)

/** `im …` */
export const im = Command.make("im").pipe(
  Command.withDescription("Information memoranda"),
  Command.withSubcommands([shareMemorandum])
)

const recordBid = Command.make(
  "record",
  {
    prospect,
    amount: Flag.Finite("amount").pipe(Flag.withDescription("The amount of the bid")),
    currency: Flag.String("currency").pipe(Flag.withDescription("The ISO 4217 code of the currency, such as EUR")),
    ...onBehalfFlags,
    idempotencyKey
  },
  ({ amount, currency, idempotencyKey: key, prospect, ...person }) =>
    onBehalf(
      person,
      Effect.gen(function* () {
        const { receiveBid } = yield* ProspectChanges
        return (yield* receiveBid(prospect, creation(`bid record ${prospect}`, { amount, currency }, key))).value
      }),
      { amount: "--amount", currency: "--currency" }
    )
).pipe(
  Command.withDescription(
    "Record a bid of a prospect, which raises its stage. The amount is shown to brokers of the team only"
  ),
  Command.withExamples([{ command: "bid record prospect_… --amount 12500000 --currency EUR --as anna@example.com" }])
)

/** `bid …` */
export const bid = Command.make("bid").pipe(
  Command.withDescription("Bids of investors"),
  Command.withSubcommands([recordBid])
)
