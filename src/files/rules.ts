/** The pure decisions on files. */
import { Result } from "effect"
import { bodyFault } from "../usecase/Input.ts"
import type { Fault } from "../usecase/Problem.ts"

const maxNameLength = 200

// Control characters, line separators, and what turns the direction of text round, so that a name shows as another.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/**
 * What a file is called that came under this name: the last part of a path, without white space around it. Folders are
 * the sender's own affair (RFC 7578 §4.2).
 */
export const nameOf = (filename: string): Result.Result<string, ReadonlyArray<Fault>> => {
  const refused = (code: string, detail: string) => Result.fail([bodyFault("/file", code, detail)])
  if (unprintable.test(filename)) {
    return refused("invalid_characters", "The file name must not contain control characters.")
  }
  if (filename.includes("\u{fffd}")) return refused("invalid_characters", "The file name must be in UTF-8.")
  const name = (filename.split(/[/\\]/).at(-1) ?? "").trim()
  if (name === "" || name === "." || name === "..") return refused("blank", "The file needs a name.")
  return [...name].length > maxNameLength
    ? refused("too_long", `The file name must have at most ${maxNameLength} characters.`)
    : Result.succeed(name)
}

/** How long files outlive the contact or company that they were on, in days. */
export const daysAfterSubject = 30

/**
 * How old a content must be, in hours, to be removed when no row names it: no upload takes so long that its row could
 * still come.
 */
export const hoursUnnamed = 24

/** The strong validator of a content, quotes included. */
export const contentTag = (sha256: string): string => `"${sha256}"`
