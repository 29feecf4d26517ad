/** The pages of the documentation: the API reference and the explanations of problems. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { advice } from "../../src/http/Docs.ts"
import { encodingOf } from "../../src/http/StaticContent.ts"
import { TestService } from "../support/TestService.ts"

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** The answer as it is transferred. The fetch of Node would decompress it. */
const transfer = Effect.fnUntraced(function* (path: string, headers: Record<string, string> = {}) {
  const { baseUrl } = yield* TestService
  const { request } = yield* Effect.promise(() => import("undici"))
  return yield* Effect.promise(async (): Promise<Sent> => {
    const answer = await request(`${baseUrl}${path}`, { headers })
    const known = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return {
      status: answer.statusCode,
      headers: new Headers(known),
      bytes: new Uint8Array(await answer.body.arrayBuffer())
    }
  })
})

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script src="([^"]+)" defer><\/script>/g)].map(([, path]) => path)

const documentOf = (html: string) => /spec-url="([^"]+)"/.exec(html)?.[1] ?? ""

/** What the tests read of a document. */
interface Described {
  readonly info: { readonly description: string }
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: {
        readonly operationId: string
        readonly responses: object
        readonly "x-codeSamples"?: unknown
        readonly "x-code-samples"?: unknown
      }
    }
  }
  readonly webhooks: { readonly [type: string]: { readonly post: { readonly tags: ReadonlyArray<string> } } }
}

const operationIdsOf = ({ paths }: Described) =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))

layer(TestService.layer, { excludeTestServices: true })("The API reference", (it) => {
  it.effect(
    "is a small page that shows the groups at once, runs no inline script and loads nothing from elsewhere",
    () =>
      Effect.gen(function* () {
        const { baseUrl, request } = yield* TestService
        const { headers, status, text } = yield* request("GET", "/docs")
        assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/html; charset=utf-8"])
        assert.isBelow(text.length, 16_384)
        assert.notMatch(text.replaceAll(baseUrl, ""), /\/\//)
        assert.notMatch(text, /<script(?! src=)|\bon[a-z]+=/)
        assert.lengthOf(scriptsOf(text), 2)
        for (const group of ["Contacts", "Webhook management", "Follow-up tasks", "Webhooks"])
          assert.include(text, `<dt>${group}</dt>`)
        assert.include(text, "<title>Property Network API</title>")
      })
  )

  it.effect("forbids the browser to contact any other host and to run other scripts", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { headers } = yield* request("GET", "/docs")
      const directives = (headers.get("content-security-policy") ?? "").split("; ").sort()
      assert.deepStrictEqual(directives, [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'"
      ])
    })
  )

  it.effect("is shown in no frame, and is what it says it is, as are the explanations of problems", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { text } = yield* request("GET", "/docs")
      for (const path of ["/docs", documentOf(text), ...scriptsOf(text), "/help", "/help/not-found", "/openapi.json"]) {
        const { headers } = yield* request("GET", path as string)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", path)
        if (headers.get("content-type")?.startsWith("text/html") !== true) continue
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer", path)
        const policy = headers.get("content-security-policy") ?? ""
        for (const directive of [
          "default-src 'none'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'none'"
        ])
          assert.include(policy.split("; "), directive, path)
        assert.strictEqual(policy.includes("script-src"), path === "/docs", path)
      }
    })
  )

  it.effect("has no other files", () =>
    Effect.gen(function* () {
      const { body, status } = yield* (yield* TestService).request("GET", "/docs/document-0.json")
      assert.deepStrictEqual([status, body["code"]], [404, "not_found"])
      assert.strictEqual(body["detail"], "There is nothing at /docs/document-0.json.")
    })
  )

  it.effect("renders groups on demand and has no list of models", () =>
    Effect.gen(function* () {
      const { text } = yield* (yield* TestService).request("GET", "/docs")
      const [element = ""] = /<openapi-explorer [^>]*>/.exec(text) ?? []
      for (const setting of ["collapse", "hide-components"]) assert.include(element, `${setting}="true"`)
      assert.notInclude(element, "hide-search")
    })
  )

  // The time until the page can be used grows with what it has to process.
  it.effect("renders every operation and webhook, without what would only slow it down", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { body: whole } = yield* request<Described>("GET", "/openapi.json")
      const { body: rendered, text } = yield* request<Described>(
        "GET",
        documentOf((yield* request("GET", "/docs")).text)
      )
      assert.isBelow(text.length, 900_000)
      assert.deepStrictEqual(operationIdsOf(rendered), operationIdsOf(whole))
      assert.deepStrictEqual(Object.keys(rendered.webhooks), Object.keys(whole.webhooks))
      const list = (document: Described) => document.paths["/api/v1/network/contacts"]?.["get"]
      for (const status of ["401", "429", "500", "503"]) {
        assert.property(list(whole)?.responses, status)
        assert.notProperty(list(rendered)?.responses, status)
        assert.include(rendered.info.description, status)
      }
      assert.deepStrictEqual(list(rendered)?.["x-code-samples"], list(whole)?.["x-codeSamples"])
      assert.isNotEmpty(list(rendered)?.["x-code-samples"])
      // What only one operation can answer stays.
      assert.property(rendered.paths["/openid/token"]?.["post"]?.responses, "401")
    })
  )

  it.effect("says once what receivers of webhooks do", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { text } = yield* request("GET", documentOf((yield* request("GET", "/docs")).text))
      assert.lengthOf(text.match(/Compute the HMAC-SHA256/g) ?? [], 1)
      const { tags, webhooks } = JSON.parse(text) as Described
      assert.lengthOf(
        tags.filter(({ name }) => name === "Webhooks"),
        1
      )
      for (const [type, { post }] of Object.entries(webhooks)) assert.deepStrictEqual(post.tags, ["Webhooks"], type)
    })
  )

  it.effect("is transferred compressed, and its script and document only once", () =>
    Effect.gen(function* () {
      const { text } = yield* (yield* TestService).request("GET", "/docs")
      let total = 0
      for (const path of ["/docs", "/openapi.json", documentOf(text), ...scriptsOf(text)] as ReadonlyArray<string>) {
        const plain = yield* transfer(path)
        assert.isNull(plain.headers.get("content-encoding"), path)
        const etags = new Set([plain.headers.get("etag")])
        for (const [encoding, decompress] of [
          ["br", brotliDecompressSync],
          ["gzip", gunzipSync]
        ] as const) {
          const { bytes, headers } = yield* transfer(path, { "accept-encoding": encoding })
          assert.deepStrictEqual([headers.get("content-encoding"), headers.get("vary")], [encoding, "Accept-Encoding"])
          assert.isTrue(Buffer.from(plain.bytes).equals(decompress(bytes)), path)
          etags.add(headers.get("etag"))
          if (encoding === "br") total += bytes.length
          const again = yield* transfer(path, {
            "accept-encoding": encoding,
            "if-none-match": headers.get("etag") ?? ""
          })
          assert.deepStrictEqual([again.status, again.bytes.length], [304, 0], path)
        }
        assert.strictEqual(etags.size, 3, path)
        assert.strictEqual(
          plain.headers.get("cache-control"),
          /^\/(?:assets|docs)\//.test(path) ? "public, max-age=31536000, immutable" : "no-cache"
        )
      }
      assert.isBelow(total, 400_000)
    })
  )

  it("compresses as Accept-Encoding allows", () => {
    const cases: ReadonlyArray<readonly [header: string | undefined, encoding: string | undefined]> = [
      [undefined, undefined],
      ["gzip, deflate, br, zstd", "br"],
      ["GZIP;q=0.5", "gzip"],
      ["br;q=0, gzip", "gzip"],
      ["identity, gzip;q=0.000", undefined]
    ]
    for (const [header, encoding] of cases) assert.strictEqual(encodingOf(header), encoding, header)
  })

  it.effect("has an icon", () =>
    Effect.gen(function* () {
      const { bytes, headers } = yield* transfer("/favicon.svg")
      assert.strictEqual(headers.get("content-type"), "image/svg+xml")
      assert.include(Buffer.from(bytes).toString(), "<svg")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("The explanations of problems", (it) => {
  it.effect("are listed on one page, to which each leads back", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { text } = yield* request("GET", "/help")
      const linked = [...text.matchAll(/href="(\/help\/[a-z-]+)"/g)].map(([, path]) => path ?? "")
      assert.deepStrictEqual(
        [...linked].sort(),
        Object.keys(advice)
          .map((code) => `/help/${code.replaceAll("_", "-")}`)
          .sort()
      )
      for (const path of linked) assert.include((yield* request("GET", path)).text, '<a href="/help">')
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("Pages of problems and documents", (it) => {
  const asBrowser = (headers: Readonly<Record<string, string>> = {}) => ({
    headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8", ...headers }
  })

  it.effect("have the look of the console, in the language and colours of the browser", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      for (const path of ["/help", "/help/not-found", "/docs/webhooks.md"]) {
        const english = yield* request("GET", path, asBrowser())
        assert.match(english.text, /<html lang="en"\s*>/, path)
        assert.match(english.text, /<link rel="stylesheet" href="\/[^"]*console[^"]*\.css"/, path)
        assert.include(english.headers.get("vary") ?? "", "Accept-Language, Cookie", path)
        const german = yield* request(
          "GET",
          path,
          asBrowser({
            "accept-language": "de-AT",
            cookie: "pn_theme=dark"
          })
        )
        assert.match(german.text, /<html lang="de"\s+data-theme="dark"/, path)
        assert.include(german.text, "API-Referenz", path)
        assert.notStrictEqual(german.headers.get("etag"), english.headers.get("etag"), path)
      }
    })
  )

  it.effect("show documents to browsers, with links that lead on, and to programs as they are", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { headers, text } = yield* request("GET", "/docs/webhooks.md", asBrowser())
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      for (const part of ['<h2 id="a-receiver">', '<pre tabindex="0"><code', 'href="behaviour/webhooks.md"']) {
        assert.include(text, part)
      }
      assert.notMatch(text, /<script|\son\w+=|style=/)
      for (const [, href = ""] of text.matchAll(/href="([^":#]+)(?:#[^"]*)?"/g)) {
        const { pathname } = new URL(href, "http://service/docs/webhooks.md")
        assert.isBelow((yield* request("GET", pathname)).status, 400, pathname)
      }
      assert.include(headers.get("vary") ?? "", "Accept,")
      const raw = yield* request("GET", "/docs/webhooks.md", { headers: { accept: "*/*" } })
      assert.strictEqual(raw.headers.get("content-type"), "text/markdown; charset=utf-8")
      assert.include(raw.headers.get("vary") ?? "", "Accept")
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("/llms.txt", (it) => {
  it.effect("leads agents to what the service serves, among it all rules", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { headers, text } = yield* request("GET", "/llms.txt")
      assert.strictEqual(headers.get("content-type"), "text/markdown; charset=utf-8")
      assert.match(text, /^# Property Network\n\n> /)
      const linked = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, url]) => url ?? "")
      const paths = linked.map((url) => url.replace(baseUrl, ""))
      assert.includeMembers(paths, ["/openapi.json", "/docs", "/help", "/mcp", "/README.md", "/docs/tour.md"])
      assert.strictEqual(linked.length, text.match(/^- /gm)?.length)
      const root = new URL("../../", import.meta.url)
      const rules = readdirSync(new URL("docs/behaviour", root)).map((name) => `/docs/behaviour/${name}`)
      assert.includeMembers(paths, rules)
      for (const path of paths) {
        const { status } = yield* request(path === "/mcp" ? "POST" : "GET", path)
        assert.strictEqual(status, path === "/mcp" ? 401 : 200, path)
      }
      for (const path of paths.filter((one) => one.endsWith(".md"))) {
        const document = yield* request("GET", path)
        assert.strictEqual(document.text, readFileSync(new URL(`.${path}`, root), "utf8"))
        assert.strictEqual(document.headers.get("content-type"), "text/markdown; charset=utf-8")
        const etag = document.headers.get("etag") ?? ""
        assert.strictEqual((yield* request("GET", path, { headers: { "if-none-match": etag } })).status, 304)
      }
      const wrong = yield* request("POST", "/docs/tour.md")
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD"])
    })
  )
})
