/** No answer exceeds the limit, however long the records are. */
import * as Tools from "../../src/Tools.ts"
import type * as Agent from "../support/Agent.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { maxLength } from "../../src/mcp/text.ts"
import type { Tool } from "../../src/mcp/Tool.ts"
import { Toolbox } from "../../src/mcp/Toolbox.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { TestService } from "../support/TestService.ts"
import { calls } from "./calls/all.ts"
import { fatCalls, fatTeam } from "./fattestTeam.ts"

const services = Tools.layer.pipe(Layer.provideMerge(TestService.layer))

// A part of such a text means nothing.
const whole = /^(?:id|etag|externalRefs|nextCursor|email|domain)$|(?:Url|Ids?|Utc)$/

/** The members of an answer whose texts were shortened, though only the whole of them means something. */
const broken = (value: Json, name = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return whole.test(name) && value.endsWith("…") ? [name] : []
  if (typeof value !== "object" || value === null) return []
  const isList = Array.isArray(value)
  return Object.entries(value as { readonly [member: string]: Json }).flatMap(([key, item]) =>
    broken(item, isList ? name : key)
  )
}

const faultsOf = (called: string, { isError, structured, text }: Agent.Called): ReadonlyArray<string> => [
  ...(isError ? [`${called} is refused: ${text.slice(0, 1_000)}`] : []),
  ...(text.length > maxLength ? [`${called} has ${text.length} characters`] : []),
  ...new Set(broken(structured as never).map((member) => `${called} breaks ${member}`))
]

// Enough pages of long rows.
const maxRows = 60

layer(services, { excludeTestServices: true })("However long records are, the answer of", (it) => {
  it.effect(
    "every tool has at most 40,000 characters, and shortens no id, reference, URL or cursor",
    () =>
      Effect.gen(function* () {
        const made = yield* fatTeam
        const { tools } = yield* Toolbox
        const faults: Array<string> = []
        const idsOf = Effect.fnUntraced(function* ({ name }: Tool, args: object, format: string) {
          const ids: Array<string> = []
          let cursor: string | null | undefined
          do {
            const more = typeof cursor === "string" ? { cursor } : {}
            const called = yield* made.agent.call(name, { ...args, format, limit: 100, ...more })
            faults.push(...faultsOf(`${name} ${format}`, called))
            const rows = Object.values(called.structured).find(Array.isArray) as ReadonlyArray<Agent.Answer> | undefined
            ids.push(...(rows ?? []).map(({ id }) => id))
            cursor = called.structured.nextCursor
          } while (typeof cursor === "string" && ids.length < maxRows)
          if (new Set(ids).size < ids.length) faults.push(`${name} ${format} repeats rows`)
          return ids
        })
        for (const tool of tools) {
          const { input, kind, name } = tool
          const args = fatCalls[name]?.(made) ?? (yield* calls.get(name)!(made))
          if ("cursor" in input) {
            const [concise, detailed] = [yield* idsOf(tool, args, "concise"), yield* idsOf(tool, args, "detailed")]
            const compared = Math.min(concise.length, detailed.length)
            assert.isAtLeast(compared, 1, name)
            assert.deepStrictEqual(concise.slice(0, compared), detailed.slice(0, compared), name)
          } else {
            const called = yield* made.agent.call(name, kind === "read" ? args : { ...args, preview: true })
            faults.push(...faultsOf(name, called))
          }
        }
        assert.deepStrictEqual(faults, [])
      }),
    120_000
  )
})
