import { assert, layer } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { make, path } from "../support/ContactsClient.ts"
import { TestService } from "../support/TestService.ts"

interface Line {
  readonly message: unknown
  readonly annotations: Readonly<Record<string, unknown>>
}

const lines: Array<Line> = []

const recorder = Logger.make<unknown, void>(({ fiber, message }) => {
  lines.push({ message, annotations: fiber.getRef(References.CurrentLogAnnotations) })
})

layer(TestService.layerLogging([recorder]), { excludeTestServices: true })("The log", (it) => {
  it.effect("has a line for each request, with its id, its trace, its caller, and no token", () =>
    Effect.gen(function*() {
      const { list, team, token, user } = yield* make()
      const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
      yield* list("?page_size=1", { "x-request-id": "mine-1", traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
      const [line, ...others] = lines.filter(({ annotations }) => annotations["requestId"] === "mine-1")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(line?.annotations, { requestId: "mine-1", traceId, team, user })
      assert.include(JSON.stringify(line?.message), `GET ${path} 200`)
      assert.notInclude(JSON.stringify(lines), token)
    }))

  it.effect("takes no trace from a header that is none", () =>
    Effect.gen(function*() {
      const { list } = yield* make()
      yield* list("", { "x-request-id": "mine-2", traceparent: "nonsense" })
      const line = lines.find(({ annotations }) => annotations["requestId"] === "mine-2")
      assert.isDefined(line)
      assert.notProperty(line?.annotations, "traceId")
    }))
})
