/**
 * What is held about a person, in the console (docs/privacy.md#in-the-console): a copy, and the erasure after a rehearsal. For operators on
 * all of the installation, and for administrators in their team. Who is meant stands in forms alone, and in no address.
 */
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import {
  type Attempt,
  get,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../console/Console.ts"
import { html, type Html } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { button, card, facts, field, head, hidden, notice } from "../console/Parts.ts"
import { rehearsed } from "../console/Rehearsals.ts"
import { moment, number, type Reader } from "../console/Texts.ts"
import { typed, typedConfirmation } from "../console/TypedConfirmation.ts"
import { formField } from "../console/Visit.ts"
import { AdministratorRequired } from "../core/usecase/Problem.ts"
import type { Mention, Receipt } from "./Erasure.ts"
import { Erasures } from "./Erasures.ts"
import type { Where } from "./People.ts"
import { PersonExports } from "./PersonExports.ts"
import { kindNames, words } from "./texts.ts"

const paths = { operation: "/console/operation/privacy", team: "/console/:team/privacy" } as const

const rootOf = ({ base, seat }: Pick<PageRequest, "base" | "seat">) =>
  seat === undefined ? paths.operation : `${base}/privacy`

const wordsOf = ({ reader }: PageRequest) => words[reader.language]

/** Whom a form names, and where: a team's own page means that team. */
const askedBy = ({ form, seat }: PageRequest) => {
  const team = seat?.teamId ?? form.text("team")
  const where: Where = team === undefined ? { all: true } : { team }
  return { person: form.text("person") ?? "", team, where }
}

/** Refuses who may not ask before they have filled in a form. */
const mayAsk = ({ seat }: PageRequest) =>
  seat === undefined || seat.actor.role === "admin"
    ? Effect.void
    : Effect.fail(new AdministratorRequired({ detail: "Ask an administrator of the team." }))

const personFields = (page: PageRequest, id: string, attempt?: Attempt): Html => {
  const t = wordsOf(page)
  const fault = (member: string) => attempt?.problem.errors?.find(({ pointer }) => pointer === `/${member}`)?.detail
  return html`<div class="fields">
    ${field({ id: `${id}-person`, name: "person", label: t.person, hint: t.personHint, isRequired: true, value: attempt?.form.text("person"), fault: fault("person") })}
    ${page.seat === undefined && field({ id: `${id}-team`, name: "team", label: t.teamId, hint: t.teamHint, value: attempt?.form.text("team"), fault: fault("team") })}
  </div>`
}

const asked = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  yield* mayAsk(page)
  const t = wordsOf(page)
  const root = rootOf(page)
  return new View({
    title: t.title,
    body: html`${head({ title: t.title, subtitle: page.seat === undefined ? t.ofAll : t.ofTeam })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <div class="stack">
        ${card(
          "copy",
          t.exportTitle,
          html`<p class="soft">${t.exportAbout}</p>
            <form class="stack" method="post" action="${root}/export" data-download>
              ${formField(page.visit)} ${personFields(page, "copy", attempt)}
              <div class="row">${button(t.exportNow)}</div>
            </form>`
        )}
        ${card(
          "erase",
          t.eraseTitle,
          html`<p class="soft">${t.eraseAbout}</p>
            <form class="stack" method="post" action="${root}/erase">
              ${formField(page.visit)} ${personFields(page, "erase", attempt)}
              <div class="row">${button(t.rehearse)}</div>
            </form>`
        )}
      </div>`
  })
})

// A copy.

const download = (page: PageRequest) =>
  Effect.gen(function* () {
    yield* mayAsk(page)
    const { person, where } = askedBy(page)
    const { open } = yield* PersonExports
    const { bytes } = yield* open(person, where)
    const content = Stream.fromAsyncIterable<Uint8Array, unknown>(bytes, (error) => error)
    return HttpServerResponse.stream(content, {
      contentType: "application/zip",
      headers: { "cache-control": "no-store", "content-disposition": 'attachment; filename="person.zip"' }
    })
  }).pipe(orShowAgain(page, (attempt) => asked(page, attempt)))

// The erasure.

const erasedTable = (page: PageRequest, title: string, { what }: Receipt): Html => {
  const t = wordsOf(page)
  const names: { readonly [table: string]: string } = kindNames[page.reader.language]
  if (what.length === 0) return html`<p>${t.nothing}</p>`
  return html`<h2>${title}</h2>
    ${facts(what.map(({ count, kind, table: of }) => [names[of] ?? kind, number(page.reader, count)] as const))}`
}

const pagesOfRecords: { readonly [type: string]: string } = {
  company: "companies",
  contact: "contacts",
  mandate: "mandates",
  project: "projects",
  property: "properties"
}

const mentionsOf = (page: PageRequest, remaining: ReadonlyArray<Mention>): Html | false => {
  const t = wordsOf(page)
  const addressOf = ({ id, team, type }: Mention): string | undefined => {
    const segment = pagesOfRecords[type]
    const isOwn = page.seats.some(({ teamId }) => teamId === team)
    return segment === undefined || !isOwn ? undefined : `/console/${team}/${segment}/${id}`
  }
  const columns: ReadonlyArray<Column<Mention & { readonly index: number }>> = [
    {
      key: "record",
      title: t.record,
      is: "name",
      cell: (mention) => {
        const address = addressOf(mention)
        return html`${address === undefined ? html`<code>${mention.id}</code>` : html`<a href="${address}">${mention.id}</a>`}
          <span class="below">${mention.type}, ${mention.member}</span>`
      }
    },
    { key: "excerpt", title: t.excerpt, cell: ({ excerpt }) => excerpt }
  ]
  return (
    remaining.length > 0 &&
    html`${notice("warn", t.remaining)}
    ${table(page, { caption: t.remaining, columns, rows: remaining.map((one, index) => ({ ...one, index })), idOf: ({ index }) => `mention-${index}` })}`
  )
}

const whereIs = (page: PageRequest, team: string | undefined): string => {
  const t = wordsOf(page)
  return team === undefined ? t.everywhere : t.inTeam(page.seat?.teamName ?? team)
}

/** What would be erased, and the form that erases it. */
const rehearsal = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  yield* mayAsk(page)
  const t = wordsOf(page)
  const root = rootOf(page)
  const { person, team, where } = askedBy(page)
  const { erase } = yield* Erasures
  const { answer } = yield* rehearsed(erase(person, where))
  return new View({
    title: t.rehearsal(person),
    isSecret: true,
    body: html`${head({ title: t.rehearsal(person), subtitle: whereIs(page, team), crumbs: [{ href: root, name: t.title }] })}
    ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
    ${typedConfirmation(page, {
      action: `${root}/erase`,
      attempt,
      back: root,
      hint: t.final,
      label: t.eraseNow,
      name: person,
      body: html`${erasedTable(page, t.wouldErase, answer)} ${mentionsOf(page, answer.remaining)}
      ${hidden("person", person)} ${team !== undefined && hidden("team", team)}`
    })}`
  })
})

const receiptOf = (page: PageRequest, receipt: Receipt): View => {
  const t = wordsOf(page)
  const reader: Reader = page.reader
  const { person } = askedBy(page)
  const { account, contacts, erasedUtc, id, remaining } = receipt
  return new View({
    title: t.receipt,
    isSecret: true,
    body: html`${head({ title: t.receipt, crumbs: [{ href: rootOf(page), name: t.title }] })}
      ${notice("good", t.erased(person))}
      <div class="card pad stack">
        <p class="soft">${t.receiptKeep}</p>
        ${facts([
          [t.receiptId, html`<code>${id}</code>, ${moment(reader, erasedUtc)}`],
          [
            t.contacts,
            contacts.length > 0 && contacts.map((one, index) => html`${index > 0 && ", "}<code>${one}</code>`)
          ],
          [t.account, account !== null && html`<code>${account}</code>`]
        ])}
        ${erasedTable(page, t.wasErased, receipt)} ${mentionsOf(page, remaining)}
        <div class="row"><a class="button" href="${rootOf(page)}">${t.back}</a></div>
      </div>`
  })
}

const erased = (page: PageRequest) =>
  Effect.gen(function* () {
    yield* mayAsk(page)
    if (!page.form.has("confirm")) {
      return yield* Effect.map(rehearsal(page), (view): View => view)
    }
    const { person, where } = askedBy(page)
    yield* typed(page, person)
    const { erase } = yield* Erasures
    return receiptOf(page, yield* erase(person, where))
  }).pipe(
    orShowAgain(page, (attempt) => (attempt.form.has("confirm") ? rehearsal(page, attempt) : asked(page, attempt)))
  )

/** What is held about a person: for operators, and for administrators of a team. */
export const pages = [
  get(paths.operation, (page) => asked(page)),
  post(`${paths.operation}/export`, download),
  post(`${paths.operation}/erase`, erased),
  get(paths.team, (page) => asked(page)),
  post(`${paths.team}/export`, download),
  post(`${paths.team}/erase`, erased)
]

const icon = "M10 2.500l6 2.500v4.500c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8V5z"

/** For the administrators of a team. */
export const linksOfTeam: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.role === "admin" ? [{ href: `${base}/privacy`, name: words[reader.language].title, icon }] : []

/** For operators. */
export const linksOfOperation: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: paths.operation, name: words[reader.language].title, icon }] : []
