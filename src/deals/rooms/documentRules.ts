/** The pure decisions on documents (docs/behaviour/rooms.md#documents). */
import { Result } from "effect"
import { inNfc } from "../../core/fields/Text.ts"
import { nameOf } from "../../content/files/rules.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import type { Fault } from "../../core/usecase/Problem.ts"

/** How many folders a document can be in. */
export const maxFolders = 10

const refused = (code: string, detail: string) => Result.fail([bodyFault("/path", code, detail)])

/** The path of a document: names between slashes, each as the name of a file, trimmed and in NFC. Slashes around it do not count. */
export const pathOf = (text: string): Result.Result<string, ReadonlyArray<Fault>> => {
  const parts = text
    .replaceAll("\\", "/")
    .replace(/^\/+|\/+$/g, "")
    .split("/")
  if (parts.length > maxFolders + 1) return refused("too_deep", `The path must have at most ${maxFolders} folders.`)
  const names: Array<string> = []
  for (const part of parts) {
    const name = nameOf(part)
    if (Result.isFailure(name)) {
      return Result.fail(name.failure.map((fault) => ({ ...fault, pointer: "/path" })))
    }
    names.push(inNfc(name.success))
  }
  return Result.succeed(names.join("/"))
}

/** The name of a document: the last part of its path. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
