/** The command that communicates a teaser. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { OfferLifecycle } from "../deals/lifecycle/OfferLifecycle.ts"
import { creation, idempotencyKey } from "./creation.ts"
import { onBehalf, onBehalfFlags } from "./onBehalf.ts"
import { given } from "./Output.ts"

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
