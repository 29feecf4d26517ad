/** What a process holds of a team's deliveries: what waits to be sent, and what is in flight. */
import type { Lease } from "../../jobs/WorkerSession.ts"
import type { Ended } from "./Recorder.ts"
import { type DueDelivery, room } from "./rules.ts"
import { type EndpointQueue, nextOf, stockOf } from "./schedule.ts"

/** A delivery that was taken and is not sent yet. */
export interface Held {
  readonly found: DueDelivery
  /** Under which it was taken. */
  readonly session: Lease
  /** When it was taken, in milliseconds. */
  readonly since: number
}

/** The deliveries of an endpoint. */
class Endpoint implements EndpointQueue {
  flying = 0
  slow = false
  /** How long it took to accept the latest one, in milliseconds; undefined when it did not. */
  acceptedIn: number | undefined
  private readonly waiting: readonly [firsts: Array<Held>, retries: Array<Held>] = [[], []]

  get firsts() {
    return this.waiting[0].length
  }
  get retries() {
    return this.waiting[1].length
  }

  add(held: Held) {
    this.slow = held.found.slow
    this.waiting[held.found.attemptCount + held.found.replayedAttempts === 0 ? 0 : 1].push(held)
  }
  next(): Held | undefined {
    return this.waiting[0].shift() ?? this.waiting[1].shift()
  }
  clear(): ReadonlyArray<Held> {
    return this.waiting.flatMap((some) => some.splice(0))
  }
}

/** The stock of a team. What it says is in it is held in the database, too, until that is told otherwise. */
export class Stock {
  readonly teamId: string
  flying = 0
  /** Attempts that have ended and are not recorded yet. */
  readonly ended: Array<Ended> = []
  /** What is to be given back, since it was not sent. */
  readonly returned: Array<Held> = []
  /** How many write what has ended. */
  writers = 0
  private readonly endpoints = new Map<string, Endpoint>()
  /** What waits or flies. */
  private readonly active = new Set<string>()
  /** What has ended or is given back, until that is written. */
  private readonly leaving = new Map<string, number>()

  constructor(teamId: string) {
    this.teamId = teamId
  }

  get isEmpty() {
    return this.active.size + this.leaving.size === 0
  }

  has(id: string) {
    return this.active.has(id) || this.leaving.has(id)
  }

  /** Of which endpoints more may be held than there is room for, and how many: those that accepted the latest one. */
  get stocks() {
    return [...this.endpoints].flatMap(([id, { acceptedIn }]) =>
      acceptedIn === undefined ? [] : [{ id, most: stockOf(acceptedIn, room) }]
    )
  }

  private endpoint(id: string): Endpoint {
    const known = this.endpoints.get(id)
    if (known !== undefined) return known
    const made = new Endpoint()
    this.endpoints.set(id, made)
    return made
  }

  /** Takes in what was taken; but for what is here already, under a session that has ended. */
  add(held: Held) {
    if (this.active.has(held.found.id)) return
    this.active.add(held.found.id)
    this.endpoint(held.found.webhookId).add(held)
  }

  /** What is sent next, which counts as in flight from now on; undefined when there is no room for what waits. */
  next(maySlow: boolean): Held | undefined {
    const endpoint = nextOf(this.endpoints.values(), { flying: this.flying, room, maySlow })
    const held = endpoint?.next()
    if (endpoint === undefined || held === undefined) return undefined
    endpoint.flying++
    this.flying++
    return held
  }

  /** What counts as in flight is not: it has ended, or was not sent. */
  landed(held: Held) {
    this.flying--
    this.endpoint(held.found.webhookId).flying--
  }

  private leave(id: string) {
    this.active.delete(id)
    this.leaving.set(id, (this.leaving.get(id) ?? 0) + 1)
  }

  /** `acceptedIn`: as of its endpoint. When it did not accept, what waits for it is given back, to be looked at again. */
  end(held: Held, ended: Ended, acceptedIn: number | undefined) {
    this.landed(held)
    this.leave(held.found.id)
    this.ended.push(ended)
    const endpoint = this.endpoint(held.found.webhookId)
    endpoint.acceptedIn = acceptedIn
    if (acceptedIn === undefined) this.giveBack(endpoint.clear())
  }

  giveBack(some: ReadonlyArray<Held>) {
    for (const held of some) {
      this.leave(held.found.id)
      this.returned.push(held)
    }
  }

  /** Gives back all that was not sent. */
  giveBackAll() {
    for (const endpoint of this.endpoints.values()) this.giveBack(endpoint.clear())
  }

  /** What had ended or was given back is written. */
  left(ids: Iterable<string>) {
    for (const id of ids) {
      const count = this.leaving.get(id) ?? 0
      if (count > 1) this.leaving.set(id, count - 1)
      else this.leaving.delete(id)
    }
  }
}
