/**
 * The pages on which a person begins: what waits for them and what is here, a first call of the API, and what the palette finds.
 */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import { actAs } from "../core/auth/CurrentActor.ts"
import { Authentication } from "../core/auth/Authentication.ts"
import {
  type Attempt,
  get,
  Goto,
  type PageRequest,
  post,
  type Problem,
  problemNotice,
  type Seat,
  View
} from "../console/Console.ts"
import { html, type Html, type Part } from "../console/Html.ts"
import { filterPaths } from "../console/Lists.ts"
import { button, card, copyable, emptyState, head, hidden, icon, notice, pill, verbatim } from "../console/Parts.ts"
import { common, number, texts } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { OwnTokens } from "../identity/tokens/Tokens.ts"
import { Users } from "../identity/users/Users.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { type Found, maxCounted, Start, type Waiting } from "./Start.ts"

const words = texts({
  addWebhook: ["Add a webhook", "Webhook anlegen"],
  administrator: ["Administrator", "Administrator"],
  answer: ["What it answers", "Was sie antwortet"],
  broker: ["Broker", "Makler"],
  callAgain: ["Make another token and call again", "Noch ein Token erstellen und aufrufen"],
  callIntro: [
    "One click makes a personal token for this team, and calls the API with it.",
    "Ein Klick erstellt ein persönliches Token für dieses Team und ruft damit die API auf."
  ],
  callNext: [
    (requests: Html, reference: Html, tokens: Html) =>
      html`What a terminal calls appears under ${requests}. The ${reference} has all operations; the token is revoked in
      ${tokens}.`,
    (requests: Html, reference: Html, tokens: Html) =>
      html`Was ein Terminal aufruft, erscheint unter ${requests}. Die ${reference} hat alle Operationen; widerrufen wird
      das Token in ${tokens}.`
  ],
  callTitle: ["A first call of the API", "Ein erster Aufruf der API"],
  company: ["Company", "Firma"],
  contact: ["Contact", "Kontakt"],
  deliveries: ["Deliveries that wait", "Wartende Zustellungen"],
  developers: ["For developers", "Für Entwickler"],
  exhausted: [
    (count: string) => `${count} used up all attempts`,
    (count: string) => `${count} haben alle Versuche verbraucht`
  ],
  find: ["Find", "Suchen"],
  findHint: ["A name, or a part of one", "Ein Name oder ein Teil davon"],
  hide: ["Hide", "Ausblenden"],
  investing: ["Offers and mandates", "Angebote und Suchprofile"],
  investingAdvice: [
    "Brokers send you offers. Your mandates tell them what you look for.",
    "Makler senden Ihnen Angebote. Ihre Suchprofile sagen ihnen, was Sie suchen."
  ],
  newMandate: ["New mandate", "Neues Suchprofil"],
  yourMandates: ["Your mandates", "Ihre Suchprofile"],
  yourOffers: ["Your offers", "Ihre Angebote"],
  here: ["What is here", "Was es hier gibt"],
  importContacts: ["Import contacts", "Kontakte importieren"],
  inboxIntro: [
    "The inbox is a receiver of this service's own. Make a webhook to it with one click, and see its first delivery arrive.",
    "Der Posteingang ist ein Empfänger dieses Dienstes. Legen Sie mit einem Klick einen Webhook dorthin an, und sehen Sie die erste Zustellung ankommen."
  ],
  investor: ["Investor", "Investor"],
  invited: [
    "You are invited to this team. Accept the invitation in your account, then its pages open.",
    "Sie sind in dieses Team eingeladen. Nehmen Sie die Einladung in Ihrem Konto an, dann öffnen sich seine Seiten."
  ],
  makeCall: ["Make a token and call", "Token erstellen und aufrufen"],
  member: ["Member", "Mitglied"],
  noTeam: ["No team", "Kein Team"],
  noTeamAdvice: [
    "Ask the administrator of your team, or the operator of this service, to add you.",
    "Bitten Sie den Administrator Ihres Teams oder den Betreiber dieses Dienstes, Sie aufzunehmen."
  ],
  noTeamTitle: ["You belong to no team yet", "Sie gehören noch zu keinem Team"],
  openInbox: ["Open the inbox", "Posteingang öffnen"],
  newProject: ["New project", "Neues Projekt"],
  noProject: ["No open project yet", "Noch kein offenes Projekt"],
  noProjectAdvice: [
    "Import your investors from a file, then create a project for the property that you sell.",
    "Importieren Sie Ihre Interessenten aus einer Datei, und legen Sie dann ein Projekt für die Immobilie an, die Sie verkaufen."
  ],
  nothing: ["Nothing has that name", "Nichts heißt so"],
  nothingAdvice: [
    "It finds contacts, companies and projects of this team that you may read.",
    "Gefunden werden Kontakte, Firmen und Projekte dieses Teams, die Sie lesen dürfen."
  ],
  offers: ["Offers to answer", "Angebote ohne Antwort"],
  openProjects: ["Open projects", "Offene Projekte"],
  allProjects: ["All projects", "Alle Projekte"],
  today: ["Today", "Heute"],
  showAgain: ["Show the first steps of developers", "Erste Schritte für Entwickler einblenden"],
  questions: ["Questions that wait", "Offene Fragen"],
  answered: ["New answers in data rooms", "Neue Antworten in Datenräumen"],
  answers: ["New answers of investors", "Neue Antworten von Investoren"],
  overdue: [(count: string) => `${count} overdue`, (count: string) => `${count} überfällig`],
  project: ["Project", "Projekt"],
  noCapability: [
    "Contacts, properties and deals open to brokers and investors. Ask to become one in the profile of the team; an operator approves it.",
    "Kontakte, Immobilien und Deals öffnen sich Maklern und Investoren. Beantragen Sie das im Profil des Teams; ein Betreiber genehmigt es."
  ],
  brokerWaits: [
    "Your request to become a broker waits for an operator of this service, who decides. Contacts, properties and deals open with the approval.",
    "Ihr Antrag, Makler zu werden, liegt bei einem Betreiber dieses Dienstes, der darüber entscheidet. Kontakte, Immobilien und Deals öffnen sich mit der Genehmigung."
  ],
  investorWaits: [
    "Your request to become an investor waits for an operator of this service, who decides. You can write mandates already; offers open with the approval.",
    "Ihr Antrag, Investor zu werden, liegt bei einem Betreiber dieses Dienstes, der darüber entscheidet. Suchprofile können Sie schon anlegen; Angebote öffnen sich mit der Genehmigung."
  ],
  reference: ["API reference", "API-Referenz"],
  requests: ["API requests", "API-Anfragen"],
  requested: [(name: string) => `${name} (requested)`, (name: string) => `${name} (beantragt)`],
  teamProfile: ["Profile of the team", "Profil des Teams"],
  yourAccount: ["your account", "Ihrem Konto"],
  tasks: ["Your open tasks", "Ihre offenen Aufgaben"],
  terminal: ["The same in a terminal", "Dasselbe im Terminal"],
  token: ["Token", "Token"],
  tokenName: ["First call", "Erster Aufruf"],
  waiting: ["What waits", "Was wartet"],
  webhookIntro: [
    "A webhook sends what happens in this team to a program of yours. Name its address: a test delivery shows at once what it answers.",
    "Ein Webhook sendet einem Ihrer Programme, was in diesem Team geschieht. Nennen Sie dessen Adresse: Eine Testzustellung zeigt sofort, was es antwortet."
  ],
  webhookTitle: ["A webhook and its first delivery", "Ein Webhook und seine erste Zustellung"],
  you: ["You are here as", "Sie sind hier als"]
})

const begin = get("/console", ({ reader, seats }) => {
  const t = words[reader.language]
  return Effect.succeed(
    seats[0] === undefined
      ? new View({
          title: t.noTeam,
          body: html`${head({ title: t.noTeam })}
            <div class="card">${emptyState(t.noTeamTitle, t.noTeamAdvice)}</div>`
        })
      : new Goto({ path: `/console/${seats[0].teamId}` })
  )
})

/** What a person is in a team. */
const rolesOf = ({ reader }: PageRequest, { actor }: Seat): Html => {
  const t = words[reader.language]
  const role = (name: string, state: "active" | "pending" | null) =>
    state !== null && pill(state === "active" ? "good" : "warn", state === "active" ? name : t.requested(name))
  return html`${t.you}: ${actor.role === "admin" ? pill("good", t.administrator) : pill("plain", t.member)}
  ${role(t.broker, actor.broker)} ${role(t.investor, actor.investor)}`
}

const hasPage = ({ areas }: PageRequest, path: string) =>
  areas.some(({ links }) => links.some(({ href }) => href === path))

/** A count, which leads to its page if there is one. */
const tile = (
  page: PageRequest,
  {
    about,
    anchor = "",
    count,
    href,
    name
  }: {
    readonly name: string
    readonly count: number
    readonly about?: Part
    readonly href: string
    readonly anchor?: string
  }
): Html => {
  const shown = count > maxCounted ? `${number(page.reader, maxCounted)}+` : number(page.reader, count)
  return html`<li class="card pad">
    <span class="soft">${hasPage(page, href) ? html`<a href="${href}${anchor}">${name}</a>` : name}</span
    ><strong class="count">${shown}</strong>
    ${about !== undefined && html`<span class="small soft">${about}</span>`}
  </li>`
}

const countedText = (page: PageRequest, count: number) => number(page.reader, Math.min(count, maxCounted))

const tilesOf = (page: PageRequest, { actor }: Seat, waiting: Waiting): Html | false => {
  const t = words[page.reader.language]
  const isBroker = actor.broker === "active"
  return (
    (isBroker || actor.investor !== null) &&
    html`<ul class="tiles" role="list" aria-label="${t.waiting}">
      ${
        isBroker &&
        tile(page, {
          name: t.tasks,
          count: waiting.tasks,
          href: `${page.base}/today`,
          ...(waiting.overdue === 0 ? {} : { about: pill("warn", t.overdue(countedText(page, waiting.overdue))) })
        })
      }
      ${isBroker && waiting.questions > 0 && tile(page, { name: t.questions, count: waiting.questions, href: `${page.base}/today`, anchor: "#questions" })}
      ${isBroker && waiting.answers > 0 && tile(page, { name: t.answers, count: waiting.answers, href: `${page.base}/today`, anchor: "#answers" })}
      ${actor.investor !== null && tile(page, { name: t.offers, count: waiting.offers, href: `${page.base}/offers` })}
      ${waiting.answered > 0 && tile(page, { name: t.answered, count: waiting.answered, href: `${page.base}/offers`, anchor: "#new-answers" })}
    </ul>`
  )
}

/** The work of a broker: the projects that are open, and how more of it begins. */
const workCard = (page: PageRequest, { actor }: Seat, { projects }: Waiting): Html | false => {
  const t = words[page.reader.language]
  return (
    actor.broker === "active" &&
    card(
      "work",
      t.openProjects,
      html`${
          projects.length === 0
            ? emptyState(t.noProject, t.noProjectAdvice)
            : html`<ul class="links" role="list">
                ${projects.map(({ id, name }) => html`<li><a href="${page.base}/projects/${id}">${name}</a></li>`)}
              </ul>`
        }
        <p class="row">
          <a class="button main" href="${page.base}/today">${t.today}</a>
          <a class="button" href="${page.base}/projects/new">${t.newProject}</a>
          <a class="button" href="${page.base}/imports?kind=contacts">${t.importContacts}</a>
          ${projects.length > 0 && html`<a href="${page.base}/projects">${t.allProjects}</a>`}
        </p>`
    )
  )
}

/** The work of somebody who is an investor and no broker. */
const investingCard = (page: PageRequest, { actor }: Seat): Html | false => {
  const t = words[page.reader.language]
  return (
    actor.broker !== "active" &&
    actor.investor !== null &&
    card(
      "work",
      t.investing,
      html`<p>${t.investingAdvice}</p>
        <p class="row">
          <a class="button main" href="${page.base}/offers">${t.yourOffers}</a>
          <a class="button" href="${page.base}/mandates">${t.yourMandates}</a>
          <a class="button" href="${page.base}/mandates/new">${t.newMandate}</a>
        </p>`
    )
  )
}

const hereOf = ({ areas, reader }: PageRequest): Html | false =>
  areas.length > 0 &&
  html`<h2>${words[reader.language].here}</h2>
    <ul class="tiles" role="list">
      ${areas.map(
        ({ about, links, title }) =>
          html`<li class="card pad">
            <h3>${title}</h3>
            <p class="small soft">${about}</p>
            <ul class="links" role="list">
              ${links.map((link) => html`<li><a href="${link.href}">${icon(link.icon)}${link.name}</a></li>`)}
            </ul>
          </li>`
      )}
    </ul> `

/** How a first call ended, if it was made. */
interface FirstCall {
  readonly token?: string
  readonly answer?: string
  readonly problem?: Attempt["problem"]
}

const isMade = ({ problem, token }: FirstCall): boolean => token !== undefined || problem !== undefined

/** What is called: the latest contacts for brokers, and who one is for everybody else. */
const callOf = ({ seat }: PageRequest): string =>
  seat?.actor.broker === "active" ? "/api/v1/network/contacts?page_size=1" : "/api/v1/auth/me"

/** The command that makes the call of the page. */
const curlOf = (page: PageRequest, token: string) =>
  `curl "${page.visit.baseUrl}${callOf(page)}" -H "Authorization: Bearer ${token}"`

const callCard = (page: PageRequest, call: FirstCall, key: string): Html => {
  const { reader, requestId, visit } = page
  const t = words[reader.language]
  return card(
    "call",
    t.callTitle,
    html`${call.problem !== undefined && problemNotice(reader, call.problem, requestId)}
      ${
        call.token === undefined
          ? html`<p>${t.callIntro}</p>`
          : html`${notice("good", common[reader.language].shownOnce)}
              ${copyable(reader, { id: "token", label: t.token, text: call.token })}
              ${copyable(reader, { id: "curl", label: t.terminal, text: curlOf(page, call.token) })}
              <p class="hint">
                ${t.callNext(html`<a href="${page.base}/requests">${t.requests}</a>`, html`<a href="/docs">${t.reference}</a>`, html`<a href="/console/account/tokens">${t.yourAccount}</a>`)}
              </p>
              <div class="stack">
                <h3>${t.answer}</h3>
                ${verbatim(t.answer, call.answer ?? "")}
              </div>`
      }
      <form method="post" action="${page.path}">
        ${formField(visit)} ${hidden("key", key)}
        <button type="submit" class="${call.token === undefined && "main"}">
          ${call.token === undefined ? t.makeCall : t.callAgain}
        </button>
      </form>`
  )
}

/** The way to a first webhook: to the inbox where there is one, else to a receiver that the person names. */
const webhookCard = (page: PageRequest, { actor }: Seat): Html | false => {
  const t = words[page.reader.language]
  if (actor.role !== "admin" && actor.broker !== "active") return false
  const hasInbox = hasPage(page, `${page.base}/inbox`)
  return card(
    "webhook",
    t.webhookTitle,
    html`<p>${hasInbox ? t.inboxIntro : t.webhookIntro}</p>
      <p class="row">
        <a class="button" href="${page.base}/${hasInbox ? "inbox" : "webhooks/new"}"
          >${hasInbox ? t.openInbox : t.addWebhook}</a
        >
      </p>`
  )
}

/** What is kept, as a filter of the start page is, where a person has hidden the first steps of developers. */
const withoutDevelopers = new URLSearchParams({ developers: "hidden" }).toString()

/** The first steps of developers, and deliveries that nobody took; a person may hide them. */
const developersOf = (
  page: PageRequest,
  seat: Seat,
  waiting: Waiting | undefined,
  call: FirstCall,
  key: string
): Html => {
  const { savedFilters, visit } = page
  const t = words[page.reader.language]
  const kept = savedFilters.find(({ query }) => query === withoutDevelopers)
  if (kept !== undefined && !isMade(call)) {
    return html`<form method="post" action="${filterPaths.remove}">
      ${formField(visit)} ${hidden("id", kept.id)} ${button(t.showAgain, { kind: "quiet" })}
    </form>`
  }
  return html`<section class="stack" aria-labelledby="developers">
    <div class="spread">
      <h2 id="developers">${t.developers}</h2>
      <form method="post" action="${filterPaths.save}">
        ${formField(visit)} ${hidden("page", page.path)} ${hidden("query", withoutDevelopers)}
        ${hidden("name", "developers")} ${button(t.hide, { kind: "quiet", of: t.developers })}
      </form>
    </div>
    ${
      waiting !== undefined &&
      waiting.deliveries + waiting.exhausted > 0 &&
      hasPage(page, `${page.base}/webhooks`) &&
      html`<ul class="tiles" role="list">
        ${tile(page, {
          name: t.deliveries,
          count: waiting.deliveries,
          href: `${page.base}/webhooks`,
          ...(waiting.exhausted === 0 ? {} : { about: pill("bad", t.exhausted(countedText(page, waiting.exhausted))) })
        })}
      </ul>`
    }
    <div class="${call.token === undefined ? "grid-2" : "stack"}">
      ${callCard(page, call, key)} ${webhookCard(page, seat)}
    </div>
  </section>`
}

const startPage = Effect.fnUntraced(function* (page: PageRequest, call: FirstCall = {}) {
  const { seat } = page
  if (seat === undefined) return yield* Effect.die("A page of a team has a seat.")
  const start = yield* Start
  const random = yield* SecureRandom.SecureRandom
  const waiting = yield* start.waiting()
  const t = words[page.reader.language]
  const isMember = seat.actor.membership === "active"
  // What was just asked for stands above all else.
  const place = !isMember ? undefined : isMade(call) ? "first" : "last"
  const developers = developersOf(page, seat, waiting, call, yield* random.uuidV7())
  return new View({
    title: seat.teamName,
    ...(call.problem === undefined ? {} : { status: call.problem.status }),
    isSecret: call.token !== undefined,
    body: html`${head({ title: seat.teamName, subtitle: rolesOf(page, seat) })}
      <div class="stack">
        ${!isMember && notice("warn", t.invited)}
        ${
          isMember &&
          seat.actor.broker === null &&
          seat.actor.investor === null &&
          html`<div class="card pad stack">
            <p>${t.noCapability}</p>
            <p class="row"><a class="button main" href="${page.base}/profile#capabilities">${t.teamProfile}</a></p>
          </div>`
        }
        ${isMember && seat.actor.broker === "pending" && notice("warn", t.brokerWaits)}
        ${isMember && seat.actor.investor === "pending" && notice("warn", t.investorWaits)}
        ${place === "first" && developers}
        ${isMember && waiting !== undefined && html`${tilesOf(page, seat, waiting)} ${workCard(page, seat, waiting)} ${investingCard(page, seat)}`}
        ${hereOf(page)} ${place === "last" && developers}
      </div>`
  })
})

const start = get("/console/:team", (page) => startPage(page))

/** What the call answers: its use-case, for whom the token stands for. */
const answerTo = Effect.fnUntraced(function* (page: PageRequest, token: string) {
  const { authenticate } = yield* Authentication
  const [contacts, users] = [yield* Contacts, yield* Users]
  const { actor } = yield* authenticate(token)
  const request = UseCaseRequest.make({ operation: "first call", query: { page_size: 1 } })
  const answer =
    callOf(page) === "/api/v1/auth/me" ? yield* actAs(actor)(users.me()) : yield* actAs(actor)(contacts.list(request))
  return JSON.stringify(answer, null, 2)
})

/** The token is in this answer alone: sent again, the form gets the same one. */
const firstCall = post("/console/:team", (page) =>
  Effect.gen(function* () {
    const { create } = yield* OwnTokens
    const { form, reader, seat, userId } = page
    const made = yield* create(
      userId,
      { name: words[reader.language].tokenName, teamId: seat?.teamId ?? "" },
      form.text("key") ?? ""
    )
    return yield* startPage(page, { token: made.token, answer: yield* answerTo(page, made.token) })
  }).pipe(Effect.catch((problem: Problem) => startPage(page, { problem })))
)

/** Where the page of a record is; undefined if the console of this person has none. */
const pathOf = (page: PageRequest, { id, type }: Found): string | undefined => {
  const list = `${page.base}/${{ company: "companies", contact: "contacts", project: "projects" }[type]}`
  return hasPage(page, list) ? `${list}/${id}` : undefined
}

const accepted = (page: PageRequest) => page.visit.request.headers["accept"] ?? ""

/** What the palette finds: JSON for its script, and a page for everybody else. */
const find = get("/console/:team/find", (page) =>
  Effect.gen(function* () {
    const typed = page.search.get("q") ?? ""
    const t = words[page.reader.language]
    const found = (yield* (yield* Start).find(typed)).flatMap((one) => {
      const href = pathOf(page, one)
      return href === undefined ? [] : [{ ...one, href }]
    })
    if (accepted(page).includes("application/json")) {
      return HttpServerResponse.jsonUnsafe(
        found.map(({ about, href, name, type }) => ({
          href,
          text: [name, about, t[type]].filter((part) => part !== null).join(" · ")
        })),
        { headers: { vary: "Accept" } }
      )
    }
    return new View({
      title: t.find,
      body: html`${head({ title: t.find })}
        <div class="stack">
          <form class="filters card" method="get" action="${page.path}" role="search">
            <div class="field">
              <label for="q">${t.findHint}</label>
              <input id="q" name="q" type="search" value="${typed}" autocomplete="off" maxlength="200" />
            </div>
            <div class="row"><button class="main" type="submit">${t.find}</button></div>
          </form>
          <div class="card pad">
            ${
              found.length === 0
                ? emptyState(t.nothing, t.nothingAdvice)
                : html`<ul class="items" role="list">
                    ${found.map(({ about, href, name, type }) => html`<li><a href="${href}">${name}</a> <span class="soft">${about} ${t[type]}</span></li>`)}
                  </ul>`
            }
          </div>
        </div>`
    })
  })
)

/** The start pages. */
export const pages = [begin, start, firstCall, find]
