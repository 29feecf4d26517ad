/** The words of the pages of exports and imports of teams, and of restores. */
import { texts } from "../console/Texts.ts"

/** The words. */
export const runWords = texts({
  title: ["Exports and restores", "Exporte und Wiederherstellungen"],
  about: [
    "Exports and imports of teams, and restores of deleted records, of the last 24 hours.",
    "Exporte und Importe von Teams und Wiederherstellungen gelöschter Einträge der letzten 24 Stunden."
  ],
  none: ["Nothing in the last 24 hours", "Nichts in den letzten 24 Stunden"],
  noneAdvice: [
    "The page of a team exports it and restores what somebody deleted; the list of teams imports one.",
    "Die Seite eines Teams exportiert es und stellt Gelöschtes wieder her; die Liste der Teams importiert eines."
  ],
  export: ["Export", "Export"],
  import: ["Import", "Import"],
  restore: ["Restore", "Wiederherstellung"],
  what: ["What", "Was"],
  checking: ["Dry run", "Probelauf"],
  checked: ["Waits for confirmation", "Wartet auf Bestätigung"],
  running: ["Running", "Läuft"],
  done: ["Done", "Erledigt"],
  refused: ["Refused", "Abgelehnt"],
  workerNote: [
    "A worker does it, also when you leave this page.",
    "Ein Worker erledigt es, auch wenn Sie diese Seite verlassen."
  ],
  reload: ["Look again", "Erneut nachsehen"],
  written: ["Written so far", "Bisher geschrieben"],
  restoredSoFar: [
    (restored: string, deleted: string) => `${restored} of ${deleted}`,
    (restored: string, deleted: string) => `${restored} von ${deleted}`
  ],
  download: ["Download the archive", "Archiv herunterladen"],
  downloadNote: [
    "It has everything that the team has, and no secrets. It is kept for 24 hours, and for you alone.",
    "Es enthält alles, was das Team hat, und keine Geheimnisse. Es wird 24 Stunden aufbewahrt, nur für Sie."
  ],
  ofOther: [
    "Whoever asked for it can download the archive.",
    "Wer den Export angefordert hat, kann das Archiv herunterladen."
  ],
  contents: ["What is in it", "Was darin ist"],
  result: ["Result", "Ergebnis"],
  users: ["Users", "Benutzer"],
  usersCreated: ["New accounts", "Neue Konten"],
  usersMatched: ["Accounts that are here already", "Konten, die es hier schon gibt"],
  usersWithout: ["Named, without an account", "Genannt, ohne Konto"],
  files: ["Files", "Dateien"],
  missing: ["Files without content", "Dateien ohne Inhalt"],
  toRotate: [
    "Clients and webhooks have other secrets here: rotate each.",
    "Clients und Webhooks haben hier andere Geheimnisse: Erneuern Sie jedes."
  ],
  clientsToRotate: ["Clients to rotate", "Clients zu erneuern"],
  webhooksToRotate: ["Webhooks to rotate", "Webhooks zu erneuern"],
  toTeam: ["To the team", "Zum Team"],
  remove: ["Remove", "Entfernen"],
  removed: ["Removed.", "Entfernt."],
  exportTitle: [(name: string) => `Export ${name}`, (name: string) => `${name} exportieren`],
  exportAbout: [
    "Everything that the team has, as it is at one moment, in a zip archive that another installation imports. There are no passwords, tokens and secrets in it. The audit log records the export.",
    "Alles, was das Team hat, so wie es in einem Augenblick ist, in einem Zip-Archiv, das eine andere Installation importiert. Passwörter, Tokens und Geheimnisse sind nicht darin. Das Audit-Protokoll hält den Export fest."
  ],
  exportNow: ["Make the archive", "Archiv erstellen"],
  importTitle: ["Import a team", "Team importieren"],
  importAbout: [
    "The archive of a team of another installation, with all its ids. It is tried first: nothing is written before you have seen what would happen. Archives of more than 100 MB are for the command line (team import).",
    "Das Archiv eines Teams einer anderen Installation, mit allen Ids. Es wird zuerst erprobt: Nichts wird geschrieben, bevor Sie gesehen haben, was geschehen würde. Archive über 100 MB sind für die Befehlszeile (team import)."
  ],
  archive: ["Archive", "Archiv"],
  upload: ["Upload and try it", "Hochladen und erproben"],
  wouldImport: ["This would be imported", "Das würde importiert"],
  importNote: ["All of it is written at once, or nothing.", "Alles wird auf einmal geschrieben, oder nichts."],
  importNow: ["Import the team", "Team importieren"],
  typeName: [(name: string) => `Type ${name} to confirm`, (name: string) => `Zur Bestätigung ${name} eingeben`],
  restoreTitle: ["Restore what was deleted", "Gelöschtes wiederherstellen"],
  restoreAbout: [
    "What one client or user deleted within the last 30 days, with what went with it. What is restored already is skipped.",
    "Was ein Client oder Benutzer in den letzten 30 Tagen gelöscht hat, mit allem, was mitging. Was schon wiederhergestellt ist, wird übergangen."
  ],
  deletedBy: ["Who deleted", "Wer gelöscht hat"],
  deletedByHint: [
    "The id of a client, or the e-mail address or id of a user.",
    "Die Id eines Clients, oder die E-Mail-Adresse oder Id eines Benutzers."
  ],
  since: ["Since", "Seit"],
  until: ["Until (now, if empty)", "Bis (leer: jetzt)"],
  types: ["Only these", "Nur diese"],
  typesHint: ["All, if none is ticked.", "Alle, wenn nichts markiert ist."],
  force: [
    "Also where others have the address or name by now",
    "Auch wo andere inzwischen die Adresse oder den Namen haben"
  ],
  rehearse: ["Show what would be restored", "Zeigen, was wiederhergestellt würde"],
  wouldRestore: ["This would be restored", "Das würde wiederhergestellt"],
  nothing: ["There is nothing to restore.", "Es gibt nichts wiederherzustellen."],
  restoreNow: ["Restore", "Wiederherstellen"],
  records: ["Records", "Einträge"],
  deleted: ["Deleted", "Gelöscht"],
  restored: ["Restored", "Wiederhergestellt"],
  notRestored: ["Not restored", "Nicht wiederhergestellt"],
  contact: ["Contacts", "Kontakte"],
  company: ["Companies", "Firmen"],
  property: ["Properties", "Immobilien"],
  mandate: ["Mandates", "Suchprofile"],
  link: ["Links", "Verknüpfungen"]
})
