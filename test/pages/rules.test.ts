import { describe, expect, it } from "@effect/vitest"
import { html } from "../../src/pages/html.ts"
import { formTokenOf, isFormToken } from "../../src/pages/FormToken.ts"
import { isOwnRequest, ownPathOf } from "../../src/pages/rules.ts"

const own = "https://api.example.com"

describe("A request that changes something", () => {
  it.each([
    ["same-origin", own],
    ["same-origin", "null"],
    ["same-origin", undefined],
    [undefined, own]
  ])("comes from a page of the service with Sec-Fetch-Site %s and Origin %s", (site, origin) => {
    expect(isOwnRequest({ site, origin }, own)).toBe(true)
  })

  it.each([
    ["same-site", own],
    ["cross-site", own],
    ["none", own],
    ["none", undefined],
    ["same-origin", "https://evil.example"],
    [undefined, "null"],
    [undefined, undefined],
    [undefined, "http://api.example.com"],
    [undefined, "https://api.example.com.evil.example"],
    [undefined, "https://api.example.com:8443"]
  ])("comes from elsewhere with Sec-Fetch-Site %s and Origin %s", (site, origin) => {
    expect(isOwnRequest({ site, origin }, own)).toBe(false)
  })

  it("carries the token of its browser", () => {
    const token = formTokenOf("secret")
    expect(isFormToken(token, token)).toBe(true)
    for (const other of [undefined, "", token.slice(1), `${token}x`, formTokenOf("another")]) {
      expect(isFormToken(other, token)).toBe(false)
    }
  })
})

describe("The way after sign-in", () => {
  it.each([
    "/account",
    "/account?a=1",
    "/openid/authorize?client_id=x&redirect_uri=https%3A%2F%2Fa.example",
    "/a/../b"
  ])("may lead to %s", (path) => {
    expect(ownPathOf(path)).toMatch(/^\/[a-z]/)
  })

  it.each([
    undefined,
    "",
    "account",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/a\\..\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/\n/evil.example",
    "/\t/evil.example"
  ])("never leads to %j", (path) => {
    expect(ownPathOf(path)).toBeUndefined()
  })
})

describe("A template", () => {
  it("escapes every value but HTML", () => {
    const name = `<b class="x">'&</b>`
    expect(
      html`<p title="${name}">${name}${html`<i>${1}</i>`}${[html`<b>a</b>`, "<"]}${false}${null}${undefined}</p>`.text
    ).toBe(
      `<p title="&lt;b class=&quot;x&quot;&gt;&#39;&amp;&lt;/b&gt;">&lt;b class=&quot;x&quot;&gt;&#39;&amp;&lt;/b&gt;<i>1</i><b>a</b>&lt;</p>`
    )
  })
})
