/** `node run.mjs bench/incidents/main.ts [INCIDENT…]`: does what docs/incidents.md says, with its commands as they stand. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Guide from "./Guide.ts"
import * as Server from "./Server.ts"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { OrphanGuard } from "../../src/process/Program.ts"
import { incidents, needsServer } from "./incidents.ts"
import { say } from "../Report.ts"

const isName = (name: string): name is keyof typeof incidents => name in incidents

const run = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  yield* OrphanGuard.watch
  const chosen = Object.keys(incidents).filter((name) => names.length === 0 || names.includes(name))
  const ran = new Map<string, number>()
  for (const name of chosen.filter(isName)) {
    if (needsServer.includes(name) && !Server.canRun()) {
      return yield* Effect.fail(new Error(`${name} needs root, and the programs of Postgres (Debian's, or PG_BIN).`))
    }
    const begun = performance.now()
    const { done } = yield* Effect.scoped(incidents[name])
    for (const [section, blocks] of done) ran.set(section, blocks)
    yield* say(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`)
  }
  const left = [...Guide.sections].filter(([section, blocks]) => (ran.get(section) ?? 0) < blocks.length)
  if (names.length === 0 && left.length > 0) {
    return yield* Effect.fail(new Error(`Nobody ran all of ${left.map(([section]) => `"${section}"`).join(", ")}.`))
  }
})

const command = Command.make(
  "incidents",
  { names: Argument.String("incident").pipe(Argument.withDescription("Which; by default all"), Argument.variadic()) },
  ({ names }) => Effect.scoped(run(names))
).pipe(Command.withDescription("Run the commands of docs/incidents.md on an installation, and check what they did"))

NodeRuntime.runMain(Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer)))
