import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { registrationOf } from "../../../src/identity/apps/rules.ts"

const redirect_uris = ["https://radar.example.com/callback"]

describe("A registration", () => {
  it("gets the defaults of RFC 7591", () => {
    expect(registrationOf({ redirect_uris })).toStrictEqual(
      Result.succeed({
        client_name: "radar.example.com",
        redirect_uris,
        token_endpoint_auth_method: "client_secret_basic",
        grant_types: ["authorization_code"],
        response_types: ["code"]
      })
    )
  })

  it("keeps what it may have, and ignores what decides nothing", () => {
    expect(
      registrationOf({
        redirect_uris: [...redirect_uris, ...redirect_uris, "http://localhost:3334/oauth/callback"],
        client_name: "Deal\u202e Radar",
        token_endpoint_auth_method: "none",
        grant_types: ["refresh_token", "authorization_code", "implicit"],
        response_types: ["code", "token"],
        logo_uri: "javascript:alert(1)",
        software_statement: "e30.e30."
      })
    ).toStrictEqual(
      Result.succeed({
        client_name: "Deal Radar",
        redirect_uris: [...redirect_uris, "http://localhost:3334/oauth/callback"],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"]
      })
    )
  })

  it.each(["https://*.example/cb", "https://radar.example.com/*", "https://radar.example.com/cb?x=*"])(
    "has no redirect with a wildcard: %s",
    (uri) => {
      const outcome = registrationOf({ redirect_uris: [...redirect_uris, uri] })
      expect(outcome).toMatchObject({ failure: { error: "invalid_redirect_uri" } })
      expect(Result.isFailure(outcome) && outcome.failure.description).toContain("no wildcard")
    }
  )

  it.each([
    [[]],
    [["http://radar.example.com/callback"]],
    [["javascript:alert(1)"]],
    [["https://radar.example.com/callback#x"]],
    [["https://user@radar.example.com/callback"]],
    [["https://RADAR.example.com/callback"]],
    [["https://radar.example.com/callback", "/callback"]],
    [Array.from({ length: 21 }, (_, index) => `https://radar.example.com/${index}`)]
  ])("is refused for the redirect URIs %j", (uris) => {
    expect(registrationOf({ redirect_uris: uris })).toMatchObject({ failure: { error: "invalid_redirect_uri" } })
  })

  it.each([
    undefined,
    null,
    [],
    "x",
    {},
    { redirect_uris: "https://radar.example.com/callback" },
    { redirect_uris, client_name: 1 },
    { redirect_uris, token_endpoint_auth_method: "private_key_jwt" },
    { redirect_uris, grant_types: ["client_credentials"] },
    { redirect_uris, grant_types: [] },
    { redirect_uris, response_types: ["token"] }
  ])("is refused as %j", (sent) => {
    expect(registrationOf(sent)).toMatchObject({ failure: { error: "invalid_client_metadata" } })
  })
})
