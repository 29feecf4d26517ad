/**
 * Timelines for people: each row as a sentence ("Eva moved Nordkapital to Data room"), with when it was and what it was before. A pure
 * function of the row and the names of what it speaks of, for the pages of every kind of record.
 */
import type { Action } from "../core/mutation/Timeline.ts"
import type { auditEventTypes, EventType } from "../core/mutation/Event.ts"
import { html, type Html, type Part } from "./Html.ts"
import { memberName } from "./memberNames.ts"
import { quantity } from "./Numbers.ts"
import { emptyState } from "./Parts.ts"
import { label } from "./Vocabulary.ts"
import { day, moment, type Reader, texts } from "./Texts.ts"

/** The events that are rows of timelines. */
type TimelineEvent = Exclude<EventType, (typeof auditEventTypes)[number] | `webhook.${string}`>

/** What a sentence is made of. */
interface Said {
  /** Who did it. */
  readonly who: Part
  /** The record that it was done to. */
  readonly what: Part
  /** What was changed, such as "name and description". */
  readonly members: string
  /** Their names in the API. */
  readonly fields: ReadonlyArray<string>
  /** When access ends. */
  readonly until: Part
  /** The new value; empty if there is none. */
  readonly to: string
  readonly isByInvestor: boolean
}

type Sentence = (said: Said) => Html

const changed = [
  ({ members, what, who }: Said) => html`${who} changed ${members} of ${what}`,
  ({ members, what, who }: Said) => html`${who} hat ${members} von ${what} geändert`
] as const
const created = [
  ({ what, who }: Said) => html`${who} added ${what}`,
  ({ what, who }: Said) => html`${who} hat ${what} angelegt`
] as const
const deleted = [
  ({ what, who }: Said) => html`${who} deleted ${what}`,
  ({ what, who }: Said) => html`${who} hat ${what} gelöscht`
] as const
const restored = [
  ({ what, who }: Said) => html`${who} restored ${what}`,
  ({ what, who }: Said) => html`${who} hat ${what} wiederhergestellt`
] as const
const erased = [
  ({ who }: Said) => html`${who} erased the person`,
  ({ who }: Said) => html`${who} hat die Person gelöscht und unkenntlich gemacht`
] as const
const closed = [
  ({ what, who }: Said) => html`${who} closed ${what}`,
  ({ what, who }: Said) => html`${who} hat ${what} geschlossen`
] as const
const reopened = [
  ({ what, who }: Said) => html`${who} reopened ${what}`,
  ({ what, who }: Said) => html`${who} hat ${what} wieder geöffnet`
] as const

/** Whether a link got another end, as merges alone do. */
const isMoved = (fields: ReadonlyArray<string>): boolean => fields.includes("contactId") || fields.includes("companyId")

/** The sentence of each event, in English and German. */
const sentences: { readonly [Event in TimelineEvent]: readonly [Sentence, Sentence] } = {
  "contact.created": created,
  "contact.updated": changed,
  "contact.deleted": deleted,
  "contact.erased": erased,
  "contact.restored": restored,
  "company.created": created,
  "company.updated": changed,
  "company.deleted": deleted,
  "company.restored": restored,
  "link.created": [
    ({ who }) => html`${who} linked the person with the company`,
    ({ who }) => html`${who} hat Person und Firma verknüpft`
  ],
  "link.updated": [
    ({ fields, members, who }) =>
      isMoved(fields)
        ? html`${who} moved a link between person and company by merging`
        : html`${who} changed ${members} of a link`,
    ({ fields, members, who }) =>
      isMoved(fields)
        ? html`${who} hat durch Zusammenführen eine Verknüpfung von Person und Firma verschoben`
        : html`${who} hat ${members} einer Verknüpfung geändert`
  ],
  "link.deleted": [
    ({ who }) => html`${who} removed the link between person and company`,
    ({ who }) => html`${who} hat die Verknüpfung von Person und Firma entfernt`
  ],
  "link.restored": [
    ({ who }) => html`${who} restored the link between person and company`,
    ({ who }) => html`${who} hat die Verknüpfung von Person und Firma wiederhergestellt`
  ],
  "property.created": created,
  "property.updated": changed,
  "property.deleted": deleted,
  "property.restored": restored,
  "project.created": created,
  "project.updated": changed,
  "project.deleted": deleted,
  "project.restored": restored,
  "project.closed": closed,
  "project.reopened": reopened,
  "project.communicated": [
    ({ what }) => html`The first teaser of ${what} was communicated`,
    ({ what }) => html`Der erste Teaser von ${what} wurde versendet`
  ],
  "prospect.created": [
    ({ what, who }) => html`${who} put ${what} on the list`,
    ({ what, who }) => html`${who} hat ${what} auf die Liste gesetzt`
  ],
  "prospect.updated": changed,
  "prospect.deleted": [
    ({ what, who }) => html`${who} deleted ${what} from the list`,
    ({ what, who }) => html`${who} hat ${what} endgültig von der Liste gelöscht`
  ],
  "prospect.removed": [
    ({ what, who }) => html`${who} removed ${what} from the list`,
    ({ what, who }) => html`${who} hat ${what} von der Liste genommen`
  ],
  "prospect.restored": [
    ({ what, who }) => html`${who} put ${what} back on the list`,
    ({ what, who }) => html`${who} hat ${what} wieder auf die Liste gesetzt`
  ],
  "prospect.teaser_communicated": [
    ({ what, who }) => html`${who} sent the teaser to ${what}`,
    ({ what, who }) => html`${who} hat den Teaser an ${what} gesendet`
  ],
  "prospect.im_shared": [
    ({ what, who }) => html`${who} shared the information memorandum with ${what}`,
    ({ what, who }) => html`${who} hat das Information Memorandum an ${what} gegeben`
  ],
  "prospect.room_access_granted": [
    ({ until, what, who }) =>
      html`${who} gave ${what} access to a data room${until !== undefined && html` until ${until}`}`,
    ({ until, what, who }) =>
      html`${who} hat ${what}${until !== undefined && html` bis ${until}`} Zugang zu einem Datenraum gegeben`
  ],
  "prospect.bid_recorded": [
    ({ what, who }) => html`${who} recorded a bid of ${what}`,
    ({ what, who }) => html`${who} hat ein Gebot von ${what} erfasst`
  ],
  "prospect.accepted": [
    // Of an investor's team, anyone may answer: the broker does not learn who.
    ({ what }) => html`The offer to ${what} was accepted`,
    ({ what }) => html`Das Angebot an ${what} wurde angenommen`
  ],
  "prospect.rejected": [
    ({ what }) => html`The offer to ${what} was rejected`,
    ({ what }) => html`Das Angebot an ${what} wurde abgelehnt`
  ],
  "prospect.classified": [
    ({ to, what, who }) => html`${who} classified ${what} as ${to}`,
    ({ to, what, who }) => html`${who} hat ${what} als ${to} eingestuft`
  ],
  "prospect.interest_changed": [
    ({ to, what, who }) =>
      to === "" ? html`${who} cleared the interest of ${what}` : html`${who} recorded the interest of ${what} as ${to}`,
    ({ to, what, who }) =>
      to === ""
        ? html`${who} hat das Interesse von ${what} entfernt`
        : html`${who} hat das Interesse von ${what} als ${to} erfasst`
  ],
  "prospect.stage_overridden": [
    ({ to, what, who }) => html`${who} moved ${what} to ${to}`,
    ({ to, what, who }) => html`${who} hat ${what} nach ${to} verschoben`
  ],
  "prospect.stage_override_withdrawn": [
    ({ to, what, who }) =>
      html`${who} let the milestones of ${what} decide the stage again${to !== "" && html`: ${to}`}`,
    ({ to, what, who }) =>
      html`${who} lässt die Phase von ${what} wieder aus den Meilensteinen folgen${to !== "" && html`: ${to}`}`
  ],
  "prospect.project_tags_changed": [
    ({ what, who }) => html`${who} changed the tags of ${what} on the project`,
    ({ what, who }) => html`${who} hat die Tags von ${what} am Projekt geändert`
  ],
  "prospect.external_refs_changed": [
    ({ what, who }) => html`${who} changed the external references of ${what}`,
    ({ what, who }) => html`${who} hat die externen Referenzen von ${what} geändert`
  ],
  "prospect.owner_changed": [
    ({ what, who }) => html`${who} changed the owner of ${what}`,
    ({ what, who }) => html`${who} hat die Zuständigkeit für ${what} geändert`
  ],
  "prospect.access_expiry_changed": [
    ({ until, what, who }) =>
      html`${who} changed the end of the access of ${what}${until !== undefined && html` to ${until}`}`,
    ({ until, what, who }) =>
      html`${who} hat das Ende des Zugangs von ${what}${until !== undefined && html` auf den ${until}`} geändert`
  ],
  "prospect.task_added": [
    ({ what, who }) => html`${who} added a task for ${what}`,
    ({ what, who }) => html`${who} hat eine Aufgabe zu ${what} angelegt`
  ],
  "prospect.task_updated": [
    ({ members, what, who }) => html`${who} changed ${members} of a task for ${what}`,
    ({ members, what, who }) => html`${who} hat ${members} einer Aufgabe zu ${what} geändert`
  ],
  "prospect.task_completed": [
    ({ what, who }) => html`${who} completed a task for ${what}`,
    ({ what, who }) => html`${who} hat eine Aufgabe zu ${what} erledigt`
  ],
  "prospect.task_canceled": [
    ({ what, who }) => html`${who} canceled a task for ${what}`,
    ({ what, who }) => html`${who} hat eine Aufgabe zu ${what} abgebrochen`
  ],
  "prospect.task_reopened": [
    ({ what, who }) => html`${who} reopened a task for ${what}`,
    ({ what, who }) => html`${who} hat eine Aufgabe zu ${what} wieder geöffnet`
  ],
  "prospect.message_sent": [
    ({ isByInvestor, what, who }) => (isByInvestor ? html`${what} wrote a message` : html`${who} wrote to ${what}`),
    ({ isByInvestor, what, who }) =>
      isByInvestor ? html`${what} hat eine Nachricht geschrieben` : html`${who} hat an ${what} geschrieben`
  ],
  "prospect.file_shared": [
    ({ isByInvestor, what, who }) =>
      isByInvestor ? html`${what} shared a file` : html`${who} shared a file with ${what}`,
    ({ isByInvestor, what, who }) =>
      isByInvestor ? html`${what} hat eine Datei geteilt` : html`${who} hat eine Datei mit ${what} geteilt`
  ],
  "prospect.call_logged": [
    ({ what, who }) => html`${who} logged a call with ${what}`,
    ({ what, who }) => html`${who} hat ein Telefonat mit ${what} festgehalten`
  ],
  "mandate.created": created,
  "mandate.updated": changed,
  "mandate.deleted": deleted,
  "mandate.restored": restored,
  "teaser.published": [
    ({ what, who }) => html`${who} published the teaser of ${what}`,
    ({ what, who }) => html`${who} hat den Teaser von ${what} veröffentlicht`
  ],
  "teaser.communicated": [
    ({ what, who }) => html`${who} communicated the teaser of ${what}`,
    ({ what, who }) => html`${who} hat den Teaser von ${what} versendet`
  ],
  "teaser.updated": [
    ({ members, what, who }) => html`${who} changed ${members} of the teaser of ${what}`,
    ({ members, what, who }) => html`${who} hat ${members} des Teasers von ${what} geändert`
  ],
  "teaser.unpublished": [
    ({ what, who }) => html`${who} took the teaser of ${what} back`,
    ({ what, who }) => html`${who} hat den Teaser von ${what} zurückgezogen`
  ],
  "teaser.verified": [
    ({ what, who }) => html`${who} verified the teaser of ${what}`,
    ({ what, who }) => html`${who} hat den Teaser von ${what} geprüft`
  ],
  "teaser.unverified": [
    ({ what, who }) => html`${who} withdrew the verification of the teaser of ${what}`,
    ({ what, who }) => html`${who} hat die Prüfung des Teasers von ${what} zurückgenommen`
  ],
  "offer.created": [
    ({ what, who }) => html`${who} offered ${what}`,
    ({ what, who }) => html`${who} hat ${what} angeboten`
  ],
  "offer.updated": [
    ({ what, who }) => html`${who} changed the offer of ${what}`,
    ({ what, who }) => html`${who} hat das Angebot ${what} geändert`
  ],
  "offer.read": [
    ({ what, who }) => html`${who} read the offer of ${what}`,
    ({ what, who }) => html`${who} hat das Angebot ${what} gelesen`
  ],
  "offer.accepted": [
    ({ what, who }) => html`${who} accepted the offer of ${what}`,
    ({ what, who }) => html`${who} hat das Angebot ${what} angenommen`
  ],
  "offer.rejected": [
    ({ what, who }) => html`${who} rejected the offer of ${what}`,
    ({ what, who }) => html`${who} hat das Angebot ${what} abgelehnt`
  ],
  "offer.expired": [
    ({ what }) => html`The offer of ${what} expired`,
    ({ what }) => html`Das Angebot ${what} ist abgelaufen`
  ],
  "offer.removed": [
    ({ what, who }) => html`${who} removed the offer of ${what}`,
    ({ what, who }) => html`${who} hat das Angebot ${what} entfernt`
  ],
  "offer.restored": [
    ({ what, who }) => html`${who} brought the offer of ${what} back`,
    ({ what, who }) => html`${who} hat das Angebot ${what} zurückgebracht`
  ],
  "offer.closed": [
    ({ what }) => html`The offer of ${what} was closed`,
    ({ what }) => html`Das Angebot ${what} wurde geschlossen`
  ],
  "room.opened": [({ what, who }) => html`${who} opened ${what}`, ({ what, who }) => html`${who} hat ${what} eröffnet`],
  "room.updated": changed,
  "room.winding_down": [
    ({ what }) => html`${what} can be read for a while, and then closes`,
    ({ what }) => html`${what} ist noch eine Weile lesbar und schließt dann`
  ],
  "room.reopened": reopened,
  "room.closed": closed,
  "room.access_granted": [
    ({ what, who }) => html`${who} gave access to ${what}`,
    ({ what, who }) => html`${who} hat Zugang zu ${what} gegeben`
  ],
  "room.access_revoked": [
    ({ what, who }) => html`${who} withdrew access to ${what}`,
    ({ what, who }) => html`${who} hat den Zugang zu ${what} entzogen`
  ],
  "room.access_expired": [
    ({ what }) => html`Access to ${what} ended`,
    ({ what }) => html`Der Zugang zu ${what} ist abgelaufen`
  ],
  "room.file_uploaded": [
    ({ what, who }) => html`${who} put a document into ${what}`,
    ({ what, who }) => html`${who} hat ein Dokument in ${what} gelegt`
  ],
  "room.question_asked": [
    ({ what }) => html`A question was asked in ${what}`,
    ({ what }) => html`In ${what} wurde eine Frage gestellt`
  ],
  "room.question_updated": [
    ({ members, what, who }) => html`${who} changed ${members} of a question in ${what}`,
    ({ members, what, who }) => html`${who} hat ${members} einer Frage in ${what} geändert`
  ],
  "room.answer_drafted": [
    ({ what, who }) => html`${who} drafted an answer in ${what}`,
    ({ what, who }) => html`${who} hat in ${what} eine Antwort entworfen`
  ],
  "room.question_answered": [
    ({ what, who }) => html`${who} answered a question in ${what}`,
    ({ what, who }) => html`${who} hat in ${what} eine Frage beantwortet`
  ],
  "room.question_closed": [
    ({ what, who }) => html`${who} closed a question in ${what} without an answer`,
    ({ what, who }) => html`${who} hat in ${what} eine Frage ohne Antwort geschlossen`
  ],
  "note.created": [
    ({ what, who }) => html`${who} wrote a note on ${what}`,
    ({ what, who }) => html`${who} hat eine Notiz zu ${what} geschrieben`
  ],
  "note.superseded": [
    ({ what, who }) => html`${who} revised a note on ${what}`,
    ({ what, who }) => html`${who} hat eine Notiz zu ${what} überarbeitet`
  ],
  "note.archived": [
    ({ what, who }) => html`${who} archived a note on ${what}`,
    ({ what, who }) => html`${who} hat eine Notiz zu ${what} archiviert`
  ],
  "note.unarchived": [
    ({ what, who }) => html`${who} brought a note on ${what} back from the archive`,
    ({ what, who }) => html`${who} hat eine Notiz zu ${what} aus dem Archiv geholt`
  ],
  "file.uploaded": [
    ({ what, who }) => html`${who} added a file to ${what}`,
    ({ what, who }) => html`${who} hat eine Datei zu ${what} hinzugefügt`
  ],
  "file.deleted": [
    ({ what, who }) => html`${who} deleted a file of ${what}`,
    ({ what, who }) => html`${who} hat eine Datei von ${what} gelöscht`
  ]
}

/** The events whose rows timelines show. */
export const timelineEvents = Object.keys(sentences) as ReadonlyArray<TimelineEvent>

const isTimelineEvent = (event: string): event is TimelineEvent => Object.hasOwn(sentences, event)

const words = texts({
  and: ["and", "und"],
  archived: ["archived", "archiviert"],
  before: [(value: string) => `Before: ${value}`, (value: string) => `Vorher: ${value}`],
  company: ["the company", "die Firma"],
  contact: ["the contact", "der Kontakt"],
  data: ["data", "Daten"],
  earlier: ["Its earlier version", "Die frühere Fassung"],
  empty: ["Nothing has happened yet", "Noch ist nichts geschehen"],
  emptyAdvice: [
    "Changes, notes and messages will appear here.",
    "Änderungen, Notizen und Nachrichten erscheinen hier."
  ],
  erased: ["The text was erased.", "Der Text wurde gelöscht."],
  investor: ["The investor", "Der Investor"],
  later: ["Its later version", "Die spätere Fassung"],
  prospect: ["an investor", "ein Interessent"],
  room: ["a data room", "ein Datenraum"],
  superseded: ["superseded", "ersetzt"],
  system: ["The system", "Das System"]
})

/** What the rows of a timeline speak of. */
export interface TimelineNames {
  /** The name of the record whose timeline it is. */
  readonly self: Part
  /** The names of other records, such as the prospects of a project, by their ids; HTML where they are links. */
  readonly others?: ReadonlyMap<string, Part>
  /** Who acts where a row names nobody; by default, the system. */
  readonly nobody?: string
  /** The texts of messages and calls, by the id of their row: only their conversation has them. */
  readonly messages?: ReadonlyMap<string, string>
}

const joined = (reader: Reader, names: ReadonlyArray<string>): string => {
  const t = words[reader.language]
  const last = names.at(-1)
  if (last === undefined) return t.data
  return names.length === 1 ? last : `${names.slice(0, -1).join(", ")} ${t.and} ${last}`
}

const whatOf = (reader: Reader, { subject, subjectId }: Action, { others, self }: TimelineNames): Part => {
  if (subject === undefined) return self
  const known = subjectId === undefined ? undefined : others?.get(subjectId)
  const t = words[reader.language]
  const kinds: { readonly [kind: string]: string } = {
    company: t.company,
    contact: t.contact,
    prospect: t.prospect,
    room: t.room
  }
  return known ?? kinds[subject] ?? self
}

/** How many records became part of the one that a row is about: its text names their ids, which lead to that one. */
const mergedInto = ({ details }: Pick<Action, "details">): number => {
  const ids =
    details.kind === "audit" ? /^Became part of this [a-z]+: (.+)\.$/.exec(details.message ?? "")?.[1] : undefined
  return ids === undefined ? 0 : ids.split(", ").length
}

const merged = [
  ({ what, who }: Said, others: number) =>
    others === 1
      ? html`${who} merged another record into ${what}`
      : html`${who} merged ${others} other records into ${what}`,
  ({ what, who }: Said, others: number) =>
    others === 1
      ? html`${who} hat einen weiteren Datensatz mit ${what} zusammengeführt`
      : html`${who} hat ${others} weitere Datensätze mit ${what} zusammengeführt`
] as const

/** The rows that tell when access ends, which is their text. */
const accessEvents: ReadonlySet<string | null> = new Set([
  "prospect.access_expiry_changed",
  "prospect.room_access_granted"
])

const untilOf = (reader: Reader, { details, event }: Action): Part =>
  accessEvents.has(event) && details.kind === "audit" && typeof details.message === "string"
    ? day(reader, details.message)
    : undefined

/** Rows without those that say no more than another of the same change: new access says when it ends. */
export const tellingRows = <Row>(rows: ReadonlyArray<Row>, actionOf: (row: Row) => Action): ReadonlyArray<Row> => {
  const changeOf = ({ actor, occurredUtc, subjectId }: Action) => JSON.stringify([occurredUtc, actor.id, subjectId])
  const given = new Set(
    rows.flatMap((row) => {
      const action = actionOf(row)
      return action.event === "prospect.room_access_granted" ? [changeOf(action)] : []
    })
  )
  return rows.filter((row) => {
    const action = actionOf(row)
    return action.event !== "prospect.access_expiry_changed" || !given.has(changeOf(action))
  })
}

/** What happened, as a sentence without its full stop. */
export const sentenceOf = (reader: Reader, row: Action, names: TimelineNames): Html => {
  const { actor, details, event, type } = row
  const t = words[reader.language]
  const index = reader.language === "en" ? 0 : 1
  const isByInvestor = details.kind === "chat" && details.sender === "investor"
  const nobody = isByInvestor ? t.investor : (names.nobody ?? t.system)
  const fields = details.kind === "audit" ? (details.changedFields ?? []) : []
  const said: Said = {
    who: html`<strong>${actor.name ?? nobody}</strong>`,
    what: html`<strong>${whatOf(reader, row, names)}</strong>`,
    members: joined(
      reader,
      fields.map((member) => memberName(reader, member))
    ),
    fields,
    until: untilOf(reader, row),
    to: details.kind === "audit" && details.to !== undefined ? label(reader, details.to) : "",
    isByInvestor
  }
  const others = mergedInto(row)
  if (others > 0) return merged[index](said, others)
  const known = type === "note" ? "note.created" : (event ?? "")
  return isTimelineEvent(known) ? sentences[known][index](said) : html`${said.who}: ${known}`
}

/** The text of a row below its sentence: of a note, a reason, a question; undefined if it has none. */
export const textOf = (reader: Reader, { details, event }: Action): Part => {
  const t = words[reader.language]
  if ("erased" in details && details.erased === true) return html`<em class="soft">${t.erased}</em>`
  if (details.kind === "chat") return undefined
  if (details.kind === "audit" && details.question !== undefined) {
    return html`${details.question.text}<br />${details.question.answer}`
  }
  const { message } = details
  if (accessEvents.has(event) || mergedInto({ details }) > 0) return undefined
  if (event !== "prospect.bid_recorded" || typeof message !== "string") return message
  const [, amount, currency] = /^(\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(message) ?? []
  return amount === undefined ? message : quantity(reader, { value: Number(amount), currency: currency ?? "" })
}

/** What a page adds to its timeline. */
export interface TimelineOptions {
  /** Buttons of a row, such as those of a note. */
  readonly actionsOf?: (row: Action) => Part
  /** What the link to a file leads to; by default, its name alone is shown. */
  readonly fileHref?: (fileId: string) => string
}

/** A timeline, newest first. */
export const timeline = (
  reader: Reader,
  rows: ReadonlyArray<Action>,
  names: TimelineNames,
  { actionsOf, fileHref }: TimelineOptions = {}
): Html => {
  const t = words[reader.language]
  if (rows.length === 0) return emptyState(t.empty, t.emptyAdvice)
  return html`<ol class="timeline" role="list">
    ${tellingRows(rows, (row) => row).map((row) => {
      const { details, id, occurredUtc, type } = row
      const from = details.kind === "audit" && details.from !== undefined ? label(reader, details.from) : undefined
      const text = textOf(reader, row) ?? names.messages?.get(id)
      const file = "file" in details ? details.file : undefined
      return html`<li id="${id}" class="${type !== "audit" && "said"}">
        <p>${sentenceOf(reader, row, names)}</p>
        ${text !== undefined && text !== null && html`<div class="text">${text}</div>`}
        ${file !== undefined && html`<p>${fileHref === undefined ? file.name : html`<a href="${fileHref(file.id)}" download>${file.name}</a>`}</p>`}
        <p class="soft small">
          ${moment(reader, occurredUtc)}${from !== undefined && html` · ${t.before(from)}`}
          ${row.archivedAt !== undefined && row.archivedAt !== null && html` · ${t.archived}`}
          ${row.supersededByActivityId !== undefined && html` · ${t.superseded}, <a href="#${row.supersededByActivityId}">${t.later}</a>`}
          ${row.supersedesActivityId !== undefined && html` · <a href="#${row.supersedesActivityId}">${t.earlier}</a>`}
        </p>
        ${actionsOf?.(row)}
      </li>`
    })}
  </ol>`
}
