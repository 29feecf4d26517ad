/** What commands share: flags, files of this machine, idempotency keys, and on whose behalf they act. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import * as Installation from "./Installation.ts"
import { DryRun, emptyOutcome, type Outcome } from "../core/mutation/ChangeRecord.ts"
import { Argument, Flag } from "effect/cli"
import { Duration, Effect, FileSystem, Option, Stream } from "effect"
import { createWriteStream } from "node:fs"
import { chmod, rename, rm, stat } from "node:fs/promises"
import { basename } from "node:path"
import { pipeline } from "node:stream/promises"
import { bodyFault, type Json } from "../core/usecase/Input.ts"
import { InvalidRequest, PayloadTooLarge } from "../core/usecase/Problem.ts"
import { maxFileBytes, type PendingUpload } from "../core/usecase/UseCaseRequest.ts"
import { actAs, asOperator } from "../core/auth/CurrentActor.ts"
import { parseTimestamp } from "../core/fields/Timestamp.ts"
import { parseDuration } from "../platform/Time.ts"
import { Users } from "../identity/users/Users.ts"
import { answer, type FlagNames, print, withFlagNames } from "./Output.ts"

/** The e-mail address of a user. */
export const emailFlag = Argument.String("email").pipe(Argument.withDescription("The user's e-mail address"))

/** A user, by their e-mail address or id. */
export const userArgument = Argument.String("user").pipe(
  Argument.withDescription("The user's e-mail address or id (`user list` shows both)")
)

/** The team that a command is about. */
export const teamFlag = Flag.String("team").pipe(Flag.withDescription("The team's id (`team list` shows it)"))

/** The role of a member. */
export const roleFlag = Flag.Literals("role", ["admin", "member"]).pipe(
  Flag.withDescription("The user's role in the team")
)

/** The status of a capability. */
export const capabilityFlag = (name: "broker" | "investor") =>
  Flag.Literals(name, ["active", "pending"]).pipe(
    Flag.withDescription(`The ${name} capability: approved or only requested`),
    Flag.optional
  )

/** As {@link capabilityFlag}, with `none` to remove it. */
export const capabilityOrNoneFlag = (name: "broker" | "investor", otherwise: string) =>
  Flag.Literals(name, ["active", "pending", "none"]).pipe(
    Flag.withDescription(`The ${name} capability (${otherwise})`),
    Flag.map((value) => (value === "none" ? null : value)),
    Flag.optional
  )

/** Parses a time on the command line: ISO 8601, or an age (`30m`, `2h`, `1d`). */
export const timeOf = (text: string): Option.Option<(now: Date) => Date> => {
  const span = parseDuration(text)
  if (span !== undefined) return Option.some((now) => new Date(now.getTime() - Duration.toMillis(span)))
  return Option.map(Option.fromUndefinedOr(parseTimestamp(text)), (time) => () => time)
}

/** A time on the command line, which is known when the command runs. */
export const timeFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      timeOf,
      () => "Must be a date, a date and time with an offset, such as 2026-11-20T10:00Z, or an age: 30m, 2h, 1d."
    ),
    Flag.withMetavar("TIME"),
    Flag.withDescription(description)
  )

// Files of this machine, as use-cases get uploads.

const unreadable = InvalidRequest.of([bodyFault("/file", "unreadable", "The file cannot be read.")])

const tooLarge = new PayloadTooLarge({ detail: "A file must not be larger than 104,857,600 bytes (100 MiB)." })

/** A file by its path, which is read while it is stored. */
export const uploadOf = (path: string, contentType: string) =>
  Effect.map(FileSystem.FileSystem, (files): PendingUpload =>
    Effect.gen(function* () {
      const { size, type } = yield* Effect.mapError(files.stat(path), () => unreadable)
      if (type !== "File") return yield* unreadable
      if (size > maxFileBytes) return yield* tooLarge
      const content = Stream.mapError(files.stream(path), () => unreadable)
      return { filename: basename(path), contentType, minSize: Number(size), content }
    })
  )

/** Writes an archive to a file that only its owner can read, which appears when it is complete. */
export const writeArchive = (bytes: NodeJS.ReadableStream, path: string) =>
  Effect.tryPromise({
    try: async () => {
      const draft = `${path}.incomplete`
      await rm(draft, { force: true })
      try {
        await pipeline(bytes, createWriteStream(draft, { mode: 0o600, flags: "wx" }))
        await chmod(draft, 0o600)
        await rename(draft, path)
      } finally {
        await rm(draft, { force: true })
      }
      return (await stat(path)).size
    },
    catch: (error) => (error instanceof Error ? error : new Error(String(error)))
  })

// Commands that create something: `--idempotency-key`, and the request that their use-cases get.

/** The flag of each of these commands. */
export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withDescription("A repeated command with the same key changes nothing, and gets the first answer again"),
  Flag.optional
)

/** The request of a command that creates something. `operation` names the command and what it is about. */
export const creation = (operation: string, body: Json, key: Option.Option<string>) =>
  UseCaseRequest.make({
    operation,
    query: {},
    body,
    ...(Option.isSome(key) ? { idempotencyKey: key.value } : {})
  })

// Commands that act in the name of a person, or as the operator: `--as`, `--team`, `--dry-run`.

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

/** The values of {@link onBehalfFlags}; the operator acts without `as`. */
export interface OnBehalfGiven {
  readonly as?: string
  readonly team?: Option.Option<string>
  readonly dryRun: boolean
}

/** What a dry run shows. */
const reportOf = (answer: object, { later, ...report }: Outcome) => ({
  result: answer,
  ...report,
  ...(later.length === 0 ? {} : { later })
})

/**
 * Runs a use-case on the database of this installation, as a person with the capabilities that they have in the team, and prints its
 * answer: in a dry run `{result, events, affected}`, as the API has it, and nothing is committed. `own` are the names of flags and
 * arguments that stand for members of the input.
 */
export const onBehalf = Effect.fnUntraced(function* <A extends object, E, R>(
  { as, dryRun, team = Option.none() }: OnBehalfGiven,
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames,
  lines?: (answer: A) => ReadonlyArray<string>
) {
  const { services } = yield* Installation.everything
  const outcome = dryRun ? emptyOutcome() : undefined
  const answer = yield* Effect.gen(function* () {
    if (as === undefined) return yield* asOperator(useCase)
    const { actorOf } = yield* Users
    const actor = yield* asOperator(actorOf(as, Option.getOrUndefined(team)))
    return yield* actAs(actor)(useCase)
  }).pipe(withFlagNames({ email: "--as", ...own }), Effect.provideService(DryRun, outcome), Effect.provide(services))
  yield* outcome === undefined ? print(answer, lines) : print(reportOf(answer, outcome))
}, Effect.scoped)

/** As {@link onBehalf}, for what only the operator may do. */
export const byOperator = <A extends object, E, R>(dryRun: boolean, useCase: Effect.Effect<A, E, R>) =>
  onBehalf({ dryRun }, useCase)

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
  const outcome = emptyOutcome()
  return answer(
    Effect.map(Transaction.runAndRollBack(useCase), (value) => reportOf(value, outcome)).pipe(
      Effect.provideService(DryRun, outcome)
    ),
    own
  )
}
