/** What the processes of the measurement of deliveries say to each other. Moments are milliseconds of Unix time, with fractions. */

/** A request that was kept whole. */
export interface Sample {
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** To the receiver: to count from nothing, until so many messages have come; or to tell what has come. */
export type ReceiverOrder = { readonly kind: "expect"; readonly messages: number } | { readonly kind: "tell" }

/** From the receiver, when it listens, when all that was expected has come, and when it was asked. */
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

/** From the bare loop: when the last answer had come. */
export interface LoopReport {
  readonly endedAt: number
}

/** This moment, finer than a millisecond. */
export const now = (): number => performance.timeOrigin + performance.now()
