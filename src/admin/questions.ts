/** The commands of questions: docs/behaviour/questions.md. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Questions } from "../rooms/questions/Questions.ts"
import type { Json } from "../usecase/Input.ts"
import * as UseCaseRequest from "../usecase/UseCaseRequest.ts"
import { onBehalf, onBehalfFlags } from "./onBehalf.ts"
import { given } from "./Output.ts"

const room = Argument.String("room").pipe(Argument.withDescription("The room's id"))
const question = Argument.String("question").pipe(Argument.withDescription("The question's id"))

const flagNames = {
  text: "--text",
  prospectId: "--prospect",
  category: "--category",
  documentId: "--document",
  page: "--page",
  audience: "--audience",
  enabled: "--questions",
  limitPerProspect: "--limit",
  deadline: "--deadline",
  categories: "--category"
}

const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const close = Command.make("close", { question, ...onBehalfFlags }, ({ question: id, ...flags }) =>
  onBehalf(
    flags,
    Effect.flatMap(Questions, (questions) => questions.close(id, { query: Effect.succeed({}) }))
  )
).pipe(Command.withDescription("Close a question. A published answer stays"))

/** The value of a flag that can be `none`. */
const orNone = (value: Option.Option<string>): Option.Option<string | null> =>
  Option.map(value, (text) => (text === "none" ? null : text))

const numberOrText = (text: string | null): Json => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : text)

const settings = Command.make(
  "settings",
  {
    room,
    questions: Flag.Literals("questions", ["on", "off"]).pipe(
      Flag.withDescription("Whether the room takes questions"),
      Flag.optional
    ),
    limit: optionalText("limit", "How many questions each prospect may ask, or none"),
    deadline: optionalText("deadline", "Until when questions are taken: 30d, 2w, 1m, an ISO 8601 time, or none"),
    category: Flag.String("category").pipe(
      Flag.withDescription("A category that questions may have; again for several, or all"),
      Flag.atLeast(0)
    ),
    ...onBehalfFlags
  },
  ({ category, deadline, limit, questions: enabled, room: id, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(Questions, (questions) =>
        questions.set(
          id,
          UseCaseRequest.make({
            operation: `question settings ${id}`,
            query: {},
            body: {
              ...given({
                enabled: Option.map(enabled, (value) => value === "on"),
                limitPerProspect: Option.map(orNone(limit), numberOrText),
                deadline: orNone(deadline)
              }),
              ...(category.length === 0 ? {} : { categories: category.includes("all") ? null : category })
            }
          })
        )
      ),
      flagNames
    )
).pipe(
  Command.withDescription("Show or change what is set for the questions of a room"),
  Command.withExamples([{ command: "question settings room_… --limit 20 --deadline 30d --as anna@example.com" }])
)

/** `question …` */
export const questions = Command.make("question").pipe(
  Command.withDescription("Close questions in data rooms, and set what is asked"),
  Command.withSubcommands([close, settings])
)
