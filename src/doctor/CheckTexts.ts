/** The checks of the doctor, as people read them. What one found is technical English, as on the command line. */
import { type Reader, texts } from "../console/Texts.ts"
import type { CheckName } from "./rules.ts"

type Words = { readonly [name in CheckName]: readonly [en: string, de: string] }

const named: Words = {
  clock: ["Clock", "Uhr"],
  database: ["Database", "Datenbank"],
  disk: ["Disks", "Datenträger"],
  files: ["Stored files", "Abgelegte Dateien"],
  jobs: ["Jobs", "Aufträge"],
  key: ["Secret key", "Geheimer Schlüssel"],
  migrations: ["Migrations", "Migrationen"],
  receivers: ["Receivers of webhooks", "Empfänger von Webhooks"],
  replicas: ["Standbys", "Standbys"],
  store: ["Folders", "Ordner"],
  tls: ["Encryption to the database", "Verschlüsselung zur Datenbank"],
  transactions: ["Open transactions", "Offene Transaktionen"],
  workers: ["Workers", "Worker"]
}

const asked: Words = {
  clock: [
    "Do the clocks of the database and of this machine agree?",
    "Gehen die Uhren von Datenbank und Rechner gleich?"
  ],
  database: [
    "Is it one that the service supports, and is it set so?",
    "Passt sie, mit ihren Einstellungen, zum Dienst?"
  ],
  disk: ["Is there space left?", "Ist noch Platz?"],
  files: ["Is what records name there?", "Ist da, was die Einträge nennen?"],
  jobs: ["Are they done in time?", "Werden sie rechtzeitig erledigt?"],
  key: ["Can everything be decrypted with it?", "Lässt sich damit alles entschlüsseln?"],
  migrations: ["Is the database of this version?", "Ist die Datenbank auf dem Stand dieser Version?"],
  receivers: ["Do they take what is sent?", "Nehmen sie an, was gesendet wird?"],
  replicas: ["Do they answer, and keep up?", "Antworten sie, und kommen sie mit?"],
  store: ["Are they there, and for nobody else to read?", "Sind sie da, und kann niemand sonst sie lesen?"],
  tls: ["Is the connection safe from others?", "Ist die Verbindung vor anderen sicher?"],
  transactions: ["Does an old one hold others up?", "Hält eine alte andere auf?"],
  workers: ["Do some work?", "Arbeiten welche?"]
}

const [names, questions] = [texts(named), texts(asked)]

/** The name of a check. */
export const checkName = ({ language }: Pick<Reader, "language">, name: CheckName): string => names[language][name]

/** What a check asks. */
export const checkQuestion = ({ language }: Pick<Reader, "language">, name: CheckName): string =>
  questions[language][name]
