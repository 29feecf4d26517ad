/**
 * The languages of the console, and how a person reads dates, times and numbers. A module keeps the words of its pages in a table, each in
 * English and in German, so that one is never without the other:
 *
 *     const words = texts({
 *       title: ["Webhooks", "Webhooks"],
 *       rows: [(count: number) => `${count} webhooks`, (count: number) => `${count} Webhooks`]
 *     })
 *     const t = words[page.reader.language]
 *     html`<h1>${t.title}</h1>`
 */
import { countryCodes } from "../core/fields/Place.ts"
import { html, type Html } from "./Html.ts"

/** A language of the console. */
export type Language = "de" | "en"

/** All of them, by their own names. */
export const languages: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" }

/** The languages of the console. */
export const allLanguages: ReadonlyArray<Language> = ["en", "de"]

/** How a person reads: their language, and how they write dates, times and numbers. */
export interface Reader {
  readonly language: Language
  /** A BCP 47 tag, such as `de-DE`. */
  readonly culture: string
  /** An IANA time zone, such as `Europe/Berlin`. */
  readonly timeZone: string
}

/** The language of the console for a language of a person, a BCP 47 tag. */
export const languageOf = (uiCulture: string): Language => (/^de\b/i.test(uiCulture) ? "de" : "en")

/** The reader of a browser before anyone is signed in, by its `Accept-Language`. */
export const readerOf = (acceptLanguage: string | undefined): Reader => {
  const [first = "en"] = (acceptLanguage ?? "").split(",").map((entry) => entry.split(";")[0]?.trim() ?? "")
  const language = languageOf(first)
  return { language, culture: language === "de" ? "de-DE" : "en-GB", timeZone: "UTC" }
}

type Word = string | ((...values: ReadonlyArray<never>) => Html | string)

type Widened<W extends Word> = W extends string ? string : W

/** The words of pages, as they are used. */
export type Table<T extends { readonly [name: string]: readonly [en: Word, de: Word] }> = {
  readonly [Name in keyof T]: Widened<T[Name][0]>
}

/** A table of words for each language, from pairs of English and German. */
export const texts = <const T extends { readonly [name: string]: readonly [en: Word, de: Word] }>(
  pairs: T
): Readonly<Record<Language, Table<T>>> => {
  const table = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(pairs).map(([name, pair]) => [name, pair[index]])) as Table<T>
  return { en: table(0), de: table(1) }
}

/** A text for a reader, or in both languages where it is said before it is known who reads it. */
export type Said = string | readonly [en: string, de: string]

/** The text for a reader. */
export const say = ({ language }: Pick<Reader, "language">, said: Said): string =>
  typeof said === "string" ? said : said[language === "de" ? 1 : 0]

/** The words that pages of every module use. */
export const common = texts({
  actions: ["Actions", "Aktionen"],
  active: ["Active", "Aktiv"],
  add: ["Add", "Hinzufügen"],
  all: ["All", "Alle"],
  any: ["Any", "Beliebig"],
  apply: ["Apply", "Anwenden"],
  back: ["Back", "Zurück"],
  cancel: ["Cancel", "Abbrechen"],
  close: ["Close", "Schließen"],
  code: ["Code", "Code"],
  columns: ["Columns", "Spalten"],
  copied: ["Copied", "Kopiert"],
  copy: ["Copy", "Kopieren"],
  created: ["Created", "Erstellt"],
  delete: ["Delete", "Löschen"],
  edit: ["Edit", "Bearbeiten"],
  email: ["E-mail address", "E-Mail-Adresse"],
  expires: ["Expires", "Läuft ab"],
  filters: ["Filters", "Filter"],
  firstPage: ["First page", "Erste Seite"],
  helpWithCode: ["What this code means", "Was dieser Code bedeutet"],
  id: ["Id", "Id"],
  lastUsed: ["Last used", "Zuletzt verwendet"],
  name: ["Name", "Name"],
  never: ["Never", "Nie"],
  nextPage: ["Next page", "Nächste Seite"],
  no: ["No", "Nein"],
  none: ["None", "Keine"],
  noRows: ["Nothing here", "Nichts vorhanden"],
  noMatch: ["Nothing matches the filters", "Nichts entspricht den Filtern"],
  optional: ["optional", "optional"],
  request: ["Request", "Anfrage"],
  requestId: ["Request id", "Anfrage-Id"],
  revoke: ["Revoke", "Widerrufen"],
  role: ["Role", "Rolle"],
  rows: [
    (count: number) => (count === 1 ? "1 row" : `${count} rows`),
    (count: number) => (count === 1 ? "1 Zeile" : `${count} Zeilen`)
  ],
  forPrograms: ["For programs", "Für Programme"],
  forSupport: ["If you need help with this", "Falls Sie dabei Hilfe brauchen"],
  furtherOn: ["further on", "weiter hinten"],
  save: ["Save", "Speichern"],
  saved: ["Saved.", "Gespeichert."],
  savedFilters: ["Saved filters", "Gespeicherte Filter"],
  saveFilter: ["Save these filters as", "Diese Filter speichern als"],
  search: ["Search", "Suchen"],
  selected: [(count: number) => `${count} ticked`, (count: number) => `${count} markiert`],
  selectAll: ["Tick all rows of this page", "Alle Zeilen dieser Seite markieren"],
  selectRow: [(name: string) => `Tick ${name}`, (name: string) => `${name} markieren`],
  allThatMatch: ["All that match, not just the ticked ones", "Alle passenden, nicht nur die markierten"],
  show: ["Show", "Anzeigen"],
  skipToButton: ["Skip to the button of the form", "Zur Schaltfläche des Formulars springen"],
  status: ["Status", "Status"],
  team: ["Team", "Team"],
  type: ["Type", "Typ"],
  until: ["until", "bis"],
  unknown: ["Unknown", "Unbekannt"],
  user: ["User", "Benutzer"],
  value: ["Value", "Wert"],
  when: ["When", "Wann"],
  who: ["Who", "Wer"],
  yes: ["Yes", "Ja"],
  shownOnce: [
    "It is shown once. Copy it now, and keep it where only your program reads it.",
    "Es wird nur einmal angezeigt. Kopieren Sie es jetzt, und bewahren Sie es so auf, dass nur Ihr Programm es liest."
  ]
})

/** Makes something of a culture and a time zone once: to make a formatter takes a hundred times as long as to use it. */
export const cached = <F>(make: (culture: string, timeZone: string) => F) => {
  const known = new Map<string, F>()
  return ({ culture, timeZone }: Reader): F => {
    const key = `${culture} ${timeZone}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(culture, timeZone)
    known.set(key, made)
    return made
  }
}

const secondFormat = cached(
  (culture, timeZone) => new Intl.DateTimeFormat(culture, { dateStyle: "short", timeStyle: "medium", timeZone })
)
// A due date is a calendar day in UTC, and stays that day in every time zone.
const dayFormat = cached((culture) => new Intl.DateTimeFormat(culture, { dateStyle: "medium", timeZone: "UTC" }))
const numberFormat = cached((culture) => new Intl.NumberFormat(culture))

const toSecond = (utc: string) => utc.replace(/\.\d+(?=Z)/, "")

/** A moment (ISO 8601), as the reader's culture and time zone write it; nothing of null. */
export const moment = (reader: Reader, utc: string | null | undefined): Html | undefined =>
  utc === null || utc === undefined
    ? undefined
    : html`<time datetime="${toSecond(utc)}">${momentText(reader, utc)}</time>`

/** How many texts of moments are kept for each culture and time zone. */
const maxMinutes = 5_000

// A third of the time that a row of a list takes is for its moments, and a list is looked at again and again.
const minutes = cached((culture, timeZone) => {
  const format = new Intl.DateTimeFormat(culture, { dateStyle: "medium", timeStyle: "short", timeZone })
  const known = new Map<number, string>()
  return (millis: number): string => {
    const minute = Math.floor(millis / 60_000)
    const found = known.get(minute)
    if (found !== undefined) return found
    if (known.size >= maxMinutes) known.clear()
    const text = format.format(millis)
    known.set(minute, text)
    return text
  }
})

/** A moment as plain text, for attributes and titles. */
export const momentText = (reader: Reader, utc: string): string => minutes(reader)(Date.parse(utc))

/** A moment to the second. */
export const second = (reader: Reader, utc: string): Html =>
  html`<time datetime="${toSecond(utc)}">${secondFormat(reader).format(new Date(utc))}</time>`

// Swedish dates are those of ISO 8601, but for the space.
const wallClock = cached((_, timeZone) => {
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone })
  return (millis: number): string => format.format(new Date(millis)).replace(" ", "T")
})

/** What the clock of a reader shows at a moment, as fields for date and time have it (`2026-11-27T09:30`). */
export const localTime = (reader: Reader, utc: string): string => wallClock(reader)(Date.parse(utc)).slice(0, 16)

/** The moment (ISO 8601) at which the clock of a reader shows this; undefined if it is no date with a time. */
export const momentAt = (reader: Reader, local: string): string | undefined => {
  const shown = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(local) ? Date.parse(`${local}Z`) : NaN
  if (Number.isNaN(shown)) return undefined
  const differenceAt = (millis: number) => Date.parse(`${wallClock(reader)(millis)}Z`) - millis
  // The difference to UTC is that of the moment, which it leads to; where the clock changes in between, the second step finds it.
  const near = shown - differenceAt(shown)
  return new Date(shown - differenceAt(near)).toISOString()
}

/** A calendar day (`2026-11-27`, or the moment when it begins in UTC). */
export const day = (reader: Reader, utc: string): Html =>
  html`<time datetime="${utc.slice(0, 10)}">${dayFormat(reader).format(new Date(utc))}</time>`

const clockFormat = cached(
  (_, timeZone) =>
    new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" })
)

/** When a calendar day (`2026-11-27`) begins in the reader's time zone; undefined for any other text. */
export const dayBegins = (reader: Reader, text: string): Date | undefined => {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  if (Number.isNaN(midnight.getTime())) return undefined
  // What the clock of the zone says at midnight in UTC is as far from midnight as the zone is from UTC.
  const [month = 1, day = 1, year = 0, hour = 0, minute = 0] =
    clockFormat(reader).format(midnight).match(/\d+/g)?.map(Number) ?? []
  const shown = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute)
  return new Date(2 * midnight.getTime() - shown)
}

/** A number, as the reader's culture writes it. */
export const number = (reader: Reader, value: number): string => numberFormat(reader).format(value)

const regions = cached((culture) => new Intl.DisplayNames(culture, { type: "region" }))

/** The name of a country (ISO 3166-1 alpha-2) in the reader's language. */
export const countryName = (reader: Reader, code: string | null): string | undefined =>
  code === null ? undefined : (regions({ ...reader, culture: reader.language }).of(code) ?? code)

const countriesByLanguage = new Map<Language, ReadonlyArray<readonly [code: string, name: string]>>()

/** All countries, by their names in the reader's language. */
export const countryOptions = (reader: Reader): ReadonlyArray<readonly [code: string, name: string]> => {
  const known = countriesByLanguage.get(reader.language)
  if (known !== undefined) return known
  const options = countryCodes
    .map((code) => [code, countryName(reader, code) ?? code] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b, reader.language))
  countriesByLanguage.set(reader.language, options)
  return options
}
