/** Why a delivery did not arrive, as people read it: by the kind of the failure. The sentence of the API says the rest, in English. */
import { html, type Html, type Part } from "../../console/Html.ts"
import type { Reader } from "../../console/Texts.ts"
import { failureKindOf } from "./rules.ts"
import { words } from "./texts.ts"

/** A sentence as the API says it. */
export const sentence = (error: string): Html => html`<span lang="en">${error}</span>`

/** The kind of a failure, and the status of an answer. */
export const failureKind = ({ language }: Pick<Reader, "language">, error: string): string => {
  const [, status] = /^The receiver answered (\d+)\.$/.exec(error) ?? []
  return `${words[language][failureKindOf(error)]}${status === undefined ? "" : ` (${status})`}`
}

/** Why a delivery did not arrive, in short. */
export const failureText = (reader: Pick<Reader, "language">, error: string | null): Part =>
  error !== null && (reader.language === "en" ? error : failureKind(reader, error))

/** The same in full: where the language is not that of the API, its sentence is below. */
export const failureInFull = (reader: Pick<Reader, "language">, error: string | null): Part =>
  error !== null &&
  (reader.language === "en" ? error : html`${failureKind(reader, error)} <span class="below">${sentence(error)}</span>`)
