/** What is refused, in German: the sentences of use-cases that people meet on pages and at fields. */
import type { Fault } from "../core/usecase/Problem.ts"
import type { Reader } from "./Texts.ts"

const german: ReadonlyArray<readonly [sentence: RegExp, translation: string]> = [
  [
    /^There is no such page, or it is of a team that you do not belong to\.$/,
    "Diese Seite gibt es nicht, oder sie gehört zu einem Team, in dem Sie nicht sind."
  ],
  [
    /^The limit of (\d+) requests per minute is exceeded\. Try again in (\d+) s\.$/,
    "Mehr als $1 Anfragen in einer Minute. Versuchen Sie es in $2 s noch einmal."
  ],
  [/^There is nothing at (\S+)\.$/, "Unter $1 gibt es nichts."],
  [/^Is required\.$/, "Ist erforderlich."],
  [/^Is not valid\.$/, "Ist nicht gültig."],
  [/^Is read-only: omit it\.$/, "Kann nicht geändert werden."],
  [/^Must not be (?:blank|empty)\.$/, "Darf nicht leer sein."],
  [/^Must not be negative\.$/, "Darf nicht negativ sein."],
  [/^Must be in the future\.$/, "Muss in der Zukunft liegen."],
  [/^Must be a number\.$/, "Muss eine Zahl sein."],
  [/^Must be a string\.$/, "Muss ein Text sein."],
  [/^Must be true or false\.$/, "Muss wahr oder falsch sein."],
  [/^Must be an e-mail address such as (\S+)\.$/, "Muss eine E-Mail-Adresse sein, wie $1."],
  [/^Must be a BCP-47 language tag such as (\S+)\.$/, "Muss ein Sprachkürzel nach BCP 47 sein, wie $1."],
  [/^Must be an IANA time zone such as (\S+)\.$/, "Muss eine IANA-Zeitzone sein, wie $1."],
  [
    /^Must be an assigned ISO 3166-1 alpha-2 code in upper case, such as DE\.$/,
    "Muss ein Ländercode nach ISO 3166-1 sein, wie DE."
  ],
  [/^Must be an? (?:absolute )?(?:http or https )?URL\b.*$/, "Muss eine Webadresse sein, wie https://example.com/."],
  [/^Must have at most ([\d,]+) characters\.$/, "Darf höchstens $1 Zeichen haben."],
  [/^Must have at least ([\d,]+) characters\.$/, "Muss mindestens $1 Zeichen haben."],
  [/^Must have at most ([\d,]+) (?:ids|items|properties|references|tags)\.$/, "Darf höchstens $1 Einträge haben."],
  [/^Must have at least one id\.$/, "Muss mindestens einen Eintrag haben."],
  [
    /^Must have at most (\d+) decimal places, and (\d+) digits in all\.$/,
    "Höchstens $1 Stellen nach dem Komma, $2 insgesamt."
  ],
  [/^Must be from (\S+) to (\S+)\.$/, "Muss von $1 bis $2 sein."],
  [/^Must be at most (\S+)\.$/, "Darf höchstens $1 sein."],
  [/^Must be at least (\S+)\.$/, "Muss mindestens $1 sein."],
  [/^Must be a whole number from (\S+) to (\S+)\.$/, "Muss eine ganze Zahl von $1 bis $2 sein."],
  [/^Must be one of:? (.+)\.$/, "Muss einer dieser Werte sein: $1."],
  [/^Must name at least one event\.$/, "Muss mindestens ein Ereignis nennen."],
  [/^Must name each event once\.$/, "Darf jedes Ereignis nur einmal nennen."],
  [/^Must not contain (?:the NUL character|lone surrogates)\.$/, "Enthält Zeichen, die nicht erlaubt sind."],
  [/^There is no active member of the team with this id\.$/, "Im Team gibt es kein aktives Mitglied mit dieser Id."],
  [/^There is nobody with this e-mail address or id\.$/, "Niemand hat diese E-Mail-Adresse oder Id."],
  [
    /^Must be an e-mail address, or the id of a contact or a user\.$/,
    "Muss eine E-Mail-Adresse sein, oder die Id eines Kontakts oder Benutzers."
  ],
  [/^There is no .+ with this id\b[^:]*\.$/, "Es gibt nichts mit dieser Id."],
  [/^There is no user with (?:this|the) e-mail address\b.*\.$/, "Niemand hat diese E-Mail-Adresse."]
]

/** A sentence of a use-case as the reader reads it. One that is not known here stays as it is. */
export const sentenceFor = ({ language }: Pick<Reader, "language">, sentence: string): string => {
  const found = language === "en" ? undefined : german.find(([known]) => known.test(sentence))
  return found === undefined ? sentence : sentence.replace(...found)
}

/** Faults as the reader reads them. */
export const faultsFor = (reader: Pick<Reader, "language">, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  faults.map((fault) => ({ ...fault, detail: sentenceFor(reader, fault.detail) }))
