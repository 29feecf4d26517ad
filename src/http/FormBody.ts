/** Reads forms from the bodies of requests. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { FormRefused, isForm, parseForm } from "../core/usecase/Form.ts"
import { readBytes } from "./Body.ts"

/** The maximum size of a form, in bytes. */
const maxBytes = 64 * 1024

const refuse = (detail: string) => new FormRefused({ detail })

const tooLarge = refuse("The form must not be larger than 64 KiB.")

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The form in the body of a request, at most 64 KiB. */
export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isForm(request.headers["content-type"])) {
    return yield* refuse("Send the form as application/x-www-form-urlencoded in UTF-8.")
  }
  if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
    return yield* refuse("Send the form without Content-Encoding.")
  }
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge
  const bytes = yield* Effect.mapError(readBytes(request, maxBytes), () =>
    refuse("The form did not arrive completely, or it is larger than 64 KiB.")
  )
  const text = yield* Effect.try({ try: () => utf8.decode(bytes), catch: () => refuse("The form is not in UTF-8.") })
  return yield* Effect.fromResult(parseForm(text))
})
