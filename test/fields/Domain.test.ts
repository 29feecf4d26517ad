import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalDomain, domainOf } from "../../src/fields/Domain.ts"

describe("The domain of a homepage URL", () => {
  it("is the host in lower case, without www. and port", () => {
    expect(domainOf("https://WWW.Example.com:8443/Path?q#f")).toBe("example.com")
    expect(domainOf("http://shop.example.co.uk")).toBe("shop.example.co.uk")
    expect(domainOf("https://example.com./")).toBe("example.com")
    expect(domainOf("https://user:secret@www.example.com")).toBe("example.com")
  })

  it("is in ASCII (Punycode)", () => {
    expect(domainOf("https://www.müller-bau.de/kontakt")).toBe("xn--mller-bau-q9a.de")
  })

  it("needs no scheme", () => {
    expect(domainOf("www.example.com/about")).toBe("example.com")
    expect(domainOf("Example.com:8080")).toBe("example.com")
  })

  it("keeps www in front of a top-level domain", () => {
    expect(domainOf("https://www.de")).toBe("www.de")
  })

  it.each([
    "",
    "  ",
    "ftp://example.com",
    "https://",
    "not a host",
    "http://localhost",
    "http://localhost:8080/a",
    "http://127.0.0.1",
    "http://0x7f.1",
    "http://[::1]/",
    "http://intranet",
    "http://my_host.example.com",
    "http://a..example.com"
  ])("is nothing where there is no host that is a domain: %j", (text) => {
    expect(domainOf(text)).toBe(undefined)
  })

  it("is a valid input itself", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const domain = domainOf(url)
        expect(domain === undefined ? undefined : canonicalDomain(domain)).toBe(domain)
      })
    )
  })
})
