import { describe, expect, it } from "@effect/vitest"
import { addressOf } from "../../src/http/RequestState.ts"

describe("The address of a client", () => {
  it.each([
    ["192.0.2.1", undefined, 0, "192.0.2.1"],
    ["::ffff:192.0.2.1", undefined, 0, "192.0.2.1"],
    ["192.0.2.1", "198.51.100.7", 0, "192.0.2.1"],
    ["10.0.0.1", "203.0.113.9, 198.51.100.7", 1, "198.51.100.7"],
    ["10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", 2, "198.51.100.7"],
    ["10.0.0.1", "198.51.100.7", 3, "10.0.0.1"],
    ["10.0.0.1", undefined, 1, "10.0.0.1"],
    [undefined, undefined, 0, null]
  ])(
    "of a connection from %s with X-Forwarded-For %s behind %i proxies is %s",
    (connected, forwarded, hops, address) => {
      expect(addressOf(connected, forwarded, hops)).toBe(address)
    }
  )
})
