/** The messages between the processes of `deliver`. Times are Unix times in milliseconds, with fractions. */

/** A complete request. */
export interface Sample {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** To the receiver: count from zero up to a number of messages, or report the count. */
export type ReceiverOrder = { readonly kind: "expect"; readonly messages: number } | { readonly kind: "tell" }

/** From the receiver: it listens, it has received the expected number, or the report. */
export type ReceiverReport =
  | { readonly kind: "listens"; readonly port: number }
  | { readonly kind: "complete" }
  | {
      readonly kind: "report"
      readonly requests: number
      readonly ids: ReadonlyArray<string>
      readonly firstAt: number
      readonly samples: ReadonlyArray<Sample>
    }

/** To the bare loop: to post all events of a team. */
export interface LoopOrder {
  readonly database: string
  readonly team: string
  readonly url: string
  readonly secret: string
  readonly concurrency: number
}

/** From the bare loop: the time of the last response. */
export interface LoopReport {
  readonly endedAt: number
}

/** The current time with fractions of a millisecond. */
export const now = (): number => performance.timeOrigin + performance.now()
