/** `/openapi.json`, `/docs` and `/help/{code}`. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { BaseUrl } from "../BaseUrl.ts"
import * as ApiReference from "./ApiReference.ts"
import { page } from "./Help.ts"
import * as OpenApiDocument from "./OpenApiDocument.ts"
import {
  HeadersTooLarge,
  InternalError,
  MalformedRequest,
  MethodNotAllowed,
  NotFound,
  PreconditionRequired,
  RequestTimeout
} from "../usecase/Problem.ts"

interface KnownProblem {
  readonly code: string
  readonly title: string
  readonly status: number
}

/** The constant value of a member of a problem's schema, or its first example. */
const valueOf = (schema: unknown): unknown => {
  if (typeof schema !== "object" || schema === null) return undefined
  if ("enum" in schema && Array.isArray(schema.enum)) return schema.enum[0]
  return "examples" in schema && Array.isArray(schema.examples) ? schema.examples[0] : undefined
}

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
  const declared = Object.values(document.components.schemas).flatMap((schema) => {
    const properties = schema["properties"] as Record<string, unknown> | undefined
    const type = valueOf(properties?.["type"])
    return typeof type === "string" && type.includes("/help/")
      ? [
          {
            code: String(valueOf(properties?.["code"])),
            title: String(valueOf(properties?.["title"])),
            status: Number(valueOf(properties?.["status"]))
          }
        ]
      : []
  })
  const others = undeclared.map((Problem) => {
    const { code, status, title } = new Problem({ detail: "" })
    return { code, status, title }
  })
  return [...new Map([...declared, ...others].map((known) => [known.code, known])).values()]
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
