/**
 * Forms (`application/x-www-form-urlencoded`), which are parsed here because effect's parser hides repeated parameters, which must be
 * rejected.
 */
import { Data, Result } from "effect"

/** The parameters of a form that have a value. */
export type Form = ReadonlyMap<string, string>

/** Why a form cannot be read: a sentence for people. */
export class FormRefused extends Data.TaggedError("FormRefused")<{ readonly detail: string }> {}

/** Whether a Content-Type is that of a form in UTF-8. */
export const isForm = (contentType: string | undefined): boolean => {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase())
  return (
    type === "application/x-www-form-urlencoded" &&
    parameters.every((parameter) => !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter))
  )
}

const maxParameters = 100

/** Decodes a name or value of a form; undefined if it is not encoded UTF-8. */
export const decodePart = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Parses a form. Parameters without a value count as omitted, but must not be repeated either (RFC 6749 §3.2). */
export const parseForm = (text: string): Result.Result<Form, FormRefused> => {
  const seen = new Set<string>()
  const form = new Map<string, string>()
  for (const pair of text.split("&")) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals))
    const value = decodePart(equals === -1 ? "" : pair.slice(equals + 1))
    if (name === undefined || value === undefined) {
      return Result.fail(new FormRefused({ detail: "The form is not correctly encoded." }))
    }
    if (seen.size === maxParameters) {
      return Result.fail(new FormRefused({ detail: `The form must not have more than ${maxParameters} parameters.` }))
    }
    if (seen.has(name)) return Result.fail(new FormRefused({ detail: "A parameter is repeated." }))
    seen.add(name)
    if (value !== "") form.set(name, value)
  }
  return Result.succeed(form)
}
