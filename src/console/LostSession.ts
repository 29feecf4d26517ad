/**
 * A form that is sent after the session has ended: its person signs in, comes back to its page, and finds there what they typed
 * (`KeptForms.ts`). A page with the script keeps it by itself.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { readBytes } from "../http/Body.ts"
import { Html, html } from "./Html.ts"
import { filled, type KeptForm, seal, withKept } from "./KeptForms.ts"
import { hidden } from "./Parts.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import { type Reader, texts } from "./Texts.ts"
import {
  foreign,
  formField,
  headersOf,
  isOwnRequest,
  ownPathOf,
  pageBefore,
  personOfToken,
  plainFrameOf,
  seeOther,
  type Visit,
  withNote
} from "./Visit.ts"

const words = texts({
  ended: [
    "Your session has ended. Sign in, and what you typed is shown again.",
    "Ihre Sitzung ist beendet. Melden Sie sich an, dann sehen Sie Ihre Eingaben wieder."
  ],
  tooLong: [
    "Your session has ended. What you typed is too long to be kept: go back in your browser, and copy it.",
    "Ihre Sitzung ist beendet. Ihre Eingaben sind zu lang, um sie zu behalten: Gehen Sie im Browser zurück, und kopieren Sie sie."
  ],
  draft: [
    "This is what you typed before your session ended. It is not sent yet.",
    "Das haben Sie eingegeben, bevor Ihre Sitzung endete. Es ist noch nicht gesendet."
  ],
  again: [
    "You have signed in again since this page was loaded. Send it once more.",
    "Sie haben sich angemeldet, nachdem diese Seite geladen wurde. Senden Sie es noch einmal."
  ],
  discard: ["Discard it", "Verwerfen"]
})

/** The most bytes of a form that are read of somebody who is not signed in. */
const maxBytes = 64 * 1024

/** Whether a path is that of a page. */
export type IsPage = (path: string) => boolean

/** The page with the form that is sent to `action`: the one before, or where the form leads back, or the nearest one above. */
const pageOfForm = (visit: Visit, action: string, back: string | undefined, isPage: IsPage): string => {
  const parts = action.split("/")
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"))
  const found = [pageBefore(visit), ownPathOf(back), ...above].find(
    (path) => path !== undefined && isPage(path.split("?")[0] ?? "")
  )
  return found ?? "/console"
}

const pathOf = (address: string) => address.split("?")[0] ?? address

/** On to sign-in and back to the page of a form that was sent to `action` without a session. */
export const signInAndBack = Effect.fnUntraced(function* (visit: Visit, action: string, isPage: IsPage) {
  const { baseUrl, request } = visit
  const { headers } = request
  const t = words[plainFrameOf(visit).reader.language]
  const signIn = (page: string, note: string) =>
    withNote(seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(page)}`), visit, note)
  if (headers["console-frame"] !== undefined) return signIn(pageOfForm(visit, action, undefined, isPage), t.ended)
  const isOwn = isOwnRequest({ site: headers["sec-fetch-site"], origin: headers["origin"] }, new URL(baseUrl).origin)
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers["content-type"] ?? "")
  const bytes = isOwn && isForm ? yield* Effect.option(readBytes(request, maxBytes)) : undefined
  const fields = new URLSearchParams(bytes?._tag === "Some" ? new TextDecoder().decode(bytes.value) : "")
  const page = pageOfForm(visit, action, fields.get("back") ?? undefined, isPage)
  const by = personOfToken(fields.get("form_token") ?? undefined)
  const sealed = by === undefined ? undefined : yield* seal({ page: pathOf(page), action, fields: [...fields] }, by)
  return sealed === undefined
    ? signIn(page, isOwn ? t.tooLong : t.ended)
    : withKept(signIn(page, t.ended), visit, sealed)
})

/**
 * Back to the page of a form that is of an earlier session of the person, who has signed in again in another tab: nothing is done, and what
 * they typed is shown there, to be sent once more. A page with the script is loaded again.
 */
export const showAgain = Effect.fnUntraced(function* (
  visit: Visit,
  { language }: Pick<Reader, "language">,
  action: string,
  fields: URLSearchParams,
  isPage: IsPage
) {
  const t = words[language]
  if (visit.request.headers["console-frame"] !== undefined) {
    const headers = { ...headersOf({ isStored: false }), "console-again": "true" }
    return withNote(HttpServerResponse.text("", { status: 403, contentType: "text/html", headers }), visit, t.again)
  }
  const page = pageOfForm(visit, action, fields.get("back") ?? undefined, isPage)
  const by = personOfToken(fields.get("form_token") ?? undefined) ?? ""
  const sealed = yield* seal({ page: pathOf(page), action, fields: [...fields] }, by)
  return sealed === undefined ? yield* foreign : withKept(withNote(seeOther(page), visit, t.again), visit, sealed)
})

/** Where what was kept is discarded. */
export const discardPath = "/console/account/drafts/discard"

/** The body of a page with what was kept in its form; undefined if it is of another page. */
export const bodyWithKept = (
  visit: Visit,
  { language }: Pick<Reader, "language">,
  address: string,
  body: Html,
  kept: KeptForm
): Html | undefined => {
  if (kept.page !== pathOf(address)) return undefined
  const t = words[language]
  const note = html`<div class="note warn" role="status">
    <div>${t.draft} <button type="submit" class="small" form="discard-draft">${t.discard}</button></div>
  </div>`
  const text = filled(body.text, kept, note)
  return text === undefined
    ? undefined
    : html`${new Html(text)}
        <form id="discard-draft" method="post" action="${discardPath}">
          ${formField(visit)} ${hidden("back", address)}
        </form>`
}
