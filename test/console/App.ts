/** An app that asks a person for access, and what it does with it. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { type Reply, TestService } from "../support/TestService.ts"
import { signedIn } from "./people.ts"

/** Where the app returns to, unless a test says otherwise. */
export const callback = "https://radar.example.com/callback"

type Members = Readonly<Record<string, string>>

interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly scope: string
  readonly error?: string
}

/** The credentials of an app. */
export interface AppCredentials {
  readonly client_id: string
  readonly client_secret?: string
}

interface Options {
  readonly confidential?: boolean
  readonly redirectUris?: ReadonlyArray<string>
  /** An app that exists already. */
  readonly app?: AppCredentials
}

/** An app, and a person with a browser who is signed in. */
export const make = Effect.fnUntraced(function* (options: Options = {}) {
  const person = yield* signedIn
  const { baseUrl, request } = yield* TestService
  const apps = yield* Apps
  const { confidential = true, redirectUris = [callback] } = options
  const app: AppCredentials =
    options.app ??
    (yield* asOperator(apps.create({ name: "Deal <Radar>", redirectUris: [...redirectUris], confidential })))
  const verifier = randomBytes(32).toString("base64url")
  const asked: Members = {
    response_type: "code",
    client_id: app.client_id,
    redirect_uri: redirectUris[0] ?? "",
    state: "s&t=1",
    scope: "api:public offline_access",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  }
  const pathOf = (changed: Members = {}) =>
    `/openid/authorize?${new URLSearchParams({ ...asked, ...changed }).toString()}`
  const ask = (changed?: Members) => person.browser.get(pathOf(changed))
  /** The parameters with which the browser returns to the app. */
  const returned = ({ headers, status, text }: Reply) => {
    assert.strictEqual(status, 303, text)
    const url = new URL(headers.get("location") ?? "")
    return { url, answer: Object.fromEntries(url.searchParams) }
  }
  const allow = (changed?: Members, values: Members = {}) =>
    Effect.gen(function* () {
      const page = yield* ask(changed)
      assert.strictEqual(page.status, 200, page.text)
      const reply = yield* person.browser.submit(page.text, "/openid/authorize", {
        decision: "allow",
        team: person.team.id,
        ...values,
        ...(values["only_reads"] === undefined ? { only_reads: "" } : {})
      })
      return returned(reply).answer
    })
  const credentials: Members = {
    client_id: app.client_id,
    ...(app.client_secret === undefined ? {} : { client_secret: app.client_secret })
  }
  const send = (path: string, members: Members) =>
    request<Tokens>("POST", path, {
      text: new URLSearchParams({ ...credentials, ...members }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
  const exchange = (code: string, changed: Members = {}) =>
    send("/openid/token", {
      grant_type: "authorization_code",
      code,
      redirect_uri: asked["redirect_uri"] ?? "",
      code_verifier: verifier,
      ...changed
    })
  const refresh = (token: string, changed: Members = {}) =>
    send("/openid/token", { grant_type: "refresh_token", refresh_token: token, ...changed })
  const call = (method: string, path: string, token: string, json?: unknown) =>
    request<Record<string, unknown>>(method, `/api/v1${path}`, { token, ...(json === undefined ? {} : { json }) })
  const status = (token: string) => Effect.map(call("GET", "/auth/me", token), (reply) => reply.status)
  /** The tokens of a whole authorization. */
  const tokens = (changed?: Members, values?: Members) =>
    Effect.gen(function* () {
      const { code = "" } = yield* allow(changed, values)
      const reply = yield* exchange(code)
      assert.strictEqual(reply.status, 200, reply.text)
      return reply.body
    })
  return {
    ...person,
    baseUrl,
    app,
    allow,
    ask,
    asked,
    call,
    credentials,
    exchange,
    pathOf,
    request,
    refresh,
    returned,
    send,
    status,
    tokens,
    verifier
  }
})
