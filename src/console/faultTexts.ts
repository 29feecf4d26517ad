/** What is wrong with a field, in German: a sentence for each code. */
import type { FaultCode, FaultValues } from "../core/fields/FaultCode.ts"
import { type Fault, valuesOf } from "../core/usecase/Problem.ts"
import type { Reader } from "./Texts.ts"

type About = FaultValues & Pick<Fault, "candidates" | "pointer">

/** Places that may be meant, as texts that mean one each. */
const placesOf = ({ candidates = [] }: About): string => candidates.map(({ location }) => `„${location}“`).join(", ")

const rangeOf = ({ maximum, minimum }: About): string =>
  minimum !== undefined && maximum !== undefined
    ? `Muss von ${minimum} bis ${maximum} sein.`
    : minimum === 0
      ? "Darf nicht negativ sein."
      : minimum !== undefined
        ? `Muss mindestens ${minimum} sein.`
        : maximum !== undefined
          ? `Darf höchstens ${maximum} sein.`
          : "Liegt außerhalb dessen, was erlaubt ist."

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
  invalid_country: "Muss ein Ländercode nach ISO 3166-1 sein, wie DE.",
  invalid_currency: "Muss eine Währung nach ISO 4217 sein, wie EUR.",
  invalid_date: "Muss ein Datum sein, wie 2027-12-31.",
  invalid_deadline: "Muss eine Frist sein, wie 10d, 2w oder 1m, oder ein Datum, wie 2027-12-31.",
  invalid_domain: "Muss eine Domain sein, wie example.com.",
  invalid_due_date: "Muss today, tomorrow, eine Frist, wie 7d, oder ein Datum sein, wie 2027-12-31.",
  invalid_email: "Muss eine E-Mail-Adresse sein, wie anna@example.com.",
  invalid_expiry: "Muss in der Zukunft liegen: eine Frist, wie 3d, 2w oder 1m, oder ein Datum, wie 2027-12-31.",
  invalid_format: "Ist nicht so geschrieben, wie es sein muss.",
  invalid_id: "Muss eine Id sein.",
  invalid_language: "Muss ein Sprachkürzel nach BCP 47 sein, wie de-DE.",
  invalid_period: "Muss eine Frist sein, wie 30d, 2w oder 3m.",
  invalid_radius: "So groß darf der Umkreis nicht sein, oder so klein.",
  invalid_range: "Der Anfang liegt hinter dem Ende.",
  invalid_reference: "Das gibt es nicht, oder es gehört nicht zu Ihrem Team.",
  invalid_time_zone: "Muss eine IANA-Zeitzone sein, wie Europe/Berlin.",
  invalid_timestamp: "Muss ein Zeitpunkt nach ISO 8601 sein, wie 2027-12-31 oder 2027-12-31T12:00Z.",
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
  out_of_range: rangeOf,
  read_only: "Kann nicht geändert werden.",
  repeated: "Darf nur einmal vorkommen.",
  required: ({ pointer }) => (pointer === "" ? "Eine der nötigen Angaben fehlt." : "Ist erforderlich."),
  ring_crosses_itself: "Die Fläche kreuzt sich selbst.",
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
  wrong_type: "Ist kein Wert dieser Art."
}

/** The sentence about a fault, as the reader reads it. */
export const faultText = ({ language }: Pick<Reader, "language">, fault: Fault): string => {
  if (language === "en") return fault.detail
  // A file of receipts may be older than the code.
  const text = Object.hasOwn(german, fault.code) ? german[fault.code] : fault.detail
  return typeof text === "string" ? text : text({ ...fault, ...valuesOf(fault) })
}

/** Faults as the reader reads them. */
export const faultsFor = (reader: Pick<Reader, "language">, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  faults.map((fault) => ({ ...fault, detail: faultText(reader, fault) }))
