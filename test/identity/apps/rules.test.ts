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
    "com.example.radar:cb",
    "radar:/cb",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
    "vscode-insiders://publisher.extension/cb"
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
    ["JavaScript:alert(1)", "not_secure"],
    ["java\tscript:alert(1)", "not_secure"],
    [" javascript:alert(1)", "not_secure"],
    ["vbscript:x", "not_secure"],
    ["blob:https://radar.example.com/1", "not_secure"],
    ["about:blank", "not_secure"],
    ["file:///etc/passwd", "not_secure"],
    ["filesystem:https://radar.example.com/1", "not_secure"],
    ["view-source:https://radar.example.com/", "not_secure"],
    ["intent://scan/#Intent;end", "has_fragment"],
    ["intent://scan/", "not_secure"],
    ["chrome-extension://abc/cb", "not_secure"],
    ["chrome://settings/", "not_secure"],
    ["ms-msdt:/id", "not_secure"],
    ["web+radar:cb", "not_secure"],
    ["c:/cb", "not_secure"],
    ["ws://radar.example.com/", "not_secure"],
    ["mailto:eva@example.com", "not_secure"],
    ["radar:/c b\n", "not_canonical"],
    ["Radar:/cb", "not_canonical"],
    ["cursor://user@anysphere.cursor-mcp/cb", "has_credentials"],
    ["ftp://radar.example.com/", "not_secure"],
    ["https://RADAR.example.com/cb", "not_canonical"],
    ["https://radar.example.com:443/cb", "not_canonical"],
    ["https://radar.example.com/a/../cb", "not_canonical"],
    ["HTTPS://radar.example.com/cb", "not_canonical"],
    ["http://0x7f.1/cb", "not_canonical"],
    ["https://*.example/cb", "has_wildcard"],
    ["https://*/cb", "has_wildcard"],
    ["https://radar-*.example.com/cb", "has_wildcard"],
    ["https://radar.example.com/*", "has_wildcard"],
    ["https://radar.example.com/cb?to=*", "has_wildcard"],
    ["https://%2A.example/cb", "has_wildcard"],
    ["http://127.0.0.1/*", "has_wildcard"],
    ["com.example.radar:/*", "has_wildcard"],
    ["cursor://*/cb", "has_wildcard"],
    ["https://{tenant}.example.com/cb", "not_a_host"],
    ["https://$tenant.example.com/cb", "not_a_host"],
    ["https://a,b.example.com/cb", "not_a_host"],
    ["https://radar..example.com/cb", "not_a_host"]
  ])("%s is refused: %s", (uri, fault) => {
    expect(redirectFaultOf(uri)).toBe(fault)
  })

  it("may have an address or a host of several scripts", () => {
    for (const uri of [
      "https://xn--mnchen-3ya.example/cb",
      "https://10.0.0.1/cb",
      "https://[2001:db8::1]/cb",
      "https://a_b.example/"
    ])
      expect(redirectFaultOf(uri)).toBeUndefined()
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
    expect([targetOf("cursor://radar.example.com/cb"), policySourceOf("cursor://radar.example.com/cb")]).toEqual([
      "cursor://radar.example.com",
      "cursor:"
    ])
    expect([targetOf("http://[::1]:8080/cb"), policySourceOf("http://[::1]:8080/cb")]).toEqual(["[::1]:8080", "http:"])
  })
})
