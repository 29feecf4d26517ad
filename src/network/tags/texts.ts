/** The words of the pages of tags. */
import { texts } from "../../console/Texts.ts"

/** What they say. */
export const words = texts({
  title: ["Tags", "Tags"],
  subtitle: [
    "Labels of contacts and companies, and of prospects in their projects. Those of properties are a fixed list.",
    "Labels von Kontakten und Firmen und von Interessenten in ihren Projekten. Die der Immobilien sind eine feste Liste."
  ],
  tag: ["Tag", "Tag"],
  contacts: ["Contacts", "Kontakte"],
  companies: ["Companies", "Firmen"],
  prospects: ["Prospects (project tags)", "Interessenten (Projekt-Tags)"],
  contains: ["Contains", "Enthält"],
  empty: ["No tags yet.", "Noch keine Tags."],
  emptyAdvice: [
    "Contacts, companies and prospects get them one by one, or by an import.",
    "Kontakte, Firmen und Interessenten erhalten sie einzeln oder durch einen Import."
  ],
  rename: ["Rename or merge", "Umbenennen oder zusammenführen"],
  renameAbout: [
    "The tag gets the new name on every record that has it. If the new name is a tag already, the two become one: that cannot be taken back.",
    "Der Tag erhält den neuen Namen auf allen Einträgen, die ihn haben. Ist der neue Name schon ein Tag, werden beide einer: Das lässt sich nicht zurücknehmen."
  ],
  to: ["New name", "Neuer Name"],
  preview: ["Preview", "Vorschau"],
  renameTitle: [
    (from: string, to: string) => `Rename “${from}” to “${to}”?`,
    (from: string, to: string) => `„${from}“ in „${to}“ umbenennen?`
  ],
  mergeTitle: [
    (from: string, to: string) => `Merge “${from}” into “${to}”?`,
    (from: string, to: string) => `„${from}“ mit „${to}“ zusammenführen?`
  ],
  changes: ["This changes:", "Das ändert:"],
  mergeAbout: [
    (count: string) => `${count} records have the new name already. Afterwards nobody can tell the two apart.`,
    (count: string) =>
      `${count} Einträge haben den neuen Namen schon. Danach lassen sich die beiden nicht mehr unterscheiden.`
  ],
  timeline: [
    "Each record gets an entry on its timeline, and webhooks are notified, as if it had been changed by hand.",
    "Jeder Eintrag erhält eine Zeile in seiner Zeitleiste, und Webhooks werden benachrichtigt, wie bei einer Änderung von Hand."
  ],
  again: [
    "The numbers have changed meanwhile. Look at them again.",
    "Die Zahlen haben sich inzwischen geändert. Sehen Sie sie noch einmal an."
  ],
  renameNow: ["Rename it", "Umbenennen"],
  mergeNow: ["Merge them", "Zusammenführen"],
  renamed: [
    (count: string) => `The tag was changed on ${count} records.`,
    (count: string) => `Der Tag wurde auf ${count} Einträgen geändert.`
  ]
})
