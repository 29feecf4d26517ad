/** The model of the log of API requests (docs/behaviour/console.md#requests): what is kept of a request, and what a person asks for. */

/** An answered request of a team's program. Ids are UUIDs. */
export interface AnsweredRequest {
  readonly teamId: string
  readonly at: Date
  /** Null if the client chose it: it may say anything. */
  readonly requestId: string | null
  readonly method: string
  /** The pattern of the route; null if there was none. */
  readonly route: string | null
  /** The MCP tool that it called. */
  readonly tool: string | null
  readonly status: number
  /** The code of the problem, if it was refused. */
  readonly code: string | null
  readonly durationMs: number
  readonly clientId: string | null
  /** The personal token; null for OAuth clients and apps. */
  readonly tokenId: string | null
}

/** What is kept of one request, or of several that were alike. */
export interface RequestRecord extends AnsweredRequest {
  /** How many requests it stands for. */
  readonly requests: number
}

/** The classes of status. */
export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const
export type StatusClass = (typeof statusClasses)[number]

/** Which requests a person looks for; what is undefined may be anything. */
export interface RequestFilter {
  /** Of a client, an app or a personal token (UUID). */
  readonly caller: string | undefined
  readonly statusClass: StatusClass | undefined
  readonly code: string | undefined
  /** The method and the pattern, such as `GET /api/v1/webhooks`. */
  readonly route: string | undefined
}

/** The position of a request in the list. */
export interface RequestPosition {
  readonly at: Date
  readonly id: string
}

/** A request of the list. */
export interface ListedRequest extends RequestRecord {
  readonly id: string
}

/** How many requests of a group there were. */
export interface RequestGroup {
  readonly requests: number
  readonly lastAt: Date
}

/** Those that were refused for one reason. */
export interface ProblemGroup extends RequestGroup {
  readonly code: string
  readonly status: number
}

/** Those of one caller. */
export interface CallerGroup extends RequestGroup {
  readonly caller: string
  readonly kind: "client" | "token"
  /** Null if it is gone. */
  readonly name: string | null
  readonly refused: number
}

/** Those of one operation. */
export interface RouteGroup extends RequestGroup {
  readonly route: string
  readonly refused: number
  /** The longest, in milliseconds. */
  readonly maxMs: number
}

/** Those that began in one hour. */
export interface HourGroup {
  readonly hour: Date
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
}
