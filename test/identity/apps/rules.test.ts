import { describe, expect, it } from "@effect/vitest"
import { mayRedirectTo, policySourceOf, redirectFaultOf, targetOf } from "../../../src/identity/apps/rules.ts"

describe("A redirect URI", () => {
  it.each([
    "https://radar.example.com/callback",
    "https://radar.example.com",
    "https://radar.example.com/cb?a=1",
    "http://127.0.0.1/cb",
    "http://127.0.0.1:8080/cb",
    "http://[::1]/cb",
    "http://localhost/cb",
    "com.example.radar:/cb",
    "com.example.radar:cb"
  ])("%s is accepted", (uri) => {
    expect(redirectFaultOf(uri)).toBeUndefined()
  })

  it.each([
    ["/callback", "not_absolute"],
    ["", "not_absolute"],
    ["https://radar.example.com/#a", "has_fragment"],
    ["https://radar.example.com/cb#", "has_fragment"],
    ["https://user@radar.example.com/", "has_credentials"],
    ["http://:pw@127.0.0.1/", "has_credentials"],
    ["http://radar.example.com/", "not_secure"],
    ["http://127.0.0.1.evil.example/", "not_secure"],
    ["javascript:alert(1)", "not_secure"],
    ["data:text/html,x", "not_secure"],
    ["radar:/cb", "not_secure"],
    ["ftp://radar.example.com/", "not_secure"],
    ["https://RADAR.example.com/cb", "not_canonical"],
    ["https://radar.example.com:443/cb", "not_canonical"],
    ["https://radar.example.com/a/../cb", "not_canonical"],
    ["HTTPS://radar.example.com/cb", "not_canonical"],
    ["http://0x7f.1/cb", "not_canonical"]
  ])("%s is refused: %s", (uri, fault) => {
    expect(redirectFaultOf(uri)).toBe(fault)
  })

  it("matches exactly, but for the port of a loopback one", () => {
    const registered = ["https://a.example/cb", "http://127.0.0.1/cb?x=1"]
    expect(mayRedirectTo(registered, "https://a.example/cb")).toBe(true)
    expect(mayRedirectTo(registered, "http://127.0.0.1:5000/cb?x=1")).toBe(true)
    for (const other of [
      "https://a.example/cb/",
      "https://a.example:8443/cb",
      "https://a.example/cb?x=1",
      "http://127.0.0.1:5000/cb",
      "http://127.0.0.1:5000/cb?x=2",
      "http://localhost:5000/cb?x=1",
      "http://[::1]:5000/cb?x=1",
      "https://127.0.0.1/cb?x=1",
      "http://x@127.0.0.1:5000/cb?x=1",
      "http://127.0.0.1:5000/cb?x=1#f"
    ]) {
      expect([other, mayRedirectTo(registered, other)]).toEqual([other, false])
    }
  })

  it("is shown to people by its host or scheme, and to browsers by its origin or scheme", () => {
    expect([targetOf("https://a.example:8443/cb"), policySourceOf("https://a.example:8443/cb")]).toEqual([
      "a.example:8443",
      "https://a.example:8443"
    ])
    expect([targetOf("com.example.radar:/cb"), policySourceOf("com.example.radar:/cb")]).toEqual([
      "com.example.radar",
      "com.example.radar:"
    ])
    expect([targetOf("http://[::1]:8080/cb"), policySourceOf("http://[::1]:8080/cb")]).toEqual(["[::1]:8080", "http:"])
  })
})
