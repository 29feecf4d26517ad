/** The OpenAPI document as it is served: whole, true, and of use to the tools that clients make of it. */
import { assert, layer } from "@effect/vitest"
import ajv2020, { type ValidateFunction } from "@redocly/ajv/dist/2020.js"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import openapiTypescript, { astToString } from "openapi-typescript"
import { Database } from "../src/db/Database.ts"
import { advice } from "../src/http/Help.ts"
import { curlOf, type Sample, sampleOf } from "../src/http/OpenApiSamples.ts"
import type { Document as Whole } from "../src/http/OpenApiSpec.ts"
import { headers } from "../src/webhooks/signing/Signature.ts"
import {
  bodyOf,
  type Caller,
  everything,
  having,
  type Operation,
  operations,
  withOwnIds,
  resourcesOf,
  send
} from "./support/Surface.ts"
import * as Tenant from "./support/Tenant.ts"
import { type RequestOptions, type Reply, TestService } from "./support/TestService.ts"
import { fanOut } from "./webhooks/fanOut.ts"

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

type Schema = { readonly [key: string]: unknown }

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly security: ReadonlyArray<object>
  readonly "x-capability": string
  readonly "x-codeSamples"?: ReadonlyArray<{ readonly lang: string; readonly label: string; readonly source: string }>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: { readonly [type: string]: Media } }
  readonly responses: {
    readonly [status: string]: {
      readonly content?: { readonly [type: string]: Media }
      readonly headers?: { readonly [name: string]: { readonly required?: boolean } }
    }
  }
}

interface Report {
  readonly wouldAnswer: number
  readonly result: object | null
  readonly events: ReadonlyArray<{ readonly event: string }>
  readonly affected: ReadonlyArray<{ readonly type: string; readonly change: string }>
}

interface Received {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly example: unknown }>
  readonly requestBody: { readonly content: { readonly [type: string]: Media } }
  readonly responses: { readonly [status: string]: object }
}

interface Document {
  readonly openapi: string
  readonly webhooks: { readonly [type: string]: { readonly post: Received } }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Described } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

let known: Reply<Document> | undefined

/** The document, asked for once. */
const served = Effect.gen(function* () {
  const { request } = yield* TestService
  const reply = known ?? (yield* request<Document>("GET", "/openapi.json"))
  assert.deepStrictEqual([reply.status, reply.headers.get("content-type")], [200, "application/json"])
  return (known = reply)
})

const describedIn = (document: Document): ReadonlyArray<Described> =>
  Object.values(document.paths).flatMap((item) => Object.values(item))

const pathOf = (operation: Operation) => operation.path.replaceAll(/\/:(\w+)/g, "/{$1}")

const resolve = createRequire(import.meta.url).resolve

/** A program of a package: `file` is its path below the package's folder. */
const programOf = (name: string, file: string) => join(dirname(resolve(`${name}/package.json`)), file)

/** What a program of Node says, and how it ends. */
const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(
    (signal) =>
      new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((done) => {
        const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
        const child = execFile(process.execPath, args, { cwd, env, signal, maxBuffer: 64e6 }, (_, out, err) =>
          done({ code: child.exitCode ?? -1, out, err })
        )
      })
  )

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-openapi-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const write = (path: string, text: string) => Effect.promise(() => writeFile(path, text))

/** As a document that has no members but those it names: what is sent must not have more. */
const closed = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(closed)
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) => [key, closed(one)]))
  return "properties" in inner && typeof inner["properties"] === "object" && inner["type"] === "object"
    ? { additionalProperties: false, ...inner }
    : inner
}

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Validates what is sent and answered by the schemas of a document. */
const makeValidator = (document: Document) => {
  const ajv = new ajv2020.default({
    strict: false,
    allErrors: true,
    formats: { binary: true, "date-time": timestamp, uri: (text) => URL.canParse(text) },
    // Each schema is compiled once and used a few times: the quickest code to make is the cheapest.
    inlineRefs: false,
    code: { optimize: false }
  })
  ajv.addSchema({ ...(closed(document) as object), $id: "openapi" })
  const validate = (what: string, place: string, value: unknown) => {
    const check: ValidateFunction | undefined = ajv.getSchema(`openapi#${place}`)
    assert.isDefined(check, `${what} has no schema at ${place}`)
    const valid = check?.(value) === true
    assert.isTrue(valid, `${what} at ${place}: ${ajv.errorsText(check?.errors)} of ${JSON.stringify(value)}`)
  }
  return {
    validate,
    /** That the document says that the operation may answer so. */
    answer: (operation: Operation, reply: Reply<unknown>) => {
      const what = `${operation.method} ${operation.path} ${reply.status}`
      const method = operation.method.toLowerCase()
      const response = document.paths[pathOf(operation)]?.[method]?.responses[String(reply.status)]
      assert.isDefined(response, `${what} is not in the document`)
      for (const [name, { required }] of Object.entries(response?.headers ?? {})) {
        if (required === true) assert.isNotNull(reply.headers.get(name), `${what} lacks the header ${name}`)
      }
      if (reply.text === "") {
        assert.isUndefined(response?.content, `${what} has no body`)
        return
      }
      const type = reply.headers.get("content-type")?.split(";")[0] ?? ""
      const media = response?.content?.[type] === undefined ? "*/*" : type
      const place = ["responses", String(reply.status), "content", media, "schema"]
      const isText = !isJson(type)
      validate(what, pointer("paths", pathOf(operation), method, ...place), isText ? reply.text : reply.body)
    }
  }
}

const validators = new WeakMap<Document, ReturnType<typeof makeValidator>>()

// Compiling the schemas takes longer than all that is validated by them.
const validatorOf = (document: Document) => {
  const validator = validators.get(document) ?? makeValidator(document)
  validators.set(document, validator)
  return validator
}

const operation = (id: string): Operation => {
  const found = operations.find((one) => one.id === id)
  assert.isDefined(found, id)
  return found as Operation
}

const isJson = (type: string) => /^application\/(?:\w+\+)?json$/.test(type.replace("merge-patch", "patch"))

/** Asserts that a page loads nothing from another host. */
const assertOffline = (html: string): void => {
  const markup = html.replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/g, "$1$2")
  const loads =
    /\b(?:src|srcset|data|poster|action)\s*=\s*["']?[^"'\s>]+|<link\b[^>]*\bhref\s*=\s*["']?[^"'\s>]+|@import\b[^;]+|url\([^)]*\)/gi
  const elsewhere = [...markup.matchAll(loads)].map(([load]) => load).filter((load) => /(?:https?:)?\/\//i.test(load))
  assert.deepStrictEqual(elsewhere, [])
}

layer(TestService.layer, { excludeTestServices: true })("The OpenAPI document", (it) => {
  it.effect("is the committed openapi.json, apart from the base URL", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { text } = yield* served
      const document: unknown = JSON.parse(text.replaceAll(baseUrl, "http://localhost:3000"))
      const actual = `${JSON.stringify(document, null, 2)}\n`.split("\n")
      const committed = yield* Effect.promise(() => readFile(new URL("../openapi.json", import.meta.url), "utf8"))
      const index = committed.split("\n").findIndex((line, at) => line !== actual[at])
      const difference = `Line ${index + 1} is served as ${actual[index]}`
      // A diff of the whole would fill the screen.
      assert.isTrue(
        index === -1,
        `openapi.json is not what is served. ${difference}. Run \`npm run openapi\` and review what changed.`
      )
    })
  )

  it.effect(
    "passes Redocly's recommended rules without a warning",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporary
        yield* write(join(folder, "openapi.json"), (yield* served).text)
        const cli = programOf("@redocly/cli", "bin/cli.js")
        const { code, err, out } = yield* run(
          folder,
          cli,
          "lint",
          "openapi.json",
          "--extends=recommended",
          "--format=json"
        )
        const { problems, totals } = JSON.parse(out) as {
          readonly totals: { readonly errors: number; readonly warnings: number }
          readonly problems: ReadonlyArray<{
            readonly ruleId: string
            readonly message: string
            readonly location: unknown
          }>
        }
        const found = problems.map(
          ({ location, message, ruleId }) => `${ruleId}: ${message} ${JSON.stringify(location)}`
        )
        assert.deepStrictEqual(found, [], err)
        assert.deepInclude(totals, { errors: 0, warnings: 0 })
        assert.strictEqual(code, 0, err)
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "makes types that compile strictly, and say what is sent and answered",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporary
        const { text } = yield* served
        const types = yield* Effect.promise(() => openapiTypescript(text))
        yield* write(join(folder, "api.ts"), astToString(types))
        yield* write(
          join(folder, "use.ts"),
          `import type { components, operations, paths } from "./api.ts"
type Body<T> = T extends { requestBody: { content: { "application/json": infer Json } } } ? Json : never
type Answer<T, Status extends number> = T extends { responses: { [_ in Status]: { content: infer Content } } }
  ? Content[keyof Content] : never
const sent: Body<paths["/api/v1/network/contacts"]["post"]> = { firstName: "Anna", tags: ["core"] }
const got = (contact: Answer<operations["contacts.create"], 201>): string | null => contact.email
const why = (refused: Answer<operations["contacts.create"], 409>): string => refused.requestId + refused.type + refused.title
const codes = (refused: Answer<operations["contacts.create"], 409>): boolean => refused.code === "duplicate" && refused.status === 409
const changed = (event: components["schemas"]["ContactUpdatedEvent"]): ReadonlyArray<string> => event.changed_fields ?? []
const page = (contacts: components["schemas"]["ContactPage"]): string | undefined => contacts.data[0]?.id
const size: NonNullable<paths["/api/v1/network/contacts"]["get"]["parameters"]["query"]>["page_size"] = 50
// @ts-expect-error A misspelt member is none.
const misspelt: Body<paths["/api/v1/network/contacts"]["post"]> = { firstNme: "Anna" }
// @ts-expect-error A webhook needs a URL.
const without: Body<paths["/api/v1/webhooks"]["post"]> = { events: ["contact.created"] }
export const all = [sent, got, why, codes, changed, page, size, misspelt, without]
`
        )
        const options = {
          strict: true,
          noEmit: true,
          target: "esnext",
          module: "nodenext",
          allowImportingTsExtensions: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          types: []
        }
        yield* write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }))
        const { code, out } = yield* run(folder, programOf("typescript-native", "bin/tsc"), "-p", ".")
        assert.deepStrictEqual([out, code], ["", 0])
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect("describes every operation of the contract, with examples of all that is sent and answered", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const described = describedIn(document)
      const ids = described.map(({ operationId }) => operationId)
      assert.deepStrictEqual([...new Set(ids)].sort(), operations.map(({ id }) => id).sort())
      assert.strictEqual(new Set(ids).size, ids.length)
      for (const { description, operationId, parameters, requestBody, responses, summary } of described) {
        assert.match(summary ?? "", /^[A-Z].*[^.]$/, operationId)
        assert.match(description ?? "", /^(?!undefined).+\.$/s, operationId)
        for (const parameter of parameters) assert.isNotEmpty(parameter.description, `${operationId} ${parameter.name}`)
        const media = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
        for (const [type, { example }] of media.flatMap((content) => Object.entries(content ?? {}))) {
          assert.isDefined(example, `${operationId} has no example of ${type}`)
        }
      }
      assert.deepStrictEqual(
        ids.filter((id) => requestBodyOf(document, id) === undefined && operation(id).hasBody),
        []
      )
    })
  )

  it.effect("gives examples that its own schemas take", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const { validate } = validatorOf(document)
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { requestBody, responses }] of Object.entries(item)) {
          for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
            validate(
              `${method} ${path}`,
              pointer("paths", path, method, "requestBody", "content", type, "schema"),
              example
            )
          }
          for (const [status, { content }] of Object.entries(responses)) {
            for (const [type, { example }] of Object.entries(content ?? {})) {
              const place = pointer("paths", path, method, "responses", status, "content", type, "schema")
              validate(`${method} ${path}`, place, example)
            }
          }
        }
      }
    })
  )

  it.effect("gives for each operation a sample that the service takes, and says no more than it must", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { text } = yield* served
      const whole = JSON.parse(text) as Whole
      for (const [path, item] of Object.entries(whole.paths)) {
        for (const [method, described] of Object.entries(item)) {
          const one = operation(described.operationId)
          const sample = sampleOf(described, path, method, whole.components.schemas, baseUrl)
          assert.deepStrictEqual(described["x-codeSamples"], [{ lang: "Shell", label: "curl", source: curlOf(sample) }])
          const required = described.parameters.filter((one) => one.in === "header" && one.required === true)
          const allowed = ["Authorization", "Content-Type", ...required.map(({ name }) => name)]
          assert.deepStrictEqual(
            Object.keys(sample.headers).filter((name) => !allowed.includes(name)),
            [],
            one.id
          )
          const url = new URL(sample.url)
          const sizes = described.parameters.map(({ name }) => name).filter((name) => name === "page_size")
          assert.deepStrictEqual([...url.searchParams.keys()], sizes, one.id)
          const owner = yield* Tenant.make(one.needs === "public" ? everything : having[one.needs])
          const resources = yield* resourcesOf(one, owner)
          const asked = askOf(sample, { token: owner.token, ...formOf(yield* bodyOf(one, owner)) })
          const ask = typeof asked.text === "string" ? { ...asked, text: yield* withOwnIds(owner, asked.text) } : asked
          assert.match(url.pathname, new RegExp(`^${one.path.replaceAll(/\/:\w+/g, "/[a-z]+_[0-9a-z]{26}")}$`))
          const reply = yield* send({ ...one, method: sample.method }, resources, ask, url.search)
          assert.include([200, 201, 204, 207], reply.status, `${one.id} ${reply.text}`)
        }
      }
      const nobody = yield* request("GET", "/api/v1/auth/me")
      assert.strictEqual(nobody.status, 401)
    })
  )

  it.effect("prints samples that a shell reads as they are meant", () =>
    Effect.gen(function* () {
      const source = curlOf({
        method: "POST",
        url: "https://api.example.com/a?b=1&c=2",
        headers: { Authorization: "Bearer $TOKEN" },
        user: "$CLIENT_ID:$CLIENT_SECRET",
        form: { token: "$TOKEN", scope: "it's $5 \"`x`" },
        files: { file: "terms.txt" },
        json: { name: 'O\'Brien `$HOME` "x"' }
      })
      const script = `curl() { for one; do printf '%s\\0' "$one"; done; }\nTOKEN=t CLIENT_ID=i CLIENT_SECRET=s\n${source}\n`
      const out = yield* Effect.promise(() => promisify(execFile)("sh", ["-c", script]))
      assert.deepStrictEqual(out.stdout.split("\0").slice(0, -1), [
        "-X",
        "POST",
        "https://api.example.com/a?b=1&c=2",
        "-u",
        "i:s",
        "-H",
        "Authorization: Bearer t",
        "--data-urlencode",
        "token=t",
        "--data-urlencode",
        "scope=it's $5 \"`x`",
        "-F",
        "file=@terms.txt",
        "-d",
        JSON.stringify({ name: 'O\'Brien `$HOME` "x"' }, null, 2)
      ])
    })
  )

  it.effect("gives examples of rehearsals that fit what is rehearsed", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { parameters, responses }] of Object.entries(item)) {
          // What answers 200 in earnest has an example of that.
          if (
            method === "patch" ||
            /\/(?:merge|secret|replay|retry|close|reopen|restore|classify)$/.test(path) ||
            !parameters.some(({ name }) => name === "Prefer")
          )
            continue
          const report = responses["200"]?.content?.["application/json"]?.example as Report
          const moves = /\/(?:remove|complete|cancel|reopen|stage-override)$/.test(path)
          const status = /\/batch(?:\/|$)/.test(path) ? 207 : moves || method === "delete" ? 204 : 201
          const change = moves
            ? "updated"
            : method === "delete" || path.endsWith("/batch/delete")
              ? "deleted"
              : "created"
          const type = path.includes("/webhooks")
            ? "webhook"
            : path.includes("/notes")
              ? "act"
              : path.includes("/files")
                ? "file"
                : path.includes("/companies")
                  ? "company"
                  : path.includes("/links")
                    ? "link"
                    : path.includes("/tasks")
                      ? "task"
                      : path.includes("/prospects")
                        ? "prospect"
                        : path.includes("/projects")
                          ? "project"
                          : "contact"
          const events = ["webhook", "act", "file", "task"].includes(type) ? [] : [`${type}.${change}`]
          assert.strictEqual(report.wouldAnswer, status)
          assert.strictEqual(report.result === null, status === 204, path)
          assert.deepInclude(report.affected[0], { type, change })
          assert.deepStrictEqual(
            report.events.map(({ event }) => event),
            events
          )
          assert.notProperty(report.result ?? {}, "secret")
        }
      }
    })
  )

  it.effect("says how moments and references are written, and closes no body that takes more than it names", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const written = describedIn(document)
        .flatMap(({ parameters }) => parameters)
        .filter(({ name }) => ["updated_since", "created_after", "created_before", "external_ref"].includes(name))
      assert.lengthOf(written, 12)
      for (const { description, name, schema } of written) {
        assert.strictEqual(schema["format"], name === "external_ref" ? undefined : "date-time")
        assert.include(description, name === "external_ref" ? "NAMESPACE:ID" : "`%2B`")
      }
      for (const name of ["ContactPatch", "WebhookPatch", "TokenRequest", "TokenQuestion"]) {
        assert.notProperty(document.components.schemas[name], "additionalProperties")
      }
      assert.propertyVal(document.components.schemas["ContactCreate"], "additionalProperties", false)
    })
  )

  it.effect("says that reads of what was merged are sent on, and that nothing else is", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { operationId, responses }] of Object.entries(item)) {
          const isRecord = /^\/api\/v1\/network\/(?:contacts|companies)\/\{id\}/.test(path)
          const isRead = method === "get"
          assert.strictEqual(responses["301"] !== undefined, isRead && isRecord, operationId)
          assert.isFalse(isRead && JSON.stringify(responses).includes('schemas/Merged"'), operationId)
          if (responses["301"] === undefined) continue
          assert.deepInclude(responses["301"].headers?.["location"], { required: true })
          assert.notProperty(responses["301"], "content")
        }
      }
      assert.include(JSON.stringify(document.paths["/api/v1/network/contacts/{id}"]?.["patch"]), 'schemas/Merged"')
    })
  )

  it.effect("describes what receivers of events get", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const { validate } = validatorOf(document)
      const { token, teamId } = yield* Tenant.make(everything)
      const { request } = yield* TestService
      const path = "/api/v1/network/contacts"
      const {
        body: { id }
      } = yield* request<{ readonly id: string }>("POST", path, { token, json: { firstName: "Anna" } })
      yield* request("PATCH", `${path}/${id}`, { token, json: { phone: "+49 30 1" } })
      yield* request("PATCH", `${path}/${id}`, { token, json: { linkedInUrl: "https://www.linkedin.com/in/anna" } })
      const companies = "/api/v1/network/companies"
      const created = (to: string, json: object) =>
        Effect.map(request<{ readonly id: string }>("POST", to, { token, json }), ({ body }) => body.id)
      const [company, twin] = [
        yield* created(companies, { name: "Berg" }),
        yield* created(companies, { name: "Bergh" })
      ]
      const link = yield* created("/api/v1/network/links", { contactId: id, companyId: twin })
      yield* request("POST", `${companies}/${company}/merge`, { token, json: { from: [twin] } })
      yield* request("DELETE", `/api/v1/network/links/${link}`, { token })
      const project = yield* created("/api/v1/projects", { name: "Tal" })
      const prospect = yield* created(`/api/v1/projects/${project}/prospects`, { contactId: id })
      yield* request("PATCH", `/api/v1/projects/${project}/prospects/${prospect}`, {
        token,
        json: { classification: "contacted" }
      })
      yield* request("POST", `/api/v1/projects/${project}/close`, { token })
      yield* request("DELETE", `/api/v1/projects/${project}`, { token })
      yield* request("POST", `/api/v1/projects/${project}/restore`, { token })
      yield* request("DELETE", `${path}/${id}`, { token })
      const sql = yield* Database
      const events = yield* Effect.orDie(sql<{ type: string; body: string }>`
        select type, body from events where team_id = ${teamId} order by seq`)
      assert.sameMembers([...new Set(events.map(({ type }) => type))], Object.keys(document.webhooks))
      const placeOf = (type: string) =>
        pointer("webhooks", type, "post", "requestBody", "content", "application/json", "schema")
      for (const { body, type } of events) validate(type, placeOf(type), JSON.parse(body))
      for (const [type, { post }] of Object.entries(document.webhooks)) {
        validate(type, placeOf(type), post.requestBody.content["application/json"]?.example)
        const sent = headers({
          id: "msg",
          timestampSeconds: 1,
          body: new Uint8Array(),
          secrets: [],
          eventType: type,
          test: true
        })
        const named = post.parameters.map(({ name }) => name)
        assert.sameMembers(
          named,
          Object.keys(sent).filter((name) => !["Content-Type", "User-Agent"].includes(name))
        )
        assert.includeMembers(Object.keys(post.responses), ["2XX", "410"])
      }
    })
  )

  it.effect("gives examples of bodies that the service takes", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      for (const { operationId, requestBody } of describedIn(document)) {
        for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
          if (!isJson(type)) continue
          const owner = yield* Tenant.make(everything)
          const resources = yield* resourcesOf(operation(operationId), owner)
          // Replaces what an example refers to: addresses here, and records below.
          const body = {
            ...(example as object),
            ...("url" in (example as object) ? { url: "http://127.0.0.1:9/hook" } : {})
          }
          const { headers } = yield* bodyOf(operation(operationId))
          const sent = yield* withOwnIds(owner, JSON.stringify(body))
          const ask: RequestOptions = { token: owner.token, text: sent, headers: { ...headers, "content-type": type } }
          const reply = yield* send(operation(operationId), resources, ask)
          assert.include([200, 201, 204, 207], reply.status, `${operationId} ${type} ${reply.text}`)
        }
      }
    })
  )

  it.effect("says for each operation what it needs, and how it refuses callers", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      for (const described of describedIn(document)) {
        const { description, operationId, responses, security } = described
        const { hasCaller, needs } = operation(operationId)
        assert.strictEqual(described["x-capability"], needs, operationId)
        assert.match(description ?? "", needs === "public" ? /No token is needed\.$/ : /(?:Any caller|Needs).*\.$/)
        assert.strictEqual(
          security.some((scheme) => "bearer" in scheme),
          hasCaller,
          operationId
        )
        const refusals = hasCaller ? ["401", "403", "429", "500", "503"] : []
        for (const status of refusals) {
          assert.isDefined(responses[status]?.content?.["application/problem+json"], `${operationId} ${status}`)
        }
        if (hasCaller) assert.isDefined(responses["401"]?.headers?.["www-authenticate"], operationId)
        for (const [status, { headers }] of Object.entries(responses)) {
          assert.isDefined(headers?.["x-request-id"], `${operationId} ${status}`)
          const isCounted = hasCaller && !["401", "503"].includes(status)
          assert.strictEqual(headers?.["ratelimit"] !== undefined, isCounted, `${operationId} ${status}`)
        }
      }
    })
  )

  it.effect("has a help page with advice for every problem, and no advice without a problem", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { body: document } = yield* served
      const advised = new Set<string>()
      for (const schema of Object.values(document.components.schemas)) {
        const properties = schema["properties"] as {
          readonly [name: string]: { readonly enum?: ReadonlyArray<string>; readonly examples?: ReadonlyArray<unknown> }
        }
        const type = properties["type"]?.examples?.[0]
        // The problems of items are these again.
        if (typeof type !== "string" || !type.includes("/help/") || properties["code"]?.enum === undefined) continue
        assert.include(JSON.stringify(properties["type"]), '"type":"string","format":"uri"')
        for (const name of ["type", "title"]) assert.isUndefined(properties[name]?.enum, `${type} ${name}`)
        for (const name of ["status", "code"]) assert.strictEqual(properties[name]?.enum?.length, 1, `${type} ${name}`)
        assert.includeMembers(
          [...(schema["required"] as ReadonlyArray<string>)],
          ["type", "title", "status", "code", "detail"]
        )
        assert.isTrue(type.startsWith(`${baseUrl}/help/`), type)
        const code = properties["code"]?.enum?.[0] ?? ""
        assert.strictEqual(type, `${baseUrl}/help/${code.replaceAll("_", "-")}`)
        assert.isNotEmpty(advice[code], `no advice for ${code}`)
        advised.add(code)
      }
      // The router and Node's parser give these, whatever the operation.
      const undeclared = ["method_not_allowed", "headers_too_large", "malformed_request"]
      assert.deepStrictEqual([...advised, ...undeclared].sort(), Object.keys(advice).sort())
      for (const [code, text] of Object.entries(advice)) {
        const page = yield* request("GET", `/help/${code.replaceAll("_", "-")}`)
        assert.deepStrictEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"], code)
        assert.include(page.text, text.split(/[`"<>&]/)[0] ?? "")
        assertOffline(page.text)
      }
    })
  )

  it.effect("describes what operations answer: to those whom they grant it, and to all others", () =>
    Effect.gen(function* () {
      const { answer } = validatorOf((yield* served).body)
      const stranger = yield* Tenant.make(everything)
      const outsider = yield* Tenant.make({ broker: null, membership: "pending", scopes: [] })
      for (const one of operations) {
        const owner = yield* Tenant.make(one.needs === "public" ? {} : having[one.needs])
        const resources = yield* resourcesOf(one, owner)
        const ask = yield* bodyOf(one, owner)
        const { token } = owner
        answer(one, yield* send(one, resources, { ...ask, token }, "?nonsense=1"))
        if (one.hasCaller) {
          answer(one, yield* send(one, resources, ask))
          answer(one, yield* send(one, resources, { ...ask, token: "nobody" }))
          answer(one, yield* send(one, resources, { ...ask, token: outsider.token }))
        }
        if (resources.length > 0) answer(one, yield* send(one, resources, { ...ask, token: stranger.token }))
        const granted = yield* send(one, resources, one.hasCaller ? { ...ask, token } : ask)
        assert.include([200, 201, 204, 207], granted.status)
        answer(one, granted)
      }
    })
  )

  it.effect("is judged by a validator that misses neither a member too many nor one too few", () =>
    Effect.gen(function* () {
      const { answer } = validatorOf((yield* served).body)
      const list = operation("contacts.list")
      const { token } = yield* Tenant.make()
      const reply = yield* send(list, [], { token })
      answer(list, reply)
      assert.throws(() => answer(list, { ...reply, body: { ...reply.body, total: 0 } }), /additional properties/)
      assert.throws(() => answer(list, { ...reply, body: { data: [] } }), /required property 'page'/)
      assert.throws(() => answer(list, { ...reply, status: 418 }), /not in the document/)
    })
  )

  it.effect("describes full answers and every kind of refusal", () =>
    Effect.gen(function* () {
      const { answer } = validatorOf((yield* served).body)
      const owner = yield* Tenant.make(everything)
      yield* tell(owner, answer)
    })
  )
})

/** The members of a form. */
const formOf = ({ text }: RequestOptions): { readonly [name: string]: string } =>
  typeof text === "string" ? Object.fromEntries(new URLSearchParams(text)) : {}

/** The request that a sample makes when the shell knows these variables; what it names on the internet is here. */
const askOf = (sample: Sample, known: { readonly [name: string]: string }): RequestOptions => {
  const filled = (text: string) => text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => known[name.toLowerCase()] ?? "")
  const basic =
    sample.user === undefined ? {} : { Authorization: `Basic ${Buffer.from(filled(sample.user)).toString("base64")}` }
  const sent = Object.entries(sample.headers).map(([name, value]) => [name, filled(value)])
  const ask = { headers: { ...(Object.fromEntries(sent) as Record<string, string>), ...basic } }
  if (sample.form !== undefined) {
    const members = new URLSearchParams(sample.form)
    for (const [name, value] of Object.entries(sample.form)) members.set(name, filled(value))
    return { ...ask, text: members.toString() }
  }
  if (sample.files !== undefined) {
    const form = new FormData()
    for (const [name, file] of Object.entries(sample.files)) form.append(name, new Blob(["The terms"]), file)
    return { ...ask, form }
  }
  if (sample.json === undefined) return ask
  return { ...ask, text: JSON.stringify(sample.json).replace("https://hooks.example.com", "http://127.0.0.1:9") }
}

const requestBodyOf = (document: Document, id: string) =>
  describedIn(document).find(({ operationId }) => operationId === id)?.requestBody

const full = {
  firstName: "Anna",
  lastName: "Berg",
  email: "anna@example.com",
  phone: "+49 30 1",
  primaryLanguage: "de-DE",
  tags: ["core"],
  strategy: "Offices",
  linkedInUrl: "https://www.linkedin.com/in/anna",
  profilePictureUrl: "https://cdn.example.com/anna.png",
  externalRefs: [{ namespace: "crm", externalId: "1" }]
}

/** A day in the life of a team: every answer on the way goes to `answer`. */
const tell = Effect.fnUntraced(function* (owner: Caller, answer: (operation: Operation, reply: Reply) => void) {
  const { token } = owner
  const statuses: Array<string> = []
  const ask = Effect.fnUntraced(function* (
    id: string,
    resources: ReadonlyArray<string>,
    more: RequestOptions = {},
    query = ""
  ) {
    const reply = yield* send(operation(id), resources, { token, ...more }, query)
    answer(operation(id), reply)
    statuses.push(`${id} ${reply.status}`)
    return reply.body as { readonly id: string; readonly etag: string; readonly data: ReadonlyArray<unknown> }
  })
  const text = { text: "{}", headers: { "content-type": "text/plain" } }
  const broken = { text: "{", headers: { "content-type": "application/json" } }

  yield* ask("identity.me", [])
  yield* ask("teams.get", [owner.team])
  yield* ask("teams.members", [owner.team])
  yield* ask("teams.members", [owner.team], {}, "?cursor=x")

  const hook = yield* ask("webhooks.create", [], {
    json: { url: "http://127.0.0.1:9/hook", events: ["contact.created"] },
    headers: { "idempotency-key": "hook" }
  })
  const contact = yield* ask("contacts.create", [], { json: full, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: full, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: { firstName: "Ben" }, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: { email: "ANNA@example.com" } })
  yield* ask("contacts.create", [], { json: { firstName: "Ben", externalRefs: full.externalRefs } })
  yield* ask("contacts.create", [], { json: {} })
  yield* ask("contacts.create", [], text)
  yield* ask("contacts.create", [], broken)
  yield* ask("contacts.create", [], { ...broken, text: " ".repeat(4 * 1024 * 1024 + 1) })
  yield* ask("contacts.patch", [contact.id], { json: { email: null }, headers: { "if-match": contact.etag } })
  yield* ask("contacts.patch", [contact.id], { json: { email: null }, headers: { "if-match": contact.etag } })
  yield* ask("contacts.patch", [contact.id], { json: { id: "contact_x", nothing: 1 } })
  yield* ask("contacts.patch", [contact.id], text)
  yield* ask("contacts.get", [contact.id])
  yield* ask("contacts.get", [contact.id], { headers: { "if-none-match": "*" } })
  const note = yield* ask("contactNotes.create", [contact.id], {
    json: { message: "**Called**", contentFormat: "markdown" },
    headers: { "idempotency-key": "note" }
  })
  yield* ask("contactNotes.create", [contact.id], { json: { message: "x" }, headers: { "idempotency-key": "note" } })
  yield* ask("contactNotes.create", [contact.id], { json: {} })
  yield* ask("contactNotes.create", [contact.id], text)
  const onNote = [contact.id, note.id]
  const seen = { "if-match": note.etag }
  yield* ask("contactNotes.revise", onNote, { json: { action: "archive" } })
  yield* ask("contactNotes.revise", onNote, { json: { action: "archive" }, headers: { "if-match": '"v0"' } })
  yield* ask("contactNotes.revise", onNote, { json: { action: "archive", supersede: {} }, headers: seen })
  yield* ask("contactNotes.revise", onNote, {
    json: { action: "supersede", supersede: { message: "Met" } },
    headers: seen
  })
  yield* ask("contactNotes.revise", onNote, { json: { action: "unarchive" }, headers: { "if-match": "*" } })
  yield* ask("contactNotes.revise", onNote, text)
  yield* ask("contactNotes.get", onNote)
  yield* ask("contactNotes.get", onNote, { headers: { "if-none-match": "*" } })
  const aFile = (content = "x"): RequestOptions => {
    const form = new FormData()
    form.append("file", new Blob([content]), "terms.txt")
    return { form, headers: { "idempotency-key": "file" } }
  }
  const file = yield* ask("contactFiles.upload", [contact.id], aFile())
  yield* ask("contactFiles.upload", [contact.id], aFile())
  yield* ask("contactFiles.upload", [contact.id], aFile("y"))
  yield* ask("contactFiles.upload", [contact.id], text)
  yield* ask("contactFiles.upload", [contact.id], { form: new FormData() })
  yield* ask("contactFiles.list", [contact.id])
  yield* ask("contactFiles.list", [contact.id], {}, "?cursor=x")
  yield* ask("files.get", [file.id])
  yield* ask("files.get", [file.id], { headers: { "if-none-match": "*" } })
  yield* ask("files.content", [file.id])
  yield* ask("files.content", [file.id], { headers: { range: "bytes=0-0" } })
  yield* ask("files.content", [file.id], { headers: { range: "bytes=9-" } })
  yield* ask("files.content", [file.id], { headers: { "if-none-match": "*" } })
  yield* ask("files.delete", [file.id], { headers: { "if-match": '"v0"' } })
  yield* ask("files.delete", [file.id])
  yield* ask("contacts.actions", [contact.id], {}, "?include_superseded=true")
  yield* ask("contacts.actions", [contact.id], {}, "?cursor=x")
  const twin = yield* ask("contacts.create", [], { json: { firstName: "Ann" } })
  yield* ask("merges.contacts", [contact.id], { json: { from: [twin.id] }, headers: { prefer: "dry-run" } })
  yield* ask("merges.contacts", [contact.id], { json: { from: [twin.id, twin.id] } })
  yield* ask("merges.contacts", [contact.id], { json: { from: [twin.id] }, headers: { "if-match": '"v0"' } })
  yield* ask("merges.contacts", [contact.id], { json: { from: [twin.id] } })
  yield* ask("merges.contacts", [twin.id], { json: { from: [contact.id] } })
  yield* ask("merges.contacts", [contact.id], text)
  yield* ask("contacts.patch", [twin.id], { json: { tags: ["core"] } })
  yield* ask("contacts.delete", [twin.id])
  for (const id of ["contacts.get", "contacts.actions", "contactFiles.list"]) yield* ask(id, [twin.id])
  yield* ask("contactNotes.get", [twin.id, note.id])
  const other = yield* ask("contacts.create", [], { json: { email: "ben@example.com" } })
  yield* ask("contacts.list", [], {}, "?page_size=1")
  yield* ask("contacts.delete", [other.id], { headers: { "if-match": '"v0"' } })
  yield* ask("contacts.delete", [other.id])
  const since = new Date(Date.now() - 86_400_000).toISOString()
  yield* ask("contacts.list", [], {}, `?updated_since=${since}&include_deleted=true`)
  yield* ask("contacts.list", [], {}, "?updated_since=2020-01-01&include_deleted=true")
  yield* ask("contacts.list", [], {}, "?cursor=x")

  const project = yield* ask("projects.create", [], {
    json: {
      name: "Tal",
      ownerId: "me",
      exclusivity: "exclusive",
      externalRefs: [{ namespace: "crm", externalId: "1" }]
    },
    headers: { "idempotency-key": "project" }
  })
  yield* ask("projects.create", [], { json: { name: "Tal" }, headers: { "idempotency-key": "project" } })
  yield* ask("projects.create", [], { json: { name: "Tal", mandate: "other", exclusivity: "other" } })
  yield* ask("projects.create", [], { json: { name: "Tal", externalRefs: [{ namespace: "crm", externalId: "1" }] } })
  yield* ask("projects.create", [], { json: {} })
  yield* ask("projects.create", [], text)
  yield* ask("projects.patch", [project.id], { json: { mandate: "other" } })
  yield* ask("projects.patch", [project.id], { json: { mandate: "other", exclusivity: "other" } })
  yield* ask("projects.patch", [project.id], { json: { name: null } })
  yield* ask("projects.patch", [project.id], text)
  yield* ask("projects.patch", [project.id], { json: {}, headers: { "if-match": '"v0"' } })
  yield* ask("projects.get", [project.id])
  yield* ask("projects.get", [project.id], { headers: { "if-none-match": "*" } })
  yield* ask("projects.properties", [project.id])
  yield* ask("projects.actions", [project.id])
  for (const id of ["projects.properties", "projects.actions"]) yield* ask(id, [project.id], {}, "?cursor=x")
  for (const id of ["projects.close", "projects.reopen", "projects.restore", "projects.delete", "projects.restore"]) {
    yield* ask(id, [project.id], { headers: { "if-match": '"v0"' } })
    yield* ask(id, [project.id], {}, "?force=true")
    yield* ask(id, [project.id], { headers: { prefer: "dry-run" } })
    yield* ask(id, [project.id])
  }
  yield* ask("projects.delete", [project.id])
  yield* ask("projects.list", [], {}, "?page_size=1")
  yield* ask("projects.list", [], {}, `?updated_since=${since}&include_deleted=true`)
  yield* ask("projects.list", [], {}, "?updated_since=2020-01-01&include_deleted=true")
  yield* ask("projects.list", [], {}, "?cursor=x")
  for (const query of ["", "?types=contact.updated", "?types=contact.renamed", "?after=1000000"]) {
    yield* ask("changes.list", [], {}, query)
  }

  const sql = yield* Database
  const events = yield* Effect.orDie(sql<{ transactionId: string; at: Date }>`
    select transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${owner.teamId}`)
  for (const { at, transactionId } of events)
    yield* fanOut({ teamId: owner.teamId, transactionId, at: at.toISOString() })
  const log = yield* ask("deliveries.list", [hook.id])
  assert.isNotEmpty(log.data)
  yield* ask("deliveries.list", [hook.id], {}, "?cursor=x")

  yield* ask("webhooks.rotate", [hook.id])
  yield* ask("webhooks.rotate", [hook.id], { json: { overlap: "7d" }, headers: { "if-match": "*" } })
  yield* ask("webhooks.rotate", [hook.id], { json: { overlap: "8d" } })
  yield* ask("webhooks.rotate", [hook.id], { json: {}, headers: { "if-match": hook.etag } })
  yield* ask("webhooks.rotate", [hook.id], { json: {}, headers: { prefer: "dry-run" } })
  yield* ask("webhooks.rotate", [hook.id], text)
  yield* ask("webhooks.test", [hook.id])
  yield* ask("webhooks.test", [hook.id], { json: { event_type: "contact.renamed" } })
  yield* ask("webhooks.test", [hook.id], text)
  yield* ask("webhooks.patch", [hook.id], { json: { status: "paused" } })
  yield* ask("webhooks.test", [hook.id])
  yield* ask("webhooks.patch", [hook.id], { json: { url: "ftp://example.com" }, headers: { "if-match": "*" } })
  yield* ask("webhooks.get", [hook.id])
  yield* ask("webhooks.list", [], {}, "?page_size=1")
  for (let count = 0; count < 20; count++) {
    yield* ask("webhooks.create", [], { json: { url: "http://127.0.0.1:9/hook", events: ["contact.created"] } })
  }
  yield* ask("webhooks.list", [])
  yield* ask("webhooks.delete", [hook.id])

  const form = {
    text: "grant_type=x&client_id=y&client_secret=z",
    headers: { "content-type": "application/x-www-form-urlencoded" }
  }
  yield* ask("oauth.token", [], { ...form, token: undefined })

  const expected = [
    "contacts.create 201 400 409 413 415 422",
    "changes.list 200 400 410",
    "contacts.patch 200 400 409 412 415",
    "contacts.get 200 301 304",
    "contacts.list 200 400 410",
    "contacts.delete 204 409 412",
    "merges.contacts 200 400 409 412 415",
    "contacts.actions 200 301 400",
    "contactNotes.create 201 400 415 422",
    "contactNotes.revise 204 400 412 415 428",
    "contactNotes.get 200 301 304",
    "contactFiles.upload 201 400 415 422",
    "contactFiles.list 200 301 400",
    "files.get 200 304",
    "files.content 200 206 304 416",
    "files.delete 204 412",
    "projects.create 201 400 409 415 422",
    "projects.patch 200 400 412 415 422",
    "projects.get 200 304",
    "projects.list 200 400 410",
    "projects.delete 200 204 400 412",
    "projects.restore 200 400 409 412",
    "projects.close 200 400 412",
    "projects.reopen 200 400 412",
    "projects.properties 200 400",
    "projects.actions 200 400",
    "webhooks.create 201 409",
    "webhooks.rotate 200 400 412 415",
    "webhooks.test 200 400 409 415"
  ]
  for (const line of expected) {
    const [id = "", ...wanted] = line.split(" ")
    for (const status of wanted) assert.include(statuses, `${id} ${status}`)
  }
})
