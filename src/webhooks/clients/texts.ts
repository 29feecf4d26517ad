/** The words of the pages of OAuth clients. */
import { texts } from "../../console/Texts.ts"

/** What they say. */
export const words = texts({
  title: ["Clients and bots", "Clients und Bots"],
  subtitle: [
    "Programs that call the API for this team. Each acts as a bot.",
    "Programme, die die API für dieses Team aufrufen. Jedes handelt als Bot."
  ],
  empty: ["No client yet.", "Noch kein Client."],
  emptyAdvice: [
    "Create one for each integration, so that each can be cut off alone.",
    "Erstellen Sie für jede Integration einen: So lässt sich jede für sich abschalten."
  ],
  addOne: ["Create a client", "Client erstellen"],
  addAbout: [
    "It gets an id and a secret, by which a program gets tokens for an hour.",
    "Er erhält eine Id und ein Geheimnis, mit denen ein Programm Tokens für eine Stunde bekommt."
  ],
  nameHint: ["What it is for, such as CRM sync.", "Wofür er ist, etwa CRM-Abgleich."],
  bot: ["Bot", "Bot"],
  newBot: ["A new bot", "Ein neuer Bot"],
  botHint: [
    "Changes that the program makes have the bot as their author.",
    "Was das Programm ändert, hat den Bot als Urheber."
  ],
  botName: ["Name of the new bot", "Name des neuen Bots"],
  botNameHint: ["Without one, it has the name of the client.", "Ohne Angabe heißt er wie der Client."],
  mayOfBot: ["What a new bot may do", "Was ein neuer Bot darf"],
  broker: [
    "Broker: the network, properties, projects and rooms",
    "Makler: Netzwerk, Immobilien, Projekte und Datenräume"
  ],
  investor: ["Investor: offers and mandates", "Investor: Angebote und Suchprofile"],
  willBeRequested: [
    "You do not have it yourself, so it is requested: the operator of this service decides.",
    "Sie haben sie selbst nicht, darum wird sie beantragt: Der Betreiber dieses Dienstes entscheidet."
  ],
  create: ["Create it", "Erstellen"],
  created: ["The client was created.", "Der Client wurde erstellt."],
  rotated: ["The client has a new secret.", "Der Client hat ein neues Geheimnis."],
  secretTitle: ["Secret of the client", "Geheimnis des Clients"],
  clientId: ["Client id", "Client-Id"],
  clientSecret: ["Client secret", "Client-Geheimnis"],
  getToken: ["Get a token", "Ein Token holen"],
  toClient: ["To the client", "Zum Client"],
  about: ["About it", "Über ihn"],
  auditOf: ["Audit log of this client", "Audit-Protokoll dieses Clients"],
  team: ["Team", "Team"],
  scopes: ["Scopes", "Scopes"],
  revoked: ["Revoked", "Widerrufen"],
  revokedAt: ["Revoked", "Widerrufen"],
  previousUntil: ["The former secret is good until", "Das bisherige Geheimnis gilt bis"],
  use: ["Use", "Nutzung"],
  requestsToday: ["Requests today (UTC)", "Anfragen heute (UTC)"],
  requestsOf30: ["Requests of 30 days", "Anfragen in 30 Tagen"],
  requestsByDay: ["Requests by day (UTC)", "Anfragen je Tag (UTC)"],
  day: ["Day", "Tag"],
  requests: ["Requests", "Anfragen"],
  addresses: ["Addresses that it called from", "Adressen, von denen er aufrief"],
  noAddresses: ["None in the last 30 days.", "Keine in den letzten 30 Tagen."],
  seenFrom: ["seen from", "gesehen von"],
  webhooks: ["Webhooks that it made", "Webhooks, die er angelegt hat"],
  noWebhooks: ["None.", "Keine."],
  rotate: ["Rotate the secret", "Geheimnis erneuern"],
  rotateAbout: [
    "It gets another secret, which is shown once. Tokens go on. With an overlap, both secrets are good for a while, so that the program can take the new one without an interruption.",
    "Er erhält ein neues Geheimnis, das einmal angezeigt wird. Tokens gelten weiter. Mit Überlappung gelten eine Zeit lang beide, sodass das Programm ohne Unterbrechung wechseln kann."
  ],
  overlap: ["The present secret stays good for", "Das jetzige Geheimnis gilt weiter für"],
  overlapNone: ["no time: it ends at once", "keine Zeit: Es endet sofort"],
  overlapHour: ["1 hour", "1 Stunde"],
  overlapDay: ["24 hours", "24 Stunden"],
  overlapWeek: ["7 days", "7 Tage"],
  overlapMonth: ["30 days", "30 Tage"],
  rotateNow: ["Make a new secret", "Neues Geheimnis erstellen"],
  revoke: ["Revoke the client", "Client widerrufen"],
  revokeTitle: [(name: string) => `Revoke ${name}?`, (name: string) => `${name} widerrufen?`],
  revokeAbout: [
    "Its secret and all its tokens stop at once, for good. What it wrote stays.",
    "Sein Geheimnis und alle seine Tokens enden sofort und endgültig. Was er geschrieben hat, bleibt."
  ],
  withWebhooks: [
    (count: number) =>
      count === 1 ? "Delete the webhook that it made, too" : `Delete the ${count} webhooks that it made, too`,
    (count: number) =>
      count === 1
        ? "Auch den Webhook löschen, den er angelegt hat"
        : `Auch die ${count} Webhooks löschen, die er angelegt hat`
  ],
  withWebhooksHint: [
    "Otherwise they go on receiving events. Deleted webhooks do not come back.",
    "Sonst empfangen sie weiter Ereignisse. Gelöschte Webhooks kommen nicht zurück."
  ],
  webhooksGo: [
    "The webhooks that it made are deleted, too, and do not come back.",
    "Auch die Webhooks, die er angelegt hat, werden gelöscht und kommen nicht zurück."
  ],
  revokedNote: ["The client was revoked.", "Der Client wurde widerrufen."]
})
