import { Effect } from "effect"
import type { Calls, World } from "./Call.ts"

/** A new mandate of the world. */
export const aMandate = ({ rest }: World) =>
  Effect.map(
    rest<{ readonly id: string }>("POST", "/api/v1/mandates", { json: { name: "Halls", categories: ["logistics"] } }),
    ({ body }) => body.id
  )

export const mandates: Calls = {
  list_mandates: () => Effect.succeed({}),
  search_mandates: () => Effect.succeed({ location: "Munich" }),
  get_mandate: (world) => Effect.map(aMandate(world), (mandate) => ({ mandate })),
  create_mandate: () => Effect.succeed({ name: "Halls", location: "Munich" }),
  update_mandate: (world) => Effect.map(aMandate(world), (mandate) => ({ mandate, status: "paused" })),
  delete_mandate: (world) => Effect.map(aMandate(world), (mandate) => ({ mandate }))
}
