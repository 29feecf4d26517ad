/** The processes of the service in the chaos run, each of which is started again when it ends. */
import { Effect, Exit, Scope } from "effect"
import type { Program } from "../Programs.ts"

/** A process that is replaced when it was killed. */
export interface Kept {
  readonly name: string
  readonly program: () => Program
  /** Kills the process, and waits until another one is ready. */
  readonly replace: Effect.Effect<void>
  /** The warnings and errors of all of them. */
  readonly complaints: () => ReadonlyArray<string>
}

/** Keeps a process running. */
export const keep = Effect.fnUntraced(function* (name: string, start: Effect.Effect<Program, never, Scope.Scope>) {
  const scope = yield* Effect.scope
  const begin = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return { own, program: yield* Scope.provide(start, own) }
  })
  const complaints: Array<string> = []
  let current = yield* begin
  const kept: Kept = {
    name,
    program: () => current.program,
    replace: Effect.gen(function* () {
      yield* current.program.kill
      complaints.push(...current.program.complaints)
      yield* Scope.close(current.own, Exit.void)
      current = yield* begin
    }),
    complaints: () => [...complaints, ...current.program.complaints]
  }
  return kept
})
