/** The start and the duration of an attempt. */
export interface Timed {
  readonly startedAt: Date
  /** Whole milliseconds. */
  readonly durationMs: number
}

/** The receiver responded, with any status. */
export interface Answered extends Timed {
  readonly outcome: "answered"
  readonly statusCode: number
  /** By lower-case name; the values of a repeated header are joined by `, `. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 4 KiB of the body as text, without NUL. */
  readonly responseBody: string
  /** The `Retry-After` header in whole seconds from the end of the attempt. */
  readonly retryAfterSeconds?: number
}

/** There was no response, or a 2xx response that did not end in time. */
export interface Failed extends Timed {
  readonly outcome: "failed"
  /** A sentence that says what failed. */
  readonly error: string
  /** Present if the service itself was the reason, and not the receiver: its network, its name servers, its secret key, a defect. */
  readonly ownFault?: true
  /** Present if the head of a response arrived. */
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** The part of the body that arrived, up to 4 KiB. */
  readonly responseBody?: string
}

/** The result of one request to a receiver. A failure is a value, because it is expected. */
export type Attempt = Answered | Failed
