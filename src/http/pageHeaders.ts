/** What a browser may do with the pages of the documentation. */

const forAll = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/**
 * The headers of a page: it stands in no frame, tells other sites nothing, contacts no host but this one, and loads and does
 * nothing but what `allowed` says, as directives of a Content-Security-Policy.
 */
export const pageHeaders = (allowed: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  "content-security-policy": [...forAll, ...allowed].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})
