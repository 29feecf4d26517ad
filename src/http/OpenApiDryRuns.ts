/** `Prefer: dry-run` in the OpenAPI document: a write that would have succeeded answers 200 with a report. */
import { eventTypes } from "../changes/Event.ts"
import { exampleOf } from "./OpenApiExamples.ts"
import type { Document, Operation } from "./OpenApiShape.ts"

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const successOf = (operation: Operation) =>
  ["201", "207", "204"].find((status) => status in operation.responses) ?? "204"

/** The body of the success that is rehearsed; no secret is shown in a rehearsal. */
const resultOf = (operation: Operation, document: Document): unknown => {
  const media = operation.responses[successOf(operation)]?.content?.["application/json"]
  if (media === undefined) return null
  const resource = exampleOf(media.schema, document.components.schemas)
  return isRecord(resource)
    ? Object.fromEntries(Object.entries(resource).filter(([name]) => name !== "secret"))
    : resource
}

/** An operation and what it is asked by. */
interface Asked {
  readonly operation: Operation
  readonly method: string
  readonly path: string
}

/** What it would have changed: what it answers with, or else what its path names last. */
const changesOf = (
  { method, operation, path }: Asked,
  result: unknown
): ReadonlyArray<{ readonly id: string; readonly change: string }> => {
  if (isRecord(result) && Array.isArray(result["results"])) {
    return (result["results"] as ReadonlyArray<Record<string, unknown>>).map(({ id, status }) => ({
      id: String(id),
      change: String(status)
    }))
  }
  if (isRecord(result)) return [{ id: String(result["id"]), change: "created" }]
  const named = operation.parameters.findLast((parameter) => parameter.in === "path")
  return [{ id: String(named?.example), change: method === "delete" && path.endsWith("}") ? "deleted" : "updated" }]
}

/** What a create, a batch, or a write without an answer would have reported. */
const reportOf = (asked: Asked, document: Document): unknown => {
  const { operation } = asked
  const result = resultOf(operation, document)
  const affected = changesOf(asked, result).map(({ change, id }) => ({
    type: id.slice(0, id.lastIndexOf("_")),
    id,
    change
  }))
  return {
    wouldAnswer: Number(successOf(operation)),
    result,
    events: affected.flatMap(({ change, id, type }) =>
      eventTypes.filter((event) => event === `${type}.${change}`).map((event) => ({ event, resource_id: id }))
    ),
    affected
  }
}

/** Adds the report to every operation that can be rehearsed. */
export const addDryRuns = (document: Document): void => {
  const schema = { $ref: "#/components/schemas/DryRunReport" }
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Asked => ({ operation, method, path }))
  )
  for (const asked of all) {
    const { operation } = asked
    if (!operation.parameters.some(({ name }) => name === "Prefer")) continue
    const ordinary = operation.responses["200"]
    const json = ordinary?.content?.["application/json"]
    // A report has none of the headers that tell of a resource.
    const optional = Object.entries(ordinary?.headers ?? {}).map(
      ([name, header]) => [name, { ...(header as object), required: false }] as const
    )
    const headers = {
      ...Object.fromEntries(optional),
      "preference-applied": {
        description: "`dry-run` when the answer is a report.",
        schema: { type: "string", examples: ["dry-run"] }
      }
    }
    if (ordinary !== undefined && json !== undefined) {
      json.schema = { anyOf: [json.schema, schema] }
      ordinary.headers = headers
    } else {
      operation.responses["200"] = {
        description: "With `Prefer: dry-run` only: what the write would have done.",
        headers,
        content: { "application/json": { schema, example: reportOf(asked, document) } }
      }
    }
  }
}
