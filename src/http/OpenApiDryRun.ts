/**
 * The report of a dry run (docs/behaviour/http.md#dry-run). It is no alternative answer of each write: a client that does not
 * send `Prefer` would have to rule it out before it reads any answer.
 */
import type { Parameter, Schema, Schemas } from "./OpenApiSpec.ts"

const exampleId = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

const listOf = (description: string, members: Readonly<Record<string, string>>): Schema => ({
  type: "array",
  description,
  items: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, example]) => [name, { type: "string", examples: [example] }])
    ),
    required: Object.keys(members)
  }
})

/** The schema of the report. */
export const dryRunSchemas: Schemas = {
  DryRunReport: {
    type: "object",
    description: "The answer to a write with `Prefer: dry-run` that would have succeeded.",
    properties: {
      wouldAnswer: {
        type: "integer",
        description: "The status that the write would have answered without `Prefer`.",
        examples: [204]
      },
      result: {
        description: "The body that the write would have answered; null if it has none.",
        examples: [null]
      },
      events: listOf("The events that subscribers would have received.", {
        event: "contact.deleted",
        resource_id: exampleId
      }),
      affected: listOf("The resources that would have changed.", {
        type: "contact",
        id: exampleId,
        change: "deleted"
      }),
      later: {
        type: "array",
        description:
          "How many further resources would change after the answer, in steps, because they are too many for one transaction. Left out if there are none.",
        items: {
          type: "object",
          properties: {
            type: { type: "string", examples: ["link"] },
            change: { type: "string", examples: ["deleted"] },
            count: { type: "integer", examples: [94_000] }
          },
          required: ["type", "change", "count"]
        }
      }
    },
    required: ["wouldAnswer", "result", "events", "affected"]
  }
}

/** The parameter `Prefer` leads to the report: `$defs` has no effect on the values of the header. */
export const withReport = (parameter: Parameter): Parameter => {
  if (parameter.name !== "Prefer") return parameter
  const $defs = { DryRunReport: { $ref: "#/components/schemas/DryRunReport" } }
  return { ...parameter, schema: { ...parameter.schema, $defs } }
}
