import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  describedBy,
  documentUrlFaultOf,
  freshMillis,
  freshUntil,
  isAcceptedHost,
  isDocumentUrl
} from "../../../src/identity/apps/rules.ts"

const url = "https://radar.example.com/client.json"

describe("The id of an app", () => {
  it.each([url, "https://radar.example.com:8443/a/b", "https://radar.example.com/client?v=1"])(
    "may be the URL of a document: %s",
    (text) => {
      expect(isDocumentUrl(text)).toBe(true)
      expect(documentUrlFaultOf(text)).toBeUndefined()
    }
  )

  it.each([
    "http://radar.example.com/client.json",
    "HTTPS://radar.example.com/client.json",
    "https://RADAR.example.com/client.json",
    "https://radar.example.com:443/client.json",
    "https://radar.example.com",
    "https://radar.example.com/",
    "https://user@radar.example.com/client.json",
    "https://user:password@radar.example.com/client.json",
    "https://radar.example.com/client.json#",
    "https://radar.example.com/client.json#a",
    "https://radar.example.com/a/../client.json",
    "https://radar.example.com/a/%2e%2e/client.json",
    "https://radar.example.com/./client.json",
    "https://radar.example.com\\client.json",
    "https://radar.example.com/client.json ",
    "https://radar.exam\tple.com/client.json",
    "https:radar.example.com/client.json",
    "https:///radar.example.com/client.json",
    `https://radar.example.com/${"a".repeat(2048)}`
  ])("is no such URL: %s", (text) => {
    expect(documentUrlFaultOf(text)).toMatch(/^The app's id must /)
  })

  it("is on a host that the operator accepts", () => {
    const accepts = (hosts: ReadonlyArray<string>) => isAcceptedHost(hosts, url)
    for (const hosts of [["*"], ["radar.example.com"], ["a.example", "*.example.com"]])
      expect(accepts(hosts)).toBe(true)
    for (const hosts of [[], ["example.com"], ["*.radar.example.com"], ["*.xample.com"], ["radar.example.com:8443"]]) {
      expect(accepts(hosts)).toBe(false)
    }
    for (const other of [
      "https://radar.example.com.evil.example/c",
      "https://radar.example.com:8443/c",
      "https://radar.example.com@evil.example/c",
      "https://evilradar.example.com/c"
    ]) {
      expect(isAcceptedHost(["radar.example.com"], other)).toBe(false)
    }
  })
})

describe("A document", () => {
  const document = {
    client_id: url,
    client_name: "Deal Radar",
    redirect_uris: ["https://radar.example.com/callback", "http://127.0.0.1/cb"]
  }
  const described = (
    changed: object = {},
    more: { readonly statusCode?: number; readonly contentType?: string } = {}
  ) =>
    describedBy(url, {
      statusCode: 200,
      contentType: "application/json",
      body: JSON.stringify({ ...document, ...changed }),
      ...more
    })

  it("describes its app, whatever else it says", () => {
    const app = { name: "Deal Radar", redirectUris: document.redirect_uris }
    expect(described()).toStrictEqual(Result.succeed(app))
    expect(
      described({
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        scope: "openid",
        logo_uri: "https://radar.example.com/logo.png"
      })
    ).toStrictEqual(Result.succeed(app))
    expect(described({}, { contentType: "application/oauth-client+json; charset=utf-8" })).toStrictEqual(
      Result.succeed(app)
    )
  })

  it("gives a name without characters that change how others look, or its host", () => {
    expect(described({ client_name: "  Deal\u202eradaR\u0000\n " })).toMatchObject({ success: { name: "Deal radaR" } })
    for (const client_name of [undefined, "", "\u200b"]) {
      expect(described({ client_name })).toMatchObject({ success: { name: "radar.example.com" } })
    }
    expect(described({ client_name: "x".repeat(500) })).toMatchObject({ success: { name: "x".repeat(200) } })
  })

  it("keeps the redirect URIs that an app can have", () => {
    expect(
      described({ redirect_uris: ["cursor://callback", "https://radar.example.com/callback", "javascript:alert(1)"] })
    ).toMatchObject({ success: { redirectUris: ["cursor://callback", "https://radar.example.com/callback"] } })
  })

  it("does not get a redirect URI with a wildcard", () => {
    const wild = ["https://*.example.com/cb", "https://radar.example.com/*"]
    expect(described({ redirect_uris: [...wild, ...document.redirect_uris] })).toMatchObject({
      success: { redirectUris: document.redirect_uris }
    })
    expect(described({ redirect_uris: wild })).toMatchObject({ _tag: "Failure" })
  })

  it.each([
    [{ client_id: "https://radar.example.com/client.json/" }],
    [{ client_id: "https://RADAR.example.com/client.json" }],
    [{ client_id: undefined }],
    [{ client_id: 1 }],
    [{ redirect_uris: undefined }],
    [{ redirect_uris: "https://radar.example.com/callback" }],
    [{ redirect_uris: [] }],
    [{ redirect_uris: ["http://radar.example.com/callback"] }],
    [{ redirect_uris: Array.from({ length: 21 }, (_, index) => `https://radar.example.com/${index}`) }],
    [{ token_endpoint_auth_method: "client_secret_basic" }],
    [{ token_endpoint_auth_method: "private_key_jwt" }],
    [{ grant_types: ["client_credentials"] }],
    [{ response_types: ["token"] }]
  ])("describes no app with %j", (changed) => {
    expect(described(changed)).toMatchObject({ _tag: "Failure" })
  })

  it("comes as JSON, and is there", () => {
    for (const contentType of ["text/html", "text/plain", "application/jsonp", "application/xml+json/x", ""]) {
      expect(described({}, { contentType })).toMatchObject({ _tag: "Failure" })
    }
    for (const statusCode of [201, 204, 301, 302, 304, 404, 500]) {
      expect(described({}, { statusCode })).toMatchObject({ _tag: "Failure" })
    }
    for (const body of ["", "null", "[]", "{", '"x"', "[".repeat(10_000)]) {
      expect(describedBy(url, { statusCode: 200, contentType: "application/json", body })).toMatchObject({
        _tag: "Failure"
      })
    }
  })

  it.each([
    [undefined, freshMillis.byDefault],
    ["public, max-age=7200", 7_200_000],
    ['MAX-AGE="7200"', 7_200_000],
    ["max-age=0", freshMillis.least],
    ["no-store, max-age=7200", freshMillis.least],
    ["no-cache", freshMillis.least],
    ["max-age=99999999999999", freshMillis.most],
    ["max-age=-1", freshMillis.byDefault]
  ])("with Cache-Control %s is used for %i ms", (cacheControl, millis) => {
    expect(freshUntil(cacheControl, new Date(0)).getTime()).toBe(millis)
  })
})
