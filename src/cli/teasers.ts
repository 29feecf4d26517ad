/** The commands of teasers: docs/behaviour/teasers.md#stages. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OfferLifecycle } from "../deals/lifecycle/OfferLifecycle.ts"
import { byOperator, creation, dryRunFlag, idempotencyKey, onBehalf, onBehalfFlags } from "./Command.ts"
import { given } from "./Output.ts"
import { Teasers } from "../deals/teasers/Teasers.ts"

/** `teaser communicate …` */
export const communicate = Command.make(
  "communicate",
  {
    ...onBehalfFlags,
    project: Argument.String("project").pipe(Argument.withDescription("The project's id")),
    prospects: Flag.String("prospect").pipe(
      Flag.withDescription("The id of a prospect of the project; repeat it for several"),
      Flag.atLeast(0)
    ),
    all: Flag.Boolean("all").pipe(
      Flag.withDescription("All prospects that are on the project's list"),
      Flag.withDefault(false)
    ),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("Until when the offers can be answered, such as 30d (the default), 2h or ISO 8601"),
      Flag.optional
    ),
    idempotencyKey
  },
  ({ all, expires, idempotencyKey: key, project, prospects, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(OfferLifecycle, ({ communicate }) =>
        Effect.map(
          communicate(
            project,
            creation(
              `teaser communicate ${project}`,
              { ...(all ? { all } : {}), prospectIds: prospects, ...given({ expires }) },
              key
            )
          ),
          ({ value }) => value
        )
      ),
      { prospectIds: "--prospect", all: "--all", expires: "--expires" }
    )
).pipe(
  Command.withDescription(
    "Send the published teaser of a project to prospects, as offers to those who can receive them. Who has the same teaser already gets nothing new"
  ),
  Command.withExamples([{ command: "teaser communicate project_… --as anna@example.com --all --expires 30d" }])
)

const subject = Argument.String("subject").pipe(
  Argument.withDescription("The id of the project, the property or the data room that the teaser is about")
)

const publish = Command.make("publish", { subject, ...onBehalfFlags }, ({ subject: id, ...person }) =>
  onBehalf(
    person,
    Effect.flatMap(Teasers, ({ move }) => move(id, "publish"))
  )
).pipe(
  Command.withDescription("Publish a teaser. It needs a category and a country that investors can see"),
  Command.withExamples([{ command: "teaser publish project_… --as anna@example.com" }])
)

const unpublish = Command.make("unpublish", { subject, ...onBehalfFlags }, ({ subject: id, ...person }) =>
  onBehalf(
    person,
    Effect.flatMap(Teasers, ({ move }) => move(id, "unpublish"))
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
    Effect.flatMap(Teasers, ({ review }) => review(id, "verify"))
  )
).pipe(
  Command.withDescription("Verify a published teaser, as the operator"),
  Command.withExamples([{ command: "teaser verify project_…" }])
)

const unverify = Command.make("unverify", { subject, ...operatorFlags }, ({ dryRun, subject: id }) =>
  byOperator(
    dryRun,
    Effect.flatMap(Teasers, ({ review }) => review(id, "unverify"))
  )
).pipe(Command.withDescription("Withdraw the verification of a teaser, as the operator"))

/** `teaser …` */
export const teaser = Command.make("teaser").pipe(
  Command.withDescription("Manage teasers"),
  Command.withSubcommands([publish, unpublish, verify, unverify, communicate])
)
