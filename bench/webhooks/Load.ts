/** Creates events over the API at a steady rate. */
import { Effect } from "effect"
import type { EventType } from "../../src/core/mutation/Event.ts"
import type { Service } from "../Service.ts"
import type { Team } from "./Subscribers.ts"

/** A batch request, which emits one event for each item. */
type Step = "contact.created" | "contact.updated" | "contact.deleted" | "company.created"

/** The sequence of requests: a contact is created, then changed, then deleted. */
export const turns: ReadonlyArray<Step> = [
  "contact.created",
  "contact.updated",
  "contact.created",
  "contact.deleted",
  "company.created",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "contact.created",
  "contact.updated"
]

/** An event of an acknowledged request. */
export interface Acknowledged {
  readonly type: EventType
  readonly resourceId: string
}

const succeeded: Readonly<Record<Step, string>> = {
  "contact.created": "created",
  "contact.updated": "updated",
  "contact.deleted": "deleted",
  "company.created": "created"
}

const network = "/api/v1/network"

// All different, so that duplicate detection does not matter.
const nameOf = (number: number) => `${((number * 2_654_435_761) % 2 ** 32).toString(36)} ${number.toString(36)}`

/** Sends batches for one team. */
export const writer = (service: Service, team: Team, size: number) => {
  const created: Array<string> = []
  const changed: Array<string> = []
  let number = 0

  const requestOf = (step: Step): readonly [path: string, body: object] => {
    const many = <A>(item: () => A) => Array.from({ length: size }, item)
    switch (step) {
      case "contact.created":
        return ["contacts/batch/upsert", { items: many(() => ({ firstName: "Maria", lastName: `Rossi ${++number}` })) }]
      case "contact.updated":
        return [
          "contacts/batch/upsert",
          {
            items: created.splice(0, size).map((id) => {
              changed.push(id)
              return { id, phone: `+39 02 ${5_550_000 + ++number}` }
            })
          }
        ]
      case "contact.deleted":
        return ["contacts/batch/delete", { ids: changed.splice(0, size) }]
      case "company.created":
        return ["companies/batch/upsert?force=true", { items: many(() => ({ name: nameOf(++number) })) }]
    }
  }

  /** Sends one batch and returns its acknowledged events. Fails if an item was not acknowledged. */
  return async (step: Step): Promise<ReadonlyArray<Acknowledged>> => {
    const [path, body] = requestOf(step)
    const reply = await service.request("POST", `${network}/${path}`, team.token, body)
    const results = reply.body["results"] as ReadonlyArray<{ readonly id: string; readonly status: string }>
    const good = results.filter(({ status }) => status === succeeded[step])
    if (good.length !== size) throw new Error(`${step}: ${JSON.stringify(results)}`)
    if (step === "contact.created") created.push(...good.map(({ id }) => id))
    return good.map(({ id }) => ({ type: step, resourceId: id }))
  }
}

/**
 * Creates `events` events at `rate` per second, in batches of `size`, round-robin for all teams. Returns the acknowledged events.
 * A team that is late continues without a pause. A team has one request in flight at a time.
 */
export const run = Effect.fnUntraced(function* (
  service: Service,
  teams: ReadonlyArray<Team>,
  { events, rate, size }: { readonly events: number; readonly rate: number; readonly size: number }
) {
  const began = performance.now()
  const batches = Math.ceil(events / size / teams.length)
  const acknowledged = yield* Effect.forEach(
    teams,
    (team, place) =>
      Effect.promise(async () => {
        const write = writer(service, team, size)
        const all: Array<Acknowledged> = []
        for (let turn = 0; turn < batches; turn++) {
          const due = began + ((turn * teams.length + place) * size * 1000) / rate
          const wait = due - performance.now()
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
          all.push(...(await write(turns[turn % turns.length] ?? "contact.created")))
        }
        return all
      }),
    { concurrency: "unbounded" }
  )
  return acknowledged.flat()
})
