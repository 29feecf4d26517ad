/** The served OpenAPI document: complete, accurate, and usable with common tools. */
import * as Id from "../src/core/Id.ts"
import openapiTypescript, { astToString } from "openapi-typescript"
import * as OpenApiDocument from "../src/http/OpenApiDocument.ts"
import * as TeasersClient from "./deals/teasers/TeasersClient.ts"
import * as Tenant from "./support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { Api } from "../src/Api.ts"
import { asOperator } from "../src/core/auth/CurrentActor.ts"
import { Erasures } from "../src/privacy/Erasures.ts"
import { Database } from "../src/platform/db/Database.ts"
import { advice } from "../src/http/Docs.ts"
import { curlOf, type Sample, sampleOf } from "../src/http/OpenApiOperations.ts"
import type { Document as Whole, Paths } from "../src/http/OpenApiSpec.ts"
import { headers } from "../src/webhooks/Signature.ts"
import {
  bodyOf,
  callersOfOperations,
  everything,
  operations,
  resourcesOf,
  send,
  withOwnIds
} from "./support/Surface.ts"
import { recordEventTypes } from "../src/core/mutation/Event.ts"
import { deal } from "./deals/offers/OffersClient.ts"
import { type RequestOptions, TestService } from "./support/TestService.ts"
import { collisionsIn, type Described, namesOf, parameterNamesOf, typescriptGlobals } from "./openapi/names.ts"
import { useAll } from "./openapi/useAll.ts"
import {
  describedIn,
  type Document,
  exampleOf,
  isJson,
  operation,
  pointer,
  served,
  validatorOf
} from "./openapi/Validator.ts"

const resolve = createRequire(import.meta.url).resolve

/** The path of a package's program; `file` is relative to the package's folder. */
const programOf = (name: string, file: string) => join(dirname(resolve(`${name}/package.json`)), file)

/** Runs a program with Node, and returns its output and exit code. */
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

/** Asserts that a page loads nothing from another host. */
const assertOffline = (html: string): void => {
  const markup = html.replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/g, "$1$2")
  const loads =
    /\b(?:src|srcset|data|poster|action)\s*=\s*["']?[^"'\s>]+|<link\b[^>]*\bhref\s*=\s*["']?[^"'\s>]+|@import\b[^;]+|url\([^)]*\)/gi
  const elsewhere = [...markup.matchAll(loads)].map(([load]) => load).filter((load) => /(?:https?:)?\/\//i.test(load))
  assert.deepStrictEqual(elsewhere, [])
}

/** The codes of all problems that the source declares, whatever answers them. */
const declaredProblems = async () => {
  const source = new URL("../src/", import.meta.url)
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".ts"))
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, source), "utf8")))
  return texts.flatMap((text) => [...text.matchAll(/\bdeclare\(\s*"(\w+)"/g)].map(([, code]) => code ?? "")).sort()
}

layer(TestService.layer, { excludeTestServices: true })("The OpenAPI document", (it) => {
  it.effect("is what the contracts generate for the base URL of the server", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const generated = JSON.stringify(OpenApiDocument.make(Api, baseUrl), null, 2).split("\n")
      const actual = JSON.stringify(JSON.parse((yield* served).text), null, 2).split("\n")
      const index = generated.findIndex((line, at) => line !== actual[at])
      // A diff of the whole document would be too long.
      assert.isTrue(
        index === -1 && generated.length === actual.length,
        `openapi.json is not what the contracts generate. Line ${index + 1} must be ${generated[index]}. Run \`npm run openapi\` and review what changed.`
      )
    })
  )

  it.effect("passes Redocly's recommended rules without a warning", () =>
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
      const found = problems.map(({ location, message, ruleId }) => `${ruleId}: ${message} ${JSON.stringify(location)}`)
      assert.deepStrictEqual(found, [], err)
      assert.deepInclude(totals, { errors: 0, warnings: 0 })
      assert.strictEqual(code, 0, err)
    }).pipe(Effect.scoped)
  )

  it.effect("generates TypeScript types, few and strict, with which the first lines of a client compile", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const { text } = yield* served
      const types = astToString(yield* Effect.promise(() => openapiTypescript(text)))
      const { paths } = JSON.parse(text) as { readonly paths: Readonly<Record<string, object>> }
      const operations = Object.values(paths).flatMap(Object.keys).length
      assert.isBelow(
        types.split("\n").length / operations,
        145,
        "The types are longer than the operations explain: is a schema repeated for want of an `identifier`?"
      )
      yield* write(join(folder, "api.d.ts"), types)
      const program = new URL("openapi/typed/firstLines.ts", import.meta.url)
      yield* write(join(folder, "firstLines.ts"), yield* Effect.promise(() => readFile(program, "utf8")))
      const strict = {
        strict: true,
        noEmit: true,
        target: "esnext",
        module: "nodenext",
        allowImportingTsExtensions: true,
        types: []
      }
      for (const more of [
        { skipLibCheck: true },
        { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
      ]) {
        const compilerOptions = { ...strict, ...more }
        yield* write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
        const { code, out } = yield* run(folder, programOf("typescript-native", "bin/tsc"), "-p", ".")
        assert.deepStrictEqual([out, code], ["", 0])
      }
    }).pipe(Effect.scoped)
  )

  it.effect(
    "has no two parts of which generators make types of one name, nor one that hides a type of TypeScript's",
    () =>
      Effect.gen(function* () {
        const document = JSON.parse((yield* served).text) as Described
        const names = namesOf(document)
        assert.isAbove(names.length, 1_000)
        assert.deepStrictEqual(collisionsIn(names), [])
        const globals = typescriptGlobals()
        for (const known of ["File", "Event", "Readonly", "Range", "Map"]) assert.isTrue(globals.has(known), known)
        const hiding = [...names.map(({ name }) => name), ...parameterNamesOf(document)].filter((name) =>
          globals.has(name)
        )
        assert.deepStrictEqual(hiding, [])
      })
  )

  it("finds names that collide", () => {
    const area = { anyOf: [{ $ref: "#/components/schemas/Area" }, { type: "null" }] }
    const document = (schemas: Described["components"]["schemas"]): Described => ({
      components: { schemas, parameters: {} },
      paths: { "/a": { get: { operationId: "land.list" } } }
    })
    const found = (schemas: Described["components"]["schemas"]) => collisionsIn(namesOf(document(schemas)))
    assert.deepStrictEqual(
      found({ Land: { properties: { plot_area: area } }, LandPlot: { properties: { area } }, Area: {} }),
      ["LandPlotArea: Land/plot_area, LandPlot/area"]
    )
    assert.deepStrictEqual(
      found({ Land: { properties: { area: { anyOf: [{ $ref: "#/LandArea" }] } } }, LandArea: {} }),
      []
    )
    assert.deepStrictEqual(found({ Land: { properties: { kind: { enum: ["a"] } } }, LandKind: {} }), [
      "LandKind: Land/kind, LandKind"
    ])
    assert.deepStrictEqual(found({ Land: { items: { properties: {} } }, LandItem: {}, landitem: {} }), [
      "LandItem: Land/items, LandItem, landitem"
    ])
    assert.deepStrictEqual(found({ LandListParams: {} }), ["LandListParams: LandListParams, land.list"])
  })

  it.effect("names operations as methods of their resource", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const verbs = { get: ["get", "list", "download"], patch: ["update"], delete: ["delete"], put: ["draft"] } as const
      const moves =
        "add archive batchCreate batchDelete batchGet batchRestore batchUpsert cancel classify close complete create findDuplicates introspect issue merge remove reopen replay restore retry revoke rotate search test upload".split(
          " "
        )
      for (const item of Object.values(document.paths)) {
        for (const [method, { operationId }] of Object.entries(item)) {
          const [, resource = "", name = ""] = /^([a-z][a-zA-Z]*)\.([a-z][a-zA-Z]*)$/.exec(operationId) ?? []
          const allowed = verbs[method as keyof typeof verbs] ?? moves
          const verb = allowed.find((verb) => name === verb || /^[A-Z]/.test(name.replace(verb, "")))
          assert.isDefined(verb, `${method} ${operationId}`)
          // `contacts.getNote`, but not `notes.getNote` or `contacts.getContact`.
          const object = name.slice(verb?.length).toLowerCase()
          assert.isFalse(object !== "" && resource.toLowerCase().startsWith(object), operationId)
        }
      }
    })
  )

  it.effect("describes every operation of the contract, with examples of all bodies", () =>
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
        for (const [type, one] of media.flatMap((content) => Object.entries(content ?? {}))) {
          assert.isDefined(exampleOf(one), `${operationId} has no example of ${type}`)
        }
      }
      assert.deepStrictEqual(
        ids.filter((id) => requestBodyOf(document, id) === undefined && operation(id).hasBody),
        []
      )
    })
  )

  it.effect("has examples that are valid by its own schemas", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const { validate } = validatorOf(document)
      for (const [path, item] of Object.entries(document.paths)) {
        for (const [method, { requestBody, responses }] of Object.entries(item)) {
          const place = pointer("paths", path, method)
          const bodies = Object.entries({ requestBody, ...responses }).map(
            ([key, message]) => [key === "requestBody" ? "/requestBody" : pointer("responses", key), message] as const
          )
          for (const [key, message] of bodies) {
            for (const [type, { examples }] of Object.entries(message?.content ?? {})) {
              for (const { value } of Object.values(examples ?? {})) {
                // What stands for a text without an example.
                if (type !== "*/*") assert.notMatch(JSON.stringify(value), /:"(?:text|string)"/, `${method} ${path}`)
                validate(`${method} ${path}`, `${place}${key}${pointer("content", type, "schema")}`, value)
              }
            }
          }
        }
      }
    })
  )

  it.effect("has a minimal sample of each operation that the service accepts", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { paths, components } = (yield* served).body as unknown as { readonly paths: Paths } & Whole
      const callers = callersOfOperations()
      for (const [path, item] of Object.entries(paths)) {
        for (const [method, described] of Object.entries(item)) {
          const one = operation(described.operationId)
          const sample = sampleOf(described, path, method, components.schemas, baseUrl)
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
          const { owner, shared } = yield* callers(one)
          const resources = yield* resourcesOf(one, owner, shared)
          const asked = askOf(sample, { token: owner.token, ...formOf(yield* bodyOf(one, owner, shared)) })
          const ask =
            typeof asked.text === "string" ? { ...asked, text: yield* withOwnIds(owner, asked.text, shared) } : asked
          assert.match(url.pathname, new RegExp(`^${one.path.replaceAll(/\/:\w+/g, "/[a-z]+_[0-9a-z]{26}")}$`))
          const reply = yield* send({ ...one, method: sample.method }, resources, ask, url.search)
          assert.include([200, 201, 204, 207], reply.status, `${one.id} ${reply.text}`)
        }
      }
      const nobody = yield* request("GET", "/api/v1/auth/me")
      assert.strictEqual(nobody.status, 401)
    })
  )

  it.effect("quotes samples correctly for a shell", () =>
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

  it.effect("describes timestamps and references, and leaves bodies open that accept other members", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const written = describedIn(document)
        .flatMap(({ parameters }) => parameters)
        .filter(({ name }) => ["updated_since", "created_after", "created_before", "external_ref"].includes(name))
      assert.isAtLeast(written.length, 12)
      for (const { description, name, schema } of written) {
        assert.strictEqual(schema["format"], name.startsWith("created_") ? "date-time" : undefined)
        assert.include(description, name === "external_ref" ? "NAMESPACE:ID" : "`%2B`")
      }
      for (const name of ["ContactPatch", "WebhookPatch", "TokenRequest", "TokenQuestion"]) {
        assert.notProperty(document.components.schemas[name], "additionalProperties")
      }
      assert.propertyVal(document.components.schemas["ContactCreate"], "unevaluatedProperties", false)
      assert.propertyVal(document.components.schemas["TaskCreate"], "additionalProperties", false)
    })
  )

  it.effect("documents the redirect of merged records for their reads only", () =>
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

  it.effect("describes the payloads and headers of webhooks", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      const { validate } = validatorOf(document)
      const tenant = yield* Tenant.make(everything)
      const { token, teamId } = tenant
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
      const property = yield* created("/api/v1/properties", { name: "Turm", country: "DE", categories: ["office"] })
      const shared = yield* created("/api/v1/projects", { name: "Tal", propertyIds: [property] })
      yield* request("PATCH", `/api/v1/projects/${shared}/teaser`, { token, json: { title: "Core office" } })
      yield* TeasersClient.move(tenant, shared, "publish")
      yield* TeasersClient.communicate(tenant, shared)
      const project = yield* created("/api/v1/projects", { name: "Tal", propertyIds: [property] })
      yield* request("DELETE", `/api/v1/properties/${property}?force=true`, { token })
      const prospect = yield* created(`/api/v1/projects/${project}/prospects`, { contactId: id })
      yield* request("PATCH", `/api/v1/projects/${project}/prospects/${prospect}`, {
        token,
        json: { classification: "contacted" }
      })
      yield* request("POST", `${path}/${id}/notes`, { token, json: { message: "Called" } })
      yield* request("POST", `/api/v1/projects/${project}/close`, { token })
      yield* request("DELETE", `/api/v1/projects/${project}`, { token })
      yield* request("POST", `/api/v1/projects/${project}/restore`, { token })
      const mandate = yield* created("/api/v1/mandates", { name: "Logistics", investor: { contactId: id } })
      const again = yield* created("/api/v1/network/links", { contactId: id, companyId: company })
      yield* request("DELETE", `${path}/${id}`, { token })
      yield* request("DELETE", `/api/v1/mandates/${mandate}`, { token })
      yield* request("DELETE", `${companies}/${company}`, { token })
      for (const deleted of [
        `${path}/${id}`,
        `${companies}/${company}`,
        `/api/v1/network/links/${again}`,
        `/api/v1/properties/${property}`,
        `/api/v1/mandates/${mandate}`
      ]) {
        yield* request("POST", `${deleted}/restore`, { token })
      }
      const { buyer, offerId } = yield* deal()
      yield* buyer.get(offerId)
      const { erase } = yield* Erasures
      yield* asOperator(erase(id, { team: Id.fromUuid("team", teamId) }))
      const sql = yield* Database
      const events = yield* Effect.orDie(sql<{ type: string; body: string }>`
        select type, body from events where team_id = any(${[teamId, buyer.teamId]}::uuid[]) order by seq`)
      assert.sameMembers<string>(Object.keys(document.webhooks), [...recordEventTypes, "further"])
      assert.includeMembers<string>(
        events.map(({ type }) => type),
        [...recordEventTypes, "project.closed", "prospect.classified", "note.created", "teaser.updated"]
      )
      const webhookOf = (type: string) => (type in document.webhooks ? type : "further")
      const locationOf = (type: string) =>
        pointer("webhooks", webhookOf(type), "post", "requestBody", "content", "application/json", "schema")
      for (const { body, type } of events) validate(type, locationOf(type), JSON.parse(body))
      // The schemas are closed, so that a survivor's event with a `to` would be invalid.
      const ofSurvivors = events.filter(({ type }) => type === "company.updated")
      assert.deepStrictEqual(
        ofSurvivors.map(({ body }) => (JSON.parse(body) as { readonly action?: unknown }).action),
        [{ type: "merged" }]
      )
      for (const [type, { post }] of Object.entries(document.webhooks)) {
        const { examples = {} } = post.requestBody.content["application/json"] ?? {}
        assert.isNotEmpty(examples)
        for (const { value } of Object.values(examples)) validate(type, locationOf(type), value)
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

  it.effect("has examples of bodies that the service accepts", () =>
    Effect.gen(function* () {
      const { body: document } = yield* served
      for (const { operationId, requestBody } of describedIn(document)) {
        for (const [type, media] of Object.entries(requestBody?.content ?? {})) {
          if (!isJson(type)) continue
          const example = exampleOf(media) as object
          const owner = yield* Tenant.make(everything)
          const resources = yield* resourcesOf(operation(operationId), owner)
          // Replaces what an example refers to: addresses here, and records below.
          const body = {
            ...example,
            ...("url" in example ? { url: "http://127.0.0.1:9/hook" } : {})
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

  it.effect("documents for each operation the capability and the refusals of callers", () =>
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
      for (const [name, { allOf }] of Object.entries(document.components.schemas)) {
        if (!JSON.stringify(allOf ?? []).includes('schemas/ProblemDetails"')) continue
        const [, own] = allOf as ReadonlyArray<{
          readonly properties: { readonly [name: string]: { readonly enum?: ReadonlyArray<unknown> } }
          readonly required: ReadonlyArray<string>
        }>
        assert.includeMembers([...(own?.required ?? [])], ["code", "status"])
        for (const member of ["status", "code"]) assert.strictEqual(own?.properties[member]?.enum?.length, 1, name)
        const code = String(own?.properties["code"]?.enum?.[0])
        const example = document.components.examples[name] as { readonly value: { readonly type: string } } | undefined
        assert.strictEqual(example?.value.type, `${baseUrl}/help/${code.replaceAll("_", "-")}`)
        assert.isNotEmpty(advice[code], `no advice for ${code}`)
        advised.add(code)
      }
      const declared = yield* Effect.promise(declaredProblems)
      assert.includeMembers(declared, [...advised])
      assert.deepStrictEqual(declared, Object.keys(advice).sort())
      for (const [code, text] of Object.entries(advice)) {
        const page = yield* request("GET", `/help/${code.replaceAll("_", "-")}`)
        assert.deepStrictEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"], code)
        assert.include(page.text, text.split(/[`"<>&]/)[0] ?? "")
        assertOffline(page.text)
      }
    })
  )

  it.effect("is checked by a validator that finds missing and additional members", () =>
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
      yield* useAll(owner, answer)
    })
  )
})

/** The members of a form. */
const formOf = ({ text }: RequestOptions): { readonly [name: string]: string } =>
  typeof text === "string" ? Object.fromEntries(new URLSearchParams(text)) : {}

/** The request of a sample with these shell variables, and with local instead of public addresses. */
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
