/** The frames of pages: that of a task such as signing in, and that of the console with its navigation. */
import { createHash } from "node:crypto"
import { type Asset, assetPath } from "./Assets.ts"
import { html, type Html, type Part } from "./Html.ts"
import { icon } from "./Parts.ts"
import { type Reader, texts } from "./Texts.ts"

/** A page. */
export interface PageContent {
  readonly title: string
  readonly body: Html
  /** Whether it is one column for one task, such as a form. */
  readonly isNarrow?: boolean
  /** Whether it says what went wrong: its title does, too, because screen readers read that first. */
  readonly isRefusal?: boolean
}

/** The colours that a person has chosen; undefined for those of their system. */
export type Theme = "dark" | "light" | undefined

const words = texts({
  account: ["Account", "Konto"],
  error: ["Error: ", "Fehler: "],
  discard: ["Discard it", "Verwerfen"],
  draft: [
    "This is what you typed here, and have not sent yet.",
    "Das haben Sie hier eingegeben und noch nicht gesendet."
  ],
  goTo: ["Go to…", "Gehe zu…"],
  goToLabel: ["Go to a page or a record", "Zu einer Seite oder einem Eintrag gehen"],
  keyboard: ["Keyboard", "Tastatur"],
  loading: ["Loading…", "Wird geladen…"],
  offline: [
    "The service cannot be reached. Check your connection, then try again: what you typed is still here.",
    "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung, dann versuchen Sie es noch einmal: Ihre Eingaben sind noch hier."
  ],
  menu: ["Menu", "Menü"],
  navigation: ["Console", "Konsole"],
  noResults: ["Nothing found", "Nichts gefunden"],
  signOut: ["Sign out", "Abmelden"],
  start: ["Start", "Start"],
  skip: ["Skip to the content", "Zum Inhalt springen"],
  teams: [(count: number) => (count === 1 ? "Team" : "Teams"), (count: number) => (count === 1 ? "Team" : "Teams")],
  user: ["Signed in", "Angemeldet"]
})

interface Frame {
  readonly reader: Reader
  readonly theme: Theme
}

const titleOf = ({ isRefusal = false, title }: Pick<PageContent, "isRefusal" | "title">, { reader }: Frame) =>
  `${isRefusal ? words[reader.language].error : ""}${title} · Property Network`

const document = (
  content: Pick<PageContent, "isRefusal" | "title">,
  frame: Frame,
  scripts: Part,
  body: Html
): string => {
  const { reader, theme } = frame
  return html`<!doctype html>
    <html lang="${reader.language}" ${theme !== undefined && html`data-theme="${theme}"`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${titleOf(content, frame)}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath("console.css")}" />
        ${scripts}
      </head>
      ${body}
    </html> `.text
}

/** The document of a page without the navigation of the console. */
export const plainDocument = (content: PageContent, frame: Frame): string =>
  document(
    content,
    frame,
    undefined,
    html`<body class="alone ${content.isNarrow === true && "narrow"}">
      <a class="skip" href="#main">${words[frame.reader.language].skip}</a>
      <header>
        <a class="brand" href="/console"><img src="/favicon.svg" alt="" width="28" height="28" />Property Network</a>
      </header>
      <main id="main" tabindex="-1">${content.body}</main>
    </body>`
  )

/** A link of the navigation. `icon` is the path of its stroke, 20 by 20. */
export interface NavigationLink {
  readonly href: string
  readonly name: string
  readonly icon: string
}

/** A part of the console, in the navigation. */
export interface Area {
  readonly title: string
  /** What it is for, in a sentence. */
  readonly about: string
  readonly links: ReadonlyArray<NavigationLink>
}

/** What the navigation shows to a person. */
export interface Navigation extends Frame {
  /** The path of the page that is shown. */
  readonly path: string
  /** What is above the page on paper: whose it is, when it was seen, and its address. */
  readonly printed: ReadonlyArray<string>
  readonly areas: ReadonlyArray<Area>
  /** Whether keys without a modifier act at once. */
  readonly hasKeys: boolean
  /** The scripts of the page besides those of every page. */
  readonly scripts: ReadonlyArray<Asset>
  /** Where the pages of the team are. */
  readonly base: string
  readonly userName: string
  /** Whose the page is, as scripts tell people apart. */
  readonly userId: string
  /** The teams between which the person can switch. */
  readonly teams: ReadonlyArray<{ readonly name: string; readonly href: string; readonly isCurrent: boolean }>
  /** The hidden field of forms. */
  readonly formField: Html
}

const isAt = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

/** The link of the page, or of the one above it: the longest that its path begins with. */
const currentOf = ({ areas, path }: Pick<Navigation, "areas" | "path">): string | undefined =>
  areas
    .flatMap(({ links }) => links.map(({ href }) => href))
    .filter((href) => isAt(path, href))
    .toSorted((a, b) => b.length - a.length)[0]

const startIcon = "M3 9.2 10 3.5l7 5.7V17h-4.8v-4.6H7.8V17H3z"

/** Where one can go from a page: the start page, the teams and the areas. */
const placesOf = (shown: Navigation): Html => {
  const { areas, base, path, reader, teams } = shown
  const t = words[reader.language]
  const current = currentOf(shown)
  return html`<a class="brand" href="/console"
      ><img src="/favicon.svg" alt="" width="24" height="24" />Property Network</a
    >
    <button type="button" class="small scripted find" data-palette>${t.goTo} <kbd>Ctrl K</kbd></button>
    <ul role="list">
      <li>
        <a href="${base}" ${path === base && html` aria-current="page"`}>${icon(startIcon)}${t.start}</a>
      </li>
    </ul>
    ${
      teams.length > 0 &&
      html`<div>
        <h2>${t.teams(teams.length)}</h2>
        <ul role="list">
          ${teams.map(
            ({ href, isCurrent, name }) =>
              html`<li>
                <a href="${href}" ${isCurrent && html` aria-current="true"`}>${name}</a>
              </li>`
          )}
        </ul>
      </div>`
    }
    ${areas.map(
      ({ links, title }) =>
        html`<div>
          <h2>${title}</h2>
          <ul role="list">
            ${links.map(
              (link) =>
                html`<li>
                  <a href="${link.href}" ${link.href === current && html` aria-current="page"`}
                    >${icon(link.icon)}${link.name}</a
                  >
                </li>`
            )}
          </ul>
        </div>`
    )}`
}

const navigation = ({ formField, path, reader, userName }: Navigation, places: Html): Html => {
  const t = words[reader.language]
  return html`<nav class="nav" id="nav" popover aria-label="${t.navigation}">
    ${places}
    <div class="who">
      <strong>${userName}</strong>
      <div class="row">
        <a href="/console/account" ${isAt(path, "/console/account") && html` aria-current="page"`}>${t.account}</a>
        <a href="/console/account/keyboard">${t.keyboard}</a>
        <form method="post" action="/signout">
          ${formField}<button class="small" type="submit">${t.signOut}</button>
        </form>
      </div>
    </div>
  </nav>`
}

// Where only the page is sent, the script says the time and the address.
const printedLine = ({ printed }: Navigation): Html =>
  html`<p id="printed" data-of="${printed[0]}">${printed.join(" · ")}</p>`

const consoleBody = (main: Html, shown: Navigation, places: Html, version: string): Html => {
  const t = words[shown.reader.language]
  const forScripts = html`data-user="${shown.userId}" data-drafts="${assetPath("drafts.js")}"
  ${!shown.hasKeys && html`data-keys="off"`}`
  return html`<body data-frame="${version}" ${forScripts}>
    <a class="skip" href="#main">${t.skip}</a>
    <header class="bar">
      <a class="brand" href="${shown.base}"><img src="/favicon.svg" alt="" width="22" height="22" />Property Network</a
      ><button type="button" class="small" popovertarget="nav">${t.menu}</button>
    </header>
    ${navigation(shown, places)} ${printedLine(shown)} ${main}
    <p
      class="hidden"
      id="live"
      role="status"
      data-loading="${t.loading}"
      data-offline="${t.offline}"
      data-draft="${t.draft}"
      data-discard="${t.discard}"
    ></p>
    <dialog
      id="palette"
      class="palette"
      aria-label="${t.goToLabel}"
      data-find="${shown.base}/find"
      data-none="${t.noResults}"
    >
      <input type="search" aria-label="${t.goToLabel}" placeholder="${t.goTo}" autocomplete="off" />
      <ul role="list"></ul>
    </dialog>
  </body>`
}

/** What is around a page, as a short text: it is the same where the same is around. */
const versionOf = (shown: Navigation, places: Html): string =>
  createHash("sha256")
    // The token of its form differs each time, and is as good; so is what stands above the page on paper.
    .update(
      `${shown.theme} ${consoleBody(html``, { ...shown, formField: html``, printed: shown.printed.slice(0, 1) }, places, shown.reader.language).text}`
    )
    .digest("base64url")
    .slice(0, 12)

/**
 * The document of a page of the console; `present` is the version of the frame that the browser shows already. If it is this page's, the
 * document is the page alone.
 */
export const consoleDocument = (content: PageContent, shown: Navigation, present?: string): string => {
  // The most of what is around a page, and needed for its version, too.
  const places = placesOf(shown)
  const version = versionOf(shown, places)
  const scripts = (names: ReadonlyArray<Asset>) =>
    names.map((name) => html`<script type="module" src="${assetPath(name)}"></script>`)
  const main = html`<main id="main" tabindex="-1">${content.body}</main>`
  return present === version
    ? html`<!doctype html>
        <title>${titleOf(content, shown)}</title>
        ${scripts(shown.scripts)}
        <body data-same>
          ${main}
        </body>`.text
    : document(
        content,
        shown,
        html`<script defer src="${assetPath("idiomorph.js")}"></script>
          ${scripts(["console.js", "navigation.js", "keys.js", ...shown.scripts])}`,
        consoleBody(main, shown, places, version)
      )
}
