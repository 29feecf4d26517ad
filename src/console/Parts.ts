/** The parts that pages are made of. They decide nothing: each is HTML of its arguments. */
import { Html, html, type Part } from "./Html.ts"
import { common, type Reader } from "./Texts.ts"

/** What went wrong or well, or what a person should beware of. A page has one of the first two at most. */
export const notice = (kind: "bad" | "good" | "warn", text: Part): Html =>
  kind === "warn"
    ? html`<div class="note warn"><div>${text}</div></div>`
    : html`<div class="note ${kind}" id="notice" tabindex="-1" role="${kind === "bad" ? "alert" : "status"}">
        <div>${text}</div>
      </div>`

/**
 * By what one finds out more about a refusal: its code, which leads to what it means, and the id of the request. Where one can mend it
 * oneself, they are folded.
 */
export const refusalLine = (
  { language }: Reader,
  { code, status }: { readonly code?: string | undefined; readonly status: number },
  requestId: string
): Html => {
  const t = common[language]
  const line = html`<p class="soft small">
    ${
      code !== undefined &&
      html`${t.code} <a href="/help/${code.replaceAll("_", "-")}"><code>${code}</code></a
        >, `
    }${t.requestId}
    <code>${requestId}</code>
  </p>`
  return status >= 500
    ? line
    : html`<details class="soft small">
        <summary>${t.forSupport}</summary>
        ${line}
      </details>`
}

/** The id of a record, which programs need and people do not. */
export const foldedId = ({ language }: Pick<Reader, "language">, id: string): Html =>
  html`<details class="disclosure soft">
    <summary>${common[language].forPrograms}</summary>
    <p class="small">${common[language].id}: <code>${id}</code></p>
  </details>`

/** The longest address that stays on one line. */
const maxUnbroken = 48

/** An e-mail address or a domain, which may be broken at its dots and its @. */
export const breakable = (address: string): Html =>
  new Html(html`${address}`.text.replaceAll(/(?!^)[@.]/g, "<wbr />$&"))

/**
 * An e-mail address or a domain, which browsers would break at a hyphen, or anywhere: it is broken only where it is long, or on a phone, and
 * then at its dots.
 */
export const unbroken = (address: string | null | undefined): Part =>
  address === null || address === undefined
    ? address
    : address.length > maxUnbroken
      ? breakable(address)
      : html`<span class="unbroken">${breakable(address)}</span>`

/** A sentence for a reader. Where their language has none of its own, it is one of the API's, which are English, and is marked so. */
export const sentence = ({ language }: Pick<Reader, "language">, text: string, ofApi: ReadonlyArray<string>): Part =>
  language !== "en" && ofApi.includes(text) ? html`<span lang="en">${text}</span>` : text

/** A state by its colour and its word. */
export const pill = (kind: "bad" | "good" | "plain" | "warn", text: Part): Html =>
  html`<span class="pill ${kind}">${text}</span>`

/** An icon of 20 by 20, drawn by the stroke of a path. It says nothing that its label does not. */
export const icon = (path: string): Html => html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${path}" /></svg>`

/** What a list without rows says, and what to do about it. */
export const emptyState = (title: string, advice?: Part): Html =>
  html`<div class="empty"><strong>${title}</strong>${advice}</div>`

/** A step on the way to a page. */
export interface Crumb {
  readonly href: string
  readonly name: string
}

/** The head of a page: where it is, what it is, what one can do. */
export const head = ({
  actions,
  crumbs = [],
  subtitle,
  title
}: {
  readonly title: string
  readonly subtitle?: Part
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly actions?: Part
}): Html =>
  html`<div class="head">
    <div>
      ${
        crumbs.length > 0 &&
        html`<ol class="crumbs" role="list">
          ${crumbs.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}
        </ol>`
      }
      <h1>${title}</h1>
      ${subtitle !== undefined && html`<p>${subtitle}</p>`}
    </div>
    ${actions !== undefined && html`<div class="row">${actions}</div>`}
  </div>`

/** A card with a heading. */
export const card = (id: string, title: Part, body: Part, actions?: Part): Html =>
  html`<section class="card pad stack" aria-labelledby="${id}">
    <div class="spread">
      <h2 id="${id}">${title}</h2>
      ${actions !== undefined && html`<div class="row">${actions}</div>`}
    </div>
    ${body}
  </section>`

/** Names and values below one another; what is absent is left out. */
export const facts = (pairs: ReadonlyArray<readonly [name: string, value: Part]>): Html =>
  html`<dl class="facts">
    ${pairs.map(
      ([name, value]) =>
        value !== undefined &&
        value !== null &&
        value !== false &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`
    )}
  </dl>`

/** A card with the members of a record that have a value, and below them what is folded. */
export const memberCard = (
  id: string,
  title: string,
  pairs: ReadonlyArray<readonly [name: string, value: Part]>,
  folded?: Part
): Html => card(id, title, html`${facts(pairs.filter(([, value]) => value !== ""))} ${folded}`)

/** Views of one thing, of which one is shown. */
export const tabs = (
  label: string,
  entries: ReadonlyArray<{ readonly href: string; readonly name: string; readonly isCurrent: boolean }>
): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${entries.map(
      ({ href, isCurrent, name }) => html`<a href="${href}" ${isCurrent && html`aria-current="page"`}>${name}</a>`
    )}
  </nav>`

/** Text as it is, byte for byte: code, a payload, headers. */
export const verbatim = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`

/** A text to copy, such as a secret or a link; the button needs script. */
export const copyable = (
  reader: Reader,
  { id, label, text }: { readonly id: string; readonly label: string; readonly text: string }
): Html =>
  html`<div class="copyable">
    <label for="${id}">${label}</label>
    <div class="row">
      <input id="${id}" class="mono" readonly value="${text}" autocomplete="off" spellcheck="false" /><button
        type="button"
        class="small scripted"
        data-copy="${id}"
        data-copied="${common[reader.language].copied}"
      >
        ${common[reader.language].copy}
      </button>
    </div>
  </div>`

// Fields of forms.

interface FieldOf {
  /** Unique on the page. */
  readonly id: string
  readonly name: string
  readonly label: string
  /** What is in it: what was typed if the form is shown again, else what is stored. */
  readonly value?: string | number | null | undefined
  readonly hint?: Part
  /** What is wrong with it. */
  readonly fault?: string | undefined
  readonly isRequired?: boolean
  /** The form that it belongs to, if it stands outside. */
  readonly form?: string
  readonly placeholder?: string
}

const described = ({ fault, hint, id }: Pick<FieldOf, "fault" | "hint" | "id">): Html => {
  const by = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter((one) => one !== false)
  return html`${by.length > 0 && html` aria-describedby="${by.join(" ")}"`}${fault !== undefined && html` aria-invalid="true" autofocus`}`
}

const around = ({ fault, hint, id, label }: FieldOf, control: Html): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>${control}
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
  </div>`

/** A field of one line. */
export const field = (
  of: FieldOf & {
    readonly type?: "date" | "datetime-local" | "email" | "password" | "search" | "tel" | "text" | "url"
    readonly autocomplete?: string
    readonly maxLength?: number
    /** The keys that a phone offers. */
    readonly keys?: "decimal" | "numeric"
    /** The id of a `datalist` with suggestions. */
    readonly list?: string
    /** Suggestions of its own. */
    readonly choices?: ReadonlyArray<string>
    /** The type of record that it names: a script suggests what the server finds. */
    readonly names?: "company" | "contact"
  }
): Html => {
  const hasChoices = of.choices !== undefined && of.choices.length > 0
  const list = hasChoices ? `${of.id}-choices` : of.list
  return around(
    of,
    html`<input
        id="${of.id}"
        name="${of.name}"
        type="${of.type ?? "text"}"
        ${of.value !== undefined && of.value !== null && html`value="${of.value}"`}
        autocomplete="${of.autocomplete ?? "off"}"
        ${of.keys !== undefined && html`inputmode="${of.keys}"`}
        ${of.isRequired === true && html`required`}
        ${of.maxLength !== undefined && html`maxlength="${of.maxLength}"`}
        ${list !== undefined && html`list="${list}"`}
        ${of.names !== undefined && html`data-names="${of.names}"`}
        ${of.form !== undefined && html`form="${of.form}"`}
        ${of.placeholder !== undefined && html`placeholder="${of.placeholder}"`}
        ${described(of)}
      />${hasChoices && html`<datalist id="${list}">${of.choices.map((choice) => html`<option value="${choice}"></option>`)}</datalist>`}`
  )
}

/**
 * A field of a number, as the reader writes it (`Numbers.ts`). Browsers read a number field in their own language, and refuse in it what
 * others let through: it is a text, and the use-case says what is wrong with it.
 */
export const numberField = (of: FieldOf): Html => field({ ...of, keys: "decimal" })

/** A field of several lines. */
export const textarea = (of: FieldOf & { readonly rows?: number }): Html =>
  around(
    of,
    html`<textarea
      id="${of.id}"
      name="${of.name}"
      rows="${of.rows ?? 4}"
      ${of.isRequired === true && html`required`}
      ${of.form !== undefined && html`form="${of.form}"`}
      ${described(of)}
    >
${of.value}</textarea>`
  )

// Without a value, that of an option is its text, of which browsers leave out the space at the ends and more than one in between.
const option = (value: string, name: string, isChosen: boolean): Html => {
  const sent = value === name && /^\S+(?: \S+)*$/.test(name) ? "" : html`value="${value}"`
  return html`<option ${sent} ${isChosen && html`selected`}>${name}</option>`
}

/** A choice: pairs of a value and its name. `any` is the name of no choice, if that is one. */
export const select = (
  of: FieldOf & { readonly options: ReadonlyArray<readonly [value: string, name: string]>; readonly any?: string }
): Html =>
  around(
    of,
    html`<select
      id="${of.id}"
      name="${of.name}"
      ${of.isRequired === true && html`required`}
      ${of.form !== undefined && html`form="${of.form}"`}
      ${described(of)}
    >
      ${of.any !== undefined && html`<option value="">${of.any}</option>`}
      ${of.options.map(([value, name]) => option(value, name, value === of.value))}
    </select>`
  )

/** A box to tick. */
export const box = (of: {
  readonly id: string
  readonly name: string
  readonly label: Part
  /** One of several of a name, of which one is chosen. */
  readonly isOneOf?: boolean
  readonly value?: string
  readonly isTicked?: boolean
  readonly form?: string
  readonly hint?: Part
}): Html =>
  html`<div class="check">
    <input
      type="${of.isOneOf === true ? "radio" : "checkbox"}"
      id="${of.id}"
      name="${of.name}"
      value="${of.value ?? "on"}"
      ${of.isTicked === true && html`checked`}
      ${of.form !== undefined && html`form="${of.form}"`}
      ${of.hint !== undefined && html`aria-describedby="${of.id}-hint"`}
    /><label for="${of.id}">${of.label}</label>
    ${of.hint !== undefined && html`<p class="hint" id="${of.id}-hint">${of.hint}</p>`}
  </div>`

/** A field that is sent and not shown. */
export const hidden = (name: string, value: string | number | null | undefined): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`

/** A button of a form; its value says more where several buttons have one name. */
export const button = (
  label: Part,
  {
    form,
    id,
    kind = "plain",
    name,
    of,
    value
  }: {
    readonly kind?: "danger" | "main" | "plain" | "quiet"
    readonly name?: string
    readonly value?: string
    readonly form?: string
    readonly id?: string
    /** What it acts on, for those who hear the page: "Revoke" of "Nightly import". */
    readonly of?: string
  } = {}
): Html =>
  html`<button
    type="submit"
    class="${kind}"
    ${id !== undefined && html`id="${id}"`}
    ${name !== undefined && html`name="${name}"`}
    ${value !== undefined && html`value="${value}"`}
    ${form !== undefined && html`form="${form}"`}
  >
    ${of === undefined ? label : html`<span>${label}<span class="hidden"> ${of}</span></span>`}
  </button>`

/** The first stop of a long form: the keyboard's way to the button at its end, which has this id. */
export const skipTo = ({ language }: Reader, id: string): Html =>
  html`<a class="skip" href="#${id}">${common[language].skipToButton}</a>`

/** What a fault of a body says of a member or a part of it, for the field of that member. */
export const faultOf = (
  faults: ReadonlyArray<{ readonly pointer: string; readonly detail: string }> | undefined,
  member: string
): string | undefined =>
  faults?.find(({ pointer }) => pointer === `/${member}` || pointer.startsWith(`/${member}/`))?.detail

// Charts, drawn by attributes of SVG: the policy of the pages lets no style in.

/** Bars side by side, such as deliveries by the hour; each has parts in the colours of the states. A table says the same beside it. */
export const bars = (
  label: string,
  columns: ReadonlyArray<{
    readonly name: string
    readonly parts: ReadonlyArray<readonly [kind: "bad" | "good" | "plain" | "warn", value: number]>
  }>
): Html => {
  const [width, height] = [720, 120]
  const totals = columns.map(({ parts }) => parts.reduce((sum, [, value]) => sum + value, 0))
  const most = Math.max(1, ...totals)
  const step = width / Math.max(1, columns.length)
  return html`<svg
    class="bars"
    viewBox="0 0 ${width} ${height}"
    role="img"
    aria-label="${label}"
    preserveAspectRatio="none"
  >
    ${columns.map(({ name, parts }, column) => {
      let top = height
      return html`<g>
        <title>${name}: ${parts.map(([, value]) => value).join(" / ")}</title>
        ${parts.map(([kind, value]) => {
          const size = Math.round(((height - 4) * value * 10) / most) / 10
          top -= size
          return (
            value > 0 &&
            html`<rect
              class="${kind}"
              x="${Math.round((column * step + 1) * 10) / 10}"
              y="${Math.round(top * 10) / 10}"
              width="${Math.round(Math.max(1, step - 2) * 10) / 10}"
              height="${size}"
            />`
          )
        })}
      </g>`
    })}
  </svg>`
}
