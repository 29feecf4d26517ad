import * as Tools from "../../src/Tools.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { listed, Toolbox } from "../../src/mcp/Toolbox.ts"
import { expect } from "vitest"
import { TestService } from "../support/TestService.ts"

const tokensOf = (value: unknown) => encode(JSON.stringify(value)).length

layer(Tools.layer.pipe(Layer.provide(TestService.layer)), { excludeTestServices: true })("The tools", (it) => {
  it.effect("take at most 600 tokens each, and 15,000 together", () =>
    Effect.gen(function* () {
      const { tools } = yield* Toolbox
      const sizes = tools.map((tool) => [tool.name, tokensOf(listed(tool))] as const)
      assert.deepStrictEqual(
        sizes.filter(([, size]) => size > 600),
        []
      )
      assert.isAtMost(
        sizes.reduce((sum, [, size]) => sum + size, 0),
        15_000
      )
    })
  )

  // Agents and their instructions know tools by these names and arguments: change them on purpose only, with `vitest -u`.
  it.effect("are those of the snapshot", () =>
    Effect.gen(function* () {
      const { tools } = yield* Toolbox
      const lines = tools.map((tool) => JSON.stringify(listed(tool), null, 1))
      yield* Effect.promise(() => expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("tools.snapshot"))
    })
  )
})
