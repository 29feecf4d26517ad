/** The words of the pages of imports and exports. */
import { texts } from "../console/Texts.ts"

/** Kinds of records, as a person says. */
export const kindNames = texts({
  contacts: ["Contacts", "Kontakte"],
  companies: ["Companies", "Firmen"],
  links: ["Links between contacts and companies", "Verknüpfungen von Kontakten und Firmen"],
  properties: ["Properties", "Immobilien"],
  mandates: ["Mandates", "Suchprofile"]
})

/** How far imports are. */
export const stateNames = texts({
  uploaded: ["Columns to be chosen", "Spalten zu wählen"],
  checking: ["Dry run", "Probelauf"],
  checked: ["Waits for confirmation", "Wartet auf Bestätigung"],
  importing: ["Importing", "Wird importiert"],
  imported: ["Imported", "Importiert"],
  refused: ["Refused", "Abgelehnt"]
})

/** The words of imports. */
export const importWords = texts({
  imports: ["Import", "Import"],
  none: ["No imports in the last 24 hours", "Keine Importe in den letzten 24 Stunden"],
  noneAdvice: [
    "Choose a file above. Nothing is changed before you have seen what would happen.",
    "Wählen Sie oben eine Datei. Nichts ändert sich, bevor Sie gesehen haben, was geschehen würde."
  ],
  subtitle: [
    "Rows of a file become records, or update those that they mean. Files are kept for 24 hours.",
    "Zeilen einer Datei werden zu Datensätzen oder aktualisieren die, die sie meinen. Dateien bleiben 24 Stunden."
  ],
  newImport: ["New import", "Neuer Import"],
  kind: ["What is in the file", "Was in der Datei steht"],
  file: [
    "A CSV or NDJSON file of at most 100 MB, for contacts also vCards; may be packed (.gz)",
    "Eine CSV- oder NDJSON-Datei von höchstens 100 MB, für Kontakte auch vCards; auch gepackt (.gz)"
  ],
  upload: ["Upload, and look at the columns", "Hochladen und Spalten ansehen"],
  recent: ["The last 24 hours", "Die letzten 24 Stunden"],
  fileName: ["File", "Datei"],
  size: ["Size", "Größe"],
  rows: ["Rows", "Zeilen"],
  rowsDone: ["Rows done", "Erledigte Zeilen"],
  failed: ["Rejected", "Abgelehnt"],
  created: ["New", "Neu"],
  newCompanies: ["New companies", "Neue Firmen"],
  newLinks: ["New links with companies", "Neue Verknüpfungen mit Firmen"],
  updatedLinks: ["Updated links with companies", "Aktualisierte Verknüpfungen mit Firmen"],
  unchangedLinks: ["Unchanged links with companies", "Unveränderte Verknüpfungen mit Firmen"],
  notLinked: ["Contacts that are not linked", "Kontakte ohne Verknüpfung"],
  updated: ["Updated", "Aktualisiert"],
  unchanged: ["Unchanged", "Unverändert"],
  column: ["Column", "Spalte"],
  example: ["First row", "Erste Zeile"],
  sets: ["Sets", "Setzt"],
  choose: ["Choose", "Wählen"],
  memberOf: [(column: string) => `What ${column} sets`, (column: string) => `Was ${column} setzt`],
  automatic: ["As recognised", "Wie erkannt"],
  choosePlaceholder: ["Choose what it sets", "Wählen, was sie setzt"],
  leaveOut: ["Leave it out", "Weglassen"],
  leftOut: ["Left out", "Weggelassen"],
  columns: ["Columns", "Spalten"],
  columnsAdvice: [
    "What was not recognised is left out, unless you choose what it sets. The grey names are those of the API.",
    "Was nicht erkannt wurde, bleibt weg, sofern Sie nicht wählen, was es setzt. Die grauen Namen sind die der API."
  ],
  noColumns: [
    "The columns of this format are the names of its members, and are read with each row.",
    "Die Spalten dieses Formats sind die Namen seiner Felder; sie werden mit jeder Zeile gelesen."
  ],
  options: ["Options", "Optionen"],
  namespace: ["Name of the system that external ids are from", "Name des Systems, aus dem externe Ids stammen"],
  namespaceHint: ["Such as hubspot", "Etwa hubspot"],
  onDuplicate: ["A row that looks like another record", "Eine Zeile, die wie ein anderer Datensatz aussieht"],
  refuse: ["is rejected", "wird abgelehnt"],
  update: ["updates that record", "aktualisiert diesen"],
  create: ["becomes a record of its own", "wird ein eigener Datensatz"],
  linkCompanies: [
    "Link contacts with the companies of their rows, and create those that are missing",
    "Kontakte mit den Firmen ihrer Zeilen verknüpfen und fehlende Firmen anlegen"
  ],
  keepRows: [
    "If a cell is not valid, import the rest of its row",
    "Ist eine Zelle ungültig, den Rest ihrer Zeile importieren"
  ],
  keepRowsHint: ["Otherwise the whole row is rejected.", "Sonst wird die ganze Zeile abgelehnt."],
  country: ["Country of rows that name none", "Land der Zeilen, die keines nennen"],
  currency: ["Currency of amounts that name none", "Währung der Beträge, die keine nennen"],
  currencyHint: ["Such as EUR", "Etwa EUR"],
  decimal: ["Decimal separator", "Dezimalzeichen"],
  comma: ["Comma: 1.250,50", "Komma: 1.250,50"],
  point: ["Point: 1,250.50", "Punkt: 1,250.50"],
  check: ["Dry run: see what would happen", "Probelauf: sehen, was geschähe"],
  checkAgain: ["Dry run with these columns", "Probelauf mit diesen Spalten"],
  checkNote: ["A dry run changes nothing.", "Ein Probelauf ändert nichts."],
  expected: ["What would happen", "Was geschehen würde"],
  result: ["What happened", "Was geschehen ist"],
  progress: ["Progress", "Fortschritt"],
  checking: [
    "The dry run reads the whole file. You may leave this page.",
    "Der Probelauf liest die ganze Datei. Sie können diese Seite verlassen."
  ],
  importing: [
    "The import goes on by itself, also when you leave this page.",
    "Der Import läuft von selbst weiter, auch wenn Sie diese Seite verlassen."
  ],
  reload: ["Reload to see how far it is", "Neu laden, um den Stand zu sehen"],
  start: [
    (rows: string) => (rows === "1" ? "Import 1 row" : `Import ${rows} rows`),
    (rows: string) => (rows === "1" ? "1 Zeile importieren" : `${rows} Zeilen importieren`)
  ],
  startNote: [
    "Rejected rows are left out. An import cannot be taken back as a whole.",
    "Abgelehnte Zeilen bleiben weg. Ein Import lässt sich nicht als Ganzes zurücknehmen."
  ],
  nothing: ["No row can be imported.", "Keine Zeile lässt sich importieren."],
  causes: ["Rejected rows, by cause", "Abgelehnte Zeilen, nach Ursache"],
  correct: [
    "Correct these rows in the file, and import it again: rows that are already here stay as they are. The receipts name each rejected row.",
    "Korrigieren Sie diese Zeilen in der Datei, und importieren Sie sie noch einmal: Was schon hier ist, bleibt unverändert. Die Belege nennen jede abgelehnte Zeile."
  ],
  reported: ["Cells left out or read in part", "Weggelassene oder nur teils gelesene Zellen"],
  count: ["Count", "Anzahl"],
  line: ["First line", "Erste Zeile"],
  value: ["There", "Dort"],
  says: ["What it says", "Was es besagt"],
  moreCauses: [
    (count: string) => `and ${count} more, which the receipts have`,
    (count: string) => `und ${count} weitere, die in den Belegen stehen`
  ],
  receipts: ["Download the receipts", "Belege herunterladen"],
  receiptsNote: ["One line for each row of the file.", "Eine Zeile für jede Zeile der Datei."],
  unreadable: ["", "So lässt sich die Datei nicht lesen: "],
  showAll: ["Show them in the list", "In der Liste zeigen"],
  toProject: ["Choose a project to add them to", "Projekt wählen, zu dem sie sollen"],
  stop: ["Stop and delete", "Anhalten und löschen"],
  deleted: [
    "The file and its receipts were deleted. Records stay.",
    "Datei und Belege sind gelöscht. Datensätze bleiben."
  ],
  by: [(name: string, kind: string) => `${kind}, by ${name}`, (name: string, kind: string) => `${kind}, von ${name}`]
})

/** The words of the way from an import to a project. */
export const toProjectWords = texts({
  imports: ["Import", "Import"],
  addContacts: [
    (count: string) => (count === "1" ? "Add 1 imported contact to:" : `Add ${count} imported contacts to:`),
    (count: string) =>
      count === "1" ? "1 importierten Kontakt hinzufügen zu:" : `${count} importierte Kontakte hinzufügen zu:`
  ],
  addCompanies: [
    (count: string) => (count === "1" ? "Add 1 imported company to:" : `Add ${count} imported companies to:`),
    (count: string) =>
      count === "1" ? "1 importierte Firma hinzufügen zu:" : `${count} importierte Firmen hinzufügen zu:`
  ],
  kept: [
    "Possible for 24 hours, as long as the import is kept. The records themselves stay.",
    "Das geht 24 Stunden lang, solange der Import aufbewahrt wird. Die Datensätze selbst bleiben."
  ],
  noProject: ["No projects yet", "Noch keine Projekte"],
  noProjectAdvice: [
    "Create one, and come back to the import.",
    "Legen Sie eines an, und kehren Sie zum Import zurück."
  ],
  newProject: ["New project", "Neues Projekt"],
  title: ["Add investors", "Interessenten hinzufügen"],
  prospects: ["Prospects", "Interessenten"],
  from: ["From the import", "Aus dem Import"],
  listed: [(count: string) => `Already on the list: ${count}.`, (count: string) => `Schon auf der Liste: ${count}.`],
  further: [
    (count: string) => `Add these first; up to ${count} more follow.`,
    (count: string) => `Fügen Sie zuerst diese hinzu; danach folgen bis zu ${count} weitere.`
  ],
  allListed: ["All from the import are on the list", "Alle aus dem Import stehen auf der Liste"]
})

/** The words of exports. */
export const exportWords = texts({
  exports: ["Export", "Export"],
  subtitle: [
    "All records of a kind as a file that an import reads. Lists export what their filters match.",
    "Alle Datensätze einer Art als Datei, die ein Import lesen kann. Listen exportieren, was ihre Filter treffen."
  ],
  filters: ["Only what these filters match:", "Nur was diese Filter treffen:"],
  ofTeam: ["All of the team.", "Alle des Teams."],
  ofProject: ["All of the project, with the columns of the table.", "Alle des Projekts, mit den Spalten der Tabelle."],
  prospects: ["Export of the prospects", "Export der Interessenten"],
  spreadsheet: ["For a spreadsheet", "Für ein Tabellenprogramm"],
  csv: ["For programs: CSV", "Für Programme: CSV"],
  ndjson: ["For programs: NDJSON", "Für Programme: NDJSON"],
  forWhom: [
    "A spreadsheet has headings and words in your language. Files for programs have the names of the API.",
    "Für ein Tabellenprogramm stehen Überschriften und Wörter in Ihrer Sprache, für Programme die Namen der API."
  ],
  audited: ["The audit log says who exported what.", "Das Protokoll hält fest, wer was exportiert hat."]
})
