/** The commands of teasers: docs/behaviour/teasers.md#stages. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { TeaserMoves } from "../deals/teasers/TeaserMoves.ts"
import { communicate } from "./communications.ts"
import { byOperator, dryRunFlag, onBehalf, onBehalfFlags } from "./onBehalf.ts"

const subject = Argument.String("subject").pipe(
  Argument.withDescription("The id of the project, the property or the data room that the teaser is about")
)

const publish = Command.make("publish", { subject, ...onBehalfFlags }, ({ subject: id, ...person }) =>
  onBehalf(
    person,
    Effect.flatMap(TeaserMoves, ({ move }) => move(id, "publish"))
  )
).pipe(
  Command.withDescription("Publish a teaser. It needs a category and a country that investors can see"),
  Command.withExamples([{ command: "teaser publish project_… --as anna@example.com" }])
)

const unpublish = Command.make("unpublish", { subject, ...onBehalfFlags }, ({ subject: id, ...person }) =>
  onBehalf(
    person,
    Effect.flatMap(TeaserMoves, ({ move }) => move(id, "unpublish"))
  )
).pipe(
  Command.withDescription(
    "Withdraw the publication of a teaser, and its verification. Refused once it was communicated"
  )
)

const operatorFlags = {
  as: Flag.String("as").pipe(
    Flag.withDescription("Has no effect: the operator verifies teasers, of whatever team"),
    Flag.optional
  ),
  dryRun: dryRunFlag
}

const verify = Command.make("verify", { subject, ...operatorFlags }, ({ dryRun, subject: id }) =>
  byOperator(
    dryRun,
    Effect.flatMap(TeaserMoves, ({ review }) => review(id, "verify"))
  )
).pipe(
  Command.withDescription("Verify a published teaser, as the operator"),
  Command.withExamples([{ command: "teaser verify project_…" }])
)

const unverify = Command.make("unverify", { subject, ...operatorFlags }, ({ dryRun, subject: id }) =>
  byOperator(
    dryRun,
    Effect.flatMap(TeaserMoves, ({ review }) => review(id, "unverify"))
  )
).pipe(Command.withDescription("Withdraw the verification of a teaser, as the operator"))

/** `teaser …` */
export const teaser = Command.make("teaser").pipe(
  Command.withDescription("Manage teasers"),
  Command.withSubcommands([publish, unpublish, verify, unverify, communicate])
)
