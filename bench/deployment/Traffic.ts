/** Clients that write, read, and follow deltas all the time, and remember what they were answered. */
import { randomUUID } from "node:crypto"
import type { Team } from "../deliveries/Subscribers.ts"

const contacts = "/api/v1/network/contacts"

/** A request that was not answered as it should have been. */
export interface Failure {
  /** Unix time in milliseconds. */
  readonly at: number
  readonly request: string
  /** The status of the answer with its problem, or the error of the connection. */
  readonly status: number | undefined
  readonly what: string
}

/** What a writer knows of a contact. */
interface Known {
  /** The values that its phone may have: that of the last answered write, and those of later writes without an answer. */
  readonly phones: ReadonlyArray<string | null>
  /** Whether it was deleted; unknown if the deletion was not answered. */
  readonly deleted: boolean | undefined
}

/** A contact as lists show it. */
interface Shown {
  readonly id: string
  readonly etag: string
  readonly phone: string | null
  readonly lastName: string | null
  readonly changeType: string
}

interface Page {
  readonly data: ReadonlyArray<Shown>
  readonly page: { readonly nextCursor: string | null; readonly nextSince: string | null }
}

/** How the clients behave. */
export interface Options {
  /** The base URL for the next request. */
  readonly base: () => string
  readonly teams: ReadonlyArray<Team>
  /** Milliseconds between the requests of one client. */
  readonly pause: number
  /** After how many milliseconds a client gives up. */
  readonly timeout: number
  /** Whether a failed write is sent again until it is answered, with the same `Idempotency-Key`. */
  readonly persistent: boolean
}

const pauseOf = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Starts a writer, a reader and a follower of deltas for each team. */
export const start = ({ base, pause, persistent, teams, timeout }: Options) => {
  const failures: Array<Failure> = []
  const writes: Array<number> = []
  let answered = 0
  let slowest = 0
  let isRunning = true

  /** The body of the answer with one of the expected statuses; undefined for any other, which is a failure. */
  const send = async (
    team: Team,
    method: string,
    path: string,
    expected: ReadonlyArray<number>,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {}
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined> => {
    const begun = performance.now()
    const request = `${method} ${path.split("?")[0]?.replace(/contact_\w+/, ":id")}`
    try {
      const response = await fetch(`${base()}${path}`, {
        method,
        signal: AbortSignal.timeout(timeout),
        headers: {
          authorization: `Bearer ${team.token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      slowest = Math.max(slowest, performance.now() - begun)
      if (expected.includes(response.status)) {
        answered++
        if (method !== "GET") writes.push(Date.now())
        return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
      }
      failures.push({ at: Date.now(), request, status: response.status, what: text.slice(0, 300) })
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error
      failures.push({ at: Date.now(), request, status: undefined, what: String(cause) })
    }
    return undefined
  }

  /** Repeats a request until it is answered; without persistence, sends it once. */
  const untilAnswered = async <A>(attempt: () => Promise<A | undefined>): Promise<A | undefined> => {
    for (;;) {
      const result = await attempt()
      if (result !== undefined || !persistent) return result
      await pauseOf(200)
    }
  }

  const write = async (team: Team, known: Map<string, Known>) => {
    for (let turn = 0; isRunning; turn++) {
      const key = randomUUID()
      const created = await untilAnswered(() =>
        send(team, "POST", contacts, [201], {
          body: { firstName: "Anna", lastName: `Berg ${key}` },
          headers: { "idempotency-key": key }
        })
      )
      if (created !== undefined) {
        const { id } = created.body as { readonly id: string }
        known.set(id, { phones: [null], deleted: false })
        const phone = `+49 30 ${turn}`
        const patched = await untilAnswered(() => send(team, "PATCH", `${contacts}/${id}`, [200], { body: { phone } }))
        known.set(id, { phones: patched === undefined ? [null, phone] : [phone], deleted: false })
        if (turn % 3 === 0) {
          // A repetition finds nothing when the first request had been carried out.
          const deleted = await untilAnswered(() => send(team, "DELETE", `${contacts}/${id}`, [204, 404]))
          known.set(id, { ...(known.get(id) ?? { phones: [] }), deleted: deleted === undefined ? undefined : true })
        }
      }
      await pauseOf(pause)
    }
  }

  const read = async (team: Team, known: ReadonlyMap<string, Known>) => {
    while (isRunning) {
      const some = [...known].findLast(([, { deleted }]) => deleted === false)
      await send(team, "GET", `${contacts}?page_size=50`, [200])
      // The writer may have deleted it meanwhile.
      if (some !== undefined) await send(team, "GET", `${contacts}/${some[0]}`, [200, 404])
      await pauseOf(pause)
    }
  }

  /** All pages of a list, or undefined after a failure. */
  const pages = async (team: Team, query: string) => {
    const rows: Array<Shown> = []
    let cursor = ""
    for (;;) {
      const answer = await untilAnswered(() => send(team, "GET", `${contacts}?page_size=200${query}${cursor}`, [200]))
      if (answer === undefined) return undefined
      const { data, page } = answer.body as Page
      rows.push(...data)
      if (page.nextCursor === null) return { rows, since: page.nextSince }
      cursor = `&cursor=${page.nextCursor}`
    }
  }

  const follow = async (team: Team, copy: Map<string, Shown>) => {
    let since: string | null = null
    const once = async () => {
      const query = since === null ? "" : `&updated_since=${encodeURIComponent(since)}&include_deleted=true`
      const found = await pages(team, query)
      if (found === undefined) return
      for (const row of found.rows) {
        if (row.changeType === "deleted") copy.delete(row.id)
        else copy.set(row.id, row)
      }
      since = found.since
    }
    while (isRunning) {
      await once()
      await pauseOf(pause)
    }
    return once
  }

  const clients = teams.map((team) => {
    const known = new Map<string, Known>()
    const copy = new Map<string, Shown>()
    const others = [write(team, known), read(team, known)]
    return { team, known, copy, others, following: follow(team, copy) }
  })

  /** What differs between what a team's clients were answered and what the service shows now. */
  const faultsOf = async ({ copy, following, known, team }: (typeof clients)[number]): Promise<Array<string>> => {
    const list = await pages(team, "")
    if (list === undefined) return ["The list could not be read."]
    await (
      await following
    )()
    const shown = new Map(list.rows.map((row) => [row.id, row]))
    const faults: Array<string> = []
    for (const [id, { deleted, phones }] of known) {
      const row = shown.get(id)
      if (deleted === false && row === undefined) faults.push(`${id} was answered and is gone.`)
      if (deleted === true && row !== undefined) faults.push(`${id} was deleted and is there.`)
      if (row !== undefined && !phones.includes(row.phone))
        faults.push(`${id} has ${row.phone}, not ${phones.join(" or ")}.`)
    }
    for (const [id, { etag }] of shown) {
      if (copy.get(id)?.etag !== etag) faults.push(`${id} is ${etag} and was ${copy.get(id)?.etag} in the deltas.`)
    }
    for (const id of copy.keys()) if (!shown.has(id)) faults.push(`${id} is gone and was there in the deltas.`)
    // The names that writers gave, each once.
    const names = list.rows.flatMap(({ lastName }) => lastName ?? [])
    if (new Set(names).size !== names.length) faults.push("A contact was created twice.")
    return faults
  }

  return {
    failures: failures as ReadonlyArray<Failure>,
    /** When writes were answered, in Unix milliseconds. */
    writes: writes as ReadonlyArray<number>,
    answered: () => answered,
    slowest: () => Math.round(slowest),
    /** Stops the clients, once their last requests are answered. */
    stop: async () => {
      isRunning = false
      await Promise.all(clients.flatMap(({ following, others }) => [...others, following]))
    },
    /** After the stop: what was answered and is not there, and where deltas led to another state than the list. */
    faults: async () => (await Promise.all(clients.map(faultsOf))).flat(),
    /** The ids of the contacts that were created. */
    created: () => clients.flatMap(({ known }) => [...known.keys()])
  }
}

/** Clients that run. */
export type Traffic = ReturnType<typeof start>

/** Failures in groups, the most frequent first. */
export const summary = (failures: ReadonlyArray<Failure>): ReadonlyArray<string> => {
  const groups = Map.groupBy(
    failures,
    ({ request, status, what }) => `${request} ${status ?? ""} ${what.slice(0, 120)}`
  )
  const time = (failure: Failure | undefined) => new Date(failure?.at ?? 0).toISOString().slice(11, 19)
  return [...groups]
    .sort((a, b) => b[1].length - a[1].length)
    .map(([name, all]) => `${all.length} × ${name}, ${time(all[0])} to ${time(all.at(-1))}`)
}
