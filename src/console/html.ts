/** HTML by template literals, in which every value is escaped. */
import { escapeHtml } from "../http/Help.ts"

/** A piece of HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a template may contain: text is escaped, HTML is kept, and nothing is shown of what is absent. */
export type Part = string | number | Html | false | null | undefined | ReadonlyArray<Part>

const render = (part: Part): string => {
  if (part === false || part === null || part === undefined) return ""
  if (part instanceof Html) return part.text
  if (typeof part === "object") return part.map(render).join("")
  return escapeHtml(String(part)).replaceAll("'", "&#39;")
}

/** HTML of a template literal. Attributes need quotes around their values. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(texts.map((text, index) => text + render(parts[index])).join(""))
