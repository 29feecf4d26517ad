import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { credentialsOf, type Form, isForm, parseForm, scopesOf } from "../../../src/identity/clients/rules.ts"

const members = (text: string) => {
  const parsed = parseForm(text)
  return Result.isSuccess(parsed) ? Object.fromEntries(parsed.success) : parsed.failure.error
}

const form = (members: Record<string, string> = {}): Form => new Map(Object.entries(members))

const basic = (id: string, secret: string, encode: (text: string) => string = encodeURIComponent) =>
  `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`

const outcome = (authorization: string | undefined, sent: Form) => {
  const result = credentialsOf(authorization, sent)
  return Result.isSuccess(result) ? [result.success.id, result.success.secret] : result.failure.error
}

describe("a form", () => {
  it("is decoded, with a plus as a space", () => {
    expect(members("grant_type=client_credentials&scope=api%3Apublic+x&q=%C3%A4")).toEqual({
      grant_type: "client_credentials",
      scope: "api:public x",
      q: "ä"
    })
  })

  it("omits parameters without a value", () => {
    expect(members("scope=&grant_type=a&&state")).toEqual({ grant_type: "a" })
  })

  it.each(["a=1&a=1", "a=1&a=2", "a=&a=1", "a&a=1", "a=1&%61=2"])("%s repeats a parameter", (text) => {
    expect(members(text)).toBe("invalid_request")
  })

  it.each(["a=%", "a=%zz", "%=1", "a=%ff"])("%s is not correctly encoded", (text) => {
    expect(members(text)).toBe("invalid_request")
  })

  it("is recognized by its content type, in UTF-8 or without a charset", () => {
    expect(isForm("application/x-www-form-urlencoded")).toBe(true)
    expect(isForm("Application/X-WWW-Form-Urlencoded; charset=UTF-8")).toBe(true)
    expect(isForm('application/x-www-form-urlencoded; charset="utf-8"')).toBe(true)
    for (const other of [
      undefined,
      "",
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded;charset=latin1"
    ]) {
      expect(isForm(other)).toBe(false)
    }
  })
})

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
    ["no secret", undefined, { client_id: "client_1" }],
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
    const result = scopesOf(asked, ["api:public", "b"])
    return Result.isSuccess(result) ? result.success : result.failure.error
  }

  it("default to all scopes of the client", () => {
    expect(scopes(undefined)).toEqual(["api:public", "b"])
    expect(scopes("b")).toEqual(["b"])
    expect(scopes("b b  api:public")).toEqual(["b", "api:public"])
  })

  it.each(["x", "api:public x", "API:PUBLIC", " "])("do not include %j", (asked) => {
    expect(scopes(asked)).toBe("invalid_scope")
  })
})
