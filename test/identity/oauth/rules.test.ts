import { describe, expect, it } from "@effect/vitest"
import {
  answerAddress,
  codeMillis,
  narrowed,
  readOnly,
  refreshMillis,
  replacedMillis,
  resourceOf,
  scopesOf,
  useOfCode,
  useOfRefresh
} from "../../../src/identity/oauth/rules.ts"

const start = Date.UTC(2026, 10, 23)
const at = (millis: number) => new Date(start + millis)

describe("A code", () => {
  const states = [true, false].flatMap((hasEnded) =>
    [null, at(1_000)].flatMap((usedAt) => [0, codeMillis].map((age) => ({ hasEnded, usedAt, age })))
  )
  it.each(states)(
    "that has ended ($hasEnded), was used at $usedAt, and is $age ms old",
    ({ age, hasEnded, usedAt }) => {
      const expected = usedAt !== null ? "replayed" : hasEnded || age >= codeMillis ? "refused" : "issue"
      expect(useOfCode({ expiresAt: at(codeMillis), usedAt, hasEnded }, at(age))).toBe(expected)
    }
  )
})

describe("A refresh token", () => {
  const fresh = { expiresAt: at(refreshMillis), replacedAt: null, hasEnded: false }

  it("is good for 30 days without use", () => {
    expect(refreshMillis / 86_400_000).toBe(30)
    expect(useOfRefresh(fresh, at(refreshMillis - 1))).toBe("rotate")
    expect(useOfRefresh(fresh, at(refreshMillis))).toBe("refused")
  })

  it("is good for two more minutes after it was replaced, and a replay afterwards", () => {
    expect(replacedMillis / 60_000).toBe(2)
    const replaced = { ...fresh, replacedAt: at(0) }
    expect(useOfRefresh(replaced, at(replacedMillis - 1))).toBe("rotate")
    expect(useOfRefresh(replaced, at(replacedMillis))).toBe("replayed")
    expect(useOfRefresh(replaced, at(refreshMillis + 1))).toBe("replayed")
  })

  it("is refused without further effect once its grant has ended", () => {
    for (const replacedAt of [null, at(0)]) {
      expect(useOfRefresh({ ...fresh, replacedAt, hasEnded: true }, at(refreshMillis))).toBe("refused")
    }
  })
})

describe("The scopes of an app", () => {
  it.each([
    [undefined, ["api:public"]],
    ["api:read", ["api:read"]],
    ["offline_access  api:read", ["api:read", "offline_access"]],
    ["api:read api:public", ["api:public"]],
    ["", undefined],
    ["offline_access", undefined],
    ["api:public admin", undefined],
    ["API:PUBLIC", undefined]
  ])("%s are %j", (asked, scopes) => {
    expect(scopesOf(asked)).toEqual(scopes)
  })

  it("can be limited to reading", () => {
    expect(readOnly(["api:public", "offline_access"])).toEqual(["api:read", "offline_access"])
    expect(readOnly(["api:read"])).toEqual(["api:read"])
  })

  it.each([
    [["api:public", "offline_access"], undefined, ["api:public", "offline_access"]],
    [["api:public", "offline_access"], "api:read", ["api:read"]],
    [["api:public"], "api:public offline_access", undefined],
    [["api:read"], "api:public", undefined]
  ])("of %j, a refresh for %s gets %j", (granted, asked, scopes) => {
    expect(narrowed(granted, asked)).toEqual(scopes)
  })
})

describe("The address that an answer goes to", () => {
  const answer = { code: "pnc_1", state: "s&t", iss: "https://api.example.com" }
  const added = "code=pnc_1&state=s%26t&iss=https%3A%2F%2Fapi.example.com"
  it.each([
    ["https://a.example/cb", `https://a.example/cb?${added}`],
    ["https://a.example", `https://a.example?${added}`],
    ["https://a.example/cb?", `https://a.example/cb?${added}`],
    ["https://a.example/cb?flag&y=a/b%20c", `https://a.example/cb?flag&y=a/b%20c&${added}`],
    ["https://a.example/cb?x=%2f&x=~!'();&=&&y", `https://a.example/cb?x=%2f&x=~!'();&=&&y&${added}`],
    ["https://a.example/cb?a=b&", `https://a.example/cb?a=b&${added}`],
    ["https://a.example/cb?q=a+b%20c", `https://a.example/cb?q=a+b%20c&${added}`],
    ["http://127.0.0.1:5000/cb?x=%zz", `http://127.0.0.1:5000/cb?x=%zz&${added}`],
    ["com.example.radar:/cb", `com.example.radar:/cb?${added}`],
    // An answer has each of its parameters once, so that no app takes another one for it.
    ["https://a.example/cb?code=x&flag&st%61te=y&iss", `https://a.example/cb?flag&${added}`],
    ["https://a.example/cb?state=y", `https://a.example/cb?${added}`]
  ])("of %s keeps what the app wrote", (redirectUri, address) => {
    expect(answerAddress(redirectUri, answer)).toBe(address)
  })
})

describe("What tokens are for", () => {
  const base = "https://api.example.com"
  it.each([
    [[], null],
    [[base], null],
    [[`${base}/`], null],
    [[`${base}/mcp`], "mcp"],
    [[`${base}/mcp`, base], null],
    [["https://api.example.com.evil.example"], undefined],
    [[`${base}/mcp/`], "mcp"],
    [[`${base}/mcp?readonly=true`], "mcp"],
    [[`${base}/mcp/?toolsets=network,projects`, `${base}/mcp`], "mcp"],
    [[`${base}/mcp?readonly=true`, base], null],
    [[`${base}/mcp#a`], undefined],
    [[`${base}/mcp?a#b`], undefined],
    [[`${base}/mcpx`], undefined],
    [[`${base}//mcp`], undefined],
    [[`${base}/mcp/x`], undefined],
    [[`${base}?x`], undefined],
    [[`${base}/mcp`, "https://evil.example"], undefined]
  ])("named by %j is %s", (named, resource) => {
    expect(resourceOf(named, base)).toBe(resource)
  })
})
