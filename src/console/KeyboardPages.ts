/** The keys that act at once: what they do, and whether they are on. The script shows the same list where one presses `?`. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { accountBody, paths, words as accountWords } from "./AccountParts.ts"
import { get, type PageRequest, post, View } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { box, button, card } from "./Parts.ts"
import { common, texts } from "./Texts.ts"
import { formField, hasKeys, seeOther, withKeys, withNote } from "./Visit.ts"

const words = texts({
  search: ["Go to the search or the filters of the page", "Zur Suche oder zu den Filtern der Seite"],
  next: ["Next row of a list or a board", "Nächste Zeile einer Liste oder eines Boards"],
  previous: ["Previous row", "Vorige Zeile"],
  open: ["Open the row", "Zeile öffnen"],
  edit: ["Edit what has the focus, or else what is open", "Bearbeiten, was den Fokus hat, sonst, was geöffnet ist"],
  close: ["Close what is open beside a list", "Schließen, was neben einer Liste geöffnet ist"],
  palette: ["Go to a page or a record by its name", "Zu einer Seite oder einem Eintrag nach dem Namen"],
  help: ["Show these keys", "Diese Tasten zeigen"],
  singleKeys: ["Keys without Ctrl act at once", "Tasten ohne Strg wirken sofort"],
  singleKeysHint: [
    "Turn this off if you speak to your computer, or press keys by accident. In this browser alone.",
    "Schalten Sie das aus, wenn Sie mit Ihrem Computer sprechen oder versehentlich Tasten drücken. Nur in diesem Browser."
  ],
  turnOff: ["Turn them on or off", "Ein- oder ausschalten"],
  whileTyping: ["They do nothing while you type.", "Sie wirken nicht, während Sie tippen."]
})

const keys = ({ reader }: PageRequest): Html => {
  const t = words[reader.language]
  return html`<div
    id="keys"
    data-title="${accountWords[reader.language].keyboard}"
    data-close="${common[reader.language].close}"
  >
    <dl class="facts">
      ${(
        [
          [["/"], t.search],
          [["j"], t.next],
          [["k"], t.previous],
          [["Enter"], t.open],
          [["e"], t.edit],
          [["Esc"], t.close],
          [["Ctrl", "K"], t.palette],
          [["?"], t.help]
        ] as const
      ).map(
        ([pressed, does]) =>
          html`<dt>${pressed.map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${does}</dd>`
      )}
    </dl>
    <p class="soft small">${t.whileTyping} <a href="${paths.keyboard}#single-keys">${t.turnOff}</a></p>
  </div>`
}

const show = get(paths.keyboard, (page) =>
  Effect.sync(() => {
    const t = words[page.reader.language]
    const { keyboard } = accountWords[page.reader.language]
    return new View({
      title: keyboard,
      body: accountBody(
        page,
        paths.keyboard,
        card(
          "keyboard",
          keyboard,
          html`${keys(page)}
            <form class="stack" method="post" action="${paths.keyboard}">
              ${formField(page.visit)}
              ${box({ id: "single-keys", name: "keys", label: t.singleKeys, hint: t.singleKeysHint, isTicked: hasKeys(page.visit) })}
              <div class="row">${button(common[page.reader.language].save)}</div>
            </form>`
        )
      )
    })
  })
)

const save = post(paths.keyboard, ({ form, reader, visit }) =>
  Effect.sync(() => {
    const response = HttpServerResponse.setHeader(seeOther(paths.keyboard), "vary", "Cookie")
    return withKeys(withNote(response, visit, common[reader.language].saved), visit, form.has("keys"))
  })
)

/** The page of the keys, and their switch. */
export const pages = [show, save]
