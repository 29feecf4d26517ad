/** What would happen: a use-case is run and rolled back, and what it would change is shown before one does it. */
import { Effect } from "effect"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { type Affected, type ChangedNoun, DryRun, emptyOutcome, type Outcome } from "../core/mutation/ChangeRecord.ts"
import type { PageRequest, Problem } from "./Console.ts"
import { html, type Part } from "./Html.ts"
import { type Reader, number, texts } from "./Texts.ts"
import { label } from "./Vocabulary.ts"

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
  and: ["and", "und"],
  more: [(count: string) => `${count} more`, (count: string) => `${count} weitere`],
  created: ["created", "angelegt"],
  deleted: ["deleted", "gelöscht"],
  erased: ["erased", "unkenntlich gemacht"],
  restored: ["restored", "wiederhergestellt"],
  updated: ["changed", "geändert"]
})

type Change = Affected["change"]

const nouns: {
  readonly [Type in ChangedNoun]: readonly [one: string, many: string, einer: string, mehrere: string]
} = {
  act: ["note", "notes", "Notiz", "Notizen"],
  audit: ["entry of the audit log", "entries of the audit log", "Protokolleintrag", "Protokolleinträge"],
  company: ["company", "companies", "Firma", "Firmen"],
  contact: ["contact", "contacts", "Kontakt", "Kontakte"],
  delivery: ["delivery", "deliveries", "Zustellung", "Zustellungen"],
  file: ["file", "files", "Datei", "Dateien"],
  link: ["link", "links", "Verknüpfung", "Verknüpfungen"],
  mandate: ["mandate", "mandates", "Suchprofil", "Suchprofile"],
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
export const nounOf = ({ language }: Reader, type: ChangedNoun, count: number): string => {
  const [one, many, einer, mehrere] = nouns[type]
  return language === "en" ? (count === 1 ? one : many) : count === 1 ? einer : mehrere
}

/** How many records of a type are changed in one way, and which of them at once. */
interface Sum {
  readonly type: ChangedNoun
  readonly change: Change
  readonly ids: Array<string>
  later: number
}

/** What an outcome would change, by the type of the record and the change. */
export const sumsOf = ({ affected, later }: Outcome): ReadonlyArray<Sum> => {
  const sums = new Map<string, Sum>()
  const sumOf = (type: ChangedNoun, change: Change): Sum => {
    const sum = sums.get(`${type} ${change}`) ?? { type, change, ids: [], later: 0 }
    sums.set(`${type} ${change}`, sum)
    return sum
  }
  for (const { change, id, type } of affected) sumOf(type, change).ids.push(id)
  for (const { change, count, type } of later) sumOf(type, change).later += count
  return [...sums.values()]
}

/** A record by its name, and what leads to its page. */
interface NamedRecord {
  readonly type: ChangedNoun
  readonly name: string
  readonly projectId: string | null
  readonly prospectId: string | null
  readonly about: string | null
}

/** What names records, by their ids. */
export interface NamingUseCases {
  readonly named: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, NamedRecord>, Problem, CurrentActor>
}

type Viewed = Pick<PageRequest, "base" | "reader">

/** The segments of the addresses of records that have a page of their own. */
const segments: { readonly [Type in ChangedNoun]?: string } = {
  company: "companies",
  contact: "contacts",
  mandate: "mandates",
  project: "projects",
  property: "properties",
  question: "questions",
  room: "rooms",
  webhook: "webhooks"
}

/** A record by its name, which leads to its page. */
const nameOf = (
  { base, reader }: Viewed,
  id: string,
  { about, name, projectId, prospectId, type }: NamedRecord
): Part => {
  const segment = segments[type]
  const prospect = type === "prospect" ? id : prospectId
  const address =
    projectId !== null && prospect !== null
      ? `${base}/projects/${projectId}/prospects?open=${prospect}`
      : segment !== undefined && `${base}/${segment}/${id}`
  const text = type === "task" ? `${label(reader, name)}${about === null ? "" : ` (${about})`}` : name
  return address === false ? text : html`<a href="${address}">${text}</a>`
}

/** How many records of a kind are named. */
const maxNamed = 10

/** What would happen, as a list: how many records of each kind, and the first of them by name. What does not exist yet has none. */
export const whatWouldHappen = Effect.fnUntraced(function* <R>(
  page: Viewed,
  outcome: Outcome,
  useCases: Effect.Effect<NamingUseCases, never, R>
) {
  const { reader } = page
  const t = words[reader.language]
  const sums = sumsOf(outcome)
  const { named } = yield* useCases
  const records = yield* named(sums.flatMap(({ ids }) => ids.slice(0, maxNamed)))
  const namesOf = (ids: ReadonlyArray<string>): Part => {
    const names = ids.slice(0, maxNamed).flatMap((id) => {
      const record = records.get(id)
      return record === undefined ? [] : [nameOf(page, id, record)]
    })
    if (names.length === 0) return undefined
    const parts = names.length < ids.length ? [...names, t.more(number(reader, ids.length - names.length))] : names
    return parts.map((part, index) => [index === 0 ? ": " : index === parts.length - 1 ? ` ${t.and} ` : ", ", part])
  }
  const counted = ({ change, type }: Sum, count: number) =>
    `${number(reader, count)} ${nounOf(reader, type, count)} ${t[change]}`
  return html`<h2>${t.would}</h2>
    ${
      sums.length === 0
        ? html`<p>${t.nothing}</p>`
        : html`<ul class="bullets">
            ${sums.map(
              (sum) =>
                html`<li>
                  ${sum.ids.length > 0 && [counted(sum, sum.ids.length), namesOf(sum.ids)]}${sum.later > 0 && `${sum.ids.length > 0 ? "; " : ""}${counted(sum, sum.later)}, ${t.later}`}
                </li>`
            )}
          </ul>`
    }`
})
