/**
 * What people do with many prospects at once: with those that they ticked, or with all that match the filters, which the server counts, and
 * asks for first. Each prospect that is refused has a receipt.
 */
import { Effect } from "effect"
import { formRequest, Goto, listQuery, type PageRequest, post, type Problem, View } from "../../../console/Console.ts"
import { html, type Html, type Part } from "../../../console/Html.ts"
import { backOf, bulkBar, confirmation, table } from "../../../console/Lists.ts"
import { memberLabel } from "../../../console/memberNames.ts"
import { field, head, hidden, notice, select } from "../../../console/Parts.ts"
import { rehearsed, whatWouldHappen } from "../../../console/Rehearsals.ts"
import { Related } from "../../../market/related/Related.ts"
import { reason } from "../../../console/problemTexts.ts"
import { common, number, texts } from "../../../console/Texts.ts"
import { label, options } from "../../../console/Vocabulary.ts"
import type { Json } from "../../../core/usecase/Input.ts"
import { make as requestOf } from "../../../core/usecase/UseCaseRequest.ts"
import { OfferLifecycle } from "../../lifecycle/OfferLifecycle.ts"
import { projectPath } from "../../projects/ProjectHead.ts"
import { prospects as contract } from "../api.ts"
import { classifications } from "../drawer/pages.ts"
import { interests, maxClassified, stages } from "../Prospect.ts"
import { ProspectBatches } from "../ProspectBatches.ts"
import { ProspectChanges } from "../ProspectChanges.ts"
import { Prospects } from "../Prospects.ts"

/** What can be done with many prospects. */
const deeds = ["classify", "interest", "stage", "tag", "untag", "owner", "communicate", "remove"] as const
type Deed = (typeof deeds)[number]

/** With how many prospects something is done at once. */
const maxAtOnce = 2_000

const words = texts({
  addTag: ["Add the tag", "Tag hinzufügen"],
  all: [
    (count: string) => `With all ${count} prospects that match the filters.`,
    (count: string) => `Mit allen ${count} passenden Interessenten.`
  ],
  ask: [(deed: string) => `${deed}?`, (deed: string) => `${deed}?`],
  chosen: ["Choose what to do", "Was tun?"],
  classify: ["Classify", "Einstufen"],
  communicate: ["Send the teaser", "Teaser senden"],
  receive: [
    (count: string) => `Receivers of the teaser: ${count}`,
    (count: string) => `Empfänger des Teasers: ${count}`
  ],
  tellInvestors: [
    (address: string) =>
      `Nothing is sent by e-mail: tell the investors that it is under Offers at ${address}, with their e-mail address.`,
    (address: string) =>
      `E-Mails werden nicht verschickt: Sagen Sie den Investoren, dass er mit ihrer E-Mail-Adresse unter ${address} bei den Angeboten liegt.`
  ],
  more: [(count: string) => `and ${count} more`, (count: string) => `und ${count} weitere`],
  done: [
    (count: string) => (count === "1" ? "Done with 1 prospect." : `Done with ${count} prospects.`),
    (count: string) => (count === "1" ? "Bei 1 Interessenten ausgeführt." : `Bei ${count} Interessenten ausgeführt.`)
  ],
  gone: ["It is not on this project any more.", "Er ist nicht mehr an diesem Projekt."],
  interest: ["Set the interest", "Interesse setzen"],
  investor: ["Investor", "Interessent"],
  noOwner: ["Nobody", "Niemand"],
  none: ["Tick at least one prospect first.", "Markieren Sie zuerst mindestens einen Interessenten."],
  noTag: ["Type the tag first.", "Geben Sie zuerst das Tag ein."],
  notDone: ["Not done", "Nicht ausgeführt"],
  owner: ["Set the owner", "Zuständigkeit setzen"],
  receipts: ["Receipts", "Ergebnisse"],
  remove: ["Remove from the list", "Von der Liste nehmen"],
  removeTag: ["Remove the tag", "Tag entfernen"],
  some: [
    (count: string) => (count === "1" ? "With 1 prospect." : `With ${count} prospects.`),
    (count: string) => (count === "1" ? "Mit 1 Interessenten." : `Mit ${count} Interessenten.`)
  ],
  stage: ["Move to the stage", "In die Phase verschieben"],
  tag: ["Tag", "Tag"],
  tooMany: [
    `More than ${maxAtOnce} prospects match. Narrow the filters, and do it part by part.`,
    `Mehr als ${maxAtOnce} Interessenten passen. Grenzen Sie die Filter ein, und gehen Sie in Teilen vor.`
  ],
  value: ["As", "Als"],
  why: ["Why", "Grund"]
})

const deedName = ({ reader }: Pick<PageRequest, "reader">, deed: Deed): string => {
  const t = words[reader.language]
  return { ...t, tag: t.addTag, untag: t.removeTag }[deed]
}

/** The bar of ticked prospects. `key` is a new UUID: what is sent twice is done once. */
export const prospectBar = (
  page: PageRequest,
  projectId: string,
  owners: ReadonlyMap<string, string>,
  key: string
): Html => {
  const { reader } = page
  const t = words[reader.language]
  const deed = (name: Deed, control: Part = undefined) =>
    html`<span class="row">
      ${control}<button class="small" type="submit" form="bulk" name="do" value="${name}">
        ${deedName(page, name)}
      </button>
    </span>`
  const choice = (name: string, values: ReadonlyArray<readonly [string, string]>, any?: string) =>
    select({
      id: `bulk-${name}`,
      name,
      label: memberLabel(reader, name),
      options: values,
      form: "bulk",
      ...(any === undefined ? {} : { any })
    })
  return bulkBar(page, {
    action: `${projectPath(page, projectId)}/prospects/bulk`,
    canAll: true,
    buttons: html`${hidden("key", key)} ${deed("classify", choice("classification", options(reader, classifications)))}
      ${deed("interest", choice("interest", options(reader, interests), label(reader, "none")))}
      ${deed("stage", choice("stage", options(reader, stages)))}
      ${deed("owner", choice("owner", [...owners], t.noOwner))}
      <span class="row">
        ${field({ id: "bulk-tag", name: "tag", label: t.tag, form: "bulk" })} ${deed("tag")} ${deed("untag")}
      </span>
      ${deed("communicate")} ${deed("remove")}`
  })
}

/** What became of one prospect. */
interface Receipt {
  readonly id: string
  /** Why nothing was done; undefined if it was. */
  readonly refusal?: Part
}

const chunksOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / maxClassified) }, (_, index) =>
    ids.slice(index * maxClassified, (index + 1) * maxClassified)
  )

/** The request of one part of the work: its own idempotency key follows from that of the form. */
const partOf = (page: PageRequest, index: number, body: { readonly [name: string]: Json }) => {
  const key = page.form.text("key")
  return requestOf({
    operation: `POST ${page.path}`,
    query: {},
    body,
    ...(key === undefined ? {} : { idempotencyKey: `${key}.${page.form.text("do") ?? ""}.${index}` })
  })
}

const classifyAll = Effect.fnUntraced(function* (page: PageRequest, projectId: string, ids: ReadonlyArray<string>) {
  const { classify } = yield* ProspectBatches
  const classification = page.form.text("classification") ?? ""
  const parts = yield* Effect.forEach(chunksOf(ids), (prospectIds, index) =>
    classify(projectId, partOf(page, index, { prospectIds, classification }))
  )
  return parts.flatMap(({ value }): ReadonlyArray<Receipt> => [
    ...value.classified.map(({ id }) => ({ id })),
    ...value.failed.map((failure) => ({ id: failure.id, refusal: reason(page.reader, failure) }))
  ])
})

const upsertAll = Effect.fnUntraced(function* (
  page: PageRequest,
  projectId: string,
  ids: ReadonlyArray<string>,
  changeOf: (id: string) => { readonly [member: string]: Json }
) {
  const { upsertBatch } = yield* ProspectBatches
  const parts = yield* Effect.forEach(chunksOf(ids), (some, index) =>
    Effect.map(
      upsertBatch(projectId, partOf(page, index, { items: some.map((id) => ({ id, ...changeOf(id) })) })),
      ({ value }) =>
        value.results.map((result): Receipt => ({
          id: some[result.index] ?? "",
          ...("problem" in result ? { refusal: reason(page.reader, result.problem) } : {})
        }))
    )
  )
  return parts.flat()
})

const tagAll = Effect.fnUntraced(function* (
  page: PageRequest,
  projectId: string,
  ids: ReadonlyArray<string>,
  isAdded: boolean
) {
  const prospects = yield* Prospects
  const tag = page.form.text("tag") ?? ""
  const present = yield* prospects.tagsOf(ids)
  const others = (id: string) => (present.get(id) ?? []).filter((one) => one.toLowerCase() !== tag.toLowerCase())
  return yield* upsertAll(page, projectId, ids, (id) => ({ projectTags: [...others(id), ...(isAdded ? [tag] : [])] }))
})

const removeAll = Effect.fnUntraced(function* (page: PageRequest, projectId: string, ids: ReadonlyArray<string>) {
  const { removeFromList } = yield* ProspectChanges
  return yield* Effect.forEach(
    ids,
    (id) =>
      Effect.match(removeFromList(projectId, id, formRequest(page)), {
        onFailure: (problem): Receipt => ({ id, refusal: reason(page.reader, problem) }),
        onSuccess: (): Receipt => ({ id })
      }),
    { concurrency: 4 }
  )
})

const communicateRequest = (page: PageRequest, ids: ReadonlyArray<string>) => partOf(page, 0, { prospectIds: [...ids] })

const communicateAll = Effect.fnUntraced(function* (page: PageRequest, projectId: string, ids: ReadonlyArray<string>) {
  const { communicate } = yield* OfferLifecycle
  const { value } = yield* communicate(projectId, communicateRequest(page, ids))
  return [
    ...value.communicated.map(({ prospectId }): Receipt => ({ id: prospectId })),
    ...value.failed.map((failure): Receipt => ({ id: failure.prospectId, refusal: reason(page.reader, failure) }))
  ]
})

const doWith = (page: PageRequest, deed: Deed, projectId: string, ids: ReadonlyArray<string>) => {
  const { form } = page
  switch (deed) {
    case "classify":
      return classifyAll(page, projectId, ids)
    case "interest":
      return upsertAll(page, projectId, ids, () => ({ interest: form.textOrNull("interest") }))
    case "stage":
      return upsertAll(page, projectId, ids, () => ({ stage: form.text("stage") ?? "" }))
    case "owner":
      return upsertAll(page, projectId, ids, () => ({ owner: form.textOrNull("owner") }))
    case "tag":
    case "untag":
      return tagAll(page, projectId, ids, deed === "tag")
    case "remove":
      return removeAll(page, projectId, ids)
    case "communicate":
      return communicateAll(page, projectId, ids)
  }
}

/** The value that a deed gives, as people read it. */
const valueOf = (page: PageRequest, deed: Deed): string | undefined => {
  const names: { readonly [Name in Deed]?: string } = {
    classify: "classification",
    interest: "interest",
    stage: "stage",
    tag: "tag",
    untag: "tag"
  }
  const sent = page.form.text(names[deed] ?? "")
  return sent === undefined || deed === "tag" || deed === "untag" ? sent : label(page.reader, sent)
}

const receiptsView = Effect.fnUntraced(function* (page: PageRequest, back: string, receipts: ReadonlyArray<Receipt>) {
  const { reader } = page
  const t = words[reader.language]
  const refused = receipts.filter(({ refusal }) => refusal !== undefined)
  const { namesOf } = yield* Prospects
  const names = yield* namesOf(refused.map(({ id }) => id))
  return new View({
    title: t.receipts,
    body: html`${head({ title: t.receipts })}
      ${notice("bad", `${t.done(number(reader, receipts.length - refused.length))} ${t.notDone}: ${number(reader, refused.length)}`)}
      <div class="card">
        ${table(page, {
          caption: t.notDone,
          rows: refused,
          idOf: ({ id }) => `receipt-${id}`,
          columns: [
            {
              key: "name",
              title: t.investor,
              is: "name",
              cell: ({ id }) => names.get(id)?.name ?? html`<code>${id}</code>`
            },
            { key: "why", title: t.why, cell: ({ refusal }) => refusal }
          ]
        })}
      </div>
      <p><a class="button" href="${back}">${common[reader.language].back}</a></p>`
  })
})

const refusalOf = (page: PageRequest, back: string, detail: string) =>
  new View({
    title: words[page.reader.language].receipts,
    status: 400,
    body: html`${head({ title: words[page.reader.language].receipts })} ${notice("bad", detail)}
      <p><a class="button" href="${back}">${common[page.reader.language].back}</a></p>`
  })

/** The prospects that a form means: those that were ticked, or all that match its filters. */
const chosen = Effect.fnUntraced(function* (page: PageRequest, projectId: string) {
  const { form } = page
  if (!form.has("all")) return [...new Set(form.all("pick"))]
  const { matching } = yield* Prospects
  const search = new URLSearchParams(form.text("filter") ?? "")
  const query = yield* listQuery(contract.endpoints.list, { search })
  return yield* matching(projectId, query, maxAtOnce + 1)
})

/** How many receivers of a teaser a page names. */
const maxNamed = 20

/** Who would receive a teaser, by name: the prospects to which a communication would go. */
export const receiversOf = Effect.fnUntraced(function* (
  { reader }: Pick<PageRequest, "reader">,
  communicated: ReadonlyArray<{ readonly prospectId: string }>
) {
  const t = words[reader.language]
  const { namesOf } = yield* Prospects
  const ids = communicated.slice(0, maxNamed).map(({ prospectId }) => prospectId)
  const names = yield* namesOf(ids)
  const more = communicated.length - ids.length
  return html`<p>${t.receive(number(reader, communicated.length))}</p>
    <ul class="bullets">
      ${ids.map((id) => html`<li>${names.get(id)?.name ?? id}</li>`)}
      ${more > 0 && html`<li>${t.more(number(reader, more))}</li>`}
    </ul>`
})

/** What a broker does after a teaser was communicated: nothing is e-mailed. */
export const tellInvestors = ({ reader, visit }: Pick<PageRequest, "reader" | "visit">): string =>
  words[reader.language].tellInvestors(`${visit.baseUrl}/console`)

/** What is asked before it is done: all that match, and what cannot be taken back. */
const mustAsk = (page: PageRequest, deed: Deed) => page.form.has("all") || deed === "communicate" || deed === "remove"

const bulk = post("/console/:team/projects/:projectId/prospects/bulk", (page) =>
  Effect.gen(function* () {
    const { form, reader } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const back = backOf(page, `${projectPath(page, projectId)}/prospects`)
    const deed = deeds.find((one) => one === form.text("do"))
    const ids = yield* chosen(page, projectId)
    if (deed === undefined) return refusalOf(page, back, t.chosen)
    if (ids.length === 0) return refusalOf(page, back, t.none)
    if (ids.length > maxAtOnce) return refusalOf(page, back, t.tooMany)
    if ((deed === "tag" || deed === "untag") && form.text("tag") === undefined) return refusalOf(page, back, t.noTag)
    const isAll = form.has("all")
    const confirmed = `${deed} ${ids.length} ${isAll ? (form.text("filter") ?? "") : ""}`.trim()
    if (mustAsk(page, deed) && form.text("confirmed") !== confirmed) {
      const value = valueOf(page, deed)
      const title = t.ask(value === undefined ? deedName(page, deed) : `${deedName(page, deed)}: ${value}`)
      const lifecycle = yield* OfferLifecycle
      const would =
        deed === "communicate"
          ? yield* rehearsed(lifecycle.communicate(projectId, communicateRequest(page, ids)))
          : undefined
      const count = number(reader, ids.length)
      const receivers = would === undefined ? undefined : yield* receiversOf(page, would.answer.value.communicated)
      return new View({
        title,
        body: confirmation(page, {
          title,
          body: html`<p>${isAll ? t.all(count) : t.some(count)}</p>
            ${receivers} ${would !== undefined && (yield* whatWouldHappen(page, would.outcome, Related))}`,
          label: deedName(page, deed),
          confirmed,
          back,
          isDangerous: deed === "remove"
        })
      })
    }
    const work: Effect.Effect<ReadonlyArray<Receipt>, Problem, Effect.Services<ReturnType<typeof doWith>>> = doWith(
      page,
      deed,
      projectId,
      ids
    )
    const receipts = yield* work
    return receipts.some(({ refusal }) => refusal !== undefined)
      ? yield* receiptsView(page, back, receipts)
      : new Goto({
          path: back,
          note: `${t.done(number(reader, receipts.length))}${deed === "communicate" ? ` ${tellInvestors(page)}` : ""}`
        })
  })
)

/** What the bar of ticked prospects does. */
export const pages = [bulk]
