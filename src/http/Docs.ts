/** `/openapi.json`, `/docs`, `/help`, `/help/{code}` and their icon. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { BaseUrl } from "../BaseUrl.ts"
import * as ApiReference from "./ApiReference.ts"
import { indexPage, page } from "./Help.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { type KnownProblem, problemsIn } from "./OpenApiProblems.ts"
import * as StaticContent from "./StaticContent.ts"
import {
  HeadersTooLarge,
  InternalError,
  MalformedRequest,
  MethodNotAllowed,
  NotFound,
  PreconditionRequired,
  RequestTimeout
} from "../usecase/Problem.ts"

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

/** Every problem that the service can answer. */
const problemsOf = (document: ReturnType<typeof OpenApiDocument.make>): ReadonlyArray<KnownProblem> => {
  const others = undeclared.map((Problem) => {
    const { code, status, title } = new Problem({ detail: "" })
    return { code, status, title }
  })
  return [...new Map([...problemsIn(document), ...others].map((known) => [known.code, known])).values()]
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0b5cad"/><path d="M7 25V12l9-6 9 6v13h-6v-8h-6v8z" fill="#fff"/></svg>`

/** Serves the documentation of an API. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never, never, HttpRouter.HttpRouter | BaseUrl> =>
  Layer.unwrap(
    Effect.map(BaseUrl, (baseUrl) => {
      const document = OpenApiDocument.make(api, baseUrl)
      const problems = new Map(problemsOf(document).map((known) => [known.code.replaceAll("_", "-"), known]))
      const html = { contentType: "text/html; charset=utf-8" }
      const routes = HttpRouter.use((router) =>
        Effect.all(
          [
            router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect("/docs"))),
            router.add(
              "GET",
              "/openapi.json",
              StaticContent.make(JSON.stringify(document), { contentType: "application/json" })
            ),
            router.add("GET", "/favicon.svg", StaticContent.make(icon, { contentType: "image/svg+xml" })),
            router.add("GET", "/help", StaticContent.make(indexPage([...problems.values()]), html)),
            router.add(
              "GET",
              "/help/:code",
              Effect.flatMap(HttpRouter.params, ({ code }) => {
                const known = problems.get(code ?? "")
                return known === undefined
                  ? HttpServerRespondable.toResponse(new NotFound({ detail: "There is no problem with this code." }))
                  : Effect.succeed(HttpServerResponse.text(page(known), html))
              })
            )
          ],
          { discard: true }
        )
      )
      return Layer.merge(routes, ApiReference.layer(document))
    })
  )
