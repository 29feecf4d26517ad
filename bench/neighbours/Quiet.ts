/** A quiet tenant: a few requests a second, whose durations are kept. */
import { Pool } from "undici"
import { quantile } from "../Report.ts"

/** One request: when it was due, how long it took from then, and whether it succeeded. In milliseconds. */
export interface Sample {
  readonly due: number
  readonly millis: number
  readonly status: number | "failed"
}

/** The figures of some requests. */
export interface Figures {
  readonly requests: number
  readonly failures: number
  readonly p50: number
  readonly p95: number
}

const path = "/api/v1/network/contacts"

/** How many requests a second. Two clients have more than these to spend. */
const perSecond = 10

/** After how many milliseconds a request counts as failed. */
const deadline = 30_000

const isSuccess = ({ status }: Sample) => status === 200 || status === 201

/** The figures of these samples. */
export const figuresOf = (samples: ReadonlyArray<Sample>): Figures => {
  const times = samples.map(({ millis }) => millis)
  return {
    requests: samples.length,
    failures: samples.filter((sample) => !isSuccess(sample)).length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95)
  }
}

/** Begins to read, list, create and patch in turns, each at its time, whether or not earlier requests were answered. */
export const begin = (origin: string, tokens: ReadonlyArray<string>, contacts: ReadonlyArray<string>) => {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 })
  const samples: Array<Sample> = []
  const pending = new Set<Promise<void>>()
  let number = 0

  const requestOf = (turn: number) => {
    const id = contacts[turn % contacts.length]
    switch (turn % 4) {
      case 0:
        return { method: "GET", path: `${path}/${id}` } as const
      case 1:
        return { method: "GET", path: `${path}?page_size=50` } as const
      case 2:
        return {
          method: "POST",
          path: `${path}?force=true`,
          body: JSON.stringify({ firstName: `Quiet ${turn}` })
        } as const
      default:
        return { method: "PATCH", path: `${path}/${id}`, body: JSON.stringify({ phone: `+49 30 ${turn}` }) } as const
    }
  }

  const send = async (turn: number, due: number) => {
    const request = requestOf(turn)
    let status: Sample["status"] = "failed"
    try {
      const response = await pool.request({
        ...request,
        headers: {
          authorization: `Bearer ${tokens[turn % tokens.length]}`,
          ...("body" in request ? { "content-type": "application/json" } : {})
        },
        signal: AbortSignal.timeout(deadline)
      })
      await response.body.arrayBuffer()
      status = response.statusCode
    } catch {
      // The request counts as failed.
    }
    samples.push({ due, millis: performance.now() - due, status })
  }

  const begun = performance.now()
  const timer = setInterval(() => {
    for (; begun + (number * 1000) / perSecond <= performance.now(); number++) {
      const sent = send(number, begun + (number * 1000) / perSecond)
      pending.add(sent)
      void sent.then(() => pending.delete(sent))
    }
  }, 5)

  return {
    /** The requests that were due within a time, once all of them are answered. */
    between: async (from: number, to: number): Promise<ReadonlyArray<Sample>> => {
      await Promise.all(pending)
      return samples.filter(({ due }) => due >= from && due < to)
    },
    /** The requests that were due within a time and are answered. */
    answered: (from: number, to: number): ReadonlyArray<Sample> => samples.filter(({ due }) => due >= from && due < to),
    stop: async () => {
      clearInterval(timer)
      await Promise.all(pending)
      await pool.close()
    }
  }
}

/** The quiet tenant. */
export type Quiet = ReturnType<typeof begin>
