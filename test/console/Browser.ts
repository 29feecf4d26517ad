/** A browser without scripts: keeps cookies, follows redirects on demand, and submits the forms of a page. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { type Reply, TestService } from "../support/TestService.ts"

/** The fields of a form, by their names. */
export type Fields = Readonly<Record<string, string>>

/** A text as it was before a page escaped it. */
export const unescaped = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** An attribute of a tag as a page writes it. */
export const attributeOf = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescaped(value)
}

/** A form of a page. */
export interface PageForm {
  readonly action: string
  readonly fields: Fields
}

/** The forms of a page. */
export const formsOf = (page: string): ReadonlyArray<PageForm> =>
  [...page.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => ({
    action: attributeOf(/<form[^>]*>/.exec(form)?.[0] ?? "", "action") ?? "",
    fields: Object.fromEntries(
      [...form.matchAll(/<input[^>]*>/g)].flatMap(([input]) => {
        const name = attributeOf(input, "name")
        const isBlankBox = /^(?:checkbox|radio)$/.test(attributeOf(input, "type") ?? "") && !/\schecked\b/.test(input)
        return name === undefined || isBlankBox ? [] : [[name, attributeOf(input, "value") ?? ""]]
      })
    )
  }))

/** A new browser, without cookies. */
export const open = Effect.gen(function* () {
  const { baseUrl, request } = yield* TestService
  const jar = new Map<string, string>()
  // Each has an address of its own, because attempts to sign in are limited by address.
  const address = `2001:db8::${randomBytes(2).toString("hex")}:${randomBytes(2).toString("hex")}`
  const send = Effect.fnUntraced(function* (
    method: string,
    path: string,
    options: { readonly text?: string; readonly headers?: Readonly<Record<string, string>> } = {}
  ) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const reply: Reply = yield* request(method, path, {
      ...options,
      headers: {
        ...(cookie === "" ? {} : { cookie }),
        "user-agent": "Test browser",
        "x-forwarded-for": address,
        ...options.headers
      }
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line) || value === "") jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  })
  const get = (path: string) => send("GET", path)
  /** Submits fields as a page of the service does; `headers` replace what the browser says of their origin. */
  const post = (
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string>> = { "sec-fetch-site": "same-origin", origin: "null" }
  ) =>
    send("POST", path, {
      text: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
    })
  /** Submits the form of a page that goes to `action`, with further values. */
  const submit = (page: string, action: string, values: Fields = {}) => {
    const form = formsOf(page).find((one) => one.action === action)
    assert.isDefined(form, `the page has no form for ${action}: ${page}`)
    return post(action, { ...form.fields, ...values })
  }
  return { baseUrl, jar, get, post, send, submit }
})

/** A browser. */
export type Browser = Effect.Success<typeof open>
