/** `/openapi.json`, `/docs`, `/help`, `/help/{code}` and their icon. */
import * as ApiReference from "./ApiReference.ts"
import * as StaticContent from "./StaticContent.ts"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { BaseUrl } from "../platform/Config.ts"
import { indexPage, page } from "./Help.ts"
import { type Document, isObject, read } from "./OpenApiSpec.ts"
import { pageHeaders } from "./StaticContent.ts"
import { inTurn } from "../core/usecase/Turns.ts"
import {
  HeadersTooLarge,
  InternalError,
  MalformedRequest,
  MethodNotAllowed,
  NotFound,
  PreconditionRequired,
  RequestTimeout
} from "../core/usecase/Problem.ts"

// No endpoint declares these: the router, the edge and Node's HTTP parser answer them.
const undeclared = [
  NotFound,
  MethodNotAllowed,
  RequestTimeout,
  PreconditionRequired,
  HeadersTooLarge,
  MalformedRequest,
  InternalError
]

/** What tells one problem from another. */
interface KnownProblem {
  readonly code: string
  readonly title: string
  readonly status: number
}

/** The problems of a document: the examples of its refusals. */
const problemsIn = ({ components }: Document): ReadonlyArray<KnownProblem> =>
  Object.values(components.examples).flatMap((example) => {
    const { code, status, title, type } = "value" in example && isObject(example.value) ? example.value : {}
    return String(type).includes("/help/") ? [{ code: String(code), title: String(title), status: Number(status) }] : []
  })

/** Every problem that the service can answer: those of the document, those that no endpoint declares, and `further` ones. */
const problemsOf = (document: Document, further: ReadonlyArray<KnownProblem>): ReadonlyArray<KnownProblem> => {
  const others = undeclared.map((Problem) => {
    const { code, status, title } = new Problem({ detail: "" })
    return { code, status, title }
  })
  return [...new Map([...problemsIn(document), ...others, ...further].map((known) => [known.code, known])).values()]
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b5cad"/><path d="M7 25V12l9-6 9 6v13h-6v-8h-6v8z" fill="#fff"/></svg>`

const html = {
  contentType: "text/html; charset=utf-8",
  headers: pageHeaders(["style-src 'unsafe-inline'", "img-src 'self'"])
}

/** The handlers of what describes the API that clients reach at `baseUrl`. */
const describe = Effect.fnUntraced(function* (further: ReadonlyArray<KnownProblem>, baseUrl: string) {
  const document = yield* read(baseUrl)
  const inTurnOf = <A>(make: () => A) => inTurn(Effect.sync(make))
  const problems = yield* inTurnOf(
    () => new Map(problemsOf(document, further).map((known) => [known.code.replaceAll("_", "-"), known]))
  )
  return {
    document,
    problems,
    openapi: yield* inTurnOf(() => StaticContent.make(JSON.stringify(document), { contentType: "application/json" })),
    help: StaticContent.make(indexPage([...problems.values()]), html)
  }
})

/**
 * Serves the documentation of the API; `further` are problems that its operations do not declare. It is read when it is first
 * asked for: most processes are never asked.
 */
export const layer = (
  further: ReadonlyArray<KnownProblem>
): Layer.Layer<never, never, HttpRouter.HttpRouter | BaseUrl> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const described = yield* Effect.cached(describe(further, yield* BaseUrl))
      const routes = HttpRouter.use((router) =>
        Effect.all(
          [
            router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect("/docs"))),
            router.add(
              "GET",
              "/openapi.json",
              Effect.flatMap(described, ({ openapi }) => openapi)
            ),
            router.add("GET", "/favicon.svg", StaticContent.make(icon, { contentType: "image/svg+xml" })),
            router.add(
              "GET",
              "/help",
              Effect.flatMap(described, ({ help }) => help)
            ),
            router.add(
              "GET",
              "/help/:code",
              Effect.gen(function* () {
                const { code } = yield* HttpRouter.params
                const known = (yield* described).problems.get(code ?? "")
                return known === undefined
                  ? yield* HttpServerRespondable.toResponse(
                      new NotFound({ detail: "There is no problem with this code." })
                    )
                  : HttpServerResponse.text(page(known), html)
              })
            )
          ],
          { discard: true }
        )
      )
      return Layer.merge(routes, ApiReference.layer(Effect.map(described, ({ document }) => document)))
    })
  )
