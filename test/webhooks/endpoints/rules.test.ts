import { describe, expect, it } from "@effect/vitest"
import {
  afterDelivery,
  asked,
  exhaustionsToDisable,
  fresh,
  move,
  type Standing,
  type WebhookEvent,
  type WebhookState
} from "../../../src/webhooks/endpoints/rules.ts"

const at = new Date("2026-11-21T09:30:00Z")
const states: ReadonlyArray<WebhookState> = ["active", "paused", "disabled"]
const disabled: Standing = {
  status: "disabled",
  disabledReason: "The receiver answered 410 Gone.",
  disabledUtc: "2026-11-20T00:00:00.000Z",
  consecutiveExhausted: 4
}

describe("the state of a webhook", () => {
  const table: Record<WebhookEvent, ReadonlyArray<WebhookState | null>> = {
    activate: [null, "active", "active"],
    pause: ["paused", null, "paused"],
    gone: ["disabled", "disabled", null],
    tenth_exhaustion: ["disabled", "disabled", null]
  }

  it("moves as the specification says, and in no other way", () => {
    for (const [event, targets] of Object.entries(table)) {
      expect(states.map((state) => move(state, event as WebhookEvent)), event).toEqual(targets)
    }
  })
})

describe("a client's wish", () => {
  it.each(["paused", "disabled"] as const)("activates a %s webhook, which counts anew and has no reason left", (status) => {
    expect(asked({ ...disabled, status }, "active")).toEqual(fresh)
  })

  it("pauses an active webhook without touching its count", () => {
    expect(asked({ ...fresh, consecutiveExhausted: 3 }, "paused")).toEqual({
      ...fresh,
      status: "paused",
      consecutiveExhausted: 3
    })
  })

  it("pauses a disabled webhook, which is then no longer disabled", () => {
    expect(asked(disabled, "paused")).toEqual({ ...fresh, status: "paused", consecutiveExhausted: 4 })
  })

  it("for the state that there is changes nothing", () => {
    const active = { ...fresh, consecutiveExhausted: 3 }
    expect(asked(active, "active")).toBe(active)
  })
})

describe("the end of a delivery", () => {
  it("counts when it is exhausted, and disables at the tenth in a row", () => {
    let standing: Standing = fresh
    for (let count = 1; count < exhaustionsToDisable; count++) {
      standing = afterDelivery(standing, "exhausted", at)
      expect(standing).toEqual({ ...fresh, consecutiveExhausted: count })
    }
    expect(afterDelivery(standing, "exhausted", at)).toEqual({
      status: "disabled",
      disabledReason: "10 deliveries in a row used up all their attempts.",
      disabledUtc: at.toISOString(),
      consecutiveExhausted: 10
    })
  })

  it("begins the count anew when it is a success", () => {
    expect(afterDelivery({ ...fresh, consecutiveExhausted: 9 }, "delivered", at)).toEqual(fresh)
  })

  it.each(["active", "paused"] as const)("disables a webhook that is %s at once when the receiver is gone", (status) => {
    expect(afterDelivery({ ...fresh, status }, "gone", at)).toEqual({
      status: "disabled",
      disabledReason: "The receiver answered 410 Gone.",
      disabledUtc: at.toISOString(),
      consecutiveExhausted: 0
    })
  })

  it("does not disable a webhook a second time", () => {
    expect(afterDelivery(disabled, "gone", at)).toBe(disabled)
    expect(afterDelivery({ ...disabled, consecutiveExhausted: 10 }, "exhausted", at)).toEqual({
      ...disabled,
      consecutiveExhausted: 11
    })
  })
})
