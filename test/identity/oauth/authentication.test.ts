import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Form } from "../../../src/core/usecase/Input.ts"
import { clientScopesOf, credentialsOf } from "../../../src/identity/oauth/rules.ts"

const form = (members: Record<string, string> = {}): Form => new Map(Object.entries(members))

const basic = (id: string, secret: string, encode: (text: string) => string = encodeURIComponent) =>
  `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`

const outcome = (authorization: string | undefined, sent: Form) => {
  const result = credentialsOf(authorization, sent)
  return Result.isSuccess(result) ? [result.success.id, result.success.secret] : result.failure.error
}

describe("the credentials of a client", () => {
  it("are form-urlencoded in the header", () => {
    expect(outcome(basic("client_1", "pns_1"), form())).toEqual(["client_1", "pns_1"])
    expect(outcome(basic("a b:c", "d+e%:f"), form())).toEqual(["a b:c", "d+e%:f"])
    expect(
      outcome(
        basic("client_1", "a+b", (text) => text),
        form()
      )
    ).toEqual(["client_1", "a b"])
    expect(outcome(basic("client_1", "pns_1").replace("Basic", "bAsIc"), form())).toEqual(["client_1", "pns_1"])
  })

  it("may be in the form", () => {
    expect(outcome(undefined, form({ client_id: "client_1", client_secret: "pns_1" }))).toEqual(["client_1", "pns_1"])
  })

  it("may repeat the same client id in the form", () => {
    expect(outcome(basic("client_1", "pns_1"), form({ client_id: "client_1" }))).toEqual(["client_1", "pns_1"])
    expect(outcome(basic("client_1", "pns_1"), form({ client_id: "client_2" }))).toBe("invalid_request")
  })

  it("must not be in both", () => {
    const both = form({ client_id: "client_1", client_secret: "pns_1" })
    expect(outcome(basic("client_1", "pns_1"), both)).toBe("invalid_request")
    expect(outcome("Bearer x", both)).toBe("invalid_request")
  })

  it.each([
    ["nothing at all", undefined, {}],
    ["no id", undefined, { client_secret: "pns_1" }],
    ["another scheme", "Bearer pna_1", {}],
    ["no base64", "Basic ???", {}],
    ["no colon", `Basic ${Buffer.from("client").toString("base64")}`, {}],
    ["a bad escape", `Basic ${Buffer.from("client:%zz").toString("base64")}`, {}],
    ["an empty header", "", {}]
  ])("are invalid_client with %s", (_what, authorization, sent) => {
    expect(outcome(authorization, form(sent))).toBe("invalid_client")
  })

  it("are refused with the name of the scheme only when the header was used", () => {
    const header = credentialsOf("Basic ???", form())
    const nothing = credentialsOf(undefined, form())
    expect(Result.isFailure(header) && header.failure.basic).toBe(true)
    expect(Result.isFailure(nothing) && nothing.failure.basic).toBe(false)
  })
})

describe("the scopes of a token", () => {
  const scopes = (asked: string | undefined) => {
    const result = clientScopesOf(asked, ["api:public", "b"])
    return Result.isSuccess(result) ? result.success : result.failure.error
  }

  it("default to all scopes of the client", () => {
    expect(scopes(undefined)).toEqual(["api:public", "b"])
    expect(scopes("b")).toEqual(["b"])
    expect(scopes("b b  api:public")).toEqual(["b", "api:public"])
  })

  it.each([
    ["api:read", ["api:read"]],
    ["api:read api:public", ["api:public"]],
    // Libraries ask for all that the metadata name. A client needs no refresh token.
    ["api:read api:public offline_access", ["api:public"]],
    ["offline_access api:read", ["api:read"]]
  ])("of a client with api:public that asks for %s are %j", (asked, expected) => {
    expect(scopes(asked)).toEqual(expected)
  })

  it("of a client that may only read are no others", () => {
    expect(clientScopesOf("api:public", ["api:read"])).toMatchObject({ failure: { error: "invalid_scope" } })
    expect(clientScopesOf("api:read", ["api:read"])).toMatchObject({ success: ["api:read"] })
  })

  it.each(["x", "api:public x", "API:PUBLIC", " ", "offline_access", "api:read x"])("do not include %j", (asked) => {
    expect(scopes(asked)).toBe("invalid_scope")
  })
})
