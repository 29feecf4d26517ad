/** Why something was refused, in German: a title and a sentence for each code. */
import type { ConflictReason, Fault } from "../core/usecase/Problem.ts"
import type { ProblemCode } from "../core/usecase/ProblemCode.ts"
import { faultsFor } from "./faultTexts.ts"
import type { Part } from "./Html.ts"
import { sentence } from "./Parts.ts"
import type { Reader } from "./Texts.ts"

/** What problems of some codes have besides. */
interface Further {
  readonly answer?: string
  readonly capability?: string
  readonly externalId?: string
  readonly limit?: number | null
  readonly namespace?: string
  readonly reason?: ConflictReason | undefined
  readonly used?: number | null
}

const conflicts: { readonly [reason in ConflictReason]: string } = {
  address_taken: "Jemand mit dieser E-Mail-Adresse hat schon ein Konto.",
  app_created:
    "Das Formular wurde schon gesendet, und die App ist da: Ihr Geheimnis wurde dabei gezeigt. Ist es verloren, widerrufen Sie die App.",
  begun: "Es hat schon begonnen, oder es ist nicht mehr da.",
  bot: "Es ist ein Bot: Er endet mit seinem Client. Widerrufen Sie diesen.",
  decided: "Die Befugnis ist nicht mehr beantragt: Jemand hat schon entschieden.",
  import_running: "Ein anderer Import des Teams läuft. Versuchen Sie es, wenn er fertig ist.",
  member: "Die Person gehört schon zum Team oder ist eingeladen.",
  no_failed_job: "Kein solcher Auftrag ist fehlgeschlagen: Er läuft schon wieder, oder jemand war schneller.",
  no_member: "Die Person gehört nicht zum Team und ist nicht eingeladen.",
  not_invited: "Die Person hat keine offene Einladung in das Team.",
  tag_too_frequent: "Zu viele Einträge haben diesen Tag. Ändern Sie zuerst einige davon mit der API.",
  tokens: "Sie haben so viele gültige Tokens, wie erlaubt sind. Widerrufen Sie zuerst eines."
}

const german: {
  readonly [code in ProblemCode]: readonly [title: string, detail: string | ((further: Further) => string)]
} = {
  administrator_required: [
    "Das dürfen nur Administratoren des Teams.",
    "Bitten Sie einen Administrator des Teams darum."
  ],
  ambiguous_reference: ["Der Verweis meint mehrere Einträge.", "Nennen Sie die Id."],
  archive_conflict: [
    "Etwas mit einer Id des Archivs gibt es schon.",
    "Es wurde nichts importiert. Das Protokoll des Dienstes sagt, was es schon gibt."
  ],
  archive_invalid: ["Die Datei ist kein vollständiges Archiv eines Teams.", "Exportieren Sie das Team noch einmal."],
  archive_newer: ["Das Archiv stammt von einer neueren Version.", "Bringen Sie zuerst diesen Dienst auf den Stand."],
  asker_without_access: ["Wer gefragt hat, hat keinen Zugang zum Datenraum.", "Geben Sie zuerst Zugang zum Datenraum."],
  capability_required: [
    "Dafür fehlt eine Berechtigung.",
    ({ capability }) =>
      capability === undefined
        ? "Beantragen Sie sie im Profil des Teams."
        : `Nötig ist die Befugnis „${capability === "broker" ? "Makler" : "Investor"}“. Beantragen Sie sie im Profil des Teams.`
  ],
  chat_not_open: [
    "Makler und Investor können sich noch nicht schreiben.",
    "Das geht, solange das Angebot angenommen und das Projekt offen ist."
  ],
  concurrency_conflict: [
    "Eine andere Änderung war schneller.",
    "Laden Sie die Seite neu, und versuchen Sie es noch einmal."
  ],
  confirmation_required: [
    "Der Name des Teams ist erforderlich.",
    "Es wird alles entfernt, was das Team hat, endgültig."
  ],
  conflict: ["Der jetzige Zustand erlaubt das nicht.", ({ reason }) => (reason === undefined ? "" : conflicts[reason])],
  deletion_limit_reached: [
    "In dieser Stunde wurde so viel gelöscht wie erlaubt.",
    "Es wurde nichts gelöscht. Versuchen Sie es später, oder bitten Sie den Betreiber um mehr."
  ],
  duplicate: [
    "Diesen Eintrag gibt es im Netzwerk schon.",
    "Sehen Sie sich den vorhandenen an, ehe Sie einen weiteren anlegen."
  ],
  external_reference_taken: [
    "Ein anderer Eintrag hat diesen externen Verweis.",
    ({ externalId = "", namespace = "" }) => `Es ist ${namespace}:${externalId}.`
  ],
  headers_too_large: ["Die Kopfzeilen der Anfrage sind zu groß.", "Löschen Sie die Cookies dieses Dienstes."],
  foreign_form: [
    "Das Formular kam nicht von einer Seite dieses Dienstes.",
    "Laden Sie die Seite neu, und wiederholen Sie, was Sie getan haben."
  ],
  idempotency_in_progress: [
    "Die erste Anfrage dieses Formulars läuft noch.",
    "Warten Sie einen Augenblick, und laden Sie die Seite neu."
  ],
  idempotency_key_reused: [
    "Dieses Formular wurde schon mit anderem Inhalt gesendet.",
    "Laden Sie die Seite neu, und senden Sie das Formular noch einmal."
  ],
  insufficient_scope: ["Das Token erlaubt das nicht.", "Das darf nur, wer angemeldet ist."],
  internal_error: [
    "Der Dienst hat unerwartet versagt.",
    "Versuchen Sie es noch einmal. Dem Betreiber hilft die Anfrage-Id."
  ],
  invalid_cursor: ["Diese Seite gehört zu einer anderen Liste.", "Gehen Sie zur ersten Seite der Liste."],
  invalid_request: ["Die Eingabe ist nicht gültig.", ""],
  investor_deleted: [
    "Der Kontakt oder die Firma wurde gelöscht.",
    "Stellen Sie den Kontakt oder die Firma zuerst wieder her."
  ],
  malformed_json: ["Das Gesendete ist kein wohlgeformtes JSON.", ""],
  malformed_multipart: [
    "Das Formular mit der Datei ist nicht lesbar.",
    "Wählen Sie die Datei noch einmal, und senden Sie das Formular."
  ],
  malformed_request: ["Das ist keine wohlgeformte HTTP-Anfrage.", ""],
  membership_pending: ["Die Einladung in das Team ist noch nicht angenommen.", "Nehmen Sie zuerst die Einladung an."],
  merged: ["Der Eintrag wurde mit einem anderen zusammengeführt.", "Ändern Sie den Eintrag, in dem er aufging."],
  method_not_allowed: ["So lässt sich diese Adresse nicht aufrufen.", ""],
  no_room_access: ["Der Interessent hat keinen Zugang zum Datenraum.", "Geben Sie zuerst Zugang."],
  not_deleted: ["Der Eintrag ist nicht gelöscht.", "Es gibt nichts wiederherzustellen."],
  not_found: [
    "Nicht gefunden.",
    "Das gibt es nicht oder nicht mehr, oder es gehört zu einem Team, in dem Sie nicht sind."
  ],
  note_move_refused: ["Der Zustand der Notiz erlaubt das nicht.", "Laden Sie die Seite neu, um ihn zu sehen."],
  offer_answered: [
    "Das Angebot ist schon beantwortet.",
    ({ answer }) =>
      answer === undefined
        ? "Eine Antwort lässt sich nicht ändern."
        : `Es wurde ${answer === "accepted" ? "angenommen" : "abgelehnt"}, und das lässt sich nicht ändern.`
  ],
  offer_not_open: [
    "Das Angebot kann nicht mehr beantwortet werden.",
    "Es wurde entfernt oder geschlossen, oder seine Frist ist abgelaufen."
  ],
  only_administrator: ["Das Team wäre ohne Administrator.", "Machen Sie zuerst ein anderes Mitglied dazu."],
  origin_not_allowed: ["Seiten dieser Herkunft dürfen das nicht aufrufen.", ""],
  payload_too_large: ["Das Gesendete ist zu groß.", "Dateien dürfen höchstens 100 MB haben."],
  precondition_failed: [
    "Der Eintrag wurde geändert, seit Sie ihn gelesen haben.",
    "Laden Sie die Seite neu, und versuchen Sie es noch einmal."
  ],
  precondition_required: ["Der Stand des Eintrags fehlt.", "Laden Sie die Seite neu."],
  project_closed: ["Das Projekt ist abgeschlossen.", "Öffnen Sie es zuerst wieder."],
  project_not_deleted: ["Das Projekt ist nicht gelöscht.", "Es gibt nichts wiederherzustellen."],
  project_shared: [
    "Das Projekt ist geteilt.",
    "Investoren haben es gesehen, darum lässt es sich nicht löschen. Schließen Sie es: Dann bleibt seine Geschichte."
  ],
  property_on_project: [
    "Die Immobilie gehört zu einem Projekt, das nicht abgeschlossen ist.",
    "Nehmen Sie sie zuerst vom Projekt, oder schließen Sie dieses."
  ],
  prospect_erased: ["Die Person des Interessenten wurde gelöscht.", "Er lässt sich nur noch ansehen."],
  prospect_exists: ["Der Investor steht schon auf der Liste des Projekts.", "Ändern Sie ihn dort."],
  prospect_not_removed: ["Der Interessent steht auf der Liste.", "Es gibt nichts wiederherzustellen."],
  prospect_removed: ["Der Interessent wurde von der Liste genommen.", "Setzen Sie ihn zuerst wieder darauf."],
  query_too_expensive: ["Die Suche dauert zu lange.", "Grenzen Sie sie ein."],
  question_limit_reached: ["Der Interessent hat so viele Fragen gestellt wie erlaubt.", ""],
  question_move_refused: ["Der Zustand der Frage erlaubt das nicht.", "Laden Sie die Seite neu, um ihn zu sehen."],
  questions_not_taken: [
    "Der Datenraum nimmt keine Fragen an.",
    "Er ist nicht offen, oder Fragen sind dort abgeschaltet, oder ihre Frist ist vorbei."
  ],
  quota_exceeded: [
    "Ein Kontingent ist aufgebraucht.",
    ({ limit, used }) =>
      typeof limit !== "number"
        ? "Bitten Sie das Team, dem dies gehört, seines zu erhöhen."
        : `Erlaubt sind ${limit}, verbraucht ${String(used)}. Löschen Sie etwas, oder bitten Sie den Betreiber um mehr.`
  ],
  range_not_satisfiable: ["Diesen Teil der Datei gibt es nicht.", ""],
  rate_limited: ["Zu viele Anfragen.", "Warten Sie einen Augenblick, und versuchen Sie es noch einmal."],
  request_timeout: ["Die Anfrage kam nicht rechtzeitig an.", "Versuchen Sie es noch einmal."],
  resync_required: ["So alte Änderungen werden nicht mehr aufbewahrt.", "Beginnen Sie die Liste von vorn."],
  room_refused: [
    "Der Zustand des Datenraums oder des Projekts erlaubt das nicht.",
    "Es geht nur in einem offenen Datenraum eines offenen Projekts."
  ],
  storage_full: [
    "Ein Datenträger des Dienstes ist voll.",
    "Es wurde nichts geändert. Der Betreiber muss Platz schaffen."
  ],
  storage_unavailable: [
    "Die Ablage der Dateien ist vorübergehend nicht erreichbar.",
    "Versuchen Sie es in ein paar Minuten noch einmal."
  ],
  task_move_refused: ["Der Zustand der Aufgabe erlaubt das nicht.", "Laden Sie die Seite neu, um ihn zu sehen."],
  team_deleted: ["Das Team ist gelöscht.", "Der Betreiber kann es 30 Tage lang wiederherstellen."],
  team_exists: ["Ein Team mit dieser Id gibt es schon.", ""],
  team_purged: ["Das Team wird endgültig gelöscht.", "Ein Archiv von ihm lässt sich später importieren."],
  teaser_communicated: [
    "Der Teaser wurde schon verschickt.",
    "Investoren haben ihn, darum lässt er sich nicht zurückziehen. Schließen Sie stattdessen das Projekt."
  ],
  teaser_incomplete: [
    "Der Teaser zeigt zu wenig.",
    "Er zeigt mindestens eine Nutzung und das Land. Ergänzen Sie die Immobilien, oder zeigen Sie mehr davon."
  ],
  teaser_not_published: ["Der Teaser ist nicht veröffentlicht.", "Veröffentlichen Sie ihn zuerst."],
  timeline_read_only: ["Diese Zeitleiste nimmt keine Notizen an.", ""],
  unauthorized: ["Ein gültiges Token ist erforderlich.", ""],
  unavailable: ["Der Dienst ist vorübergehend nicht erreichbar.", "Versuchen Sie es in ein paar Minuten noch einmal."],
  unsupported_media_type: [
    "In dieser Form wird nichts angenommen.",
    "Laden Sie die Seite neu, und senden Sie das Formular noch einmal."
  ],
  user_deactivated: ["Das Konto ist deaktiviert.", "Der Betreiber kann es wieder aktivieren."],
  user_deleted: ["Das Konto wurde gelöscht.", "Das ist endgültig."],
  validation_failed: ["Angaben schließen einander aus.", "Lassen Sie eine davon weg."],
  webhook_limit_reached: [
    "Das Team hat so viele Webhooks wie erlaubt.",
    "Löschen Sie einen, oder bitten Sie den Betreiber um mehr."
  ],
  webhook_not_active: ["Der Webhook ist nicht aktiv.", "Schalten Sie ihn zuerst wieder ein."],
  webhooks_off: ["Dieser Dienst sendet nichts an Webhooks.", "Der Betreiber hat es so eingestellt."]
}

/** What receipts of batches say, for the codes that no problem has. */
const germanReceipts: { readonly [code: string]: string | undefined } = {
  note_failed: "Der Interessent ist eingestuft, aber die Notiz dazu konnte nicht geschrieben werden."
}

/** A problem as pages get it: of a use-case, or of an item of a batch. */
interface Refusal extends Further {
  readonly code: string
  readonly detail: string
}

const textsOf = ({ language }: Pick<Reader, "language">, code: string) =>
  language === "en" || !Object.hasOwn(german, code) ? undefined : german[code as ProblemCode]

/** The title of a problem, as the reader reads it. */
export const problemTitle = (
  reader: Pick<Reader, "language">,
  { code, title }: { readonly code: string; readonly title: string }
): string => textsOf(reader, code)?.[0] ?? title

/** The sentence that follows the title of a problem, as the reader reads it. */
export const problemDetail = (reader: Pick<Reader, "language">, problem: Refusal): string => {
  const detail = textsOf(reader, problem.code)?.[1] ?? problem.detail
  return typeof detail === "string" ? detail : detail(problem)
}

/** What was refused of several things at once. */
type ReceiptRefusal = Refusal & { readonly errors?: ReadonlyArray<Fault> }

/** Why something was refused, in one sentence. */
export const reasonText = (reader: Pick<Reader, "language">, problem: ReceiptRefusal): string => {
  const texts = textsOf(reader, problem.code)
  if (texts === undefined)
    return (reader.language === "de" ? germanReceipts[problem.code] : undefined) ?? problem.detail
  const [fault] = faultsFor(reader, problem.errors ?? [])
  return fault?.detail ?? (problemDetail(reader, problem) || texts[0])
}

/** The same on a page, as lists of receipts have it. */
export const reason = (reader: Pick<Reader, "language">, problem: ReceiptRefusal): Part =>
  sentence(reader, reasonText(reader, problem), [problem.detail, ...(problem.errors ?? []).map(({ detail }) => detail)])
