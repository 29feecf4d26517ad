/** The words of the pages on what is held about a person. */
import { texts } from "../console/Texts.ts"

/** The words. */
export const words = texts({
  title: ["Privacy", "Datenschutz"],
  ofAll: [
    "What is held about a person on this installation: a copy of it, and its erasure.",
    "Was diese Installation über eine Person hält: eine Kopie davon, und die Löschung."
  ],
  ofTeam: [
    "What this team holds about a person: a copy of it, and its erasure.",
    "Was dieses Team über eine Person hält: eine Kopie davon, und die Löschung."
  ],
  person: ["Person", "Person"],
  personHint: [
    "An e-mail address, or the id of a contact or a user.",
    "Eine E-Mail-Adresse, oder die Id eines Kontakts oder Benutzers."
  ],
  teamId: ["Team (id)", "Team (Id)"],
  teamHint: ["Leave it empty for every team, and the account.", "Leer lassen für alle Teams und das Konto."],
  exportTitle: ["Give a copy", "Kopie geben"],
  exportAbout: [
    "A zip archive: JSON of each kind of data, the content of files, and an index that says where each stands and for how long. There are no secrets in it. It is made while you download it, and is kept nowhere.",
    "Ein Zip-Archiv: JSON jeder Art von Daten, der Inhalt von Dateien, und ein Verzeichnis, das sagt, wo was steht und wie lange. Es enthält keine Geheimnisse. Es entsteht beim Herunterladen und wird nirgends aufbewahrt."
  ],
  exportNow: ["Download the archive", "Archiv herunterladen"],
  eraseTitle: ["Erase", "Löschen"],
  eraseAbout: [
    "Names, addresses and free text go for good, also from backups that are restored later; ids and counts stay. First you see what would be erased.",
    "Namen, Adressen und freier Text verschwinden endgültig, auch aus Sicherungen, die später zurückgespielt werden; Ids und Zahlen bleiben. Zuerst sehen Sie, was gelöscht würde."
  ],
  rehearse: ["Show what would be erased", "Zeigen, was gelöscht würde"],
  rehearsal: [(person: string) => `Erase ${person}?`, (person: string) => `${person} löschen?`],
  wouldErase: ["This would be erased", "Das würde gelöscht"],
  wasErased: ["This was erased", "Das wurde gelöscht"],
  nothing: ["Nothing is left to erase.", "Es ist nichts mehr zu löschen."],
  rows: ["Rows", "Zeilen"],
  everywhere: ["In every team, with the account", "In allen Teams, mit dem Konto"],
  inTeam: [(team: string) => `In the team ${team}`, (team: string) => `Im Team ${team}`],
  final: [
    "This cannot be undone. Give the person a copy first if they want one.",
    "Das kann nicht rückgängig gemacht werden. Geben Sie der Person zuvor eine Kopie, wenn sie eine möchte."
  ],
  eraseNow: ["Erase for good", "Endgültig löschen"],
  erased: [(person: string) => `${person} was erased.`, (person: string) => `${person} wurde gelöscht.`],
  receipt: ["Receipt", "Beleg"],
  receiptKeep: ["Keep it: it is shown only now.", "Bewahren Sie ihn auf: Er wird nur jetzt angezeigt."],
  receiptId: ["Erasure", "Löschung"],
  contacts: ["Contacts", "Kontakte"],
  account: ["Account", "Konto"],
  remaining: [
    "Other records name the person. Decide about each:",
    "Andere Einträge nennen die Person. Entscheiden Sie über jeden:"
  ],
  record: ["Record", "Eintrag"],
  excerpt: ["Excerpt", "Auszug"],
  back: ["Back", "Zurück"]
})

/** What the rows of tables hold, where a receipt counts them. */
export const kindNames = texts({
  actions: ["Timelines and notes", "Verläufe und Notizen"],
  communications: ["Communications", "Versendungen"],
  contacts: ["Contacts", "Kontakte"],
  deleted_records: ["What deleted records held", "Was gelöschte Einträge enthielten"],
  deletion_effects: ["What deletions changed", "Was Löschungen geändert haben"],
  delivery_attempts: ["Answers of receivers", "Antworten von Empfängern"],
  events: ["Events", "Ereignisse"],
  external_references: ["References of other systems", "Verweise anderer Systeme"],
  files: ["Files", "Dateien"],
  grants: ["Apps", "Apps"],
  idempotency_keys: ["Stored answers", "Gespeicherte Antworten"],
  links: ["Links with companies", "Verknüpfungen mit Firmen"],
  mandates: ["Mandates", "Suchprofile"],
  memberships: ["Memberships", "Mitgliedschaften"],
  messages: ["Messages and calls", "Nachrichten und Anrufe"],
  offers: ["Offers", "Angebote"],
  prospects: ["Prospects", "Interessenten"],
  questions: ["Questions and answers", "Fragen und Antworten"],
  sessions: ["Sessions", "Sitzungen"],
  tasks: ["Tasks", "Aufgaben"],
  tokens: ["Tokens", "Tokens"],
  users: ["Accounts", "Konten"]
})
