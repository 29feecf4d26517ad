/** The operator's commands on projects. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { asOperator } from "../auth/Operator.ts"
import { milestones } from "../prospects/Prospect.ts"
import { Stages } from "../prospects/Stages.ts"
import * as Installation from "./Installation.ts"
import { print } from "./Output.ts"

const recordEvent = Command.make(
  "record-event",
  {
    project: Argument.String("project").pipe(Argument.withDescription("The project's id")),
    prospect: Argument.String("prospect").pipe(Argument.withDescription("The prospect's id")),
    event: Argument.Literals("event", milestones).pipe(Argument.withDescription("The milestone"))
  },
  ({ event, project, prospect }) =>
    Effect.gen(function* () {
      const { services } = yield* Installation.everything
      const recorded = yield* Effect.flatMap(Stages, ({ recordMilestoneAsOperator }) =>
        asOperator(recordMilestoneAsOperator(project, prospect, event))
      ).pipe(Effect.provide(services))
      yield* print(recorded, ({ id, stage }) => [`id: ${id}`, `stage: ${stage}`])
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Record that a prospect reached a milestone, which raises its stage: the teaser was communicated, the information memorandum was shared, access to a room was granted, or a bid was recorded. With the first communicated teaser, the project is shared"
  ),
  Command.withExamples([{ command: "project record-event project_… prospect_… teaser_communicated" }])
)

/** `project …` */
export const project = Command.make("project").pipe(
  Command.withDescription("Manage projects"),
  Command.withSubcommands([recordEvent])
)
