/** How the operator's commands answer: for people, or with `--json` for programs. */
import { Cause, Console, Effect, Option } from "effect"
import { Flag, GlobalFlag } from "effect/cli"
import { asOperator } from "../auth/Operator.ts"
import { DatabaseUnavailable } from "../db/DatabaseUnavailable.ts"
import type { Json } from "../http/Input.ts"
import { InvalidRequest } from "../http/Problem.ts"
import * as Installation from "./Installation.ts"

/** Whether the answer is for programs. */
export const AsJson = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Answer with one JSON document, on the last line of the output"),
    Flag.withDefault(false)
  )
})

const inWords = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value).map(([key, member]) => `${key} ${inWords(member)}`).join(", ") || "none"
    : String(value ?? "-")

/** The lines of an answer for people. */
export const linesOf = (answer: object): ReadonlyArray<string> => {
  if (Array.isArray(answer)) {
    return answer.length === 0 ? ["None."] : answer.flatMap((item: object, index) => [
      ...(index === 0 ? [] : [""]),
      ...linesOf(item)
    ])
  }
  return Object.entries(answer).map(([key, value]) =>
    `${key}: ${Array.isArray(value) ? value.map(inWords).join(", ") : inWords(value)}`
  )
}

/** Prints an answer. */
export const print = Effect.fnUntraced(function*(answer: object) {
  yield* Console.log((yield* AsJson) ? JSON.stringify(answer) : linesOf(answer).join("\n"))
})

/** Runs a use-case as the operator and prints what it answers. */
export const answer = <A extends object, E, R>(useCase: Effect.Effect<A, E, R>) =>
  asOperator(useCase).pipe(
    Effect.provide(Installation.layer),
    Effect.flatMap(print)
  )

/** The members that were given on the command line. */
export const given = (values: { readonly [name: string]: Option.Option<Json> }): { readonly [name: string]: Json } =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) =>
    Option.isSome(value) ? [[name, value.value]] : []
  ))

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? text

const sentenceOf = (error: unknown): string => {
  if (error instanceof InvalidRequest) {
    return error.errors
      .map(({ detail, pointer }) => pointer === "" ? detail : `${pointer.slice(1)}: ${detail}`)
      .join(" ")
  }
  if (error instanceof DatabaseUnavailable) return "The database cannot be reached."
  if (typeof error !== "object" || error === null) return String(error)
  if ("detail" in error && typeof error.detail === "string") return error.detail
  return "message" in error && typeof error.message === "string" ? error.message : String(error)
}

/** Why a command failed, in one line. */
export const lineOf = (cause: Cause.Cause<unknown>): string => firstLine(sentenceOf(Cause.squash(cause)))
