/**
 * Documents of the source code as HTML. Addresses of headings are those of GitHub, so that links between documents lead on; pictures and
 * HTML that stand in a document are left out, because the service has no pictures.
 */
import { marked } from "marked"

/** Writes a document at a path, of whose links to other files those lead on that are served. */
const rendererOf = (path: string, isServed: (path: string) => boolean) => {
  const renderer = new marked.Renderer()
  renderer.html = () => ""
  renderer.image = (_href, _title, text) => text
  const withCode = renderer.code.bind(renderer)
  // Who uses the keyboard scrolls what is wider than the page.
  renderer.code = (text, language, isEscaped) =>
    withCode(text, language, isEscaped).replace("<pre>", '<pre tabindex="0">')
  const withTable = renderer.table.bind(renderer)
  renderer.table = (head, body) => `<div class="scroll" tabindex="0">${withTable(head, body)}</div>`
  const withLink = renderer.link.bind(renderer)
  renderer.link = (href, title, text) => {
    const isFile = href !== null && !/^(?:[a-z]+:|#|\/)/i.test(href)
    const leadsOn = !isFile || isServed(new URL(href, `http://own.invalid${path}`).pathname)
    return leadsOn ? withLink(href, title, text) : text
  }
  return renderer
}

/** The title of a document: its first heading. */
export const titleOf = (text: string): string | undefined => /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "")

/** A document at a path as HTML. */
export const toHtml = (text: string, path: string, isServed: (path: string) => boolean): string =>
  marked.parse(text, { renderer: rendererOf(path, isServed), headerIds: true, mangle: false })
