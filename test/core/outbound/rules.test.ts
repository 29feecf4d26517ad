import { describe, expect, it } from "@effect/vitest"
import {
  headersOf,
  isOwnFault,
  keptBody,
  NameServersAway,
  networkError,
  retryAfterSeconds
} from "../../../src/core/outbound/rules.ts"

const now = Date.UTC(1994, 10, 6, 8, 49, 37)

describe("Retry-After", () => {
  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Sun, 06 Nov 1994 08:50:37 GMT", 60],
    ["Sunday, 06-Nov-94 08:50:37 GMT", 60],
    ["Sun Nov  6 08:50:37 1994", 60],
    ["Sun, 06 Nov 1994 08:00:00 GMT", 0]
  ])("of %j asks for %i seconds", (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds)
  })

  it.each([undefined, "", "soon", "-5", "1.5", "1e9", "Sun", "Sun, 99 Foo 1994 08:50:37 GMT"])(
    "of %j is ignored",
    (header) => {
      expect(retryAfterSeconds(header, now)).toBeUndefined()
    }
  )
})

describe("the kept body", () => {
  it("omits a character that the cut has split", () => {
    const bytes = new TextEncoder().encode("aé🏠")
    expect(keptBody([bytes.slice(0, 2), bytes.slice(2, 5)], true)).toBe("aé")
  })

  it("has replacement characters for invalid UTF-8 and NUL", () => {
    expect(keptBody([Uint8Array.from([0x61, 0xff, 0x00, 0x62])], false)).toBe("a\uFFFD\uFFFDb")
  })
})

describe("headers of a response", () => {
  it("have one string for each name", () => {
    expect(headersOf({ "set-cookie": ["a=1", "b=2"], server: "x", gone: undefined })).toEqual({
      "set-cookie": "a=1, b=2",
      server: "x"
    })
  })
})

describe("a network error", () => {
  const failed = (code: string, address = "203.0.113.7") =>
    Object.assign(new Error(`connect ${code} ${address}`), { code, address })
  const tried = (...errors: ReadonlyArray<Error>) => Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" })

  it.each([
    ["ENETUNREACH", true],
    ["EADDRNOTAVAIL", true],
    ["ENETDOWN", true],
    ["EMFILE", true],
    ["EPERM", true],
    ["ECONNREFUSED", false],
    ["ECONNRESET", false],
    ["EHOSTUNREACH", false],
    ["ETIMEDOUT", false],
    ["ENOTFOUND", false]
  ])("%s: %s", (code, isOwn) => {
    expect(isOwnFault(failed(code))).toBe(isOwn)
    expect(isOwnFault(tried(failed(code), failed("ENETUNREACH", "2001:db8::7")))).toBe(isOwn)
    expect(isOwnFault(tried(failed(code), failed("ECONNREFUSED")))).toBe(false)
  })

  it("is the service's own if it has no route, except to IPv6, and if its name servers are away", () => {
    expect(isOwnFault(failed("ENETUNREACH", "2001:db8::7"))).toBe(false)
    expect(isOwnFault(tried(failed("ENETUNREACH", "2001:db8::7")))).toBe(false)
    expect(isOwnFault(new NameServersAway())).toBe(true)
    expect(networkError(new NameServersAway())).toBe("The name servers of the service do not answer.")
    expect(networkError(failed("ENETUNREACH"))).toBe("The service cannot reach its network (ENETUNREACH).")
  })
})

describe("the sentence for a network error", () => {
  const error = (code: string) => Object.assign(new Error(`connect ${code} 10.1.2.3:443`), { code })

  it.each(["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "EOTHER"])("names %s and no address", (code) => {
    expect(networkError(error(code))).toContain(`(${code})`)
    expect(networkError(error(code))).not.toContain("10.1.2.3")
  })

  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])("says for %s that the connection was closed", (code) => {
    expect(networkError(error(code))).toBe("The receiver closed the connection without a complete answer.")
  })

  it("contains the reason for a refused certificate", () => {
    const expired = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" })
    expect(networkError(expired)).toBe("TLS failed: certificate has expired (CERT_HAS_EXPIRED).")
  })

  it("omits the internals and hints of TLS messages", () => {
    const [internal, hint] = [
      {
        code: "EPROTO",
        message: "write EPROTO 40CD:error:0A00010B:SSL routines:tls_validate:wrong version number:a.c:77:\n"
      },
      { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self-signed certificate; try running Node.js with --x" }
    ].map(({ code, message }) => networkError(Object.assign(new Error(message), { code })))
    expect(internal).toBe("TLS failed: wrong version number (EPROTO).")
    expect(hint).toBe("TLS failed: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT).")
  })

  it("is a sentence for any thrown value", () => {
    expect(networkError("x")).toBe("The connection failed (unknown).")
  })
})
