/** One variable of the environment: read, parsed, and rejected with a reason that an operator understands. */
import { Config, Effect, Result, Schema } from "effect"

/** A variable has a wrong value, or is missing: the start stops with this message, in one line. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  variable: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.variable}: ${this.reason}`
  }
}

/** A parsed value, or the reason why it is wrong, which follows the variable's name: "must be …". */
export type Parsed<A> = Result.Result<A, string>

/** The value of a variable; `undefined` when it is absent or blank. */
export const read = <A>(
  variable: string,
  parse: (text: string) => Parsed<A>
): Effect.Effect<A | undefined, SettingRefused> =>
  Effect.gen(function* () {
    const text = (yield* Config.String(variable).pipe(Config.withDefault(""))).trim()
    if (text === "") return undefined
    const parsed = parse(text)
    return Result.isSuccess(parsed) ? parsed.success : yield* new SettingRefused({ variable, reason: parsed.failure })
  }).pipe(Effect.catchTag("ConfigError", (error) => new SettingRefused({ variable, reason: error.message })))

/** The value, if there is one: for variables without a default. */
export const required = <A>(value: A | undefined, variable: string): Effect.Effect<A, SettingRefused> =>
  value === undefined ? Effect.fail(new SettingRefused({ variable, reason: "is required" })) : Effect.succeed(value)

/** Any text. */
export const text = (text: string): Parsed<string> => Result.succeed(text)

/** A whole number within limits. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): Parsed<number> =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
      ? Result.succeed(Number(text))
      : Result.fail(`must be a whole number from ${min} to ${max}, not "${text}"`)

/** `true`, `false`, `1` or `0`. */
export const flag = (text: string): Parsed<boolean> => {
  if (text === "true" || text === "1") return Result.succeed(true)
  if (text === "false" || text === "0") return Result.succeed(false)
  return Result.fail(`must be true or false, not "${text}"`)
}

/** `on` or `off`. */
export const onOrOff = (text: string): Parsed<boolean> =>
  text === "on" || text === "off" ? Result.succeed(text === "on") : Result.fail(`must be on or off, not "${text}"`)

/** The origin of an http or https address without a path. */
export const webAddress = (text: string): Parsed<string> => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.href === `${url.origin}/`
    ? Result.succeed(url.origin)
    : Result.fail(`must be an http or https address without a path, such as https://api.example.com, not "${text}"`)
}
