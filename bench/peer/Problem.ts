/** Problem documents (RFC 9457). */

const titles = {
  invalid_request: [400, "The request is not valid."],
  invalid_cursor: [400, "The cursor does not belong to this list."],
  unauthorized: [401, "The request has no valid access token."],
  insufficient_scope: [403, "The token does not allow this."],
  capability_required: [403, "The caller may not do this."],
  not_found: [404, "There is nothing here."],
  duplicate: [409, "There is one already."],
  external_reference_taken: [409, "An external reference belongs to another resource."],
  idempotency_in_progress: [409, "The first request with this key is not answered yet."],
  idempotency_key_reused: [422, "This key was used before with another body."],
  rate_limited: [429, "Too many requests."],
  internal_error: [500, "Something went wrong on our side."]
} as const

/** The kinds of problems. */
export type Code = keyof typeof titles

/** A problem. `further` are its additional members and headers. */
export class Problem extends Error {
  readonly code: Code
  readonly detail: string
  readonly members: object
  readonly headers: { readonly [name: string]: string }

  constructor(
    code: Code,
    detail: string,
    further: { readonly members?: object; readonly headers?: { readonly [name: string]: string } } = {}
  ) {
    super(detail)
    this.code = code
    this.detail = detail
    this.members = further.members ?? {}
    this.headers = further.headers ?? {}
  }
}

/** The HTTP status of a problem. */
export const statusOf = ({ code }: Problem): number => titles[code][0]

/** The document of a problem. */
export const documentOf = ({ code, detail, members }: Problem, baseUrl: string, requestId: string): string =>
  JSON.stringify({
    detail,
    code,
    ...members,
    type: `${baseUrl}/help/${code.replaceAll("_", "-")}`,
    status: titles[code][0],
    title: titles[code][1],
    requestId
  })
