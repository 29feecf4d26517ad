/** The words of the pages of webhooks and deliveries, and what events mean, in both languages. */
import { type EventResource, type EventType, resourceOf } from "../core/mutation/Event.ts"
import { summaryOf } from "../core/mutation/SampleEvent.ts"
import { type Language, texts } from "../console/Texts.ts"
import type { Health } from "./rules.ts"

const resources: { readonly [Resource in EventResource]: readonly [en: string, de: string] } = {
  contact: ["Contacts", "Kontakte"],
  company: ["Companies", "Firmen"],
  link: ["Links of contacts and companies", "Verbindungen von Kontakten und Firmen"],
  property: ["Properties", "Immobilien"],
  project: ["Projects", "Projekte"],
  prospect: ["Prospects", "Interessenten"],
  mandate: ["Mandates", "Suchprofile"],
  teaser: ["Teasers", "Teaser"],
  offer: ["Offers", "Angebote"],
  room: ["Data rooms", "Datenräume"],
  note: ["Notes", "Notizen"],
  file: ["Files", "Dateien"],
  webhook: ["Other webhooks", "Andere Webhooks"],
  audit: ["Audit log", "Audit-Protokoll"]
}

const german: { readonly [Type in EventType]?: string } = {
  "contact.created": "Ein Kontakt wurde angelegt",
  "contact.updated": "Ein Kontakt wurde geändert",
  "contact.deleted": "Ein Kontakt wurde gelöscht",
  "contact.erased": "Ein Kontakt wurde endgültig gelöscht",
  "contact.restored": "Ein gelöschter Kontakt wurde wiederhergestellt",
  "company.created": "Eine Firma wurde angelegt",
  "company.updated": "Eine Firma wurde geändert",
  "company.deleted": "Eine Firma wurde gelöscht",
  "company.restored": "Eine gelöschte Firma wurde wiederhergestellt",
  "link.created": "Eine Verbindung wurde angelegt, vielleicht erneut",
  "link.updated": "Eine Verbindung wurde geändert",
  "link.deleted": "Eine Verbindung wurde gelöscht",
  "link.restored": "Eine gelöschte Verbindung wurde wiederhergestellt, allein oder mit ihrem Kontakt oder ihrer Firma",
  "property.created": "Eine Immobilie wurde angelegt",
  "property.updated": "Eine Immobilie wurde geändert",
  "property.deleted": "Eine Immobilie wurde gelöscht",
  "property.restored": "Eine gelöschte Immobilie wurde wiederhergestellt",
  "project.created": "Ein Projekt wurde angelegt",
  "project.updated": "Ein Projekt wurde geändert",
  "project.deleted": "Ein Projekt wurde gelöscht",
  "project.restored": "Ein gelöschtes Projekt wurde wiederhergestellt",
  "project.closed": "Ein Projekt wurde abgeschlossen",
  "project.reopened": "Ein Projekt wurde wieder geöffnet",
  "project.communicated": "Der erste Teaser eines Projekts wurde verschickt",
  "prospect.created": "Ein Investor kam auf eine Liste",
  "prospect.updated":
    "Einstufung, Interesse, Stufe, Projekt-Tags oder externe Verweise eines Interessenten änderten sich, er verließ die Liste oder kam zurück, oder sein Investor nahm das Angebot an",
  "prospect.deleted": "Ein Interessent wurde gelöscht: allein, mit seinem Projekt oder durch eine Zusammenführung",
  "prospect.removed": "Ein Interessent verließ die Liste",
  "prospect.restored": "Ein Interessent kam auf die Liste zurück",
  "prospect.teaser_communicated": "Ein Interessent erhielt den Teaser",
  "prospect.im_shared": "Ein Interessent erhielt das Information Memorandum",
  "prospect.room_access_granted": "Ein Interessent erhielt Zugang zum Datenraum",
  "prospect.bid_recorded": "Ein Gebot eines Interessenten wurde erfasst",
  "prospect.accepted": "Ein Interessent nahm das Angebot an",
  "prospect.rejected": "Ein Interessent lehnte das Angebot ab",
  "prospect.classified": "Ein Interessent wurde eingestuft oder erhielt einen Kommentar zur Einstufung",
  "prospect.interest_changed": "Das Interesse eines Interessenten änderte sich",
  "prospect.stage_overridden": "Die Stufe eines Interessenten wurde von Hand gesetzt",
  "prospect.stage_override_withdrawn": "Die von Hand gesetzte Stufe wurde zurückgenommen",
  "prospect.project_tags_changed": "Die Projekt-Tags eines Interessenten änderten sich",
  "prospect.external_refs_changed": "Die externen Verweise eines Interessenten änderten sich",
  "prospect.owner_changed": "Ein Interessent bekam einen anderen Zuständigen",
  "prospect.access_expiry_changed": "Das Ende des Zugangs zum Datenraum änderte sich",
  "prospect.task_added": "Ein Interessent bekam eine Aufgabe",
  "prospect.task_updated": "Eine Aufgabe eines Interessenten wurde geändert",
  "prospect.task_completed": "Eine Aufgabe eines Interessenten wurde erledigt",
  "prospect.task_canceled": "Eine Aufgabe eines Interessenten wurde abgebrochen",
  "prospect.task_reopened": "Eine erledigte Aufgabe eines Interessenten wurde wieder geöffnet",
  "prospect.message_sent": "Mit einem Interessenten wurde eine Nachricht ausgetauscht",
  "prospect.file_shared": "Mit einem Interessenten wurde eine Datei geteilt",
  "prospect.call_logged": "Ein Gespräch mit einem Interessenten wurde festgehalten",
  "mandate.created": "Ein Suchprofil wurde angelegt",
  "mandate.updated": "Ein Suchprofil wurde geändert oder kam durch eine Zusammenführung zu einem anderen Kontakt",
  "mandate.deleted": "Ein Suchprofil wurde gelöscht",
  "mandate.restored": "Ein gelöschtes Suchprofil wurde wiederhergestellt",
  "teaser.published": "Ein Teaser wurde veröffentlicht",
  "teaser.communicated": "Ein Teaser wurde an Investoren verschickt",
  "teaser.updated": "Ein Teaser wurde geändert",
  "teaser.unpublished": "Die Veröffentlichung eines Teasers wurde zurückgenommen",
  "teaser.verified": "Der Betreiber hat einen Teaser geprüft",
  "teaser.unverified": "Der Betreiber hat die Prüfung eines Teasers zurückgenommen",
  "offer.created": "Das Team erhielt ein Angebot oder eine Einladung in einen Datenraum",
  "offer.updated": "Ein Angebot des Teams änderte sich",
  "offer.read": "Jemand im Team las ein Angebot zum ersten Mal",
  "offer.accepted": "Jemand im Team nahm ein Angebot an",
  "offer.rejected": "Jemand im Team lehnte ein Angebot ab",
  "offer.expired": "Ein Angebot lief ohne Antwort ab",
  "offer.removed": "Ein Angebot wurde entfernt",
  "offer.restored": "Ein entferntes oder geschlossenes Angebot kam zurück",
  "offer.closed": "Ein Angebot wurde geschlossen",
  "room.opened": "Ein Datenraum wurde eröffnet",
  "room.updated": "Ein Datenraum wurde geändert",
  "room.winding_down": "Ein Datenraum läuft aus, weil sein Projekt abgeschlossen ist",
  "room.reopened": "Ein auslaufender Datenraum ist wieder offen",
  "room.closed": "Ein Datenraum wurde geschlossen",
  "room.access_granted": "Ein Interessent erhielt Zugang zu einem Datenraum",
  "room.access_revoked": "Einem Interessenten wurde der Zugang zu einem Datenraum entzogen",
  "room.access_expired": "Der Zugang eines Interessenten zu einem Datenraum lief ab",
  "room.file_uploaded": "In einen Datenraum wurde eine Datei geladen",
  "room.question_asked": "In einem Datenraum wurde eine Frage gestellt",
  "room.question_updated": "Kategorie, Priorität oder Zuständigkeit einer Frage änderte sich",
  "room.answer_drafted": "Eine Antwort auf eine Frage wurde entworfen",
  "room.question_answered": "Die Antwort auf eine Frage wurde veröffentlicht",
  "room.question_closed": "Eine Frage wurde geschlossen",
  "note.created": "Eine Notiz wurde geschrieben",
  "note.superseded": "Eine Notiz wurde durch eine neue Fassung ersetzt",
  "note.archived": "Eine Notiz wurde archiviert",
  "note.unarchived": "Eine archivierte Notiz wurde zurückgeholt",
  "file.uploaded": "Zu einem Kontakt, einer Firma oder Immobilie wurde eine Datei geladen",
  "file.deleted": "Eine Datei eines Kontakts, einer Firma oder Immobilie wurde gelöscht",
  "webhook.failing": "Ein anderer Webhook des Teams ist gestört",
  "webhook.disabled": "Der Dienst hat einen anderen Webhook des Teams abgeschaltet"
}

/** What an event of this type tells. */
export const meaningOf = (language: Language, type: EventType): string =>
  language === "en"
    ? summaryOf(type)
    : (german[type] ?? `Das Audit-Protokoll hat einen Eintrag ${type.slice(resourceOf(type).length + 1)}`)

/** What the events of a resource are about. */
export const resourceName = (language: Language, resource: EventResource): string =>
  resources[resource][language === "en" ? 0 : 1]

const healthWords: { readonly [State in Health]: readonly [en: string, de: string] } = {
  healthy: ["Healthy", "Gesund"],
  failing: ["Failing", "Gestört"],
  late: ["Late", "Im Rückstand"],
  paused: ["Paused", "Angehalten"],
  disabled: ["Disabled", "Abgeschaltet"]
}

/** The words of the pages. */
export const words = texts({
  ...healthWords,
  activate: ["Resume", "Fortsetzen"],
  activated: [
    "The webhook is active. What waited is being sent.",
    "Der Webhook ist aktiv. Was wartete, wird gesendet."
  ],
  addOne: ["Add a webhook", "Webhook anlegen"],
  all: ["Everything", "Alles"],
  allHint: ["Types that are added later are included.", "Auch Ereignisse künftiger Typen."],
  allOf: [(name: string) => `All: ${name}`, (name: string) => `Alle: ${name}`],
  answer: ["Answer", "Antwort"],
  answerBody: [
    (size: string) => `Body of the answer (${size} bytes)`,
    (size: string) => `Inhalt der Antwort (${size} Byte)`
  ],
  answerHeaders: ["Headers of the answer", "Kopfzeilen der Antwort"],
  arrived24h: ["Arrived in 24 hours", "Angekommen in 24 Stunden"],
  chart: ["Deliveries of the last 24 hours", "Zustellungen der letzten 24 Stunden"],
  chartLabel: [
    (delivered: string, failed: string, waiting: string) =>
      `Deliveries of the last 24 hours by the hour: ${delivered} delivered, ${failed} failed, ${waiting} waiting. The table below says the same.`,
    (delivered: string, failed: string, waiting: string) =>
      `Zustellungen der letzten 24 Stunden nach Stunden: ${delivered} zugestellt, ${failed} fehlgeschlagen, ${waiting} wartend. Die Tabelle darunter sagt dasselbe.`
  ],
  chartTable: ["As a table", "Als Tabelle"],
  consequences: ["Deleting", "Löschen"],
  conflict: [
    "Somebody else changed this webhook while you were editing it. Choose what should hold.",
    "Jemand anders hat diesen Webhook geändert, während Sie ihn bearbeiteten. Wählen Sie, was gelten soll."
  ],
  conflictTitle: ["Two versions", "Zwei Fassungen"],
  create: ["Create", "Anlegen"],
  created: ["The webhook was created.", "Der Webhook wurde angelegt."],
  deleteAsk: [(name: string) => `Delete the webhook ${name}?`, (name: string) => `Den Webhook ${name} löschen?`],
  deleteHint: [
    "Nothing more is sent, what waits included. Its deliveries are kept for 30 days, and cannot be seen here any more.",
    "Es wird nichts mehr gesendet, auch nicht, was wartet. Die Zustellungen werden noch 30 Tage aufbewahrt, sind hier aber nicht mehr zu sehen."
  ],
  deleted: ["The webhook was deleted.", "Der Webhook wurde gelöscht."],
  delivered: ["Delivered", "Zugestellt"],
  deliveries: ["Deliveries", "Zustellungen"],
  deliveries_exhausted: [
    "Ten deliveries in a row used up all their attempts. Mend the receiver, resume, and send the failed ones again.",
    "Zehn Zustellungen in Folge haben alle Versuche aufgebraucht. Bringen Sie den Empfänger in Ordnung, setzen Sie fort, und senden Sie die fehlgeschlagenen erneut."
  ],
  disabledSince: ["Disabled since", "Abgeschaltet seit"],
  edited: ["Settings", "Einstellungen"],
  empty: ["No webhooks yet", "Noch keine Webhooks"],
  emptyAdvice: [
    "A webhook sends events of this team to a URL of yours, signed, within a second of the change.",
    "Ein Webhook sendet Ereignisse dieses Teams signiert an eine Ihrer URLs, binnen einer Sekunde nach der Änderung."
  ],
  errors: ["Errors", "Fehler"],
  event: ["Event", "Ereignis"],
  events: ["Events", "Ereignisse"],
  eventsFault: ["Tick at least one event.", "Markieren Sie mindestens ein Ereignis."],
  eventsHint: [
    "“All” includes types that are added later. An event is sent once, even if several boxes name it.",
    "„Alle“ schließt künftige Typen ein. Ein Ereignis wird nur einmal gesendet, auch wenn mehrere Kästchen es nennen."
  ],
  failed: ["Failed", "Fehlgeschlagen"],
  firstTest: ["Send a test event", "Ein Testereignis senden"],
  firstTestHint: [
    "Put the secret into your receiver first. A sample event goes to it at once, marked X-Service-Test, and its answer is shown here. Nothing is stored.",
    "Hinterlegen Sie zuerst das Geheimnis in Ihrem Empfänger. Ein Beispielereignis mit X-Service-Test geht sofort an ihn; seine Antwort steht danach hier. Nichts wird gespeichert."
  ],
  health: ["Health", "Zustand"],
  hour: ["Hour", "Stunde"],
  keep: ["Keep the present version", "Die jetzige Fassung behalten"],
  lastFailure: ["Last failure", "Letzter Fehler"],
  learn: ["How to verify the signature", "So prüfen Sie die Signatur"],
  mayNot: [
    "Only administrators and brokers of the team change webhooks.",
    "Nur Administratoren und Makler des Teams ändern Webhooks."
  ],
  mine: ["Yours", "Ihre"],
  nameHint: ["Only the console shows it; it is never sent.", "Nur die Konsole zeigt ihn; er wird nie gesendet."],
  noAnswer: ["No answer", "Keine Antwort"],
  now: ["As it is now", "Wie er jetzt ist"],
  overlap: ["The present secret goes on signing for", "Das jetzige Geheimnis signiert weiter für"],
  overlapNone: ["not at all: it ends now", "gar nicht: endet sofort"],
  overlapHours: [
    (hours: number) => (hours === 1 ? "1 hour" : `${hours} hours`),
    (hours: number) => (hours === 1 ? "1 Stunde" : `${hours} Stunden`)
  ],
  overlapDays: [(days: number) => `${days} days`, (days: number) => `${days} Tage`],
  overwrite: ["Save yours", "Ihre speichern"],
  p95: ["95 % answered within", "95 % beantwortet binnen"],
  pause: ["Pause", "Anhalten"],
  pauseHint: [
    "While it is paused, events wait for up to 90 days, and are sent when you resume.",
    "Solange er angehalten ist, warten Ereignisse bis zu 90 Tage und werden beim Fortsetzen gesendet."
  ],
  pausedNow: ["The webhook is paused. Events wait.", "Der Webhook ist angehalten. Ereignisse warten."],
  previousUntil: ["Replaced secrets sign until", "Ersetzte Geheimnisse signieren bis"],
  receiver_gone: [
    "The receiver answered 410: it does not want events any more.",
    "Der Empfänger antwortete 410: Er will keine Ereignisse mehr."
  ],
  requestBody: [
    (size: string) => `Body, byte for byte (${size} bytes)`,
    (size: string) => `Inhalt, Byte für Byte (${size} Byte)`
  ],
  requestHeaders: ["Headers of the request", "Kopfzeilen der Anfrage"],
  rotate: ["Make a new secret", "Neues Geheimnis erzeugen"],
  rotateHint: [
    "With an overlap, every request carries a signature of each secret, so that your receiver misses nothing while you change it.",
    "Mit einer Überlappung trägt jede Anfrage eine Signatur je Geheimnis, damit Ihrem Empfänger beim Wechsel nichts entgeht."
  ],
  rotateTitle: ["Rotate the secret", "Geheimnis erneuern"],
  rotated: ["The webhook has a new secret.", "Der Webhook hat ein neues Geheimnis."],
  secret: ["Secret", "Geheimnis"],
  status: ["State", "Zustand"],
  subtitle: [
    "Events of this team, sent to your systems as they happen.",
    "Ereignisse dieses Teams, an Ihre Systeme gesendet, sobald sie geschehen."
  ],
  team_deleted: ["Its team was deleted.", "Sein Team wurde gelöscht."],
  team_imported: [
    "Its team was imported. Make a new secret to activate it.",
    "Sein Team wurde importiert. Erzeugen Sie ein neues Geheimnis, um ihn zu aktivieren."
  ],
  test: ["Test", "Test"],
  testAnswered: [
    (ms: string) => `The receiver accepted it, in ${ms} ms.`,
    (ms: string) => `Der Empfänger hat es angenommen, in ${ms} ms.`
  ],
  testFailed: [(ms: string) => `It failed, after ${ms} ms.`, (ms: string) => `Es schlug fehl, nach ${ms} ms.`],
  testTitle: ["Test event", "Testereignis"],
  testType: ["Event", "Ereignis"],
  title: ["Webhooks", "Webhooks"],
  toDeliveries: ["To its deliveries", "Zu seinen Zustellungen"],
  url: ["URL", "URL"],
  urlHint: [
    "https, on a public address, without user name and fragment.",
    "https, öffentlich erreichbar, ohne Benutzername und Fragment."
  ],
  urlHintHttp: [
    "https or http, on a public address, without user name and fragment.",
    "https oder http, öffentlich erreichbar, ohne Benutzername und Fragment."
  ],
  urlHintNetworks: [
    (networks: string) => `This installation also takes addresses in ${networks}.`,
    (networks: string) => `Diese Installation nimmt auch Adressen in ${networks}.`
  ],
  urlHintLocal: [
    (url: string) => `A program on the machine of the service can receive at ${url}.`,
    (url: string) => `Ein Programm auf dem Rechner des Dienstes kann unter ${url} empfangen.`
  ],
  views: ["Views of the webhook", "Ansichten des Webhooks"],
  waiting: ["Waiting", "Wartend"],
  webhook: ["Webhook", "Webhook"]
})

/** Words of the pages in one language. */
export type Words = (typeof words)[Language]
