/**
 * A typed client of the API: one method for each operation, under the operation's id. It authenticates, repeats what is
 * safe to repeat, sends idempotency keys, walks through lists and deltas, and throws refusals as typed errors.
 */
import createFetchClient from "openapi-fetch"
import { errorOf } from "./ApiError.ts"
import type { TokenOptions } from "./clientCredentials.ts"
import { type Delta, deltaOf, type Journal, journalOf, rowsOf } from "./lists.ts"
import type { OperationRow } from "./OperationRow.ts"
import { operations } from "./operations.ts"
import type {
  Argument,
  DeltaId,
  DeltaInput,
  DryRunId,
  DryRunOf,
  Input,
  ListId,
  ListInput,
  OperationId,
  Result,
  Row,
  SearchId
} from "./operationTypes.ts"
import { fetchRetrying, type RetryOptions } from "./retrying.ts"

/** The options of a client. */
export interface ClientOptions {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** A personal access token, or a function that answers a valid access token, such as `clientCredentials({ … })`. */
  readonly token: string | ((options?: TokenOptions) => string | Promise<string>)
  readonly retry?: RetryOptions
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
  /** Makes idempotency keys; random UUIDs by default. */
  readonly newIdempotencyKey?: () => string
}

/** A method of the client. It resolves with the answer's body, and rejects with an `ApiError` if the API refuses. */
export type Method<Id extends OperationId> = ((...input: Argument<Input<Id>>) => Promise<Result<Id>>) &
  (Id extends ListId
    ? {
        /** All rows of the list. Reads the next page when its first row is needed. */
        readonly all: (...input: Argument<ListInput<Id>>) => AsyncIterable<Row<Id>>
      }
    : unknown) &
  (Id extends DeltaId
    ? {
        /**
         * What changed since `since`, the `nextSince` of the last delta, with the tombstones of what was deleted; everything
         * if it is null.
         */
        readonly delta: (since: string | null | undefined, ...input: Argument<DeltaInput<Id>>) => Delta<Row<Id>>
      }
    : unknown) &
  (Id extends SearchId
    ? {
        /** All rows that the search finds. Reads the next page when its first row is needed. */
        readonly all: (...input: Argument<Input<Id>>) => AsyncIterable<Row<Id>>
      }
    : unknown) &
  (Id extends "changes.list"
    ? {
        /** All events after a number, up to the newest. */
        readonly all: (...input: Argument<Input<Id>>) => Journal<JournalEvent>
      }
    : unknown)

/** An event with its number. */
export type JournalEvent = Result<"changes.list">["data"][number]

/** The methods by the two parts of their operation's id. */
export type Methods = {
  readonly [Group in OperationId extends `${infer Name}.${string}` ? Name : never]: {
    readonly [
      Id in Extract<OperationId, `${Group}.${string}`> as Id extends `${Group}.${infer Name}` ? Name : never
    ]: Method<Id>
  }
}

/** The methods of writes, answering what the write would do. */
export type DryRuns = {
  readonly [Group in DryRunId extends `${infer Name}.${string}` ? Name : never]: {
    readonly [Id in Extract<DryRunId, `${Group}.${string}`> as Id extends `${Group}.${infer Name}` ? Name : never]: (
      ...input: Argument<Input<Id>>
    ) => Promise<DryRunOf<Id>>
  }
}

/** A client of the API. */
export interface Client extends Methods {
  /** Writes that are checked and answered, but not committed: `client.dryRun.contacts.create({ … })`. */
  readonly dryRun: DryRuns
}

interface AnyInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

const consistencyHeader = "x-consistency-token"

type SendRequest = (
  method: string,
  path: string,
  options: object
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>

type AnyMethod = (input?: AnyInput) => Promise<unknown>

const headersOf = (
  { body, hasKey }: OperationRow,
  { headers, idempotencyKey, ifMatch }: AnyInput,
  newKey: () => string
): Record<string, string> => ({
  ...(hasKey === true ? { "idempotency-key": idempotencyKey ?? newKey() } : {}),
  ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
  ...(body === "application/x-www-form-urlencoded" ? { "content-type": body } : {}),
  ...headers
})

// Without its parameter, a path would be sent with the parameter's name in it, and answered with a misleading 404.
const requirePath = ({ path }: OperationRow, values: Readonly<Record<string, string | undefined>>): void => {
  for (const [, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    if (values[name] === undefined || values[name] === "") throw new TypeError(`\`path.${name}\` is required.`)
  }
}

/** Makes a client. */
export const createClient = ({
  baseUrl,
  fetch = globalThis.fetch,
  newIdempotencyKey = () => crypto.randomUUID(),
  retry = {},
  token
}: ClientOptions): Client => {
  const bearer = async (options?: TokenOptions) => (typeof token === "string" ? token : token(options))
  // Typed here as it is used: the paths come from the table of operations.
  const request = createFetchClient({ baseUrl }).request as unknown as SendRequest

  const attempt = (row: OperationRow, input: AnyInput, headers: Record<string, string>) => {
    const { body, path = {}, query = {}, signal } = input
    return request(row.method, row.path, {
      params: { path, query },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(row.isRaw === true ? { parseAs: "stream" } : {}),
      headers,
      fetch: (request: Request) =>
        fetchRetrying(request, fetch, retry, {
          // Repeated, a patch without a precondition could overwrite what somebody else wrote in between.
          isRepeatable: row.isOnce !== true && (row.method !== "patch" || input.ifMatch !== undefined),
          isTimed: row.isRaw !== true && row.body !== "multipart/form-data"
        })
    })
  }

  // What the client has written: the answer to a write stands for all writes that were answered before it was sent.
  let written: ReadonlyArray<string> = []

  const send = async (row: OperationRow, input: AnyInput, prefer: Record<string, string>): Promise<unknown> => {
    requirePath(row, input.path ?? {})
    const sent = written
    const headers = {
      ...(sent.length === 0 || row.isPublic === true ? {} : { [consistencyHeader]: sent.join(", ") }),
      ...headersOf(row, input, newIdempotencyKey),
      ...prefer
    }
    const attemptWith = (bearer: string) => attempt(row, input, { authorization: `Bearer ${bearer}`, ...headers })
    const first = row.isPublic === true ? undefined : await bearer()
    let answer = await (first === undefined ? attempt(row, input, headers) : attemptWith(first))
    if (answer.response.status === 401 && first !== undefined) {
      const renewed = await bearer({ refused: first })
      if (renewed !== first) answer = await attemptWith(renewed)
    }
    const { data, error, response } = answer
    const token = response.headers.get(consistencyHeader)
    if (token !== null) written = [...written.filter((one) => !sent.includes(one)), token]
    if (!response.ok) throw errorOf(response, error)
    return row.isRaw === true ? response : data
  }

  const methodsOf = (rows: ReadonlyArray<readonly [id: string, row: OperationRow]>, prefer: Record<string, string>) => {
    const groups: Record<string, Record<string, AnyMethod>> = {}
    for (const [id, row] of rows) {
      const [group = "", name = ""] = id.split(".")
      const method: AnyMethod = (input = {}) => send(row, input, prefer)
      const readPage = (input: AnyInput) => (query: Readonly<Record<string, unknown>>) =>
        (id.endsWith(".search") ? method({ ...input, body: query }) : method({ ...input, query })) as Promise<never>
      const all = (input: AnyInput = {}) => {
        if (id === "changes.list") return journalOf(readPage(input), input.query ?? {})
        return rowsOf(
          readPage(input),
          id.endsWith(".search") ? { ...(input.body as object | undefined) } : (input.query ?? {})
        )
      }
      const delta = (since: string | null | undefined, input: AnyInput = {}) =>
        deltaOf(readPage(input), since, input.query ?? {})
      groups[group] = { ...groups[group], [name]: Object.assign(method, { all, delta }) }
    }
    return groups
  }

  // The types are those of the same document as the table of operations.
  const all = Object.entries(operations)
  const withDryRun = all.filter(([, { hasDryRun }]) => hasDryRun === true)
  return { ...methodsOf(all, {}), dryRun: methodsOf(withDryRun, { prefer: "dry-run" }) } as unknown as Client
}
