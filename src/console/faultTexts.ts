/** What is wrong with a field, for people: in German a sentence for each code, in English where that of the API is for programs. */
import type { FaultCode, FaultValues, ValueType } from "../core/fields/FaultCode.ts"
import { type Fault, valuesOf } from "../core/usecase/Problem.ts"
import type { Reader } from "./Texts.ts"

/** What a value must be, by its type: the first that it may be is named. */
const typeTexts: ReadonlyArray<readonly [type: ValueType, english: string, german: string]> = [
  ["number", "Must be a number.", "Muss eine Zahl sein."],
  ["boolean", "Must be yes or no.", "Muss Ja oder Nein sein."],
  ["array", "Must be a list.", "Muss eine Liste sein."],
  ["string", "Must be a text.", "Muss ein Text sein."]
]

const typeText = ({ types = [] }: FaultValues, index: 1 | 2): string | undefined =>
  typeTexts.find(([type]) => types.includes(type))?.[index]

type About = FaultValues & Pick<Fault, "candidates" | "detail" | "pointer">

/** Places that may be meant, as texts that mean one each. */
const placesOf = ({ candidates = [] }: About): string => candidates.map(({ location }) => `„${location}“`).join(", ")

const limits = [
  new Intl.NumberFormat("en", { useGrouping: "min2" }),
  new Intl.NumberFormat("de", { useGrouping: "min2" })
] as const

const rangeOf =
  (index: 0 | 1) =>
  ({ maximum, minimum }: About): string | undefined => {
    const [least, most] = [minimum, maximum].map((limit) => limit !== undefined && limits[index].format(limit))
    const texts: readonly [en: string, de: string] | undefined =
      least !== false && most !== false
        ? [`Must be from ${least} to ${most}.`, `Muss von ${least} bis ${most} sein.`]
        : minimum === 0
          ? ["Must not be negative.", "Darf nicht negativ sein."]
          : least !== false
            ? [`Must be at least ${least}.`, `Muss mindestens ${least} sein.`]
            : most !== false
              ? [`Must be at most ${most}.`, `Darf höchstens ${most} sein.`]
              : undefined
    return texts?.[index]
  }

const german: { readonly [code in FaultCode]: string | ((about: About) => string) } = {
  ambiguous: "Passt zu mehr als einem.",
  ambiguous_edge: "Eine Kante reicht um die halbe Erde: Fügen Sie Ecken ein.",
  ambiguous_reference: ({ allowed = [] }) =>
    allowed.length === 0
      ? "Meint mehrere Einträge."
      : `So heißen mehrere. Wählen Sie einen davon: ${allowed.join("; ")}.`,
  area_too_complex: "Hat zu viele Ecken.",
  blank: "Darf nicht leer sein.",
  category_not_taken: "Dieses Thema nimmt der Datenraum nicht an.",
  contradictory: "Widerspricht einer anderen Angabe.",
  coordinate_out_of_range: "Die Länge muss von -180 bis 180 sein, die Breite von -90 bis 90.",
  credentials: "Darf weder Benutzernamen noch Passwort enthalten.",
  different: "Ist nicht dasselbe.",
  exactly_one: "Wählen Sie eines von beiden.",
  excluded: "Geht nicht zusammen mit einer anderen Angabe.",
  forbidden: "Ist hier nicht erlaubt.",
  forbidden_address: "Der Host muss auffindbar sein, und zwar nicht im Netz dieses Dienstes.",
  fragment: "Darf kein Fragment (#…) haben.",
  geography_conflict: "Nennen Sie den Ort auf eine Weise: als Namen, als Kreis oder als Fläche.",
  has_credentials: "Darf weder Benutzernamen noch Passwort enthalten.",
  has_fragment: "Darf kein Fragment (#…) haben.",
  has_wildcard: "Darf keinen Platzhalter (*) haben.",
  hole_outside: "Eine Aussparung liegt außerhalb der Fläche.",
  holes_overlap: "Aussparungen liegen ineinander.",
  invalid: "Ist nicht gültig.",
  invalid_characters: "Enthält Zeichen, die nicht erlaubt sind.",
  invalid_choices: "Diese Einstellungen passen nicht zur Datei.",
  invalid_classification: "Darf 1 bis 64 der Zeichen a bis z, 0 bis 9 und _ haben.",
  invalid_columns: "Diese Spalten lassen sich nicht lesen: Wählen Sie andere Angaben, die sie setzen.",
  invalid_country: "Muss das Kürzel eines Landes sein, wie DE.",
  invalid_currency: "Muss das Kürzel einer Währung sein, wie EUR.",
  invalid_date: "Muss ein Datum sein, wie 2027-12-31.",
  invalid_deadline: "Muss ein Tag sein, wie 2027-12-31.",
  invalid_domain: "Muss eine Domain sein, wie example.com.",
  invalid_due_date: "Muss ein Tag sein, wie 2027-12-31.",
  invalid_email: "Muss eine E-Mail-Adresse sein, wie anna@example.com.",
  invalid_expiry: "Muss ein Tag in der Zukunft sein, wie 2027-12-31.",
  invalid_format: "Ist nicht so geschrieben, wie es sein muss.",
  invalid_id: "Muss eine Id sein.",
  invalid_language: "Muss ein Sprachkürzel nach BCP 47 sein, wie de-DE.",
  invalid_period: "Muss eine Dauer in Tagen, Wochen oder Monaten sein.",
  invalid_radius: "So groß darf der Umkreis nicht sein, oder so klein.",
  invalid_range: "Der Anfang liegt hinter dem Ende.",
  invalid_reference: "Das gibt es nicht, oder es gehört nicht zu Ihrem Team.",
  invalid_time_zone: "Muss eine IANA-Zeitzone sein, wie Europe/Berlin.",
  invalid_timestamp: "Muss ein Tag sein, wie 2027-12-31.",
  invalid_url: "Muss eine Webadresse sein, wie https://example.com/.",
  location_ambiguous: (about) => `Mehrere Orte heißen so. Schreiben Sie einen von diesen: ${placesOf(about)}.`,
  location_unknown: (about) =>
    placesOf(about) === ""
      ? "Diesen Ort kennt der Dienst nicht."
      : `Diesen Ort kennt der Dienst nicht. Meinen Sie einen von diesen: ${placesOf(about)}?`,
  malformed: ({ pointer }) =>
    pointer === "/person"
      ? "Muss eine E-Mail-Adresse sein, oder die Id eines Kontakts oder Benutzers."
      : "Ist nicht so geschrieben, wie es sein muss.",
  malformed_etag: "Ist kein Stand eines Eintrags. Laden Sie die Seite neu.",
  malformed_key: "Dem Formular fehlt sein Schlüssel. Laden Sie die Seite neu.",
  names_hidden: "Darf weder die Immobilie noch einen Ort oder Mieter nennen, der verborgen ist.",
  no_room: "Der Interessent hat zu keinem Datenraum Zugang.",
  not_a_file: "Muss eine Datei sein.",
  not_a_host: "Der Host darf Buchstaben, Ziffern, Bindestriche und Punkte haben.",
  not_absolute: "Muss eine vollständige Adresse sein.",
  not_allowed: ({ allowed = [] }) =>
    allowed.length === 0 ? "Ist hier nicht erlaubt." : `Muss einer dieser Werte sein: ${allowed.join(", ")}.`,
  not_canonical: "Muss so geschrieben sein, wie Browser es schreiben.",
  not_checked: "Der Import hat sich geändert. Sehen Sie noch einmal an, was er täte.",
  not_found: "Das gibt es nicht, oder es gehört nicht zu Ihrem Team.",
  not_https: "Muss mit https:// beginnen.",
  not_in_future: "Muss in der Zukunft liegen.",
  not_secure: "Muss mit https:// beginnen, oder mit http:// auf diesem Gerät.",
  not_unique: "Darf nichts zweimal enthalten.",
  other_list: "Gehört zu einer anderen Liste.",
  out_of_range: (about) => rangeOf(1)(about) ?? "Liegt außerhalb dessen, was erlaubt ist.",
  read_only: "Kann nicht geändert werden.",
  repeated: "Darf nur einmal vorkommen.",
  required: ({ pointer }) => (pointer === "" ? "Eine der nötigen Angaben fehlt." : "Ist erforderlich."),
  ring_crosses_itself: "Die Fläche kreuzt sich selbst.",
  ring_not_closed: "Der Rand der Fläche ist nicht geschlossen: Seine letzte Ecke muss die erste sein.",
  rings_cross: "Ränder der Fläche kreuzen einander.",
  tag_conflict: "Ein Merkmal ist gewünscht oder ausgeschlossen, nicht beides.",
  too_deep: "Liegt in zu vielen Ordnern.",
  too_few: ({ minItems = 1 }) =>
    minItems === 1 ? "Muss mindestens einen Eintrag haben." : `Muss mindestens ${minItems} Einträge haben.`,
  too_few_positions: "Hat zu wenige Ecken.",
  too_long: ({ maxLength }) =>
    maxLength === undefined ? "Ist zu lang." : `Darf höchstens ${maxLength} Zeichen haben.`,
  too_many: ({ maxItems }) =>
    maxItems === undefined ? "Sind zu viele." : `Darf höchstens ${maxItems} Einträge haben.`,
  too_precise: "Hat zu viele Ziffern, vor oder nach dem Komma.",
  unavailable_mode:
    "So zeigt der Teaser dies nicht: Der Immobilie fehlen die Angaben, oder der Tarif lässt es nicht zu.",
  unchanged: "Ist der jetzige Name.",
  unknown_action: "Diese Aktion gibt es nicht.",
  unknown_field: "Nach dieser Angabe wird nicht sortiert.",
  unknown_format: "Die Endung des Namens gehört zu keinem Format, das gelesen wird.",
  unknown_member: ({ name = "" }) => `Die Angabe „${name}“ gibt es nicht.`,
  unknown_outcome: "Diesen Ausgang gibt es nicht.",
  unknown_parameter: ({ name = "" }) => `Den Parameter „${name}“ gibt es nicht.`,
  unknown_preference: "Diese Einstellung gibt es nicht.",
  unreadable: "Die Datei ist nicht lesbar.",
  unsupported_encoding: "Diese Kodierung wird nicht gelesen.",
  wrong_type: (about) => typeText(about, 2) ?? "Ist kein Wert dieser Art."
}

const english: { readonly [code in FaultCode]?: string | ((about: About) => string) } = {
  invalid_country: "Must be the code of a country, such as DE.",
  invalid_currency: "Must be the code of a currency, such as EUR.",
  invalid_date: "Must be a day, such as 2027-12-31.",
  invalid_deadline: "Must be a day, such as 2027-12-31.",
  invalid_due_date: "Must be a day, such as 2027-12-31.",
  invalid_expiry: "Must be a day in the future, such as 2027-12-31.",
  invalid_language: "Must be the code of a language, such as de or en-GB.",
  invalid_period: "Must be a number of days, weeks or months.",
  invalid_timestamp: "Must be a day, such as 2027-12-31.",
  out_of_range: (about) => rangeOf(0)(about) ?? about.detail,
  required: ({ pointer }) => (pointer === "" ? "Something that is needed is missing." : "Is required."),
  wrong_type: (about) => typeText(about, 1) ?? about.detail
}

/** The sentence about a fault, as the reader reads it. */
export const faultText = ({ language }: Pick<Reader, "language">, fault: Fault): string => {
  const known: { readonly [code: string]: string | ((about: About) => string) | undefined } =
    language === "en" ? english : german
  // A file of receipts may be older than the code.
  const text = (Object.hasOwn(known, fault.code) ? known[fault.code] : undefined) ?? fault.detail
  return typeof text === "string" ? text : text({ ...fault, ...valuesOf(fault) })
}

/** Faults as the reader reads them. */
export const faultsFor = (reader: Pick<Reader, "language">, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  faults.map((fault) => ({ ...fault, detail: faultText(reader, fault) }))
