/** What the pages of the account of a person share: their words, and the head with the tabs. */
import type { PageRequest } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { head, tabs } from "./Parts.ts"
import { texts } from "./Texts.ts"

/** The paths of the account pages and their forms. */
export const paths = {
  profile: "/console/account",
  culture: "/console/account/culture",
  theme: "/console/account/theme",
  security: "/console/account/security",
  endSession: "/console/account/sessions/end",
  endOthers: "/console/account/sessions/end-others",
  endAll: "/console/account/sessions/end-all",
  tokens: "/console/account/tokens",
  revokeToken: "/console/account/tokens/revoke",
  apps: "/console/account/apps",
  keyboard: "/console/account/keyboard",
  disconnect: "/console/account/apps/disconnect"
} as const

/** The words of the account pages. */
export const words = texts({
  account: ["Account", "Konto"],
  accountAbout: [
    "What others see of you, how the console reads for you, and what acts in your name.",
    "Was andere von Ihnen sehen, in welcher Sprache und Form Sie die Konsole sehen, und was in Ihrem Namen handelt."
  ],
  address: ["Address", "Adresse"],
  app: ["App", "App"],
  appearance: ["Appearance", "Darstellung"],
  apps: ["Apps", "Apps"],
  appsAbout: [
    "Apps that you let act in your name. Whoever disconnects one ends its access at once.",
    "Apps, die in Ihrem Namen handeln dürfen. Wer eine trennt, beendet ihren Zugang sofort."
  ],
  appsNone: ["No app acts in your name", "Keine App handelt in Ihrem Namen"],
  appsNoneAdvice: [
    "An app that wants to asks you on a page of this service first.",
    "Eine App, die das möchte, fragt Sie zuerst auf einer Seite dieses Dienstes."
  ],
  broker: ["Broker", "Makler"],
  browser: ["Browser", "Browser"],
  capabilityAbout: [
    "To become a broker or an investor, ask in the profile of a team; an operator approves it.",
    "Makler oder Investor zu werden, beantragen Sie im Profil eines Teams; ein Betreiber genehmigt es."
  ],
  capabilityNone: ["No", "Nein"],
  capabilityPending: ["Requested", "Beantragt"],
  createToken: ["Create a token", "Token erstellen"],
  culture: ["Dates and numbers", "Datum und Zahlen"],
  cultureStays: [
    (name: string) => `Dates and numbers are still written as in: ${name}.`,
    (name: string) => `Datum und Zahlen werden weiterhin so geschrieben: ${name}.`
  ],
  cultureChange: [(name: string) => `Write them as in: ${name}`, (name: string) => `So schreiben: ${name}`],
  cultureKeep: ["Keep them", "So lassen"],
  cultureFollows: [
    (name: string) => `Saved. Dates and numbers follow: ${name}. You can choose others here.`,
    (name: string) => `Gespeichert. Datum und Zahlen folgen: ${name}. Sie können hier anderes wählen.`
  ],
  disconnect: ["Disconnect", "Trennen"],
  disconnected: [(name: string) => `${name} is disconnected.`, (name: string) => `${name} ist getrennt.`],
  disconnectFrom: [
    (app: string, team: string) => `${app} from ${team}`,
    (app: string, team: string) => `${app} von ${team}`
  ],
  endAll: ["Sign out everywhere", "Überall abmelden"],
  endOthers: ["End all other sessions", "Alle anderen Sitzungen beenden"],
  end: ["End", "Beenden"],
  ended: ["The session has ended.", "Die Sitzung ist beendet."],
  signedOutEverywhere: ["You are signed out in all browsers.", "Sie sind in allen Browsern abgemeldet."],
  endedOthers: [
    (count: number) => (count === 1 ? "One other session has ended." : `${count} other sessions have ended.`),
    (count: number) => (count === 1 ? "Eine andere Sitzung ist beendet." : `${count} andere Sitzungen sind beendet.`)
  ],
  investor: ["Investor", "Investor"],
  invited: ["invited", "eingeladen"],
  keyboard: ["Keyboard", "Tastatur"],
  language: ["Language", "Sprache"],
  nameHint: ["As your teams and their partners see it.", "So sehen ihn Ihre Teams und deren Partner."],
  may: ["May", "Darf"],
  newPassword: ["New password", "Neues Passwort"],
  noPassword: [
    "You have no password: you sign in with the OpenID provider of this service. The operator can make a link that sets one.",
    "Sie haben kein Passwort: Sie melden sich mit dem OpenID-Anbieter dieses Dienstes an. Der Betreiber kann einen Link erstellen, der eines setzt."
  ],
  onlyReads: ["Reads", "Lesen"],
  password: ["Password", "Passwort"],
  passwordAbout: [
    "A new password ends your sessions in all other browsers.",
    "Ein neues Passwort beendet Ihre Sitzungen in allen anderen Browsern."
  ],
  passwordChange: ["Change the password", "Passwort ändern"],
  passwordChanged: [
    "The password is changed, and all other sessions have ended.",
    "Das Passwort ist geändert, und alle anderen Sitzungen sind beendet."
  ],
  passwordHint: [
    (count: number) => `At least ${count} characters. A few words are easier to remember than one with symbols.`,
    (count: number) => `Mindestens ${count} Zeichen. Einige Wörter merkt man sich leichter als eines mit Sonderzeichen.`
  ],
  passwordRefused: ["The password was not changed.", "Das Passwort wurde nicht geändert."],
  phone: ["Phone", "Telefon"],
  presentPassword: ["Present password", "Jetziges Passwort"],
  presentWrong: ["This is not your present password.", "Das ist nicht Ihr jetziges Passwort."],
  profile: ["Profile", "Profil"],
  readsAndChanges: ["Reads and changes", "Lesen und ändern"],
  region: ["Country", "Land"],
  security: ["Security", "Sicherheit"],
  sessionIn: [(browser: string) => `the session in ${browser}`, (browser: string) => `Sitzung in ${browser}`],
  sessions: ["Sessions", "Sitzungen"],
  sessionsAbout: [
    "The browsers in which you are signed in. A session ends after 12 hours without use.",
    "Die Browser, in denen Sie angemeldet sind. Eine Sitzung endet nach 12 Stunden ohne Nutzung."
  ],
  since: ["Since", "Seit"],
  teams: ["Teams", "Teams"],
  theme: ["Colours", "Farben"],
  themeAbout: ["In this browser alone.", "Nur in diesem Browser."],
  themeAuto: ["As the system has them", "Wie im System"],
  themeDark: ["Dark", "Dunkel"],
  themeLight: ["Light", "Hell"],
  thisBrowser: ["this browser", "dieser Browser"],
  timeZone: ["Time zone", "Zeitzone"],
  token: ["Token", "Token"],
  tokenCreated: ["The token was created.", "Das Token wurde erstellt."],
  tokenFor: ["What is a new token for?", "Wofür ist das neue Token?"],
  tokenNew: ["New token", "Neues Token"],
  tokenRevoked: ["The token is revoked.", "Das Token ist widerrufen."],
  tokens: ["Tokens", "Tokens"],
  tokensAbout: [
    (days: number) => `A token lets a program call the API in your name and in one team, for ${days} days.`,
    (days: number) =>
      `Mit einem Token ruft ein Programm die API in Ihrem Namen und in einem Team auf, ${days} Tage lang.`
  ],
  tokensNone: ["You have no tokens", "Sie haben keine Tokens"],
  tokensNoneAdvice: [
    "Create one for a script or a tool that calls the API.",
    "Erstellen Sie eines für ein Skript oder Werkzeug, das die API aufruft."
  ],
  tokensNoTeam: [
    "You can create one as soon as you belong to a team.",
    "Sie können eines erstellen, sobald Sie zu einem Team gehören."
  ],
  unknownBrowser: ["Unknown browser", "Unbekannter Browser"],
  on: ["on", "unter"]
})

/** A page of the account: its head, the tabs, and what is in it. */
export const accountBody = ({ reader }: Pick<PageRequest, "reader">, current: string, body: Html): Html => {
  const t = words[reader.language]
  return html`${head({ title: t.account, subtitle: t.accountAbout })}
    <div class="stack">
      <div>
        ${tabs(
          t.account,
          [
            { href: paths.profile, name: t.profile },
            { href: paths.security, name: t.security },
            { href: paths.tokens, name: t.tokens },
            { href: paths.apps, name: t.apps },
            { href: paths.keyboard, name: t.keyboard }
          ].map((tab) => ({ ...tab, isCurrent: tab.href === current }))
        )}
      </div>
      ${body}
    </div>`
}
