/**
 * The frame of all pages, what several pages have, the HTML that they are written in, and their style, which is served as a file because
 * their policy allows none inline.
 */
import { escapeHtml } from "../http/Docs.ts"

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

/** Where it is served. */
export const stylePath = "/pages.css"

/** The style sheet. Text has a contrast of 4.5 to 1, and what marks a control 3 to 1, in light and in dark colours. */
export const style = `:root {
  color-scheme: light dark;
  --ground: #f3f5f9; --paper: #fff; --ink: #172033; --soft: #55607a; --line: #dde3ee; --field: #77829b;
  --accent: #0b5cad; --accent-strong: #094a8c; --accent-ink: #fff;
  --good: #1d6b3a; --good-ground: #edf7f0; --bad: #a8201a; --bad-ground: #fdf0ef; --warn: #8a5a00; --warn-ground: #fdf5e2;
  --shadow: 0 1px 2px rgb(23 32 51 / .06), 0 4px 16px rgb(23 32 51 / .05);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151f; --paper: #1a2130; --ink: #e9edf6; --soft: #aab4ca; --line: #323c52; --field: #7c88a2;
    --accent: #8fc1f5; --accent-strong: #b5d6f9; --accent-ink: #0d1420;
    --good: #8fd6a8; --good-ground: #16291f; --bad: #ff9d95; --bad-ground: #331c20; --warn: #f0c36d; --warn-ground: #2d2514;
    --shadow: none;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }

.skip { position: absolute; left: -100vw; top: 1rem; z-index: 1; border-radius: .5rem; background: var(--paper); padding: .6rem 1rem; box-shadow: var(--shadow); }
.skip:focus { left: 1rem; min-width: 14rem; }
header, main { max-width: 50rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; min-height: 4.75rem; padding-block: 1rem; }
header form { margin: 0; }
main { padding-bottom: 4rem; }
.narrow header, .narrow main { max-width: 29rem; }
.narrow header { padding-top: 8vh; }
.brand { display: inline-flex; gap: .6rem; align-items: center; min-height: 2.5rem; font-weight: 650; color: inherit; text-decoration: none; }
.brand img { display: block; }

h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1rem; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.35; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: 0 0 1rem; }
.soft, .hint { color: var(--soft); }
.hint { font-size: .9rem; }
.empty { margin: 1rem 0; border: 1px dashed var(--line); border-radius: .6rem; padding: .9rem 1rem; color: var(--soft); }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .9rem; box-shadow: var(--shadow); padding: 1.5rem; margin: 0 0 1.25rem; scroll-margin-top: 1rem; }

label, .label { display: block; font-weight: 600; margin: 0 0 .3rem; }
input, select { display: block; width: 100%; min-width: 0; min-height: 2.75rem; margin: 0 0 1rem; font: inherit; color: inherit; background-color: var(--paper); border: 1px solid var(--field); border-radius: .5rem; padding: .55rem .75rem; }
input:hover, select:hover { border-color: var(--ink); }
input + .hint { margin-top: -.6rem; }
form + .hint, form + .row { margin-top: 1rem; }
input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input[readonly] { background-color: var(--ground); }
.choice { display: flex; gap: .65rem; align-items: center; min-height: 2.5rem; margin: 0 0 1rem; font-weight: 400; cursor: pointer; }
.choice input { flex: none; width: 1.15rem; min-height: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0 1rem; align-items: end; }
.fields > div { min-width: 0; }

button { min-height: 2.75rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--accent-ink); padding: .5rem 1.15rem; cursor: pointer; }
button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.plain, button.danger { min-height: 2.5rem; border-color: var(--line); background: var(--paper); padding: .35rem .9rem; }
button.plain { color: var(--accent); }
button.danger { color: var(--bad); }
button.plain:hover, button.danger:hover { border-color: currentcolor; background: var(--ground); }
a.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--paper); padding: .5rem 1.15rem; font-weight: 600; text-align: center; text-decoration: none; }
a.button:hover { border-color: currentcolor; background: var(--ground); }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: .25rem 0 1rem; }
.row .plain { min-height: 2.75rem; }
.narrow .row button, .narrow .row .button { flex: 1 1 8rem; }

.note { position: relative; display: flex; gap: .7rem; border: 1px solid var(--mark); border-radius: .6rem; background: var(--mark-ground); padding: .75rem .9rem; margin: 0 0 1.25rem; }
.note.good { --mark: var(--good); --mark-ground: var(--good-ground); }
.note.bad { --mark: var(--bad); --mark-ground: var(--bad-ground); }
.note.warn { --mark: var(--warn); --mark-ground: var(--warn-ground); }
.note > span { flex: 1; min-width: 0; }
.note::before { flex: none; display: grid; place-items: center; width: 1.35rem; height: 1.35rem; margin-top: .1rem; border-radius: 50%; background: var(--mark); color: var(--paper); font-size: .85rem; font-weight: 700; content: "!"; content: "!" / ""; }
.note.good::before { content: ""; }
.note.good::after { position: absolute; left: 1.4rem; top: 1.05rem; width: .38rem; height: .68rem; border: solid var(--paper); border-width: 0 .16rem .16rem 0; transform: rotate(45deg); content: ""; }

dl { display: grid; grid-template-columns: minmax(7rem, auto) minmax(0, 1fr); gap: .45rem 1.25rem; margin: .75rem 0 1.25rem; }
dt { color: var(--soft); }
dd { margin: 0; }
ul.items { list-style: none; margin: .5rem 0 1rem; padding: 0; }
ul.items > li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .5rem 1rem; align-items: center; border-top: 1px solid var(--line); padding: .85rem 0; }
ul.items > li:first-child { border-top: 0; }
ul.items form { margin: 0; }
ul.scopes { margin: .5rem 0 1rem; padding-left: 1.2rem; }
ul.scopes > li { margin: .4rem 0; padding-left: .2rem; }
ul.scopes > li::marker { color: var(--accent); }
.name { font-weight: 600; }
.badge { display: inline-block; margin-left: .35rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; color: var(--good); font-size: .85rem; font-weight: 600; }
.secret { font-family: ui-monospace, monospace; font-size: .92rem; }
section > :last-child, section form > :last-child { margin-bottom: 0; }
ul.items:last-child > li:last-child { padding-bottom: 0; }
form.new { border-top: 1px solid var(--line); padding-top: 1.25rem; }
.empty + form.new { border-top: 0; padding-top: .25rem; }
@media (max-width: 34rem) {
  section { padding: 1.15rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .6rem; }
  .narrow header { padding-top: 1rem; }
}
@media print { .skip, button, .button, form { display: none; } section { box-shadow: none; } }
`
