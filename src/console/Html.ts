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

// Templates are laid out for who reads the code. Browsers see one space where there are many, and none at the edges of cells, items and options.
const folded = new WeakMap<TemplateStringsArray, ReadonlyArray<string>>()

const foldedOf = (template: TemplateStringsArray): ReadonlyArray<string> => {
  const known = folded.get(template)
  if (known !== undefined) return known
  const texts = template.map((text) =>
    text.replaceAll(/\s*\n\s*/g, "\n").replaceAll(/\n(?=\/?>|<\/?(?:li|option|tbody|td|th|thead|tr|ul)\b)/g, "")
  )
  folded.set(template, texts)
  return texts
}

/** HTML of a template literal. Attributes need quotes around their values, and no white space of the template counts but between words. */
export const html = (template: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => {
  const texts = foldedOf(template)
  let text = texts[0] ?? ""
  for (let index = 0; index < parts.length; index += 1) text += render(parts[index]) + (texts[index + 1] ?? "")
  return new Html(text)
}
