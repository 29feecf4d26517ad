import { expect, it } from "@effect/vitest"
import { capabilitiesOfBot } from "../../../src/identity/clients/rules.ts"

it("A bot may do what its maker may, and what its maker may not is requested", () => {
  const maker = { broker: "active", investor: "pending" } as const
  expect(capabilitiesOfBot(maker, ["broker", "investor"])).toStrictEqual({ broker: "active", investor: "pending" })
  expect(capabilitiesOfBot(maker, ["broker"])).toStrictEqual({ broker: "active", investor: null })
  expect(capabilitiesOfBot({ broker: null, investor: null }, ["broker"])).toStrictEqual({
    broker: "pending",
    investor: null
  })
})
