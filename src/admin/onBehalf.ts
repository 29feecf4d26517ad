/** Commands that act in the name of a person: `--as`, `--team`, `--dry-run`. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { asOperator } from "../auth/Operator.ts"
import * as DryRun from "../changes/DryRun.ts"
import { OnBehalf } from "../identity/users/OnBehalf.ts"
import * as Installation from "./Installation.ts"
import { type FlagNames, print, withFlagNames } from "./Output.ts"

/** The flags of each of these commands. */
export const onBehalfFlags = {
  as: Flag.String("as").pipe(Flag.withDescription("The e-mail address of the person in whose name the command acts")),
  team: Flag.String("team").pipe(
    Flag.withDescription("The team in which the person acts (the primary one by default)"),
    Flag.optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Change nothing, and show what would happen"),
    Flag.withDefault(false)
  )
}

/** The values of {@link onBehalfFlags}. */
export interface OnBehalfGiven {
  readonly as: string
  readonly team: Option.Option<string>
  readonly dryRun: boolean
}

/**
 * Runs a use-case as a person, with the capabilities that they have in the team, and prints its answer: with `--dry-run`
 * `{result, events, affected}`, as the API has it, and nothing is committed. `own` are the names of flags and arguments that stand for
 * members of the input.
 */
export const onBehalf = <A extends object, E, R>(
  { as, dryRun, team }: OnBehalfGiven,
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames,
  lines?: (answer: A) => ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const { services } = yield* Installation.everything
    const outcome = dryRun ? DryRun.empty() : undefined
    const answer = yield* Effect.gen(function* () {
      const { actorOf } = yield* OnBehalf
      const actor = yield* asOperator(actorOf(as, Option.getOrUndefined(team)))
      return yield* Effect.provideService(useCase, CurrentActor, actor)
    }).pipe(
      withFlagNames({ email: "--as", ...own }),
      Effect.provideService(DryRun.DryRun, outcome),
      Effect.provide(services)
    )
    yield* outcome === undefined ? print(answer, lines) : print({ result: answer, ...outcome })
  }).pipe(Effect.scoped)
