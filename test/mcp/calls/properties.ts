import { Effect } from "effect"
import type { Calls, World } from "./Call.ts"

/** A new property of the world. */
export const aProperty = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/properties", { json: { name: "Turm" } }),
    ({ body }) => body.id
  )

export const properties: Calls = {
  list_properties: () => Effect.succeed({ tags: ["value_add"] }),
  get_property: (world) => Effect.map(aProperty(world), (property) => ({ property })),
  create_property: () => Effect.succeed({ name: "Turm", street: "Am Fluss", lettableAreaSqm: 8_240 }),
  update_property: (world) =>
    Effect.map(aProperty(world), (property) => ({ property, askingPrice: 46_500_000, currency: "EUR" }))
}
