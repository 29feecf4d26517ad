/** `/openapi.json`, `/docs` and `/help/{code}`. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { BaseUrl } from "../BaseUrl.ts"
import * as ApiReference from "./ApiReference.ts"
import { page } from "./Help.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import { type KnownProblem, problemsIn } from "./OpenApiProblems.ts"
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

/** Serves the documentation of an API. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): Layer.Layer<never, never, HttpRouter.HttpRouter | BaseUrl> =>
  Layer.unwrap(
    Effect.map(BaseUrl, (baseUrl) => {
      const document = OpenApiDocument.make(api, baseUrl)
      const problems = new Map(problemsOf(document).map((known) => [known.code.replaceAll("_", "-"), known]))
      const json = HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json" })
      const routes = HttpRouter.use((router) =>
        Effect.all(
          [
            router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect("/docs"))),
            router.add("GET", "/openapi.json", Effect.succeed(json)),
            router.add(
              "GET",
              "/help/:code",
              Effect.flatMap(HttpRouter.params, ({ code }) => {
                const known = problems.get(code ?? "")
                return known === undefined
                  ? HttpServerRespondable.toResponse(new NotFound({ detail: "There is no problem with this code." }))
                  : Effect.succeed(HttpServerResponse.text(page(known), { contentType: "text/html; charset=utf-8" }))
              })
            )
          ],
          { discard: true }
        )
      )
      return Layer.merge(routes, ApiReference.layer(api, document))
    })
  )
