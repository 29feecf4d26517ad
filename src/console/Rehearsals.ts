/** What would happen: a use-case is run and rolled back, and what it would change is shown before one does it. */
import { Effect } from "effect"
import { DryRun, emptyOutcome, type Outcome } from "../core/mutation/ChangeRecord.ts"
import { html, type Html } from "./Html.ts"
import { type Reader, number, texts } from "./Texts.ts"

/** Runs a use-case without committing it: what it would answer, and what it would change. */
export const rehearsed = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly answer: A; readonly outcome: Outcome }, E, R> =>
  Effect.suspend(() => {
    const outcome = emptyOutcome()
    return Effect.map(Effect.provideService(self, DryRun, outcome), (answer) => ({ answer, outcome }))
  })

const words = texts({
  would: ["This would happen", "Das würde geschehen"],
  nothing: ["Nothing else changes.", "Sonst ändert sich nichts."],
  later: ["later, step by step", "später, Schritt für Schritt"],
  created: ["created", "angelegt"],
  deleted: ["deleted", "gelöscht"],
  erased: ["erased", "unkenntlich gemacht"],
  restored: ["restored", "wiederhergestellt"],
  updated: ["changed", "geändert"]
})

const nouns: { readonly [type: string]: readonly [one: string, many: string, einer: string, mehrere: string] } = {
  company: ["company", "companies", "Firma", "Firmen"],
  contact: ["contact", "contacts", "Kontakt", "Kontakte"],
  file: ["file", "files", "Datei", "Dateien"],
  link: ["link", "links", "Verknüpfung", "Verknüpfungen"],
  mandate: ["mandate", "mandates", "Suchprofil", "Suchprofile"],
  note: ["note", "notes", "Notiz", "Notizen"],
  offer: ["offer", "offers", "Angebot", "Angebote"],
  project: ["project", "projects", "Projekt", "Projekte"],
  property: ["property", "properties", "Immobilie", "Immobilien"],
  prospect: ["prospect", "prospects", "Interessent", "Interessenten"],
  question: ["question", "questions", "Frage", "Fragen"],
  room: ["data room", "data rooms", "Datenraum", "Datenräume"],
  task: ["task", "tasks", "Aufgabe", "Aufgaben"],
  teaser: ["teaser", "teasers", "Teaser", "Teaser"],
  webhook: ["webhook", "webhooks", "Webhook", "Webhooks"]
}

/** The noun for so many records of a type, such as `prospect`. */
export const nounOf = ({ language }: Reader, type: string, count: number): string => {
  const [one, many, einer, mehrere] = nouns[type] ?? [type, type, type, type]
  return language === "en" ? (count === 1 ? one : many) : count === 1 ? einer : mehrere
}

/** What an outcome would change, in sums by the type of the record and the change. */
export const sumsOf = ({ affected, later }: Outcome) => {
  const sums = new Map<string, { readonly type: string; readonly change: string; count: number; later: number }>()
  const add = (type: string, change: string, now: number, after: number) => {
    const sum = sums.get(`${type} ${change}`) ?? { type, change, count: 0, later: 0 }
    sum.count += now
    sum.later += after
    sums.set(`${type} ${change}`, sum)
  }
  for (const { change, type } of affected) add(type, change, 1, 0)
  for (const { change, count, type } of later) add(type, change, 0, count)
  return [...sums.values()]
}

/** What would happen, as a list. */
export const whatWouldHappen = (reader: Reader, outcome: Outcome): Html => {
  const t = words[reader.language]
  const sums = sumsOf(outcome)
  return html`<h2>${t.would}</h2>
    ${
      sums.length === 0
        ? html`<p>${t.nothing}</p>`
        : html`<ul class="bullets">
            ${sums.map(({ change, count, later, type }) => {
              const word = t[change as keyof typeof t] ?? change
              return html`<li>
                ${count > 0 && `${number(reader, count)} ${nounOf(reader, type, count)} ${word}`}${later > 0 && `${count > 0 ? "; " : ""}${number(reader, later)} ${nounOf(reader, type, later)} ${word}, ${t.later}`}
              </li>`
            })}
          </ul>`
    }`
}
