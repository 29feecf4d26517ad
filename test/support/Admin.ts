/** Runs the operator's command line in this process, against the database of the test. */
import { ConfigProvider, Console, Effect, Exit, Fiber, Redacted } from "effect"
import { run } from "../../src/admin.ts"
import { store, testUrl } from "./TestDatabase.ts"

/** Settings that allow webhooks to this machine. */
export const allowLoopback = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }

/** Runs a command to its end. Returns whether it succeeded, and its output. */
export const runToEnd = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  env?: Readonly<Record<string, string>>
) {
  const { fiber, lines } = yield* start(args, env)
  const exit = yield* Fiber.await(fiber)
  return { ok: Exit.isSuccess(exit), out: lines.out.join("\n"), err: lines.err.join("\n") }
})

/** Starts a command. `lines` is its output so far. */
export const start = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = allowLoopback
) {
  const lines = { out: [] as Array<string>, err: [] as Array<string> }
  const fiber = yield* run(args).pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({
        DATABASE_URL: Redacted.value(yield* testUrl),
        DATABASE_CITUS: store === "citus" ? "on" : "off",
        SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        ...env
      })
    ),
    Effect.provideService(Console.Console, {
      ...globalThis.console,
      log: (line: string) => void lines.out.push(line),
      error: (line: string) => void lines.err.push(line)
    }),
    Effect.forkChild
  )
  return { fiber, lines }
})
