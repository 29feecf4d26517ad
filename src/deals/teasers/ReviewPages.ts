/** The published teasers of all teams: operators verify them, or take that back (docs/behaviour/teasers.md#stages). */
import { Effect } from "effect"
import {
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  type Problem,
  problemNotice,
  View
} from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { type Column, pager, table } from "../../console/Lists.ts"
import { button, card, emptyState, facts, head, hidden, pill, tabs } from "../../console/Parts.ts"
import { common, moment, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { projectionView } from "./pages.ts"
import { Teasers } from "./Teasers.ts"

const words = texts({
  title: ["Teasers", "Teaser"],
  subtitle: [
    "Published teasers of all teams, the earliest first.",
    "Veröffentlichte Teaser aller Teams; die ältesten zuerst."
  ],
  waiting: ["To verify", "Zu prüfen"],
  verifiedOnes: ["Verified", "Geprüft"],
  noneWaits: ["Nothing waits to be verified", "Nichts wartet auf Prüfung"],
  noneWaitsAdvice: [
    "Teasers appear here as soon as brokers publish them.",
    "Teaser erscheinen hier, sobald Makler sie veröffentlichen."
  ],
  noneVerified: ["No teaser is verified", "Kein Teaser ist geprüft"],
  noneVerifiedAdvice: ["Verify those that wait.", "Prüfen Sie die wartenden."],
  about: ["About", "Worüber"],
  project: ["Project", "Projekt"],
  property: ["Property", "Immobilie"],
  room: ["Data room", "Datenraum"],
  unnamed: ["Without a name", "Ohne Namen"],
  published: ["Published", "Veröffentlicht"],
  verified: ["Verified", "Geprüft"],
  communicated: ["Sent to investors", "An Investoren gesendet"],
  verify: ["Verify", "Als geprüft markieren"],
  unverify: ["Take the verification back", "Prüfung zurücknehmen"],
  verifiedNow: ["The teaser is verified.", "Der Teaser ist geprüft."],
  unverifiedNow: ["The teaser is not verified any more.", "Der Teaser ist nicht mehr geprüft."],
  shows: ["What investors see", "Was Investoren sehen"],
  stages: ["Stages", "Stufen"],
  notYet: ["Not yet", "Noch nicht"]
})

type Published = Effect.Success<ReturnType<Teasers["Service"]["published"]>>[number]
type Preview = Effect.Success<ReturnType<Teasers["Service"]["preview"]>>

const root = "/console/operation/teasers"
const pageSize = 50
const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const form = (page: PageRequest, id: string, isVerified: boolean, name: string): Html => {
  const t = wordsOf(page)
  return html`<form method="post" action="${root}/${id}">
    ${formField(page.visit)} ${hidden("move", isVerified ? "unverify" : "verify")}
    ${button(isVerified ? t.unverify : t.verify, { kind: isVerified ? "danger" : "main", of: name })}
  </form>`
}

const nameOf = (page: PageRequest, { name }: Pick<Published, "name">): string => name ?? wordsOf(page).unnamed

const cursorOf = ({ id, publishedUtc }: Published) => `${publishedUtc}~${id}`

const positionOf = (cursor: string | null) => {
  const [publishedUtc = "", id] = cursor?.split("~") ?? []
  return id === undefined || Number.isNaN(Date.parse(publishedUtc)) ? undefined : { publishedUtc, id }
}

const list = get(root, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const c = common[page.reader.language]
    const { published } = yield* Teasers
    const isVerified = page.search.get("view") === "verified"
    const found = yield* published(isVerified, { after: positionOf(page.search.get("cursor")), limit: pageSize + 1 })
    const rows = found.slice(0, pageSize)
    const last = rows.at(-1)
    const columns: ReadonlyArray<Column<Published>> = [
      {
        key: "name",
        title: c.name,
        is: "name",
        cell: (one) =>
          html`<a href="${root}/${one.id}">${nameOf(page, one)}</a> <span class="below">${t[one.type]}</span>`
      },
      {
        key: "team",
        title: c.team,
        is: "more",
        cell: ({ teamId, teamName }) => html`<a href="/console/operation/teams/${teamId}">${teamName ?? teamId}</a>`
      },
      { key: "published", title: t.published, cell: ({ publishedUtc }) => moment(page.reader, publishedUtc) },
      {
        key: "communicated",
        title: t.communicated,
        is: "more",
        cell: ({ communicatedUtc }) => moment(page.reader, communicatedUtc) ?? t.notYet
      },
      { key: "verify", title: c.actions, cell: (one) => form(page, one.id, isVerified, nameOf(page, one)) }
    ]
    return new View({
      title: t.title,
      body: html`${head({
          title: t.title,
          subtitle: t.subtitle,
          actions: tabs(t.title, [
            { href: root, name: t.waiting, isCurrent: !isVerified },
            { href: `${root}?view=verified`, name: t.verifiedOnes, isCurrent: isVerified }
          ])
        })}
        <div class="card">
          ${
            rows.length === 0
              ? isVerified
                ? emptyState(t.noneVerified, t.noneVerifiedAdvice)
                : emptyState(t.noneWaits, t.noneWaitsAdvice)
              : table(page, { caption: t.title, columns, rows, idOf: ({ id }) => id })
          }
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: last === undefined ? null : cursorOf(last) }, rows.length)}
        </div>`
    })
  })
)

const idOf = ({ params }: PageRequest) => params["subject"] ?? ""

const shown = (page: PageRequest, { teamId, teaser }: Preview, problem?: Problem): View => {
  const t = wordsOf(page)
  const at = (utc: string | null): Part => moment(page.reader, utc) ?? t.notYet
  const title = teaser.projection.title ?? t.unnamed
  return new View({
    title,
    body: html`${head({
        title,
        crumbs: [{ href: root, name: t.title }],
        actions: html`${teaser.verifiedUtc !== null && pill("good", t.verified)}
        ${teaser.publishedUtc !== null && form(page, idOf(page), teaser.verifiedUtc !== null, title)}`
      })}
      ${problem !== undefined && problemNotice(page.reader, problem, page.requestId)}
      <div class="grid-2">
        ${card(
          "stages",
          t.stages,
          facts([
            [
              common[page.reader.language].team,
              html`<a href="/console/operation/teams/${teamId}"><code>${teamId}</code></a>`
            ],
            [t.about, html`<code>${idOf(page)}</code>`],
            [t.published, at(teaser.publishedUtc)],
            [t.verified, at(teaser.verifiedUtc)],
            [t.communicated, at(teaser.communicatedUtc)]
          ])
        )}
        ${card("shows", t.shows, projectionView(page.reader, teaser.projection))}
      </div>`
  })
}

const show = get(`${root}/:subject`, (page) =>
  Effect.gen(function* () {
    const { preview } = yield* Teasers
    return shown(page, yield* preview(idOf(page)))
  })
)

const review = post(`${root}/:subject`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const teasers = yield* Teasers
    const move = page.form.text("move") === "unverify" ? "unverify" : "verify"
    yield* teasers.review(idOf(page), move)
    return new Goto({ path: root, note: move === "verify" ? t.verifiedNow : t.unverifiedNow })
  }).pipe(
    orShowAgain(page, ({ problem }) =>
      Effect.gen(function* () {
        const { preview } = yield* Teasers
        return shown(page, yield* preview(idOf(page)), problem)
      })
    )
  )
)

/** The teasers to verify. */
export const pages = [list, show, review]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: root, name: words[reader.language].title, icon: "M4 4h12v12H4zM7 10l2 2 4-4" }] : []
