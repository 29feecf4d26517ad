/** The frame of all pages. */
import { html, type Html, type Part } from "./html.ts"
import { stylePath } from "./style.ts"

/** A page. */
export interface PageContent {
  readonly title: string
  readonly body: Html
  /** Whether it is one column for one task, such as a form. */
  readonly isNarrow?: boolean
  /** What the header has at its end. */
  readonly aside?: Part
}

/** The document of a page. */
export const layout = ({ aside, body, isNarrow = false, title }: PageContent): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Property Network</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/account"><img src="/favicon.svg" alt="" width="28" height="28" />Property Network</a
          >${aside}
        </header>
        <main id="main" ${isNarrow && html` class="narrow"`}>${body}</main>
      </body>
    </html> `.text

/** What went wrong, or well: read out by screen readers when the page opens. */
export const notice = (kind: "bad" | "good", text: Part): Html =>
  html`<p class="note ${kind}" role="${kind === "bad" ? "alert" : "status"}">${text}</p>`
