/** Decisions on files, as pure functions: docs/behaviour/timelines-notes-files.md#uploads. */
import type { FaultCode } from "../../core/fields/FaultCode.ts"
import { Result } from "effect"
import { isBlank } from "../../core/fields/Text.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"

const maxNameLength = 200

// Control characters, line separators, and characters that change the direction of text and so disguise a name.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * The name of a file that was uploaded under `filename`: the last segment of the path, trimmed. A server ignores
 * directories (RFC 7578 §4.2).
 */
export const nameOf = (filename: string): Result.Result<string, ReadonlyArray<Fault>> => {
  const refused = (code: FaultCode, detail: string) => Result.fail([bodyFault("/file", code, detail)])
  if (unprintable.test(filename)) {
    return refused("invalid_characters", "The file name must not contain control characters.")
  }
  if (filename.includes("\u{fffd}")) return refused("invalid_characters", "The file name must be in UTF-8.")
  const name = (filename.split(/[/\\]/).at(-1) ?? "").trim()
  if (isBlank(name) || name === "." || name === "..") return refused("blank", "The file needs a name.")
  return [...name].length > maxNameLength
    ? refused("too_long", `The file name must have at most ${maxNameLength} characters.`)
    : Result.succeed(name)
}

/**
 * After how many hours an object without a row is removed. It is longer than any upload, whose row is written last.
 */
export const orphanHours = 24

/** The strong ETag of a file's content, with its quotes. */
export const contentEtag = (sha256: string): string => `"${sha256}"`
