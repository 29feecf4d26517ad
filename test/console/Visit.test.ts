import { describe, expect, it } from "@effect/vitest"
import { html } from "../../src/console/Html.ts"
import {
  browserOf,
  formTokenOf,
  isFormToken,
  isOwnRequest,
  maskedToken,
  ownPathOf,
  shortened
} from "../../src/console/Visit.ts"

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
    const mask = Buffer.alloc(32, 7)
    const sent = maskedToken(token, mask)
    expect(isFormToken(sent, token)).toBe(true)
    expect(sent).not.toBe(maskedToken(token, Buffer.alloc(32, 8)))
    for (const other of [undefined, "", token, sent.slice(2), `${sent}xx`, maskedToken(formTokenOf("another"), mask)]) {
      expect(isFormToken(other, token)).toBe(false)
    }
  })
})

describe("The way after sign-in", () => {
  it.each([
    "/console/account",
    "/console/account?a=1",
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

describe("A name in a heading", () => {
  it("is cut after 59 characters, never within one, if it has more than 60", () => {
    expect(shortened("x".repeat(60))).toBe("x".repeat(60))
    expect(shortened("x".repeat(61))).toBe(`${"x".repeat(59)}…`)
    const family = "👨‍👩‍👧"
    expect(shortened(family.repeat(60))).toBe(family.repeat(60))
    expect(shortened(`${"x".repeat(58)} ${family.repeat(9)}`)).toBe(`${"x".repeat(58)}…`)
  })
})

describe("A browser", () => {
  const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)"
  it.each([
    ["Chrome on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`],
    [
      "Edge on Windows",
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`
    ],
    [
      "Opera on macOS",
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`
    ],
    ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"],
    ["Firefox on Android", "Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0"],
    ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`],
    [
      "Chrome on iPhone",
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webKit} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`
    ],
    [
      "Safari on iPad",
      `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${webKit} Version/18.0 Mobile/15E148 Safari/604.1`
    ],
    ["Safari on macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.0 Safari/605.1.15`],
    ["Firefox", "Firefox/142.0"],
    ["curl/8.14.1", "curl/8.14.1"],
    ["", ""]
  ])("is shown as %s", (shown, userAgent) => {
    expect(browserOf(userAgent)).toBe(shown)
  })
})
