/** Decides which requests are kept whole, and what stands for the others. */
import type { AnsweredRequest, RequestRecord } from "./RequestRecord.ts"

/** How many requests that are alike are kept of those between two writes: the others are counted. */
export const keptAlike = 5

/** How many kinds of requests are kept between two writes, of all teams: beyond it, what is new is not kept. */
export const maxKinds = 10_000

/** Requests that are alike: of one caller, to one operation, with one outcome. */
export interface AlikeRequests {
  readonly kept: Array<AnsweredRequest>
  count: number
}

/** What makes requests alike. */
export const kindOf = ({ clientId, code, method, route, status, teamId, tokenId, tool }: AnsweredRequest): string =>
  `${teamId} ${clientId ?? tokenId} ${method} ${route} ${tool} ${status} ${code}`

/** The records of requests that are alike: together they stand for all of them, so that counts stay right. */
export const recordsOf = ({ count, kept }: AlikeRequests): ReadonlyArray<RequestRecord> => {
  const each = Math.floor(count / kept.length)
  const more = count % kept.length
  return kept.map((request, index) => ({ ...request, requests: each + (index < more ? 1 : 0) }))
}

/** Whether a route is one that programs call: of the API, of the tools for agents, and of the tokens for both. */
export const isOfPrograms = (route: string | undefined): boolean =>
  route !== undefined && /^\/(?:api|mcp|openid)(?:\/|$)/.test(route)

/** A request id that the service itself made. */
export const ownRequestId = (id: string): string | null => (/^req_[0-9a-f]{32}$/.test(id) ? id : null)
