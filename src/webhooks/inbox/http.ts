/** The address of an inbox, to which anybody may post who knows it. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { readBytes } from "../../http/Body.ts"
import { PayloadTooLarge } from "../../core/usecase/Problem.ts"
import { Inbox, maxMessageBytes } from "./Inbox.ts"

const path = "/inbox/:team/:token"

/** The methods and paths. */
export const methods = [{ method: "POST", path }] as const

const tooLarge = new PayloadTooLarge({ detail: "An inbox takes bodies of at most 64 KiB." })

/** The headers as they were written. */
const writtenHeaders = ({ headers, source }: HttpServerRequest.HttpServerRequest) => {
  const { rawHeaders } = source as { readonly rawHeaders?: ReadonlyArray<string> }
  if (rawHeaders === undefined) return Object.entries(headers).map(([name, value]) => [name, value ?? ""] as const)
  return Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => [rawHeaders[2 * index] ?? "", rawHeaders[2 * index + 1] ?? ""] as const
  )
}

/** Serves it. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const inbox = yield* Inbox
    yield* router.add(
      "POST",
      path,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { team = "", token = "" } = yield* HttpRouter.params
        const body = yield* Effect.mapError(readBytes(request, maxMessageBytes), () => tooLarge)
        const answer = yield* inbox.receive({ team, token }, { headers: writtenHeaders(request), body })
        return HttpServerResponse.empty({ status: answer })
      }).pipe(Effect.catch(HttpServerRespondable.toResponse))
    )
  })
)
