/** The words of the API's vocabularies, as people read them: stages, classifications, states. */
import type { Part } from "./Html.ts"
import { pill } from "./Parts.ts"
import { type Reader, texts } from "./Texts.ts"

const words = texts({
  accepted: ["Accepted", "Angenommen"],
  bid: ["Bid", "Gebot"],
  bidder: ["Bidder", "Bieter"],
  broker: ["Broker", "Makler"],
  call: ["Call", "Anruf"],
  canceled: ["Canceled", "Abgebrochen"],
  chat: ["Can exchange messages", "Nachrichten möglich"],
  closed: ["Closed", "Geschlossen"],
  communicated: ["Teaser communicated", "Teaser versendet"],
  completed: ["Completed", "Erledigt"],
  contacted: ["Contacted", "Kontaktiert"],
  data_room: ["Data room", "Datenraum"],
  deleted: ["Deleted", "Gelöscht"],
  draft: ["Draft", "Entwurf"],
  email: ["E-mail", "E-Mail"],
  exclusive: ["Exclusive", "Exklusiv"],
  high: ["High", "Hoch"],
  im: ["Memorandum", "Memorandum"],
  interested: ["Interested", "Interessiert"],
  invitation: ["Invited", "Eingeladen"],
  investor: ["Investor", "Investor"],
  maybe: ["Maybe", "Vielleicht"],
  meeting: ["Meeting", "Treffen"],
  non_exclusive: ["Not exclusive", "Nicht exklusiv"],
  none: ["None", "Keines"],
  not_contacted: ["Not contacted", "Nicht kontaktiert"],
  not_interested: ["Not interested", "Nicht interessiert"],
  open: ["Open", "Offen"],
  other: ["Other", "Sonstiges"],
  overdue: ["Overdue", "Überfällig"],
  published: ["Published", "Veröffentlicht"],
  rejected: ["Rejected", "Abgelehnt"],
  teaser: ["Teaser", "Teaser"],
  this_week: ["This week", "Diese Woche"],
  today: ["Today", "Heute"],
  winding_down: ["Winding down", "Läuft aus"]
})

const known = (reader: Reader): { readonly [value: string]: string } => words[reader.language]

/** A value of a vocabulary as the reader reads it; one that is not known here, such as a team's own classification, as its words. */
export const label = (reader: Reader, value: string): string => {
  const own = value.replaceAll("_", " ")
  return Object.hasOwn(known(reader), value)
    ? (known(reader)[value] ?? own)
    : own.charAt(0).toUpperCase() + own.slice(1)
}

/** The options of a choice among values of a vocabulary. */
export const options = (
  reader: Reader,
  values: ReadonlyArray<string>
): ReadonlyArray<readonly [value: string, name: string]> => values.map((value) => [value, label(reader, value)])

const kinds: { readonly [value: string]: "bad" | "good" | "plain" | "warn" } = {
  canceled: "plain",
  closed: "plain",
  completed: "good",
  deleted: "bad",
  draft: "warn",
  open: "good",
  overdue: "bad",
  winding_down: "warn"
}

/** A state of a vocabulary by its colour and its word. */
export const statePill = (reader: Reader, value: string): Part => pill(kinds[value] ?? "plain", label(reader, value))
