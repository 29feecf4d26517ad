/** A tenant with clients of its properties and mandates, and of their matches. */
import * as Tenant from "../../support/Tenant.ts"
import { Effect } from "effect"
import type { Mandate } from "../../../src/market/mandates/Mandate.ts"
import type { MandateMatchPage, PropertyMatchPage } from "../../../src/market/matches/Match.ts"
import type { Property } from "../../../src/market/properties/Property.ts"
import type { Results } from "../../../src/core/records/Batch.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

type Kind = "mandates" | "properties"

/** What the matches of each kind are. */
interface Pages {
  readonly mandates: PropertyMatchPage
  readonly properties: MandateMatchPage
}

const path = (kind: Kind) => `/api/v1/${kind}`

/** The tenant and its clients. */
export const make = Effect.fn("MatchesClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  const idOf = ({ body, status, text }: Reply<Mandate | Property>) =>
    status === 201 ? Effect.succeed(body.id) : Effect.die(new Error(text))
  const create = (kind: Kind, name: string, json: object) =>
    Effect.flatMap(request<Mandate | Property>("POST", path(kind), { token, json: { name, ...json } }), idOf)
  /** Creates records by batches, and returns their ids in the same order. */
  const createAll = Effect.fnUntraced(function* (kind: Kind, records: ReadonlyArray<object>) {
    const ids: Array<string> = []
    for (let from = 0; from < records.length; from += 100) {
      const items = records.slice(from, from + 100)
      const { body, text } = yield* request<Results<Mandate | Property>>("POST", `${path(kind)}/batch/upsert`, {
        token,
        json: { items }
      })
      for (const { status, ...receipt } of body.results) {
        if (status !== "created" || !("id" in receipt)) return yield* Effect.die(new Error(text))
        ids.push(receipt.id ?? "")
      }
    }
    return ids
  })
  const matches = <const K extends Kind>(kind: K, id: string, query = "") =>
    request<Pages[K]>("GET", `${path(kind)}/${id}/matches${query}`, { token })
  return {
    ...tenant,
    property: (json: object = {}) => create("properties", "Turm", json),
    mandate: (json: object = {}) => create("mandates", "Office", json),
    createAll,
    patch: (kind: Kind, id: string, json: unknown) => request("PATCH", `${path(kind)}/${id}`, { token, json }),
    delete: (kind: Kind, id: string) => request("DELETE", `${path(kind)}/${id}`, { token }),
    matches,
    /** The ids of a page of matches with their scores. */
    scores: (kind: Kind, id: string, query = "") =>
      Effect.map(matches(kind, id, query), ({ body }) => body.data.map((one) => [one.id, one.score] as const))
  }
})
