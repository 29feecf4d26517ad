/** The commands of questions: docs/behaviour/questions.md. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Questions } from "../deals/rooms/questions/Questions.ts"
import type { Json } from "../core/usecase/Input.ts"
import { creation, idempotencyKey, onBehalf, onBehalfFlags } from "./Command.ts"
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

const ask = Command.make(
  "ask",
  {
    room,
    text: Flag.String("text").pipe(Flag.withDescription("The question")),
    prospect: optionalText(
      "prospect",
      "The prospect for whom the broker asks; without it, the person asks as an investor"
    ),
    category: optionalText("category", "What it is about: legal, financial, technical … (other by default)"),
    document: optionalText("document", "The id of the document of the room that it is about"),
    page: Flag.Int("page").pipe(Flag.withDescription("The page of the document"), Flag.optional),
    idempotencyKey,
    ...onBehalfFlags
  },
  ({ category, document, idempotencyKey: key, page, prospect, room: id, text, ...flags }) => {
    const body = { text, ...given({ category, documentId: document, page, prospectId: prospect }) }
    const request = creation(`question ask ${id}`, body, key)
    return onBehalf(
      flags,
      Effect.flatMap(Questions, (questions) =>
        Option.isSome(prospect)
          ? Effect.map(questions.askFor(id, request), ({ value }) => value)
          : Effect.map(questions.ask(id, request), ({ value }) => value)
      ),
      flagNames
    )
  }
).pipe(
  Command.withDescription("Ask a question in a data room, as an investor or, with --prospect, as the broker for one"),
  Command.withExamples([
    { command: 'question ask room_… --text "Which tenants may leave before 2028?" --as maria@example.com' }
  ])
)

const answer = Command.make(
  "answer",
  {
    question,
    text: Flag.String("text").pipe(Flag.withDescription("The answer")),
    audience: Flag.Literals("audience", ["asker", "all"]).pipe(
      Flag.withDescription("Whom it reaches: the asker (the default), or all who have access to the room"),
      Flag.optional
    ),
    ...onBehalfFlags
  },
  ({ audience, question: id, text, ...flags }) =>
    onBehalf(
      flags,
      Effect.flatMap(Questions, (questions) =>
        questions.answer(
          id,
          UseCaseRequest.make({
            operation: `question answer ${id}`,
            query: {},
            body: { text, ...given({ audience }) }
          })
        )
      ),
      flagNames
    )
).pipe(
  Command.withDescription("Publish the answer to a question"),
  Command.withExamples([{ command: 'question answer question_… --text "None." --audience all --as anna@example.com' }])
)

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
  Command.withDescription("Ask, answer and close questions in data rooms"),
  Command.withSubcommands([ask, answer, close, settings])
)
