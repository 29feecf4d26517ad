/** The teaser in the console: what the broker shows of each part beside what the investor will see, and to whom it goes. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../../console/Console.ts"
import { durationField } from "../../console/Durations.ts"
import { html, type Html, type Part as HtmlPart } from "../../console/Html.ts"
import { confirmation } from "../../console/Lists.ts"
import { box, button, card, faultOf, field, head, hidden, notice, pill, select } from "../../console/Parts.ts"
import { nounOf, rehearsed, whatWouldHappen } from "../../console/Rehearsals.ts"
import { Related } from "../../market/related/Related.ts"
import { common, countryName, moment, number, type Reader, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { shownValue } from "../../market/memberForms.ts"
import { label, options } from "../../console/Vocabulary.ts"
import { OfferLifecycle } from "../lifecycle/OfferLifecycle.ts"
import { nameOf } from "../prospects/drawer/pages.ts"
import { receiversOf, tellInvestors } from "../prospects/bulk/pages.ts"
import { Prospects } from "../prospects/Prospects.ts"
import { Rooms } from "../rooms/Rooms.ts"
import { type Options, type Part, parts, type Projection } from "./projection/Projection.ts"
import type { Teaser } from "./Teaser.ts"
import { Teasers } from "./Teasers.ts"
import { projectHead } from "../projects/ProjectHead.ts"
import type { Project } from "../projects/Project.ts"
import { Projects } from "../projects/Projects.ts"

const words = texts({
  teaser: ["Teaser", "Teaser"],
  editor: ["What it shows", "Was er zeigt"],
  preview: ["What the investor sees", "Was der Investor sieht"],
  title: ["Title", "Titel"],
  titleHint: [
    "Without one it is composed in the investor's language.",
    "Ohne Titel wird er in der Sprache des Investors gebildet."
  ],
  tags: ["Tags to show", "Merkmale, die gezeigt werden"],
  save: ["Save and look", "Speichern und ansehen"],
  publish: ["Publish", "Veröffentlichen"],
  unpublish: ["Take it back", "Zurückziehen"],
  publishHint: [
    "A draft until you publish it. Publishing alone sends it to nobody.",
    "Ein Entwurf, bis Sie ihn veröffentlichen. Die Veröffentlichung allein verschickt ihn an niemanden."
  ],
  publishProjectHint: [
    "Publishing the teaser opens the project. Investors receive it only once you communicate it.",
    "Mit der Veröffentlichung des Teasers wird das Projekt eröffnet. Investoren erhalten ihn erst, wenn Sie ihn verschicken."
  ],
  published: ["The teaser is published.", "Der Teaser ist veröffentlicht."],
  publishedProject: [
    "The teaser is published, and the project is open.",
    "Der Teaser ist veröffentlicht, und das Projekt ist offen."
  ],
  unpublished: ["The teaser was taken back.", "Der Teaser wurde zurückgezogen."],
  clamped: [
    "The plan of the team shows countries and ranges only.",
    "Der Tarif des Teams zeigt nur Länder und Spannen."
  ],
  communicate: ["Communicate", "Verschicken"],
  communicateTitle: ["Who will receive it", "Wer ihn erhält"],
  communicateAll: [
    (count: string) => `All that are on the list (${count})`,
    (count: string) => `Alle, die auf der Liste stehen (${count})`
  ],
  communicateSome: ["Only those who are ticked here", "Nur die hier Angekreuzten"],
  bothChosen: ["Choose all, or only those who are ticked.", "Wählen Sie entweder alle oder nur die Angekreuzten."],
  hasIt: ["has it since", "hat ihn seit"],
  hasFormer: ["has an earlier version, of", "hat eine frühere Version vom"],
  outdated: [
    (count: string) =>
      count === "1"
        ? "1 investor has an earlier version of this teaser, and sees it until you communicate this one. It was sent:"
        : `${count} investors have an earlier version of this teaser, and see it until you communicate this one. It was last sent:`,
    (count: string) =>
      count === "1"
        ? "1 Investor hat eine frühere Version dieses Teasers und sieht sie, bis Sie diese verschicken. Gesendet wurde sie:"
        : `${count} Investoren haben eine frühere Version dieses Teasers und sehen sie, bis Sie diese verschicken. Zuletzt gesendet wurde sie:`
  ],
  savedOutdated: [
    "Saved. Investors who have an earlier version see it until you communicate this one.",
    "Gespeichert. Investoren, die eine frühere Version haben, sehen diese, bis Sie die neue verschicken."
  ],
  communicateAgain: ["Communicate again", "Erneut verschicken"],
  receivers: [
    "Prospects with an address; those without one receive nothing.",
    "Interessenten mit Adresse; wer keine hat, erhält nichts."
  ],
  expires: ["Can be answered for", "Zu beantworten innerhalb von"],
  nobody: ["Nobody is on the list yet.", "Noch steht niemand auf der Liste."],
  addInvestors: ["Add investors", "Interessenten hinzufügen"],
  noProperty: [
    "The project has no property yet, so there is nothing to show.",
    "Das Projekt hat noch keine Immobilie; es gibt nichts zu zeigen."
  ],
  addProperty: ["Add a property", "Immobilie hinzufügen"],
  sent: [
    (sent: number, failed: number) =>
      `Communicated to ${sent === 1 ? "1 prospect" : `${sent} prospects`}${failed > 0 ? `, not to ${failed}` : ""}.`,
    (sent: number, failed: number) => `An ${sent} Interessenten verschickt${failed > 0 ? `, an ${failed} nicht` : ""}.`
  ],
  withoutAccount: [
    (count: number) =>
      `${count === 1 ? "1 of them has" : `${count} of them have`} no account here: the offer waits until the operator makes one for the address.`,
    (count: number) =>
      `${count === 1 ? "1 davon hat" : `${count} davon haben`} hier kein Konto: Das Angebot wartet, bis der Betreiber zur Adresse eines anlegt.`
  ],
  more: ["More are on the list than are shown here.", "Auf der Liste stehen mehr, als hier gezeigt werden."],
  noAddress: ["no address", "keine Adresse"],
  stage: ["Stage", "Stand"],
  location: ["Place", "Lage"],
  categories: ["Uses", "Nutzungen"],
  price: ["Price", "Preis"],
  yield: ["Yield", "Rendite"],
  area: ["Area", "Fläche"],
  yearBuilt: ["Year of construction", "Baujahr"],
  zoning: ["May be built", "Baurecht"],
  tenure: ["Tenure", "Rechtsform"],
  conversions: ["Conversions", "Umnutzungen"],
  energy: ["Energy class", "Energieklasse"],
  wault: ["WAULT", "WAULT"],
  tenants: ["Tenants", "Mieter"],
  features: ["Features", "Merkmale"],
  hidden: ["Hidden", "Verborgen"],
  country: ["Country", "Land"],
  region: ["Region", "Region"],
  locality: ["Town", "Ort"],
  address: ["Address", "Adresse"],
  range: ["As a range", "Als Spanne"],
  exact: ["Exactly", "Genau"],
  shown: ["Shown", "Gezeigt"],
  sector: ["Sectors", "Branchen"],
  named: ["With names", "Mit Namen"],
  property_added: ["Not begun", "Nicht begonnen"],
  drafting: ["Draft", "Entwurf"],
  publishedStage: ["Published", "Veröffentlicht"],
  verified: ["Verified", "Geprüft"],
  communicated: ["Communicated", "Verschickt"],
  unknown: ["Not known, or not shown", "Nicht bekannt oder nicht gezeigt"]
})

const partLabel = ({ language }: Reader, part: Part): string =>
  part === "tags" ? words[language].features : words[language][part]

const modeWord = ({ language }: Reader, mode: string): string => {
  const known: { readonly [mode: string]: string | ((...values: ReadonlyArray<never>) => unknown) } = words[language]
  const word = known[mode]
  return typeof word === "string" ? word : mode
}

const stageWord = ({ language }: Reader, stage: string): string =>
  stage === "published" ? words[language].publishedStage : modeWord({ language, culture: "", timeZone: "" }, stage)

const joined = (pieces: ReadonlyArray<string | null | undefined>, separator = ", ") =>
  pieces.filter((piece) => (piece ?? "") !== "").join(separator)

/** What a teaser shows, as the investor reads it. What is not shown looks like what is not known. */
export const projectionView = (reader: Reader, shown: Projection): Html => {
  const t = words[reader.language]
  const { address } = shown
  const place = joined([
    joined([address?.street, address?.houseNumber], " "),
    joined([address?.postalCode, shown.locality], " "),
    shown.region,
    countryName(reader, shown.country)
  ])
  const prices = shown.price === null ? shown.prices : [shown.price]
  const pairs: ReadonlyArray<readonly [string, HtmlPart]> = [
    [t.location, place],
    [t.categories, shownValue(reader, shown.categories)],
    [t.price, prices.map((price) => String(shownValue(reader, price) ?? "")).join("; ")],
    [t.yield, shownValue(reader, shown.yield)],
    [t.area, shownValue(reader, shown.area)],
    [t.yearBuilt, shownValue(reader, shown.yearBuilt)],
    [t.zoning, shownValue(reader, shown.zoning?.gfa)],
    [t.tenure, shownValue(reader, shown.tenure)],
    [t.features, shownValue(reader, shown.tags)],
    [t.conversions, shownValue(reader, shown.conversions)],
    [t.energy, shown.energy === null ? "" : label(reader, shown.energy.class)],
    [t.wault, shownValue(reader, shown.wault)],
    [
      t.tenants,
      joined(shown.tenants.map(({ name, sector }) => name ?? (sector === null ? null : label(reader, sector))))
    ]
  ]
  return html`<h3>${shown.title ?? t.unknown}</h3>
    <dl class="facts">
      ${pairs.map(
        ([name, value]) =>
          value !== undefined &&
          value !== "" &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`
      )}
    </dl>`
}

type Subject =
  | { readonly type: "project" | "property"; readonly id: string }
  | { readonly type: "room"; readonly projectId: string; readonly roomId: string }

/** What a teaser is about, by the id in the address. */
const subjectOf = Effect.fnUntraced(function* ({ params }: Pick<PageRequest, "params">) {
  const id = params["id"] ?? ""
  const subject: Subject = id.startsWith("project_")
    ? { type: "project", id }
    : id.startsWith("property_")
      ? { type: "property", id }
      : id.startsWith("room_")
        ? { type: "room", ...(yield* (yield* Rooms).locate(id)) }
        : yield* new NotFound({ detail: "There is no teaser with this id." })
  return { id, subject }
})

const editor = (page: PageRequest, id: string, teaser: Teaser, attempt?: Attempt): Html => {
  const { reader } = page
  const t = words[reader.language]
  const chosen: Options = teaser.options as Options
  const template = teaser.template as { readonly [part: string]: ReadonlyArray<string> }
  const modesOf = (part: Part): ReadonlyArray<string> =>
    part === "tags" ? ["hidden", ...((template["tags"] ?? []).length > 0 ? ["shown"] : [])] : (template[part] ?? [])
  return html`<form class="stack" method="post" action="${page.base}/teasers/${id}">
    ${formField(page.visit)} ${hidden("etag", attempt?.form.text("etag") ?? teaser.etag)}
    ${field({
      id: "teaser-title",
      name: "title",
      label: t.title,
      hint: t.titleHint,
      value: attempt === undefined ? teaser.title : attempt.form.text("title"),
      fault: faultOf(attempt?.problem.errors, "title")
    })}
    <div class="fields">
      ${parts.map((part) =>
        select({
          id: `option-${part}`,
          name: `options.${part}`,
          label: partLabel(reader, part),
          value: attempt?.form.text(`options.${part}`) ?? chosen[part],
          fault: faultOf(attempt?.problem.errors, `options/${part}`),
          isRequired: true,
          options: [...new Set([...modesOf(part), chosen[part]])].map((mode) => [mode, modeWord(reader, mode)])
        })
      )}
    </div>
    ${
      teaser.template.tags.length > 0 &&
      html`<fieldset>
        <legend>${t.tags}</legend>
        <div class="boxes">
          ${options(reader, teaser.template.tags).map(([value, name]) =>
            box({
              id: `tag-${value}`,
              name: "tags",
              value,
              label: name,
              isTicked: (attempt?.form.all("tags") ?? teaser.tags).includes(value)
            })
          )}
        </div>
      </fieldset>`
    }
    <div class="row">${button(t.save, { kind: "main" })}</div>
  </form>`
}

/** Who was sent an earlier version of the teaser of an open project, and when last; undefined where nobody was. */
const outdated = Effect.fnUntraced(function* (
  subject: Subject,
  { communicatedUtc }: Teaser,
  project: Project | undefined
) {
  if (subject.type !== "project" || communicatedUtc === null || project?.status === "closed") return undefined
  const { sentTeasers } = yield* OfferLifecycle
  const former = [...(yield* sentTeasers(subject.id)).values()].filter(({ isPresent }) => !isPresent)
  const last = former
    .map(({ sentUtc }) => sentUtc)
    .toSorted()
    .at(-1)
  return last === undefined ? undefined : { count: former.length, last }
})

const shownTeaser = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const teasers = yield* Teasers
  const { id, subject } = yield* subjectOf(page)
  const teaser = yield* teasers.get(subject)
  const { reader } = page
  const t = words[reader.language]
  const isPublished = teaser.publishedUtc !== null
  const move = (to: "publish" | "unpublish", label: string) =>
    html`<form method="post" action="${page.base}/teasers/${id}/${to}">
      ${formField(page.visit)} ${button(label, { kind: to === "publish" ? "main" : "plain" })}
    </form>`
  const stage = html`${pill(isPublished ? "good" : "warn", stageWord(reader, teaser.stage))}
  ${moment(reader, teaser.communicatedUtc ?? teaser.publishedUtc)}`
  const actions = html`${isPublished ? teaser.communicatedUtc === null && move("unpublish", t.unpublish) : move("publish", t.publish)}
  ${isPublished && subject.type === "project" && html`<a class="button main" href="${page.base}/teasers/${id}/communicate">${t.communicate}</a>`}`
  const project = subject.type === "project" ? yield* (yield* Projects).get(id) : undefined
  const former = yield* outdated(subject, teaser, project)
  const above = subject.type === "room" ? `/rooms/${id}` : `/properties/${id}`
  return new View({
    // On paper it is for investors, who do not see the name of the project.
    title: `${t.teaser}: ${teaser.projection.title ?? ""}`,
    body: html`${
        project === undefined
          ? head({
              title: t.teaser,
              crumbs: [{ href: `${page.base}${above}`, name: nounOf(reader, subject.type, 1) }],
              subtitle: stage,
              actions
            })
          : html`<div class="unprinted">${projectHead(page, project, { part: "teaser", actions })}</div>
              <p class="row after-head unprinted">${t.teaser}: ${stage}</p>`
      }
      ${!isPublished && html`<p class="hint after-head unprinted">${project === undefined ? t.publishHint : t.publishProjectHint}</p>`}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, page.requestId)}
      ${teaser.clamped === true && notice("warn", t.clamped)}
      ${
        former !== undefined &&
        notice(
          "warn",
          html`${t.outdated(number(reader, former.count))} ${moment(reader, former.last)}.
            <a href="${page.base}/teasers/${id}/communicate">${t.communicateAgain}</a>`
        )
      }
      ${
        project !== undefined &&
        project.propertyIds.length === 0 &&
        notice("warn", html`${t.noProperty} <a href="${page.base}/projects/${id}/properties">${t.addProperty}</a>`)
      }
      <div class="grid-2">
        ${card("editor", t.editor, editor(page, id, teaser, attempt))}
        ${card("preview", t.preview, projectionView(reader, teaser.projection))}
      </div>`
  })
})

const show = get("/console/:team/teasers/:id", (page) => shownTeaser(page))

/** The tags after a form. Those that no property has any more have no boxes: they stay while nobody changes the others. */
export const tagsSent = (
  ticked: ReadonlyArray<string>,
  { tags, template }: Pick<Teaser, "tags" | "template">
): ReadonlyArray<string> => (template.tags.every((tag) => ticked.includes(tag) === tags.includes(tag)) ? tags : ticked)

const save = post("/console/:team/teasers/:id", (page) =>
  Effect.gen(function* () {
    const teasers = yield* Teasers
    const { id, subject } = yield* subjectOf(page)
    const { form } = page
    const options = Object.fromEntries(
      parts.flatMap((part) => {
        const mode = form.text(`options.${part}`)
        return mode === undefined ? [] : [[part, mode]]
      })
    )
    const tags = tagsSent(form.all("tags"), yield* teasers.get(subject))
    const body = { title: form.textOrNull("title"), options, tags: [...tags] }
    return yield* teasers.patch(subject, formRequest(page, body)).pipe(
      Effect.flatMap((teaser) => outdated(subject, teaser, undefined)),
      Effect.map((former) => {
        const { language } = page.reader
        const note = former === undefined ? common[language].saved : words[language].savedOutdated
        return new Goto({ path: `${page.base}/teasers/${id}`, note })
      }),
      orShowAgain(page, (attempt) => shownTeaser(page, attempt))
    )
  })
)

const move = (to: "publish" | "unpublish") =>
  post(`/console/:team/teasers/:id/${to}`, (page) =>
    Effect.gen(function* () {
      const teasers = yield* Teasers
      const { id, subject } = yield* subjectOf(page)
      const t = words[page.reader.language]
      const published = subject.type === "project" ? t.publishedProject : t.published
      const note = to === "publish" ? published : t.unpublished
      return yield* teasers.move(id, to).pipe(
        Effect.as(new Goto({ path: `${page.base}/teasers/${id}`, note })),
        orShowAgain(page, (attempt) => shownTeaser(page, attempt))
      )
    })
  )

/** How many prospects the list of receivers shows. */
const maxShown = 500

/** Whether somebody has the teaser already, and since when. */
const sentNote = (
  { reader }: PageRequest,
  sent: { readonly sentUtc: string; readonly isPresent: boolean } | undefined
): HtmlPart => {
  const t = words[reader.language]
  return (
    sent !== undefined &&
    html`<span class="below">${sent.isPresent ? t.hasIt : t.hasFormer} ${moment(reader, sent.sentUtc)}</span>`
  )
}

const receiversView = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const [random, prospects, lifecycle] = [yield* SecureRandom.SecureRandom, yield* Prospects, yield* OfferLifecycle]
  const t = words[page.reader.language]
  const id = page.params["id"] ?? ""
  const found = yield* prospects.list(id, { query: Effect.succeed({ page_size: maxShown }) })
  const addresses = yield* lifecycle.addressesOf(found.data.map((prospect) => prospect.id))
  const key = attempt?.form.text("key") ?? (yield* random.uuidV7())
  const picked = attempt?.form.all("pick") ?? []
  const isAll = attempt === undefined || (attempt.form.text("to") === "all" && picked.length === 0)
  const sent = yield* lifecycle.sentTeasers(id)
  return new View({
    title: t.communicateTitle,
    body: html`${head({ title: t.communicateTitle, subtitle: t.receivers, crumbs: [{ href: `${page.base}/teasers/${id}`, name: t.teaser }] })}
    ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
    ${
      found.data.length === 0
        ? html`<div class="card pad stack">
            <p>${t.nobody}</p>
            <div class="row">
              <a class="button main" href="${page.base}/projects/${id}/prospects/add">${t.addInvestors}</a>
            </div>
          </div>`
        : html`<form class="card pad stack" method="post" action="${page.base}/teasers/${id}/communicate">
            ${formField(page.visit)} ${hidden("key", key)}
            ${box({
              id: "to-all",
              name: "to",
              value: "all",
              isOneOf: true,
              label: t.communicateAll(found.page.hasMore ? `${maxShown}+` : String(found.data.length)),
              isTicked: isAll
            })}
            ${box({ id: "to-some", name: "to", value: "some", isOneOf: true, label: t.communicateSome, isTicked: !isAll })}
            <div class="boxes">
              ${found.data.map((prospect) =>
                box({
                  id: prospect.id,
                  name: "pick",
                  value: prospect.id,
                  isTicked: picked.includes(prospect.id),
                  label: html`${nameOf(page, prospect)}
                    <span class="below">${addresses.get(prospect.id)?.join(", ") ?? t.noAddress}</span>
                    ${sentNote(page, sent.get(prospect.id))}`
                })
              )}
            </div>
            ${found.page.hasMore && html`<p class="soft">${t.more}</p>`}
            ${durationField(page.reader, {
              id: "expires",
              name: "expires",
              label: t.expires,
              value: attempt === undefined ? "30d" : attempt.form.text("expires"),
              fault: faultOf(attempt?.problem.errors, "expires")
            })}
            <div class="row">${button(t.communicate, { kind: "main" })}</div>
          </form>`
    }`
  })
})

const receivers = get("/console/:team/teasers/:id/communicate", (page) => receiversView(page))

const communicate = post("/console/:team/teasers/:id/communicate", (page) =>
  Effect.gen(function* () {
    const lifecycle = yield* OfferLifecycle
    const { form, reader } = page
    const t = words[reader.language]
    const id = page.params["id"] ?? ""
    const picked = form.all("pick")
    const isAll = form.text("to") === "all"
    // Without a script, who ticks some may leave it at all.
    if (isAll && picked.length > 0) return yield* InvalidRequest.of([bodyFault("/to", "contradictory", t.bothChosen)])
    const to = isAll ? { all: true } : picked.length > 0 ? { prospectIds: [...picked] } : {}
    const expires = form.text("expires")
    const request = formRequest(page, { ...to, ...(expires === undefined ? {} : { expires }) })
    if (!form.has("confirmed")) {
      const { answer, outcome } = yield* rehearsed(lifecycle.communicate(id, request))
      const named = yield* receiversOf(page, answer.value.communicated)
      return new View({
        title: t.communicateTitle,
        body: confirmation(page, {
          title: t.communicateTitle,
          body: html`${named} ${yield* whatWouldHappen(page, outcome, Related)}`,
          label: t.communicate,
          confirmed: "yes",
          back: `${page.base}/teasers/${id}/communicate`,
          isDangerous: false
        })
      })
    }
    const { value } = yield* lifecycle.communicate(id, request)
    const waiting = value.communicated.filter(({ offerIds }) => offerIds.length === 0).length
    const note = t.sent(value.communicated.length, value.failed.length)
    return new Goto({
      path: `${page.base}/teasers/${id}`,
      note: [note, waiting > 0 && t.withoutAccount(waiting), value.communicated.length > 0 && tellInvestors(page)]
        .filter((sentence) => sentence !== false)
        .join(" ")
    })
  }).pipe(orShowAgain(page, (attempt) => receiversView(page, attempt)))
)

/** The pages of teasers. */
export const pages = [show, save, move("publish"), move("unpublish"), receivers, communicate]
