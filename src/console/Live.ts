/**
 * Rows that appear by themselves: the server's side of `browser/live.ts`, which takes them for `<tbody data-live="PATH">`. A page that has
 * the script shows them as they come; without it, the page is as it was when it was loaded.
 */
import { type Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { RateLimited } from "../core/usecase/Problem.ts"
import { Draining } from "../http/Health.ts"
import { Visits } from "../identity/signIn/Visits.ts"
import type { PageRequest } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { cookieName } from "./Visit.ts"

/** So many polls without a row are followed by a sign of life, because proxies close connections on which nothing comes. */
const silentPolls = 15

/** How many streams a session may have in this process: streams do not count towards its limit of requests. */
const maxStreams = 10

/** The streams of each session that are open. */
const open = new Map<string, number>()

/** Counts a stream of a session for as long as the scope lasts. */
const counting = (sessionId: string) =>
  Effect.acquireRelease(
    Effect.sync(() => open.set(sessionId, (open.get(sessionId) ?? 0) + 1)),
    () =>
      Effect.sync(() => {
        const left = (open.get(sessionId) ?? 1) - 1
        if (left > 0) open.set(sessionId, left)
        else open.delete(sessionId)
      })
  )

/** A row that has come. */
export interface LiveRow {
  /** Of its event: where the browser goes on from after an interruption. */
  readonly id: string | number
  readonly row: Html
}

/** A row as an event. Its lines are the data of one event. */
const eventOf = ({ id, row }: LiveRow): string =>
  `event: row\nid: ${id}\n${row.text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}`)
    .join("\n")}\n\n`

/** The id of the last row that the browser has: of the address, or after an interruption the one that came last. */
export const lastSeen = ({ search, visit }: Pick<PageRequest, "search" | "visit">): string | undefined =>
  visit.request.headers["last-event-id"] ?? search.get("after") ?? undefined

/** Whether the person is still signed in, and in the team of the page. */
const isStillThere = Effect.fnUntraced(function* ({ path, seat, visit }: PageRequest) {
  const { find } = yield* Visits
  const secret = visit.request.cookies[cookieName(visit.baseUrl, "session")]
  const visitor = secret === undefined ? undefined : yield* find(secret, { path, isCounted: false, isUse: false })
  return (
    visitor !== undefined &&
    (seat === undefined || visitor.seats.some(({ actor }) => actor.teamId === seat.actor.teamId))
  )
})

/**
 * Answers with a stream of rows: first those of `missed`, which came since the page was made, then those of each poll. At each poll it is
 * asked whether the person is still signed in and belongs to the team; if not, the stream ends, as it does when the process stops.
 */
export const answerRows = <R>(
  page: PageRequest,
  {
    missed,
    polls
  }: { readonly missed: ReadonlyArray<LiveRow>; readonly polls: Stream.Stream<ReadonlyArray<LiveRow>, never, R> }
) =>
  Effect.gen(function* () {
    const { stopping } = yield* Draining
    const sessionId = page.visit.signedIn?.session.id ?? ""
    if ((open.get(sessionId) ?? 0) >= maxStreams) {
      return yield* new RateLimited({ detail: `A session has at most ${maxStreams} streams of events.` })
    }
    // The stream goes on after its handler has ended.
    const services = yield* Effect.context<Visits | R>()
    let silent = 0
    const written = polls.pipe(
      Stream.mapEffect((rows) => Effect.map(isStillThere(page), (isThere) => (isThere ? rows : undefined))),
      Stream.takeWhile((rows) => rows !== undefined),
      Stream.map((rows) => {
        silent = rows.length > 0 ? 0 : silent + 1
        if (silent < silentPolls) return rows.map(eventOf).join("")
        silent = 0
        return ": \n\n"
      }),
      Stream.filter((text) => text !== "")
    )
    // The first bytes make the browser say that it is connected. After an end, it asks again in 3 seconds.
    const begun = Stream.fromEffect(Effect.as(counting(sessionId), `retry: 3000\n\n${missed.map(eventOf).join("")}`))
    const all = Stream.concat(begun, written).pipe(
      Stream.interruptWhen(stopping),
      Stream.encodeText,
      Stream.scoped,
      Stream.provideContext(services)
    )
    return HttpServerResponse.stream(all, { contentType: "text/event-stream" })
  })

/**
 * Answers with a stream that says when what a page shows has changed, for a part with `data-follow`: `current` is a short text that differs
 * by then. Where it cannot be read, nothing has changed.
 */
export const answerChanges = Effect.fnUntraced(function* <E, R>(
  page: PageRequest,
  current: Effect.Effect<string, E, R>,
  interval: Duration.Input
) {
  const atFirst = yield* current
  let seen = lastSeen(page) ?? atFirst
  const changed = Effect.map(
    Effect.orElseSucceed(current, () => seen),
    (found) => {
      if (found === seen) return []
      seen = found
      return [{ id: found, row: html`${found}` }]
    }
  )
  return yield* answerRows(page, {
    missed: yield* changed,
    polls: Stream.mapEffect(Stream.tick(interval), () => changed)
  })
})
