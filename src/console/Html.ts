/** The HTML that pages are written in. */
/** A piece of HTML. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What a template may contain: text is escaped, HTML is kept, and nothing is shown of what is absent. */
export type Part = string | number | Html | false | null | undefined | ReadonlyArray<Part>

const special = /[&<>"']/

const escapes: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string =>
  // Most texts have nothing to escape, and to find that out takes a tenth of replacing.
  special.test(text) ? text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "") : text

const render = (part: Part): string => {
  if (part === false || part === null || part === undefined) return ""
  if (typeof part === "string") return escaped(part)
  if (typeof part === "number") return String(part)
  if (part instanceof Html) return part.text
  let text = ""
  for (const one of part) text += render(one)
  return text
}

/** HTML of a template literal. Attributes need quotes around their values. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => {
  let text = texts[0] ?? ""
  for (let index = 0; index < parts.length; index += 1) text += render(parts[index]) + (texts[index + 1] ?? "")
  return new Html(text)
}
