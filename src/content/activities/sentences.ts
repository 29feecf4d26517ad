/** What happened, as sentences for people: the rows of timelines, in the languages of the console. Pure. */
import type { Action } from "../../core/mutation/Timeline.ts"
import type { EventType } from "../../core/mutation/Event.ts"
import type { Language } from "../../console/Texts.ts"

/** What was done, without who did it: "created the contact". */
type Deed = readonly [en: string, de: string]

const deeds: { readonly [event in EventType]?: Deed } = {
  "contact.created": ["created the contact", "hat den Kontakt angelegt"],
  "contact.updated": ["changed the contact", "hat den Kontakt geändert"],
  "contact.deleted": ["deleted the contact", "hat den Kontakt gelöscht"],
  "contact.erased": ["erased the person", "hat die Angaben zur Person gelöscht"],
  "contact.restored": ["restored the contact", "hat den Kontakt wiederhergestellt"],
  "company.created": ["created the company", "hat die Firma angelegt"],
  "company.updated": ["changed the company", "hat die Firma geändert"],
  "company.deleted": ["deleted the company", "hat die Firma gelöscht"],
  "company.restored": ["restored the company", "hat die Firma wiederhergestellt"],
  "link.created": ["linked a contact and a company", "hat einen Kontakt mit einer Firma verknüpft"],
  "link.updated": ["changed a link", "hat eine Verknüpfung geändert"],
  "link.deleted": ["removed a link", "hat eine Verknüpfung entfernt"],
  "link.restored": ["restored a link", "hat eine Verknüpfung wiederhergestellt"],
  "property.created": ["created the property", "hat die Immobilie angelegt"],
  "property.updated": ["changed the property", "hat die Immobilie geändert"],
  "property.deleted": ["deleted the property", "hat die Immobilie gelöscht"],
  "property.restored": ["restored the property", "hat die Immobilie wiederhergestellt"],
  "project.created": ["created the project", "hat das Projekt angelegt"],
  "project.updated": ["changed the project", "hat das Projekt geändert"],
  "project.deleted": ["deleted the project", "hat das Projekt gelöscht"],
  "project.restored": ["restored the project", "hat das Projekt wiederhergestellt"],
  "project.closed": ["closed the project", "hat das Projekt abgeschlossen"],
  "project.reopened": ["reopened the project", "hat das Projekt wieder geöffnet"],
  "project.communicated": ["communicated the project", "hat das Projekt verschickt"],
  "prospect.created": ["put the investor on the list", "hat den Investor auf die Liste gesetzt"],
  "prospect.updated": ["changed the prospect", "hat den Interessenten geändert"],
  "prospect.deleted": ["deleted the prospect", "hat den Interessenten gelöscht"],
  "prospect.removed": ["took the investor off the list", "hat den Investor von der Liste genommen"],
  "prospect.restored": ["put the investor back on the list", "hat den Investor wieder auf die Liste gesetzt"],
  "prospect.teaser_communicated": ["sent the teaser", "hat den Teaser verschickt"],
  "prospect.im_shared": ["shared the memorandum", "hat das Memorandum weitergegeben"],
  "prospect.room_access_granted": ["gave access to the data room", "hat Zugang zum Datenraum gegeben"],
  "prospect.bid_recorded": ["recorded a bid", "hat ein Gebot eingetragen"],
  "prospect.accepted": ["accepted the offer", "hat das Angebot angenommen"],
  "prospect.rejected": ["declined the offer", "hat das Angebot abgelehnt"],
  "prospect.classified": ["classified the prospect", "hat den Interessenten eingestuft"],
  "prospect.interest_changed": ["changed the interest", "hat das Interesse geändert"],
  "prospect.stage_overridden": ["moved the prospect", "hat den Interessenten verschoben"],
  "prospect.stage_override_withdrawn": [
    "let the stage follow from what happens again",
    "hat die Phase wieder dem Verlauf überlassen"
  ],
  "prospect.project_tags_changed": ["changed the tags on the project", "hat die Schlagwörter im Projekt geändert"],
  "prospect.external_refs_changed": ["changed external references", "hat externe Verweise geändert"],
  "prospect.owner_changed": ["changed who looks after the prospect", "hat die Zuständigkeit geändert"],
  "prospect.access_expiry_changed": ["changed the end of access", "hat das Ende des Zugangs geändert"],
  "prospect.task_added": ["added a task", "hat eine Aufgabe angelegt"],
  "prospect.task_updated": ["changed a task", "hat eine Aufgabe geändert"],
  "prospect.task_completed": ["completed a task", "hat eine Aufgabe erledigt"],
  "prospect.task_canceled": ["cancelled a task", "hat eine Aufgabe gestrichen"],
  "prospect.task_reopened": ["reopened a task", "hat eine Aufgabe wieder geöffnet"],
  "prospect.message_sent": ["sent a message", "hat eine Nachricht gesendet"],
  "prospect.file_shared": ["shared a file", "hat eine Datei weitergegeben"],
  "prospect.call_logged": ["logged a call", "hat ein Telefonat eingetragen"],
  "mandate.created": ["created the mandate", "hat das Suchprofil angelegt"],
  "mandate.updated": ["changed the mandate", "hat das Suchprofil geändert"],
  "mandate.deleted": ["deleted the mandate", "hat das Suchprofil gelöscht"],
  "mandate.restored": ["restored the mandate", "hat das Suchprofil wiederhergestellt"],
  "teaser.published": ["published the teaser", "hat den Teaser veröffentlicht"],
  "teaser.communicated": ["sent the teaser", "hat den Teaser verschickt"],
  "teaser.updated": ["changed the teaser", "hat den Teaser geändert"],
  "teaser.unpublished": ["took the teaser back", "hat den Teaser zurückgezogen"],
  "teaser.verified": ["verified the teaser", "hat den Teaser geprüft"],
  "teaser.unverified": ["took back the verification of the teaser", "hat die Prüfung des Teasers zurückgenommen"],
  "offer.created": ["made the offer", "hat das Angebot gemacht"],
  "offer.updated": ["changed the offer", "hat das Angebot geändert"],
  "offer.read": ["read the offer", "hat das Angebot gelesen"],
  "offer.accepted": ["accepted the offer", "hat das Angebot angenommen"],
  "offer.rejected": ["declined the offer", "hat das Angebot abgelehnt"],
  "offer.expired": ["let the offer expire", "hat das Angebot verfallen lassen"],
  "offer.removed": ["removed the offer", "hat das Angebot entfernt"],
  "offer.restored": ["restored the offer", "hat das Angebot wiederhergestellt"],
  "offer.closed": ["closed the offer", "hat das Angebot geschlossen"],
  "room.opened": ["opened the data room", "hat den Datenraum geöffnet"],
  "room.updated": ["changed the data room", "hat den Datenraum geändert"],
  "room.winding_down": ["began to close the data room", "hat begonnen, den Datenraum zu schließen"],
  "room.reopened": ["reopened the data room", "hat den Datenraum wieder geöffnet"],
  "room.closed": ["closed the data room", "hat den Datenraum geschlossen"],
  "room.access_granted": ["gave access to the data room", "hat Zugang zum Datenraum gegeben"],
  "room.access_revoked": ["took away access to the data room", "hat den Zugang zum Datenraum entzogen"],
  "room.access_expired": ["lost access to the data room", "hat keinen Zugang zum Datenraum mehr"],
  "room.file_uploaded": ["added a document", "hat ein Dokument eingestellt"],
  "room.question_asked": ["asked a question", "hat eine Frage gestellt"],
  "room.question_updated": ["changed a question", "hat eine Frage geändert"],
  "room.answer_drafted": ["drafted an answer", "hat eine Antwort entworfen"],
  "room.question_answered": ["answered a question", "hat eine Frage beantwortet"],
  "room.question_closed": ["closed a question", "hat eine Frage geschlossen"],
  "note.created": ["wrote a note", "hat eine Notiz geschrieben"],
  "note.superseded": ["revised a note", "hat eine Notiz überarbeitet"],
  "note.archived": ["archived a note", "hat eine Notiz archiviert"],
  "note.unarchived": ["brought a note back", "hat eine Notiz zurückgeholt"],
  "file.uploaded": ["uploaded a file", "hat eine Datei hochgeladen"],
  "file.deleted": ["deleted a file", "hat eine Datei gelöscht"]
}

/** Words for the states that a row names, such as `data_room`; others as they are. */
const states: { readonly [state: string]: Deed } = {
  accepted: ["Accepted", "Angenommen"],
  bid: ["Bid", "Gebot"],
  bidder: ["Bidder", "Bieter"],
  chat: ["Chat", "Chat"],
  communicated: ["Communicated", "Verschickt"],
  contacted: ["Contacted", "Kontaktiert"],
  data_room: ["Data room", "Datenraum"],
  draft: ["Draft", "Entwurf"],
  im: ["Memorandum", "Memorandum"],
  interested: ["Interested", "Interessiert"],
  invitation: ["Invited", "Eingeladen"],
  maybe: ["Maybe", "Vielleicht"],
  not_contacted: ["Not contacted", "Nicht kontaktiert"],
  not_interested: ["Not interested", "Kein Interesse"],
  rejected: ["Declined", "Abgelehnt"],
  teaser: ["Teaser", "Teaser"]
}

const indexOf = (language: Language): 0 | 1 => (language === "en" ? 0 : 1)

/** The word for a state of a deal, such as `data_room`. */
export const stateWord = (state: string, language: Language): string =>
  states[state]?.[indexOf(language)] ?? state.replaceAll("_", " ")

/** What a row of a timeline says. */
export interface Sentence {
  /** Who did what: "Eva moved the prospect to Data room (before: Teaser)". */
  readonly text: string
  /** What they wrote, such as a note or a reason; null where it was erased. */
  readonly quote: string | null | undefined
}

const nobody: Deed = ["The service", "Der Dienst"]

const becauseErased: Deed = ["The text was erased.", "Der Text wurde gelöscht."]

/** The sentence of a row. A row of an event that has none here says the event. */
export const sentenceOf = ({ actor, details, event, type }: Action, language: Language): Sentence => {
  const index = indexOf(language)
  const who = actor.name ?? nobody[index]
  const deed = type === "note" ? deeds["note.created"] : event === null ? undefined : deeds[event as EventType]
  const what = deed?.[index] ?? event ?? ""
  const text = `${who} ${what}`
  if (details.erased === true) return { text, quote: becauseErased[index] }
  if (details.kind === "note") return { text, quote: details.message }
  if (details.kind === "chat") return { text, quote: details.file?.name }
  const { changedFields = [], file, from, message, question, to } = details
  const [toWord, beforeWord] = language === "en" ? ["to", "before"] : ["zu", "vorher"]
  const moved = [
    to === undefined ? "" : `: ${event === "prospect.stage_overridden" ? `${toWord} ` : ""}${stateWord(to, language)}`,
    from === undefined ? "" : ` (${beforeWord}: ${stateWord(from, language)})`
  ].join("")
  const fields = changedFields.length === 0 ? "" : `: ${changedFields.join(", ")}`
  return {
    text: `${text}${moved}${fields}`,
    quote:
      question === undefined ? (message ?? file?.name) : `${question.number}. ${question.text} — ${question.answer}`
  }
}

/** The events whose rows have a sentence. */
export const eventsWithSentences: ReadonlyArray<string> = Object.keys(deeds)
