/**
 * Walks through the console as somebody does who follows every link: over HTTP, from the start page. Each route of `src/Pages.ts` is met
 * at a few addresses, which differ in what they show.
 */
import { get } from "node:http"
import { unescaped } from "./Browser.ts"
import type { Someone } from "./EveryKind.ts"

/** A page that a walk has met. */
export interface Met {
  readonly person: Someone
  /** Its route, such as `/console/:team/webhooks`; undefined if there is none. */
  readonly route: string | undefined
  readonly address: string
  /** The page with the link. */
  readonly from: string
  readonly status: number
  readonly headers: Headers
  /** The page; empty where the answer is no HTML. */
  readonly text: string
}

/** The addresses to which a page leads by links, and those of its streams. */
export const linksOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    [...text.matchAll(/(?:<a\s[^>]*?href|\sdata-(?:live|follow))="([^"]*)"/g)].map(([, href = ""]) => unescaped(href))
  )
]

/** The path of a route as an expression, and the more literal one of two routes first. */
const matcherOf = (paths: ReadonlyArray<string>) => {
  const ordered = [...new Set(paths)]
    .toSorted((a, b) => a.split(":").length - b.split(":").length || b.length - a.length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}$`) }))
  return (pathname: string) => ordered.find(({ pattern }) => pattern.test(pathname))?.path
}

// What makes a page another one. Filters and ids do not.
const kindOf = (address: URL) => [...new Set(address.searchParams.keys())].toSorted().join("&")

/** How many pages of one kind are looked at. */
const most = 2

/** What a form sends: its fields, or a file with them. */
export interface Sent {
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly isFile?: boolean
}

const bodyOf = ({ isFile = false, token }: Sent): FormData | URLSearchParams => {
  const fields = isFile ? new FormData() : new URLSearchParams()
  if (token !== undefined) fields.append("form_token", token)
  if (fields instanceof FormData) fields.append("file", new Blob(["Terms"], { type: "text/plain" }), "terms.txt")
  return fields
}

/** The answer to a request of somebody, without following where it leads; to a form if `sent` is there. */
export const answerTo = async (
  baseUrl: string,
  { session }: Pick<Someone, "session">,
  address: string,
  sent?: Sent
) => {
  const response = await fetch(`${baseUrl}${address}`, {
    redirect: "manual",
    headers: {
      cookie: `pn_session=${session}`,
      "user-agent": "Walk",
      ...sent?.headers
    },
    ...(sent === undefined ? {} : { method: "POST", body: bodyOf(sent) })
  })
  const isHtml = response.headers.get("content-type")?.startsWith("text/html") === true
  const text = isHtml ? await response.text() : ""
  // A stream of events would not end.
  if (!isHtml) await response.body?.cancel()
  return { status: response.status, headers: response.headers, text }
}

/**
 * How many bytes a browser reads for an address on a new connection: headers and what is compressed, as it asks for that over TLS. `from` is
 * the page from which the script of the console goes there.
 */
export const sizeOf = (
  baseUrl: string,
  { session }: Pick<Someone, "session">,
  address: string,
  from = ""
): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      cookie: `pn_session=${session}`,
      "accept-encoding": "gzip, deflate, br, zstd",
      "console-frame": /<body data-frame="([^"]+)"/.exec(from)?.[1] ?? ""
    }
    get(`${baseUrl}${address}`, { agent: false, headers }, (response) => {
      response.on("end", () => resolve(response.socket.bytesRead)).resume()
    }).on("error", reject)
  })

/** All pages that somebody meets from `starts` on, by the links of each. Links that lead out of the console are in `outward`. */
export const walk = async (
  baseUrl: string,
  routes: ReadonlyArray<string>,
  person: Someone,
  starts: ReadonlyArray<string>
): Promise<{ readonly pages: ReadonlyArray<Met>; readonly outward: ReadonlySet<string> }> => {
  const routeOf = matcherOf(routes)
  const pages: Array<Met> = []
  const outward = new Set<string>()
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  const queue: Array<{ readonly address: string; readonly from: string }> = []
  const add = (href: string, from: string) => {
    const url = new URL(href, `${baseUrl}${from}`)
    url.hash = ""
    const address = `${url.pathname}${url.search}`
    if (url.origin !== baseUrl || !/^\/console(?:\/|$)/.test(url.pathname)) {
      outward.add(url.origin === baseUrl ? address : url.href)
      return
    }
    if (seen.has(address)) return
    seen.add(address)
    const key = `${routeOf(url.pathname) ?? url.pathname} ${kindOf(url)}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    if (count < most) queue.push({ address, from })
  }
  for (const start of starts) add(start, "/console")
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { address, from } = next
      const { headers, status, text } = await answerTo(baseUrl, person, address)
      const route = routeOf(new URL(address, baseUrl).pathname)
      pages.push({ person, route, address, from, status, headers, text })
      const location = headers.get("location")
      if (location !== null) add(location, address)
      for (const href of linksOf(text)) add(href, address)
    }
  }
  // One at a time meets the same pages in each run.
  await work()
  return { pages, outward }
}
