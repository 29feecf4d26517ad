/** Redirects reads of a merged record to the surviving one: docs/behaviour/network.md#merges. */
import { HttpServerResponse } from "effect/http"

/** 301 to the same path with the id of the surviving record. `pattern` is the path of the endpoint. */
export const redirect = (
  pattern: string,
  requestUrl: string,
  params: Readonly<Record<string, string | undefined>>,
  survivor: string
): HttpServerResponse.HttpServerResponse => {
  // Built from the pattern and not from the URL, which may spell the id with escapes.
  const path = pattern.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === "id" ? survivor : (params[name] ?? ""))
  )
  const query = requestUrl.indexOf("?")
  const location = query < 0 ? path : path + requestUrl.slice(query)
  return HttpServerResponse.empty({ status: 301, headers: { location } })
}
