/** Who can send messages, over all states. */
import { assert, describe, it } from "@effect/vitest"
import { refusalOfBroker, refusalOfInvestor } from "../../../src/deals/messages/Message.ts"
import { offerStatuses } from "../../../src/deals/offers/Offer.ts"

const moment = "2026-11-21T09:30:00.000Z"

describe("A conversation", () => {
  it("is open to a broker while the prospect is on the list, has accepted, and the project is not closed", () => {
    const decided = [true, false].flatMap((chat) =>
      [null, moment].flatMap((removedUtc) =>
        [null, moment].map(
          (closedUtc) =>
            `${chat ? "accepted" : "open"} ${removedUtc === null ? "listed" : "removed"} ${closedUtc === null ? "running" : "closed"}: ${refusalOfBroker({ chat, removedUtc, erasedUtc: null }, { closedUtc })}`
        )
      )
    )
    assert.deepStrictEqual(decided, [
      "accepted listed running: undefined",
      "accepted listed closed: project_closed",
      "accepted removed running: removed",
      "accepted removed closed: removed",
      "open listed running: not_accepted",
      "open listed closed: project_closed",
      "open removed running: removed",
      "open removed closed: removed"
    ])
  })

  it("is open to an investor while the offer is accepted", () => {
    assert.deepStrictEqual(Object.fromEntries(offerStatuses.map((status) => [status, refusalOfInvestor(status)])), {
      unanswered: "not_accepted",
      pending: "not_accepted",
      accepted: undefined,
      rejected: "not_accepted",
      expired: "not_accepted",
      removed: "removed",
      closed: "project_closed"
    })
  })
})
