/** The output of the operator's commands: for people, or with `--json` for programs. */
import * as Installation from "./Installation.ts"
import { codeOf } from "./CommandRun.ts"
import { Cause, Console, Data, Effect, Option } from "effect"
import { CliError, Flag, GlobalFlag } from "effect/cli"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import type { Json } from "../core/usecase/Input.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"

/** The flag `--json`. */
export const AsJson = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Answer with one JSON document, on the last line of the output"),
    Flag.withDefault(false)
  )
})

/**
 * Escapes the control characters of a text. Callers of the API choose names, which must not control the operator's terminal.
 */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )

const inWords = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([key, member]) => `${key} ${inWords(member)}`)
        .join(", ") || "none"
    : String(value ?? "-")

/** The lines of an answer for people. */
export const linesOf = (answer: object): ReadonlyArray<string> => {
  if (Array.isArray(answer)) {
    return answer.length === 0
      ? ["None."]
      : answer.flatMap((item: object, index) => [...(index === 0 ? [] : [""]), ...linesOf(item)])
  }
  return Object.entries(answer).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.map(inWords).join(", ") : inWords(value)}`
  )
}

/** The lines of a table with aligned columns. */
export const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const shown = rows.map((row) => row.map(printable))
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)))
  return shown.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

/** Prints an answer: as JSON with `--json`, otherwise the lines that `lines` makes. */
export const print = Effect.fnUntraced(function* <A extends object>(
  answer: A,
  lines: (answer: A) => ReadonlyArray<string> = linesOf
) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(answer) : lines(answer).map(printable).join("\n"))
})

/** A command has failed, and its answer has said so already. */
export class Answered extends Data.TaggedError("Answered") {}

/** The flags and arguments that stand for members of the input of a use-case. */
export type FlagNames = { readonly [member: string]: string }

const flagNames: FlagNames = {
  teamId: "--team",
  name: "--name",
  email: "EMAIL",
  role: "--role",
  plan: "--plan",
  botName: "--bot",
  botId: "--bot-id",
  broker: "--broker",
  investor: "--investor"
}

// Members whose names may also appear in the text of a fault.
const camelCaseMembers = /\b(?:teamId|botName|botId)\b/g

const renameMembers = (error: InvalidRequest, own: FlagNames): InvalidRequest => {
  const flagName = (member: string) => own[member] ?? flagNames[member] ?? member
  return error.map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace(/^\/([^/]+)/, (_, member: string) => `/${flagName(member)}`),
    detail: fault.detail.replaceAll(camelCaseMembers, flagName)
  }))
}

/**
 * Replaces the names of members in refusals by the flags and arguments of the command. `own` are the names that differ for this
 * command.
 */
export const withFlagNames =
  (own: FlagNames = {}) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | InvalidRequest, R> =>
    Effect.mapError(self, (error) => (error instanceof InvalidRequest ? renameMembers(error, own) : error))

/** Runs a use-case of identity as the operator and {@link print}s its answer. */
export const answer = <A extends object, E, R>(
  useCase: Effect.Effect<A, E, R>,
  own?: FlagNames,
  lines?: (answer: A) => ReadonlyArray<string>
) =>
  asOperator(useCase).pipe(
    withFlagNames(own),
    Effect.provide(Installation.identity),
    Effect.flatMap((value) => print(value, lines))
  )

/** The optional members that the command line sets. */
export const given = (values: { readonly [name: string]: Option.Option<Json> }): { readonly [name: string]: Json } =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? text

const sentenceOf = (error: unknown): string => {
  if (CliError.isCliError(error) && error._tag === "ShowHelp") {
    if (error.errors.length === 0) return "A command is required."
    const help = `(See \`${error.commandPath.slice(1).concat("--help").join(" ")}\`.)`
    return [...error.errors.map(({ message }) => firstLine(message)), help].join(" ")
  }
  if (error instanceof InvalidRequest) {
    return error.errors
      .map(({ detail, pointer }) => (pointer === "" ? detail : `${pointer.slice(1)}: ${detail}`))
      .join(" ")
  }
  if (error instanceof DatabaseUnavailable) {
    return error.isFull ? "The disk of the database is full." : "The database cannot be reached."
  }
  if (typeof error !== "object" || error === null) return String(error)
  if ("detail" in error && typeof error.detail === "string") return error.detail
  return "message" in error && typeof error.message === "string" ? error.message : String(error)
}

/** The error of a command in one line, for people. */
export const lineOf = (cause: Cause.Cause<unknown>): string => firstLine(sentenceOf(Cause.squash(cause)))

/** The error of a command as JSON, for programs. */
export const documentOf = (cause: Cause.Cause<unknown>): string =>
  JSON.stringify({ error: { code: codeOf(Cause.squash(cause)), detail: lineOf(cause) } })
