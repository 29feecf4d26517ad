/**
 * What somebody typed, and sent after their session had ended: a sealed cookie carries it through the sign-in, for 15 minutes, and the page
 * shows it again in its form. So nothing typed is lost without a script, either. It is the person's alone, it is sent by nobody but them,
 * and it never has a password or a file (docs/behaviour/console.md#drafts).
 */
import { Effect, Exit } from "effect"
import { HttpServerResponse } from "effect/http"
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import * as Id from "../core/Id.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import * as Time from "../platform/Time.ts"
import { html, type Html } from "./Html.ts"
import { cookieName, cookieOptions, type Visit } from "./Visit.ts"

/** How long it is kept, in milliseconds. */
const maxAge = 15 * 60_000

/** The most characters of a form that are looked at, and of the cookie, which proxies must let through. */
const [maxForm, maxCookie] = [16_384, 2_400]

/** What nobody stores. */
const secret = /password|secret|^(?:form_token|next|present)$/i

/** What a form has of its own each time it is shown: all its other hidden fields say what it is of. */
const volatile: ReadonlySet<string> = new Set(["back", "confirmed", "etag", "filter", "form_token", "key"])

/** A form that was sent without a session. */
export interface KeptForm {
  /** The page that has it, and where it is sent: paths. */
  readonly page: string
  readonly action: string
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

interface Sealed extends KeptForm {
  /** The person (public id). */
  readonly by: string
  readonly until: number
}

const context = "kept form"

/** Seals a form that `by` has sent; undefined if it is too long. */
export const seal = Effect.fnUntraced(function* (kept: KeptForm, by: string) {
  const box = (yield* SecretBox).for("kept forms")
  const fields = kept.fields.filter(([name]) => !secret.test(name))
  const until = (yield* Time.now).getTime() + maxAge
  const text = JSON.stringify({ ...kept, fields, by, until } satisfies Sealed)
  if (text.length > maxForm) return undefined
  const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  const sealed = Buffer.from(yield* box.seal(packed.toString("base64"), context)).toString("base64url")
  return sealed.length > maxCookie ? undefined : sealed
})

/** The form in a cookie that is of this person; undefined if there is none, or no more. */
const open = Effect.fnUntraced(function* (cookie: string, userId: string) {
  const box = (yield* SecretBox).for("kept forms")
  const opened = yield* Effect.exit(box.open(Buffer.from(cookie, "base64url"), context))
  if (!Exit.isSuccess(opened)) return undefined
  const packed = Buffer.from(opened.value, "base64")
  const kept = JSON.parse(brotliDecompressSync(packed, { maxOutputLength: 4 * maxForm }).toString()) as Sealed
  const isValid = kept.by === Id.fromUuid("user", userId) && kept.until > (yield* Time.now).getTime()
  return isValid ? kept : undefined
})

/** The form that a visit of this person (UUID) brings along; `stale`: its cookie holds none any more. */
export const keptOf = Effect.fnUntraced(function* ({ baseUrl, request }: Visit, userId: string) {
  const cookie = request.cookies[cookieName(baseUrl, "kept")]
  if (cookie === undefined) return { kept: undefined, isStale: false }
  const kept = yield* open(cookie, userId)
  return { kept, isStale: kept === undefined }
})

/** The answer that makes the browser keep a sealed form. */
export const withKept = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit, sealed: string) =>
  HttpServerResponse.setCookieUnsafe(response, cookieName(baseUrl, "kept"), sealed, {
    ...cookieOptions(baseUrl),
    maxAge
  })

/** The answer that makes it forget one. */
export const withoutKept = (response: HttpServerResponse.HttpServerResponse, { baseUrl }: Visit) =>
  HttpServerResponse.expireCookieUnsafe(response, cookieName(baseUrl, "kept"), cookieOptions(baseUrl))

// Showing it again, in the HTML that templates of this service have made: attributes have quotes, and forms no forms in them.

const unescaped = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const attributes = `(?:[^>"]|"[^"]*")*`

const attributeOf = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescaped(value)
}

const without = (tag: string, name: string) => tag.replace(new RegExp(`\\s${name}(?:="[^"]*")?(?=[\\s/>])`), "")

/** A tag with another attribute, in place of the one of that name. */
const withAttribute = (tag: string, name: string, attribute: Html) =>
  without(tag, name).replace(/\s*\/?>$/, (end) => ` ${attribute.text}${end}`)

const controls = new RegExp(
  `<textarea\\b${attributes}>[\\s\\S]*?</textarea>|<select\\b${attributes}>[\\s\\S]*?</select>|<input\\b${attributes}>`,
  "g"
)

const openingTag = new RegExp(`^<\\w+${attributes}>`)

const fillSelect = (select: string, value: string) =>
  select.replaceAll(new RegExp(`(<option\\b${attributes}>)([^<]*)`, "g"), (_, option: string, text: string) => {
    const bare = without(option, "selected")
    const own = attributeOf(option, "value") ?? unescaped(text).trim()
    return `${own === value ? withAttribute(bare, "selected", html`selected`) : bare}${text}`
  })

const fillForm = (form: string, { fields }: Pick<KeptForm, "fields">): string => {
  const sent = new Map<string, Array<string>>()
  for (const [name, value] of fields) sent.set(name, [...(sent.get(name) ?? []), value])
  return form.replaceAll(controls, (control) => {
    const tag = openingTag.exec(control)?.[0] ?? ""
    const [name = "", type = "text"] = [attributeOf(tag, "name"), attributeOf(tag, "type")]
    if (name === "" || secret.test(name) || type === "file" || type === "password") return control
    const values = sent.get(name)
    if (type === "checkbox" || type === "radio") {
      const isTicked = values?.includes(attributeOf(tag, "value") ?? "on") === true
      return isTicked ? withAttribute(control, "checked", html`checked`) : without(control, "checked")
    }
    const value = values?.shift()
    if (value === undefined) return control
    if (control.startsWith("<textarea")) return `${tag}\n${html`${value}`.text}</textarea>`
    if (control.startsWith("<select")) return fillSelect(control, value)
    return withAttribute(control, "value", html`value="${value}"`)
  })
}

const isFormOf = (form: string, { action, fields }: KeptForm) => {
  const tag = openingTag.exec(form)?.[0] ?? ""
  if (attributeOf(tag, "action") !== action || attributeOf(tag, "method") !== "post") return false
  const inside = (form.match(controls) ?? []).map((control) => openingTag.exec(control)?.[0] ?? "")
  const hidden = inside.filter((control) => attributeOf(control, "type") === "hidden")
  // One of a button alone has nothing that is typed.
  return (
    hidden.length < inside.length &&
    hidden.every((control) => {
      const [name, value] = [attributeOf(control, "name") ?? "", attributeOf(control, "value") ?? ""]
      // What a value has besides its fields (`FormMembers.ts`) is as volatile.
      const isVolatile = volatile.has(name) || name.endsWith(".rest")
      return isVolatile || fields.some((field) => field[0] === name && field[1] === value)
    })
  )
}

/** Opens the folded parts of a page that have not ended at the end of this piece of it. */
const unfolded = (before: string): string => {
  const folds: Array<number> = []
  for (const { 0: tag, index } of before.matchAll(/<details\b|<\/details>/g)) {
    if (tag === "</details>") folds.pop()
    else folds.push(index + tag.length)
  }
  return folds.reduceRight(
    (text, at) => (/^[^>]*\sopen\b/.test(text.slice(at)) ? text : `${text.slice(0, at)} open${text.slice(at)}`),
    before
  )
}

/** Opens the folded groups of a form in which something was typed. */
const withOpenGroups = (form: string, { fields }: Pick<KeptForm, "fields">): string => {
  const typed = new Set(fields.flatMap(([name, value]) => (value === "" ? [] : [name])))
  return form.replaceAll(/<details\b[\s\S]*?<\/details>/g, (group) =>
    (group.match(controls) ?? []).some((control) => typed.has(attributeOf(control, "name") ?? ""))
      ? group.replace(openingTag, (tag) => withAttribute(tag, "open", html`open`))
      : group
  )
}

/** The body of a page with what was typed in its form, and `note` before it; undefined if the page does not have that form. */
export const filled = (body: string, kept: KeptForm, note: Html): string | undefined => {
  for (const { 0: form, index } of body.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
    if (!isFormOf(form, kept)) continue
    const shown = withOpenGroups(fillForm(form, kept), kept).replace(openingTag, (tag) => `${tag}${note.text}`)
    return `${unfolded(body.slice(0, index))}${shown}${body.slice(index + form.length)}`
  }
  return undefined
}
