/** The tools of matches. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { reference, References } from "../../mcp/References.ts"
import { type Criterion, type CriterionResult, defaultMinScore, maxScore } from "./Match.ts"
import { Matches } from "./Matches.ts"

const row = { id: Schema.String, name: Schema.NullOr(Schema.String), score: Schema.Int }

interface Matched {
  readonly id: string
  readonly name: string | null
  readonly score: number
  readonly criteria: ReadonlyArray<Criterion>
}

const conciseOf = ({ criteria, id, name, score }: Matched) => {
  const having = (wanted: CriterionResult) =>
    criteria.filter(({ result }) => result === wanted).map(({ criterion }) => criterion)
  return { id, name, score, failed: having("failed"), partly: having("partly") }
}

const detailedOf = (matched: Matched) => Struct.pick(matched, ["id", "name", "score", "criteria"])

const minScore = Schema.optionalKey(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxScore })).annotate({
    description: `0 to ${maxScore}, ${defaultMinScore} by default.`
  })
)

/** The tools of matches. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const matches = yield* Matches
  const { resolve } = yield* References
  return [
    Tool.list({
      name: "match_property",
      title: "Find mandates for a property",
      description:
        "Active mandates that want a property, best first; detailed shows how each criterion compares. isComplete false: only the newest were compared; coordinates of the property narrow it.",
      toolset: "mandates",
      input: { property: reference("property"), minScore },
      items: "mandates",
      item: row,
      rows: ({ minScore: least, property }, page) =>
        Effect.flatMap(resolve("property", "property", property), (id) =>
          matches.ofProperty(id, page.request({ min_score: least }))
        ),
      concise: conciseOf,
      detailed: detailedOf
    }),
    Tool.list({
      name: "match_mandate",
      title: "Find properties for a mandate",
      description:
        "Properties that fit a mandate, best first; none if it is not active or no longer valid. detailed shows how each criterion compares. isComplete false: only the newest were compared; a smaller place narrows it.",
      toolset: "mandates",
      input: { mandate: reference("mandate"), minScore },
      items: "properties",
      item: row,
      rows: ({ mandate, minScore: least }, page) =>
        Effect.flatMap(resolve("mandate", "mandate", mandate), (id) =>
          matches.ofMandate(id, page.request({ min_score: least }))
        ),
      concise: conciseOf,
      detailed: detailedOf
    })
  ]
})
