import { assert, describe, it } from "@effect/vitest"
import { InvalidMessage, verifyMessage } from "property-network/client"
import { Webhook } from "standardwebhooks"

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`

const [old, current] = [secretOf(1), secretOf(2)]

const payload = { event: "contact.created", resource_type: "contact", resource_id: "contact_1" }

const body = JSON.stringify(payload)

const headersOf = (secret: string, at = new Date(), signedBody = body) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign("msg_1", at, signedBody)
})

describe("verifyMessage", () => {
  it("returns the event of a message that one of the secrets signed", () => {
    for (const message of [body, Buffer.from(body)]) {
      const { event, id, isTest } = verifyMessage(message, headersOf(current), [old, current])
      assert.deepStrictEqual([id, event.event, isTest], ["msg_1", "contact.created", false])
    }
    const { event } = verifyMessage(body, new Headers(headersOf(current)), current)
    assert.strictEqual(event.resource_id, "contact_1")
  })

  it("tells test deliveries", () => {
    const test = JSON.stringify({ ...payload, _test: true })
    assert.isTrue(verifyMessage(test, headersOf(current, new Date(), test), current).isTest)
  })

  it.each([
    ["a wrong secret", body, headersOf(old), current],
    ["a changed body", `${body} `, headersOf(current), current],
    ["an old message", body, headersOf(current, new Date(Date.now() - 301_000)), current],
    ["a message from the future", body, headersOf(current, new Date(Date.now() + 360_000)), current],
    ["no headers", body, {}, current]
  ])("refuses %s", (_, message, headers, secret) => {
    assert.throws(() => verifyMessage(message, headers, secret), InvalidMessage)
  })

  it.each([[], "", "whsec_%%%", "whsec_AAAA", undefined])(
    "tells a wrong configuration from a wrong message: %j",
    (secret) => {
      assert.throws(() => verifyMessage(body, headersOf(current), secret as string), TypeError, /secret/)
    }
  )
})
