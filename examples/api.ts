/** A small client of the API: JSON over `fetch`, with retries. */
import { setTimeout as sleep } from "node:timers/promises"

/** An error of the API (RFC 9457). `code` is for programs, `detail` for people. */
export interface Problem {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string
}

export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail} (request ${problem.requestId})`)
    this.problem = problem
  }
}

export interface Answer<Body> {
  readonly body: Body
  readonly etag: string | null
}

export interface Options {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Sends a request and retries temporary failures. Throws `Refused` when the final answer is a 4xx or 5xx. */
export type Api = <Body>(method: string, path: string, options?: Options) => Promise<Answer<Body>>

const maxAttempts = 5

/** A client of the service at `url`. Tests pass their own `fetch`. */
export const connect =
  (url: string, token: string, fetch: typeof globalThis.fetch = globalThis.fetch): Api =>
  async <Body>(method: string, path: string, { body, headers }: Options = {}) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === maxAttempts
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      }).catch((error: unknown) => {
        // The service may have handled the request although the answer got lost. `Idempotency-Key` and `If-Match` make it
        // safe to send again.
        if (isLast) throw error
        return undefined
      })
      if (response?.ok === true) {
        const text = await response.text()
        return { body: (text === "" ? null : JSON.parse(text)) as Body, etag: response.headers.get("etag") }
      }
      if (response !== undefined) {
        const problem = (await response.json()) as Problem
        const isTemporary = [429, 503].includes(problem.status) || problem.code === "idempotency_in_progress"
        if (isLast || !isTemporary) throw new Refused(problem)
      }
      await sleep(Number(response?.headers.get("retry-after") ?? attempt) * 1000)
    }
  }
