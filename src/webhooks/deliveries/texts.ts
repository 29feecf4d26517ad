/** The words of the pages of deliveries. */
import { texts } from "../../console/Texts.ts"

/** The words of the pages. */
export const words = texts({
  after: ["From", "Von"],
  allAsked: [
    (text: string, count: number) => (count === 1 ? "Send 1 delivery again?" : `Send ${text} deliveries again?`),
    (text: string, count: number) =>
      count === 1 ? "1 Zustellung erneut senden?" : `${text} Zustellungen erneut senden?`
  ],
  allChanged: [
    "Meanwhile it is another number than you confirmed. Nothing has been sent again yet.",
    "Es sind inzwischen andere als bestätigt. Noch wurde nichts erneut gesendet."
  ],
  allDelivered: [
    (text: string) => `Arrived before: ${text}. Their receiver gets them a second time.`,
    (text: string) => `Schon angekommen: ${text}. Der Empfänger erhält sie ein zweites Mal.`
  ],
  allMost: [
    "These are the latest 10,000 that match. Send the others afterwards.",
    "Das sind die letzten 10.000 passenden. Senden Sie die übrigen danach."
  ],
  allTerms: [
    "They are queued at once, the oldest first, with the same webhook-id and nine new attempts each. Those that wait anyway are left as they are.",
    "Sie werden sofort eingereiht, die ältesten zuerst, mit derselben webhook-id und je neun neuen Versuchen. Was ohnehin wartet, bleibt, wie es ist."
  ],
  answered: ["Answered with an error", "Mit einem Fehler beantwortet"],
  attempt: [(attempt: number) => `Attempt ${attempt}`, (attempt: number) => `Versuch ${attempt}`],
  attempts: ["Attempts", "Versuche"],
  before: ["To", "Bis"],
  caption: ["Deliveries, the newest first", "Zustellungen, die neuesten zuerst"],
  cause: ["Cause", "Ursache"],
  causesAbout: [
    "What has not arrived, by the reason of the latest attempt. Mend the cause, then send again what it held up.",
    "Was nicht ankam, nach dem Grund des letzten Versuchs. Beheben Sie die Ursache, und senden Sie dann erneut, was sie aufhielt."
  ],
  closed: ["Connection closed early", "Verbindung zu früh geschlossen"],
  count: ["Deliveries", "Zustellungen"],
  created: ["Created", "Entstanden"],
  delivered: ["Delivered", "Zugestellt"],
  due: [
    (when: string) => `The next attempt is due at ${when}.`,
    (when: string) => `Der nächste Versuch ist fällig: ${when}.`
  ],
  duration: ["Duration", "Dauer"],
  empty: ["No deliveries yet", "Noch keine Zustellungen"],
  emptyAdvice: [
    "Change something that this webhook is subscribed to. Test events are not listed: their answer is shown where you send them.",
    "Ändern Sie etwas, das dieser Webhook abonniert hat. Testereignisse stehen nicht hier: Ihre Antwort sehen Sie dort, wo Sie sie senden."
  ],
  example: ["Latest", "Letzte"],
  exhausted: ["Given up", "Aufgegeben"],
  failed: ["Failed", "Fehlgeschlagen"],
  first: ["First", "Zuerst"],
  forbidden: ["URL not allowed", "URL nicht erlaubt"],
  invalid: ["Answer is not valid HTTP", "Antwort ist kein gültiges HTTP"],
  last: ["Last", "Zuletzt"],
  lastError: ["Error, exactly", "Fehler, genau"],
  maySearchOn: [
    "No delivery on this page has the text. Each page looks through 5,000 deliveries.",
    "Keine Zustellung auf dieser Seite enthält den Text. Jede Seite durchsucht 5.000 Zustellungen."
  ],
  noAttempts: ["No attempt yet.", "Noch kein Versuch."],
  noErrors: ["Nothing has failed", "Nichts ist fehlgeschlagen"],
  noErrorsAdvice: [
    "Whatever a receiver refuses or does not answer appears here, grouped by the cause.",
    "Was ein Empfänger ablehnt oder nicht beantwortet, steht hier, nach Ursachen gruppiert."
  ],
  notActive: [
    "Nothing can be sent again while the webhook is not active. Resume it in its settings.",
    "Solange der Webhook nicht aktiv ist, lässt sich nichts erneut senden. Setzen Sie ihn in den Einstellungen fort."
  ],
  nothing: ["There is nothing to send again.", "Es gibt nichts erneut zu senden."],
  other: ["Other failure", "Anderer Fehler"],
  outcome: ["Outcome", "Ergebnis"],
  own: ["Fault of this service", "Fehler dieses Dienstes"],
  pending: ["Waiting", "Wartend"],
  refused: ["Connection refused", "Verbindung abgelehnt"],
  reload: ["Reload", "Neu laden"],
  sendAgain: ["Send again", "Erneut senden"],
  sentAgain: [
    (count: string) => `Queued again: ${count}. They are being sent.`,
    (count: string) => `Erneut eingereiht: ${count}. Sie werden gesendet.`
  ],
  sentOneAgain: [
    "It is being sent again. Reload to see the attempt.",
    "Sie wird erneut gesendet. Laden Sie neu, um den Versuch zu sehen."
  ],
  subtitle: [(id: string) => `Message ${id}`, (id: string) => `Nachricht ${id}`],
  text: ["Text in the payload", "Text im Inhalt"],
  timeout: ["Timeout", "Zeitüberschreitung"],
  tls: ["TLS failed", "TLS fehlgeschlagen"],
  unreachable: ["Receiver not reachable", "Empfänger nicht erreichbar"]
})
