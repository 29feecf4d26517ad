/** The pages of a team's tags: which there are, and one in the place of another (docs/behaviour/network.md#tags-of-the-team). */
import { Effect } from "effect"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import {
  addressWith,
  openAddress,
  backOf,
  type Column,
  confirmation,
  drawer,
  filterForm,
  pager,
  table
} from "../../console/Lists.ts"
import { button, emptyState, facts, faultOf, field, head, hidden, notice } from "../../console/Parts.ts"
import { common, number } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { totalOf } from "./rules.ts"
import type { Tag, TagCounts } from "./Tag.ts"
import { Tags } from "./Tags.ts"
import { words } from "./texts.ts"

const path = "/console/:team/tags"

const isAdministrator = ({ seat }: Pick<PageRequest, "seat">) => seat?.actor.role === "admin"

const renameDrawer = (page: PageRequest, tag: string, attempt: Attempt | undefined): Html => {
  const { base, reader, visit } = page
  const t = words[reader.language]
  return drawer(
    page,
    tag,
    html`<form class="stack" method="post" action="${base}/tags/rename">
      ${formField(visit)} ${hidden("from", tag)}
      ${hidden("back", addressWith(page, { open: undefined }, `${base}/tags`))}
      <h3>${t.rename}</h3>
      ${field({
        id: "to",
        name: "to",
        label: t.to,
        value: attempt?.form.text("to") ?? tag,
        isRequired: true,
        maxLength: 64,
        hint: t.renameAbout,
        fault: faultOf(attempt?.problem.errors, "to")
      })}
      <div class="row">${button(t.preview, { kind: "main", of: tag })}</div>
    </form>`
  )
}

const listPage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const tags = yield* Tags
  const { reader, requestId, search } = page
  const t = words[reader.language]
  const [text, cursor] = [search.get("text")?.trim() ?? "", search.get("cursor")]
  const found = yield* tags.list({ ...(text === "" ? {} : { text }), ...(cursor === null ? {} : { cursor }) })
  const open = attempt?.form.text("from") ?? search.get("open")
  const columns: ReadonlyArray<Column<Tag>> = [
    {
      key: "tag",
      title: t.tag,
      is: "name",
      cell: ({ tag }) => (isAdministrator(page) ? html`<a href="${openAddress(page, tag)}">${tag}</a>` : tag)
    },
    ...(["contacts", "companies", "prospects"] as const).map((kind): Column<Tag> => ({
      key: kind,
      title: t[kind],
      isNumber: true,
      cell: (one) => number(reader, one[kind])
    }))
  ]
  return new View({
    title: t.title,
    body: html`${head({ title: t.title, subtitle: t.subtitle })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
      ${filterForm(page, [{ name: "text", label: t.contains, type: "search" }])}
      <div class="with-drawer">
        <div class="card">
          ${
            found.data.length === 0
              ? text === ""
                ? emptyState(t.empty, t.emptyAdvice)
                : emptyState(common[reader.language].noMatch)
              : html`${table(page, {
                  caption: t.title,
                  columns,
                  rows: found.data,
                  idOf: ({ tag }) => `tag-${Buffer.from(tag).toString("hex")}`,
                  isCurrent: ({ tag }) => tag === open
                })}
                ${pager(page, found.page, found.data.length)}`
          }
        </div>
        ${open !== null && open !== undefined && isAdministrator(page) && renameDrawer(page, open, attempt)}
      </div>`
  })
})

const list = get(path, (page) => listPage(page))

/** How many records of each kind these are, in words. */
const factsOf = ({ reader }: PageRequest, counts: TagCounts): Html => {
  const t = words[reader.language]
  return facts((["contacts", "companies", "prospects"] as const).map((kind) => [t[kind], number(reader, counts[kind])]))
}

const rename = post(`${path}/rename`, (page) =>
  Effect.gen(function* () {
    const tags = yield* Tags
    const { base, form, reader } = page
    const t = words[reader.language]
    const request = formRequest(page, { from: form.textOrNull("from"), to: form.textOrNull("to") })
    const back = backOf(page, `${base}/tags`)
    const ask = (isAgain: boolean) =>
      Effect.map(tags.preview(request), ({ changed, from, present, to }) => {
        const isMerge = totalOf(present) > 0
        const title = isMerge ? t.mergeTitle(from, to) : t.renameTitle(from, to)
        return new View({
          title,
          body: confirmation(page, {
            title,
            body: html`<div class="stack">
              ${isAgain && notice("warn", t.again)}
              <p>${t.changes}</p>
              ${factsOf(page, changed)} ${isMerge && html`<p>${t.mergeAbout(number(reader, totalOf(present)))}</p>`}
              <p class="soft">${t.timeline}</p>
            </div>`,
            label: isMerge ? t.mergeNow : t.renameNow,
            confirmed: String(totalOf(changed)),
            isDangerous: isMerge,
            back
          })
        })
      })
    const confirmed = form.text("confirmed")
    if (confirmed === undefined) return yield* ask(false)
    return yield* tags.rename(request, Number(confirmed)).pipe(
      Effect.map((renamed) => new Goto({ path: back, note: t.renamed(number(reader, totalOf(renamed))) })),
      Effect.catchTag("TagCountChanged", () => ask(true))
    )
  }).pipe(orShowAgain(page, (attempt) => listPage(page, attempt)))
)

/** The pages of tags. */
export const pages = [list, rename]

/** For brokers. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [
        {
          href: `${base}/tags`,
          name: words[reader.language].title,
          icon: "M3 3h7l7 7-7 7-7-7zM6.500 6.500h.01"
        }
      ]
    : []
