/**
 * The console: pages for people, one more adapter over the use-cases (docs/behaviour/console.md). A module adds its pages in `pages.ts`, a
 * list of routes; each decodes the address or the form, calls one use-case, and answers with a `View` or a `Goto`:
 *
 *     export const pages = [
 *       get("/console/:team/webhooks", (page) => Effect.gen(function* () {
 *         const { list } = yield* Webhooks
 *         const found = yield* list({ query: listQuery(contract.endpoints.list, page) })
 *         return new View({ title: "Webhooks", body: html`…` })
 *       })),
 *       post("/console/:team/webhooks", (page) => …)
 *     ]
 *
 * A problem of the use-case becomes a page with its code and the id of the request; `orShowAgain` shows the form again instead.
 */
import * as Id from "../core/Id.ts"
import { Context, Data, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { actAs, type Actor, type CurrentActor, operatorOf } from "../core/auth/CurrentActor.ts"
import { parseKey } from "../core/usecase/Idempotency.ts"
import type { Input, Json } from "../core/usecase/Input.ts"
import { type Fault, NotFound, RateLimited, valuesOf } from "../core/usecase/Problem.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import type { PendingUpload, Upload, UploadError } from "../core/usecase/UseCaseRequest.ts"
import { of as unvalidated } from "../core/usecase/UnvalidatedJson.ts"
import type { Rate } from "../core/auth/rules.ts"
import { readBytes, uploadedFilesWithFields } from "../http/Body.ts"
import { queryDecoder } from "../http/Contract.ts"
import { RequestState } from "../http/RequestState.ts"
import { Visits } from "../identity/signIn/Visits.ts"
import type { SecretBox } from "../platform/secrets/SecretBox.ts"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import { now } from "../platform/Time.ts"
import type { Asset } from "./Assets.ts"
import { faultsFor } from "./faultTexts.ts"
import { html, type Html } from "./Html.ts"
import { keptOf, withoutKept } from "./KeptForms.ts"
import { bodyWithKept, type IsPage, showAgain, signInAndBack } from "./LostSession.ts"
import { type Area, consoleDocument, type NavigationLink } from "./Layout.ts"
import { faultLabel } from "./memberNames.ts"
import { numberAdvice, typedNumber } from "./Numbers.ts"
import { head, notice, refusalLine } from "./Parts.ts"
import { problemDetail, problemTitle } from "./problemTexts.ts"
import type { SavedFilter } from "../identity/filters/SavedFilter.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import { languageOf, momentText, type Reader, say } from "./Texts.ts"
import {
  answerDocument,
  clearNote,
  foreign,
  formField,
  hasKeys,
  headersOf,
  isOfEarlierSession,
  isOwnForm,
  noteOf,
  pageBefore,
  PageRefused,
  plainFrameOf,
  seeOther,
  type Services,
  themeOf,
  type Visit,
  visitBy,
  withNote
} from "./Visit.ts"

/** The largest form of the console, in bytes: a bulk of ticked rows, or a long note. */
const maxFormBytes = 256 * 1024

/** A person in a team: who acts on the pages of that team. */
export interface Seat {
  readonly actor: Actor
  readonly teamName: string
  /** The id of the team, as addresses have it. */
  readonly teamId: string
}

/** What a form sent. Names may repeat: ticked rows have one name. */
export class Form {
  readonly values: URLSearchParams
  readonly reader: Reader
  constructor(values: URLSearchParams, reader: Reader) {
    this.values = values
    this.reader = reader
  }
  /** A field without the space around it; undefined if it is blank or absent. */
  text(name: string): string | undefined {
    const value = this.values.get(name)?.replaceAll("\r\n", "\n").trim()
    return value === "" ? undefined : value
  }
  /** The same, where null empties a member. */
  textOrNull(name: string): string | null {
    return this.text(name) ?? null
  }
  /** A number, as the reader writes it; null if it is blank, and the text where it is no number, for the use-case to refuse. */
  number(name: string): number | string | null {
    const text = this.text(name)
    return text === undefined ? null : (typedNumber(this.reader, text) ?? text)
  }
  /** All values of a name: of ticked rows, of a list of boxes. */
  all(name: string): ReadonlyArray<string> {
    return this.values.getAll(name)
  }
  /** Whether a box is ticked, or a button of this name was pressed. */
  has(name: string): boolean {
    return this.values.has(name)
  }
}

/** A request of a page by someone who is signed in. */
export interface PageRequest {
  readonly visit: Visit
  /** UUID. */
  readonly userId: string
  readonly userName: string
  readonly reader: Reader
  /** The person in the team that the address names; undefined on pages of the person alone and of the operator. */
  readonly seat: Seat | undefined
  readonly seats: ReadonlyArray<Seat>
  readonly isOperator: boolean
  /** Where the pages of this team are, such as `/console/team_…`; on pages without a team, `/console`. */
  readonly base: string
  /** What the navigation shows this person. */
  readonly areas: ReadonlyArray<Area>
  /** The filters that this person keeps for the list at this path. */
  readonly savedFilters: ReadonlyArray<SavedFilter>
  readonly params: { readonly [name: string]: string | undefined }
  readonly search: URLSearchParams
  readonly path: string
  readonly requestId: string
  /** What a POST sent; empty for a GET. */
  readonly form: Form
  /** The file of a form of `postFile`, which arrives while it is read. */
  readonly file: PendingUpload
  /** The file after it, of a form with several; undefined if there is none. */
  readonly nextFile: Effect.Effect<Upload | undefined, UploadError>
  /** Whether a script of the page asks for the outcome as JSON instead of a page. */
  readonly asksForOutcome: boolean
}

/** A page of the console. */
export class View extends Data.Class<{
  readonly title: string
  readonly body: Html
  readonly status?: number
  /** Whether it shows a secret: then nothing stores it. */
  readonly isSecret?: boolean
  /** Scripts besides those of every page. */
  readonly scripts?: ReadonlyArray<Asset>
}> {}

/** After a form: on to another page, which says `note` once. */
export class Goto extends Data.Class<{
  readonly path: string
  readonly note?: string
}> {}

/** What a page answers: a response as it is, too, for downloads and streams of events. */
export type Answer = View | Goto | HttpServerResponse.HttpServerResponse

/** A problem, as use-cases fail with it. */
export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: string
  readonly errors?: ReadonlyArray<Fault>
}

type Handle<R> = (page: PageRequest) => Effect.Effect<Answer, Problem | PageRefused, R>

/** A page or a form of the console. */
export interface Route<R> {
  readonly method: "GET" | "POST"
  readonly path: `/${string}`
  readonly handle: Handle<R>
  /** Whether it is a stream of events, which does not count towards the limit of the session. */
  readonly isStream?: boolean
  /** Whether its form is one of `multipart/form-data`, with files. */
  readonly takesFile?: boolean
}

/** A page. A path with `:team` is of one team, in which the person acts; one below `/console/operation` is of operators alone. */
export const get = <R>(path: `/${string}`, handle: Handle<R>): Route<R> => ({ method: "GET", path, handle })

/** A stream of events, such as that of `answerRows` in `Live.ts`. */
export const stream = <R>(path: `/${string}`, handle: Handle<R>): Route<R> => ({
  method: "GET",
  path,
  handle,
  isStream: true
})

/** What a form of a page does. */
export const post = <R>(path: `/${string}`, handle: Handle<R>): Route<R> => ({ method: "POST", path, handle })

/**
 * What a form with a file, or several, does: they come after its other fields (`Uploads.ts`). A script that asks for JSON gets the path to
 * which it leads and the note, or the problem.
 */
export const postFile = <R>(path: `/${string}`, handle: Handle<R>): Route<R> => ({
  method: "POST",
  path,
  handle,
  takesFile: true
})

// What a page asks of use-cases.

/** The names of an address that are the console's own, and no filters of a list. */
const ownNames: ReadonlySet<string> = new Set(
  "q open section columns deleted view tab filter timeline old_notes own".split(" ")
)

type QueryOf<E> = [HttpApiEndpoint.Query<E>] extends [never]
  ? Record<never, never>
  : HttpApiEndpoint.Query<E> extends { readonly Type: infer Type }
    ? Type
    : never

/**
 * The query of a list from the address of its page, decoded as REST decodes it: blank filters are left out, because a form sends all of
 * its fields. `defaults` are parameters that the address may leave out.
 */
export const listQuery = <E extends HttpApiEndpoint.Top>(
  endpoint: E,
  { search }: Pick<PageRequest, "search">,
  defaults: { readonly [name: string]: string } = {}
): Input<QueryOf<E>> => {
  const sent: Record<string, Array<string>> = {}
  for (const [name, value] of search) {
    if (value.trim() !== "" && !ownNames.has(name)) (sent[name] ??= []).push(value.trim())
  }
  const parameters = Object.entries(sent).map(([name, values]) => [name, values.length === 1 ? values[0] : values])
  return queryDecoder(endpoint)({ ...defaults, ...Object.fromEntries(parameters) }) as Input<QueryOf<E>>
}

/**
 * The request of a use-case that a form makes. Its hidden field `key` is the idempotency key, and `etag` the precondition. `operation`
 * names the use-case: with the person, it is the scope of the key.
 */
export const formRequest = <Query extends object = Record<never, never>>(
  { form, path }: Pick<PageRequest, "form" | "path">,
  body: Json = {},
  query: Query = {} as Query
): UseCaseRequest.UseCaseRequest<Query> => ({
  operation: `POST ${path}`,
  query: Effect.succeed(query),
  body: Effect.succeed(unvalidated(body)),
  ifMatch: UseCaseRequest.ifMatch(form.text("etag")),
  idempotencyKey: parseKey(form.text("key"))
})

/** What was sent by a form that was refused, and why. */
export interface Attempt {
  readonly form: Form
  readonly problem: Problem
}

/** What is wrong with what was typed, where the use-case knows only that it is no number: how to write it. */
const ofTyped = (form: Form, fault: Fault): Fault => {
  const name = fault.pointer.slice(1).replaceAll("/", ".")
  const typed = form.number(name)
  return typeof typed === "string" && valuesOf(fault).types?.includes("number") === true
    ? { ...fault, detail: numberAdvice(form.reader, typed) }
    : fault
}

/** A problem in the language of the reader; it is the same in all else. */
const readable = <P extends Problem>(reader: Reader, problem: P, form?: Form): P =>
  Object.defineProperties<P>(Object.create(problem), {
    title: { value: problemTitle(reader, problem) },
    detail: { value: problemDetail(reader, problem) },
    errors: {
      value:
        problem.errors &&
        faultsFor(reader, problem.errors).map((fault) => (form === undefined ? fault : ofTyped(form, fault)))
    }
  })

/** A form that was refused, as it is shown again: what was typed, and what is wrong, in the language of the reader. */
export const attemptOf = (page: Pick<PageRequest, "form" | "reader">, problem: Problem): Attempt => ({
  form: page.form,
  problem: readable(page.reader, problem, page.form)
})

/**
 * Runs what a form asks for; where that is refused, shows the form again with what was typed, and says why (`notice` of the attempt).
 */
export const orShowAgain =
  <R2>(page: PageRequest, show: (attempt: Attempt) => Effect.Effect<View, Problem | PageRefused, R2>) =>
  <A, R>(self: Effect.Effect<A, Problem | PageRefused, R>) =>
    Effect.catch(self, (error): Effect.Effect<Answer, Problem | PageRefused, R2> =>
      error instanceof PageRefused || error.status === 404 || page.asksForOutcome
        ? Effect.fail(error)
        : Effect.map(show(attemptOf(page, error)), (view) => new View({ ...view, status: error.status }))
    )

const noSuchPage = new NotFound({ detail: "There is no such page, or it is of a team that you do not belong to." })

/** What a problem says to a reader: its title in their language, the faults in full, its code, and the id of the request. */
export const problemNotice = (
  reader: Reader,
  { code, detail, errors = [], status, title }: Problem,
  requestId: string
): Html => {
  return html`${notice(
    "bad",
    html`<strong>${problemTitle(reader, { code, title })}</strong> ${errors.length === 0 ? detail : ""}
      ${
        errors.length > 0 &&
        html`<ul>
          ${errors.map((fault) => {
            const label = faultLabel(reader, fault.pointer)
            return html`<li>${label !== undefined && `${label}: `}${fault.detail}</li>`
          })}
        </ul>`
      }`
  )}
  ${refusalLine(reader, { code, status }, requestId)}`
}

const refusalOf = (reader: Reader, error: Problem | PageRefused, requestId: string): View =>
  error instanceof PageRefused
    ? new View({
        title: say(reader, error.title),
        status: error.status,
        body: html`${head({ title: say(reader, error.title) })} ${notice("bad", say(reader, error.detail))}
        ${refusalLine(reader, error, requestId)}`
      })
    : new View({
        title: problemTitle(reader, error),
        status: error.status,
        body: html`${head({ title: problemTitle(reader, error) })}
        ${problemNotice(reader, readable(reader, error), requestId)}`
      })

const unreadable = new PageRefused({
  status: 400,
  code: "invalid_request",
  title: ["The form cannot be read", "Das Formular ist nicht lesbar"],
  detail: [
    "It did not arrive completely, or it is larger than 256 KiB.",
    "Es kam nicht vollständig an, oder es ist größer als 256 KiB."
  ]
})

/** The form that a visit sends; its fields alone where it is of an earlier session of the person. */
const readForm = Effect.fnUntraced(function* (visit: Visit, reader: Reader) {
  const { request } = visit
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    return yield* unreadable
  }
  const bytes = yield* Effect.mapError(readBytes(request, maxFormBytes), () => unreadable)
  const values = new URLSearchParams(new TextDecoder().decode(bytes))
  const token = values.get("form_token") ?? undefined
  if (isOwnForm(visit, token)) return new Form(values, reader)
  return isOfEarlierSession(visit, token) ? values : yield* foreign
})

const readFormWithFile = Effect.fnUntraced(function* (visit: Visit, reader: Reader) {
  const { fields, file, next } = yield* uploadedFilesWithFields(visit.request)
  if (!isOwnForm(visit, fields.get("form_token") ?? undefined)) return yield* foreign
  return { form: new Form(fields, reader), file: Effect.succeed(file), nextFile: next }
})

const withoutFile = Effect.die(new Error("The route takes no file."))

/** What went wrong with a form, for the script that sent it. */
export const outcomeOf = (reader: Reader, error: Problem | PageRefused, requestId: string) => {
  if (error instanceof PageRefused) {
    const { code, detail, status, title } = error
    return {
      status,
      title: say(reader, title),
      detail: say(reader, detail),
      ...(code === undefined ? {} : { code }),
      requestId
    }
  }
  const { code, detail, errors = [], status, title } = readable(reader, error)
  return {
    status,
    title: problemTitle(reader, { code, title }),
    detail: errors.length === 0 ? detail : errors.map((fault) => fault.detail).join(" "),
    code,
    requestId
  }
}

const signedOut = new PageRefused({
  status: 401,
  code: "unauthorized",
  title: ["You are signed out", "Sie sind abgemeldet"],
  detail: ["Sign in again, then try it once more.", "Melden Sie sich wieder an, und versuchen Sie es noch einmal."]
})

const answerJson = (body: object, status = 200) =>
  HttpServerResponse.jsonUnsafe(body, { status, headers: headersOf({ isStored: false }) })

/** The services of every page of the console. */
export type PageServices = SecretBox | Services | Visits

/** What every page of the console is made of, besides its own use-cases. */
export type Needs = PageServices | HttpRouter.Provided

/** By what the navigation shows a person what they may use. */
export interface Viewer extends Pick<PageRequest, "base" | "isOperator" | "reader" | "seat"> {
  readonly isTrial: boolean
}

/** Whether this service is a trial: it has its own Postgres, and only this machine can reach it. */
export const Trial = Context.Reference<boolean>("console/Trial", { defaultValue: () => false })

/** The parts of the console that a person sees in the navigation. */
export type AreasOf = (viewer: Viewer) => ReadonlyArray<Area>

/** The links of a module in the navigation; none for who may not use its pages. */
export type LinksOf = (viewer: Viewer) => ReadonlyArray<NavigationLink>

const isOfOperators = (path: string) => path === "/console/operation" || path.startsWith("/console/operation/")

/** Refuses a request beyond the limit of its session. */
const withinLimit = Effect.fnUntraced(function* ({ exceeded, limit, resetSeconds }: Rate) {
  if (!exceeded) return
  const state = yield* RequestState
  state.headers["retry-after"] = String(resetSeconds)
  return yield* new RateLimited({
    detail: `The limit of ${limit} requests per minute is exceeded. Try again in ${resetSeconds} s.`
  })
})

const nothingKept = { kept: undefined, isStale: false } as const

/** The answer to a request of a route. */
export const answeredInConsole = <R>(
  { handle, isStream = false, method, path, takesFile = false }: Route<R>,
  areasOf: AreasOf,
  isPage: IsPage
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const url = new URL(request.url, "http://own.invalid")
    const { find } = yield* Visits
    const visit = yield* visitBy((secret) => find(secret, { path: url.pathname, isCounted: !isStream, isUse: true }))
    const { signedIn: visitor } = visit
    const asksForOutcome = takesFile && request.headers["accept"] === "application/json"
    if (visitor === undefined) {
      if (asksForOutcome) {
        const requestId = (yield* RequestState).id
        return answerJson(outcomeOf(plainFrameOf(visit).reader, signedOut, requestId), 401)
      }
      if (method === "POST" && !takesFile) return yield* signInAndBack(visit, url.pathname, isPage)
      const next = method === "GET" ? url.pathname + url.search : (pageBefore(visit) ?? "/console")
      return seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(next)}`)
    }
    const { params } = yield* HttpRouter.RouteContext
    const state = yield* RequestState
    const { isOperator, name: userName, rate, savedFilters, userId } = visitor
    const reader: Reader = {
      language: languageOf(visitor.uiCulture),
      culture: visitor.culture,
      timeZone: visitor.timeZone
    }
    const seats = visitor.seats.map(({ actor, teamName }): Seat => ({
      actor,
      teamName,
      teamId: Id.fromUuid("team", actor.teamId)
    }))
    const seat = seats.find(({ teamId }) => teamId === params["team"])
    const base = seat === undefined ? "/console" : `/console/${seat.teamId}`
    state.caller = seat?.actor
    // From a page of no team, the navigation leads on to those of the primary team.
    const led = seat ?? seats[0]
    const ledBase = led === undefined ? base : `/console/${led.teamId}`
    const areas = areasOf({ base: ledBase, isOperator, isTrial: yield* Trial, reader, seat: led })
    const about = { visit, userId, userName, reader, seat, seats, isOperator, base, areas, savedFilters, params }
    const handled: Effect.Effect<Answer, Problem | PageRefused, R | Needs> = Effect.gen(function* () {
      if (rate !== undefined) yield* withinLimit(rate)
      if (path.includes("/:team") && seat === undefined) return yield* noSuchPage
      if (isOfOperators(path) && !isOperator) return yield* noSuchPage
      const form =
        method === "POST" && !takesFile ? yield* readForm(visit, reader) : new Form(new URLSearchParams(), reader)
      if (!(form instanceof Form)) return yield* showAgain(visit, reader, url.pathname, form, isPage)
      const sent = takesFile
        ? yield* readFormWithFile(visit, reader)
        : { form, file: withoutFile, nextFile: withoutFile }
      const address = { search: url.searchParams, path: url.pathname }
      return yield* handle({ ...about, ...address, requestId: state.id, asksForOutcome, ...sent })
    })
    const actor = isOfOperators(path) && isOperator ? operatorOf() : seat?.actor
    const answer = yield* handled.pipe(
      Effect.catch((error) =>
        Effect.succeed<Answer>(
          asksForOutcome
            ? answerJson(outcomeOf(reader, error, state.id), error.status)
            : refusalOf(reader, error, state.id)
        )
      ),
      actor === undefined ? (self) => self : actAs(actor),
      Effect.provideService(Tenant, seat?.actor.teamId ?? userId)
    )
    const { isStale, kept } = isStream ? nothingKept : yield* keptOf(visit, userId)
    if (answer instanceof Goto) {
      if (asksForOutcome) return answerJson({ path: answer.path, note: answer.note })
      const led = seeOther(answer.path)
      const response = isStale || kept?.action === url.pathname ? withoutKept(led, visit) : led
      return answer.note === undefined ? response : withNote(response, visit, answer.note)
    }
    // What a download says of itself, such as that nothing in it runs, counts more than what pages say.
    if (!(answer instanceof View)) {
      const isStored = answer.headers["cache-control"] !== "no-store"
      return HttpServerResponse.setHeaders(answer, { ...headersOf({ isStored }), ...answer.headers })
    }
    const status = answer.status ?? 200
    const note = noteOf(visit)
    const isAgain = kept !== undefined && method === "GET" && status === 200
    const again = isAgain ? bodyWithKept(visit, reader, url.pathname + url.search, answer.body, kept) : undefined
    const body = again ?? answer.body
    const text = consoleDocument(
      {
        title: answer.title,
        body: note === undefined ? body : html`${notice("good", note)}${body}`,
        isRefusal: status >= 400
      },
      {
        reader,
        theme: themeOf(visit),
        path: url.pathname,
        printed: [
          seat?.teamName ?? userName,
          momentText(reader, (yield* now).toISOString()),
          `${visit.baseUrl}${url.pathname}${url.search}`
        ],
        hasKeys: hasKeys(visit),
        scripts: answer.scripts ?? [],
        base: ledBase,
        areas,
        userName,
        userId: Id.fromUuid("user", userId),
        teams: seats.map((one) => ({
          name: one.teamName,
          href: `/console/${one.teamId}`,
          isCurrent: one === led
        })),
        formField: formField(visit)
      },
      visit.request.headers["console-frame"]
    )
    const document = answerDocument(visit, text, { status, isStored: answer.isSecret !== true })
    const response = isStale ? withoutKept(document, visit) : document
    return note === undefined ? response : clearNote(response, visit)
  })

/** What the handlers of pages need besides who acts, which the console provides. */
export type UseCases<R> = Exclude<R, CurrentActor | Needs>
