import { describe, expect, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import * as Signature from "../../src/webhooks/Signature.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const now = Math.floor(Date.now() / 1000)
const id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
const text = '{"event":"contact.created","name":"Zoë 🏠"}'
const body = bytes(text)
const secret = Signature.makeSecret(randomBytes(32))
const other = Signature.makeSecret(randomBytes(32))
const signed = { id, timestampSeconds: now, body, secrets: [secret] }
const received = {
  id,
  timestamp: String(now),
  signature: Signature.sign(signed),
  body,
  secrets: [secret],
  nowSeconds: now
}

describe("signatures of deliveries", () => {
  it("match the example of the Standard Webhooks specification", () => {
    expect(
      Signature.sign({
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestampSeconds: 1614265330,
        body: bytes('{"test": 2432232314}'),
        secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
      })
    ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  })

  it("are accepted by the reference implementation", () => {
    const headers = Signature.headers({ ...signed, eventType: "contact.created" })
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text))
    expect(() => new Webhook(other).verify(text, headers)).toThrow()
  })

  it("made with two secrets are accepted by receivers with either of them", () => {
    const headers = Signature.headers({ ...signed, secrets: [other, secret], eventType: "contact.created" })
    expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text))
    expect(new Webhook(other).verify(text, headers)).toEqual(JSON.parse(text))
  })

  it("cover bytes that are no valid UTF-8", () => {
    const raw = Uint8Array.from([0, 255, 128, 10])
    const signature = Signature.sign({ ...signed, body: raw })
    expect(Signature.verify({ ...received, body: raw, signature })).toBe(true)
    expect(Signature.verify({ ...received, body: raw.slice(1), signature })).toBe(false)
  })

  it("of the reference implementation are accepted", () => {
    const signature = new Webhook(secret).sign(id, new Date(now * 1000), text)
    expect(Signature.verify({ ...received, signature })).toBe(true)
  })
})

describe("verification", () => {
  it.each([
    ["another body", { body: bytes(text + " ") }],
    ["another id", { id: "msg_other" }],
    ["another timestamp", { timestamp: String(now + 1) }],
    ["another secret", { secrets: [other] }],
    ["no secret", { secrets: [] }],
    ["an empty secret", { secrets: ["whsec_"] }],
    ["no signature", { signature: "" }],
    ["a signature of another version", { signature: received.signature.replace("v1,", "v2,") }],
    ["a shortened signature", { signature: received.signature.slice(0, 20) }],
    ["a signature without its version", { signature: received.signature.slice(3) }],
    ["a timestamp that is no number", { timestamp: "now" }],
    ["a timestamp spelled differently", { timestamp: `0${now}` }]
  ])("refuses %s", (_, change) => {
    expect(Signature.verify({ ...received, ...change })).toBe(false)
  })

  it("accepts timestamps up to 300 seconds before or after the clock", () => {
    const valid = [-301, -300, 300, 301].map((skew) => Signature.verify({ ...received, nowSeconds: now + skew }))
    expect(valid).toEqual([false, true, true, false])
  })

  it("finds the right one among several signatures and secrets", () => {
    const signature = `v1a,xyz v1,${Buffer.alloc(32).toString("base64")} ${received.signature}`
    expect(Signature.verify({ ...received, signature, secrets: [other, secret] })).toBe(true)
  })
})

describe("secrets", () => {
  it("are a prefix and 32 bytes in base64", () => {
    expect(Signature.makeSecret(new Uint8Array(32))).toBe(`whsec_${"A".repeat(43)}=`)
    expect(() => Signature.makeSecret(new Uint8Array(31))).toThrow(RangeError)
  })
})

describe("headers of deliveries", () => {
  it("are the documented ones", () => {
    expect(Signature.headers({ ...signed, eventType: "contact.created" })).toEqual({
      "Content-Type": "application/json",
      "User-Agent": "PropertyNetwork-Webhooks/1",
      "webhook-id": id,
      "webhook-timestamp": String(now),
      "webhook-signature": received.signature,
      "X-Service-Event": "contact.created"
    })
  })

  it("mark only test deliveries", () => {
    const mark = (test: boolean) => Signature.headers({ ...signed, eventType: "x", test })["X-Service-Test"]
    expect([mark(true), mark(false)]).toEqual(["true", undefined])
  })
})
