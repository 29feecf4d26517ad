/** Commands that act in the name of a person, or as the operator: `--as`, `--team`, `--dry-run`. */
import * as DryRun from "../core/mutation/DryRun.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import * as Installation from "./Installation.ts"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { actAs, asOperator } from "../core/auth/CurrentActor.ts"
import { Users } from "../identity/users/Users.ts"
import { answer, type FlagNames, print, withFlagNames } from "./Output.ts"

/** The flag `--dry-run`. */
export const dryRunFlag = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("Change nothing, and show what would happen"),
  Flag.withDefault(false)
)

/** The flags of each of these commands. */
export const onBehalfFlags = {
  as: Flag.String("as").pipe(Flag.withDescription("The e-mail address of the person in whose name the command acts")),
  team: Flag.String("team").pipe(
    Flag.withDescription("The team in which the person acts (the primary one by default)"),
    Flag.optional
  ),
  dryRun: dryRunFlag
}

/** The values of {@link onBehalfFlags}. */
export interface OnBehalfGiven {
  readonly as: string
  readonly team: Option.Option<string>
  readonly dryRun: boolean
}

/** What a dry run shows. */
const reportOf = (answer: object, { later, ...report }: DryRun.Outcome) => ({
  result: answer,
  ...report,
  ...(later.length === 0 ? {} : { later })
})

/**
 * Runs a use-case on the database of this installation, and prints its answer: in a dry run `{result, events, affected}`, as the API
 * has it, and nothing is committed.
 */
const runAndPrint = Effect.fnUntraced(function* <A extends object, E, R>(
  dryRun: boolean,
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames,
  lines?: (answer: A) => ReadonlyArray<string>
) {
  const { services } = yield* Installation.everything
  const outcome = dryRun ? DryRun.empty() : undefined
  const answer = yield* useCase.pipe(
    withFlagNames(own),
    Effect.provideService(DryRun.DryRun, outcome),
    Effect.provide(services)
  )
  yield* outcome === undefined ? print(answer, lines) : print(reportOf(answer, outcome))
}, Effect.scoped)

/**
 * Runs a use-case as a person, with the capabilities that they have in the team, and prints its answer. `own` are the names of flags and
 * arguments that stand for members of the input.
 */
export const onBehalf = <A extends object, E, R>(
  { as, dryRun, team }: OnBehalfGiven,
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames,
  lines?: (answer: A) => ReadonlyArray<string>
) =>
  runAndPrint(
    dryRun,
    Effect.gen(function* () {
      const { actorOf } = yield* Users
      const actor = yield* asOperator(actorOf(as, Option.getOrUndefined(team)))
      return yield* actAs(actor)(useCase)
    }),
    { email: "--as", ...own },
    lines
  )

/** As {@link onBehalf}, for what only the operator may do. */
export const byOperator = <A extends object, E, R>(dryRun: boolean, useCase: Effect.Effect<A, E, R>) =>
  runAndPrint(dryRun, asOperator(useCase))

/**
 * As {@link byOperator}, for use-cases of identity, which need the database alone and write without `Changes`: a dry run rolls back
 * whatever they did.
 */
export const ofIdentity = <A extends object, E, R>(
  dryRun: boolean,
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames
) => {
  if (!dryRun) return answer(useCase, own)
  const outcome = DryRun.empty()
  return answer(
    Effect.map(Transaction.runAndRollBack(useCase), (value) => reportOf(value, outcome)).pipe(
      Effect.provideService(DryRun.DryRun, outcome)
    ),
    own
  )
}
