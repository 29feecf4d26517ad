/** The frame of all pages, and what several pages have. */
import { html, type Html, type Part } from "./html.ts"
import { stylePath } from "./style.ts"

/** A page. */
export interface PageContent {
  readonly title: string
  readonly body: Html
  /** Whether it is one column for one task, such as a form. */
  readonly isNarrow?: boolean
  /** Whether it says what went wrong: its title does, too, because screen readers read that first. */
  readonly isRefusal?: boolean
  /** What the header has at its end. */
  readonly aside?: Part
}

/** The document of a page. */
export const layout = ({ aside, body, isNarrow = false, isRefusal = false, title }: PageContent): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${isRefusal && "Error: "}${title} · Property Network</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body ${isNarrow && html` class="narrow"`}>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/account"><img src="/favicon.svg" alt="" width="28" height="28" />Property Network</a
          >${aside}
        </header>
        <main id="main" tabindex="-1">${body}</main>
      </body>
    </html> `.text

/** What went wrong or well, or what a person should beware of. A page has one of the first two at most. */
export const notice = (kind: "bad" | "good" | "warn", text: Part): Html =>
  kind === "warn"
    ? html`<p class="note warn"><span>${text}</span></p>`
    : html`<p class="note ${kind}" id="notice" role="${kind === "bad" ? "alert" : "status"}"><span>${text}</span></p>`

/**
 * The attributes of a field that the notice of the page speaks of: screen readers read the notice with it. The field to correct
 * first gets the focus.
 */
export const corrected = (isRefused: boolean, { first = true, rule = "" } = {}): Html =>
  isRefused
    ? html` aria-invalid="true" aria-describedby="${rule === "" ? "notice" : `notice ${rule}`}" ${first && " autofocus"}`
    : html` ${rule !== "" && html` aria-describedby="${rule}"`}`
