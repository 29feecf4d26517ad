/** The commands of investors on their offers. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OfferLifecycle } from "../deals/lifecycle/OfferLifecycle.ts"
import { offerFilters } from "../deals/offers/Offer.ts"
import { Offers } from "../deals/offers/Offers.ts"
import { onBehalf, onBehalfFlags } from "./Command.ts"

const id = Argument.String("offer").pipe(Argument.withDescription("The offer's id"))

const maxListed = 500

const list = Command.make(
  "list",
  {
    ...onBehalfFlags,
    filter: Flag.Literals("filter", offerFilters).pipe(
      Flag.withDescription("Which offers (all but removed ones by default)"),
      Flag.withDefault("all" as const)
    )
  },
  ({ filter, ...given }) =>
    onBehalf(
      given,
      Effect.gen(function* () {
        const { list } = yield* Offers
        const query = { filter, page_size: maxListed }
        return (yield* list(UseCaseRequest.make({ operation: "offer list", query }))).data
      })
    )
).pipe(
  Command.withDescription(`List the offers of the person's team, the newest first; at most ${maxListed}`),
  Command.withExamples([{ command: "offer list --as nora@example.com --filter active" }])
)

const requestOf = (name: string, body: { readonly [member: string]: string } = {}) =>
  UseCaseRequest.make({ operation: `offer ${name}`, query: {}, body })

const accept = Command.make("accept", { ...onBehalfFlags, id }, ({ id, ...given }) =>
  onBehalf(
    given,
    Effect.flatMap(OfferLifecycle, (answers) => answers.accept(id, requestOf("accept")))
  )
).pipe(
  Command.withDescription("Accept an offer: from then on it names the broker, and both can exchange messages"),
  Command.withExamples([{ command: "offer accept offer_… --as nora@example.com" }])
)

const reject = Command.make(
  "reject",
  {
    ...onBehalfFlags,
    id,
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for the broker"), Flag.optional)
  },
  ({ id, reason, ...given }) =>
    onBehalf(
      given,
      Effect.flatMap(OfferLifecycle, (answers) =>
        answers.reject(id, requestOf("reject", Option.isSome(reason) ? { reason: reason.value } : {}))
      ),
      { reason: "--reason" }
    )
).pipe(
  Command.withDescription("Reject an offer"),
  Command.withExamples([{ command: 'offer reject offer_… --as nora@example.com --reason "Too small for us"' }])
)

const remove = Command.make("remove", { ...onBehalfFlags, id }, ({ id, ...given }) =>
  onBehalf(
    given,
    Effect.flatMap(OfferLifecycle, (answers) => answers.remove(id, requestOf("remove")))
  )
).pipe(
  Command.withDescription("Take an offer off the team's lists"),
  Command.withExamples([{ command: "offer remove offer_… --as nora@example.com" }])
)

/** `offer …` */
export const offer = Command.make("offer").pipe(
  Command.withDescription("Offers that investors received"),
  Command.withSubcommands([list, accept, reject, remove])
)
