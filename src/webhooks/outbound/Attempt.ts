/** When an attempt began, and how long it took. */
export interface Timed {
  readonly startedAt: Date
  /** Whole milliseconds. */
  readonly durationMs: number
}

/** The receiver answered. Whether that is good news, its status decides. */
export interface Answered extends Timed {
  readonly outcome: "answered"
  readonly statusCode: number
  /** By lower-case name; the values of a repeated header are joined by `, `. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 4 KiB of the body as text, without NUL. */
  readonly responseBody: string
  /** What `Retry-After` asked for, in whole seconds from the end of the attempt. */
  readonly retryAfterSeconds?: number
}

/** There was no answer, or a 2xx that did not end in time. */
export interface Failed extends Timed {
  readonly outcome: "failed"
  /** A sentence that names what failed. */
  readonly error: string
  /** Present if the head of an answer had come. */
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** What had come of its body, as in an answer. */
  readonly responseBody?: string
}

/** What became of one request to a receiver: always a value, since a failed attempt is an expected result. */
export type Attempt = Answered | Failed
