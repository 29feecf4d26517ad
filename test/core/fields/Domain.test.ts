import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalDomain, domainOf, hostOf, ownDomain } from "../../../src/core/fields/InternetAddress.ts"

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

  it.each([
    "https://www.facebook.com/hall",
    "https://de-de.facebook.com/hall",
    "https://de.linkedin.com/company/hall",
    "https://www.instagram.com/hall",
    "https://x.com/hall",
    "https://sites.google.com/view/hall",
    "https://www.google.co.uk/maps/place/hall",
    "https://www.yelp.com/biz/hall",
    "https://m.yelp.de/biz/hall",
    "https://www.gelbeseiten.de/gsbiz/hall",
    "https://www.pagesjaunes.fr/pros/1",
    "https://www.immobilienscout24.de/anbieter/hall",
    "https://www.wix.com/hall",
    "https://wixsite.com",
    "https://wordpress.com/hall",
    "https://github.io",
    "https://blogspot.com/hall",
    "https://myshopify.com",
    "https://gmail.com",
    "https://web.de",
    "https://home.t-online.de/home/hall",
    "https://perso.orange.fr/hall",
    "https://co.uk"
  ])("is nothing where many share the host: %s", (url) => {
    expect(hostOf(url)).toBeTypeOf("string")
    expect(domainOf(url)).toBe(undefined)
  })

  it.each([
    "hall.wixsite.com",
    "hall.github.io",
    "hall.blogspot.com",
    "hall.wordpress.com",
    "hall.jimdofree.com",
    "hall.business.site",
    "hall.myshopify.com",
    "hall.uk.com",
    "hall.free.fr",
    "rex.com",
    "myfacebook.com",
    "google.hall.example",
    "cbre.com",
    "savills.co.uk",
    "bt.com",
    "example.com"
  ])("is a customer's own below a shared host, and that of everybody else: %s", (host) => {
    expect(domainOf(`https://www.${host}/about`)).toBe(host)
    expect(ownDomain(host)).toBe(host)
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
