import { Effect } from "effect"
import type { Calls } from "./Call.ts"
import { aMandate } from "./mandates.ts"

export const matching: Calls = {
  match_property: ({ rest }) =>
    Effect.map(
      rest<{ readonly id: string }>("POST", "/api/v1/properties", {
        json: { name: "Hall", categories: ["logistics"] }
      }),
      ({ body }) => ({ property: body.id })
    ),
  match_mandate: (world) => Effect.map(aMandate(world), (mandate) => ({ mandate }))
}
