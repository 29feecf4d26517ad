/**
 * `Idempotency-Key`: the stored texts of answers, and repeated creates that get the first answer again
 * (docs/behaviour/http.md#idempotency-keys).
 */
import { Retention } from "../../platform/Retention.ts"
import * as TeamParts from "../TeamParts.ts"
import * as Time from "../../platform/Time.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { Context, Effect, Layer, Result } from "effect"
import { createHash } from "node:crypto"
import { inEach } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import type { Input, Json } from "./Input.ts"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidRequest } from "./Problem.ts"

// Shorter answers, such as those of most creates, are not worth the time.
const minCompressed = 2048

// JSON texts of answers never begin like this.
const mark = "deflate:"

/**
 * The text to store. Long ones are compressed: refused items of a batch repeat the same sentences, and their faults are a
 * fraction of the request then, not several times as long.
 */
export const toStored = (json: string): string =>
  json.length < minCompressed ? json : `${mark}${deflateRawSync(json).toString("base64")}`

/** The JSON text of a stored one. */
export const fromStored = (stored: string): string =>
  stored.startsWith(mark) ? inflateRawSync(Buffer.from(stored.slice(mark.length), "base64")).toString() : stored

// `Idempotency-Key`: a repeated create gets the first answer again (docs/behaviour/http.md#idempotency-keys). The answer is
// stored in the same transaction as the resource, so a crash at any point leaves at most one resource.

const bare = /^[\x21-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** The key in the header, bare or as a quoted structured string. Both forms mean the same key. */
export const parseKey = (header: string | undefined): Input<string | undefined> => {
  if (header === undefined) return Effect.succeed(undefined)
  const text = header.trim()
  const inner = quoted.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, "$1") ?? text
  return bare.test(inner)
    ? Effect.succeed(inner)
    : Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/Idempotency-Key",
            code: "malformed_key",
            detail: "Must be 1 to 255 visible characters, bare or in double quotes."
          }
        ])
      )
}

/** JSON text that is equal for equal values: sorted members, numbers as JavaScript writes them. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]: [string, Json]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .join(",")}}`
}

/** The owner of a key. Two OAuth clients that act as the same bot do not share keys. Ids are UUIDs. */
export interface KeyOwner {
  readonly teamId: string
  readonly userId: string | null
  readonly clientId: string | null
}

/** One keyed request. */
export interface KeyedRequest {
  readonly actor: KeyOwner
  /** Method and path. */
  readonly operation: string
  /** Undefined without the header: then each request creates another resource. */
  readonly key: string | undefined
  readonly body: Json
}

/** The answer of a create: new, or a replay of the first one. */
export interface IdempotentResult<A> {
  readonly value: A
  readonly replayed: boolean
}

/** Requests whose keys the transaction has locked and looked up. */
export interface LockedKeys {
  /** Decides at this time which requests have an answer already. */
  readonly claim: (now: Date) => Effect.Effect<ClaimedKeys>
  /** Of one request: runs `create` unless it was answered before. */
  readonly once: <A, E, R>(
    now: Date,
    create: Effect.Effect<A, E, R>
  ) => Effect.Effect<IdempotentResult<A>, E | IdempotencyInProgress | IdempotencyKeyReused, R>
}

/** Requests of which some have an answer already. */
export interface ClaimedKeys {
  /** The indexes of the requests that have no answer yet. */
  readonly fresh: ReadonlyArray<number>
  /** Stores the outcomes of the fresh requests, in the order of `fresh`, and returns the answers of all requests. */
  readonly answer: <A, E>(
    outcomes: ReadonlyArray<Result.Result<A, E>>
  ) => Effect.Effect<
    ReadonlyArray<Result.Result<IdempotentResult<A>, E | IdempotencyInProgress | IdempotencyKeyReused>>
  >
}

const sha256 = (...parts: ReadonlyArray<string>) => createHash("sha256").update(JSON.stringify(parts)).digest()

/** What identifies a keyed request: its owner, operation and key; undefined without a key. */
const scopeOf = ({ actor, key, operation }: KeyedRequest): Buffer | undefined =>
  key === undefined ? undefined : sha256(actor.teamId, actor.userId ?? "", actor.clientId ?? "", operation, key)

const bodyHashOf = ({ body }: KeyedRequest): Buffer => sha256(canonical(body))

interface StoredAnswer {
  readonly bodyHash: Uint8Array
  /** The answer, encrypted. */
  readonly sealed: Uint8Array
  readonly createdAt: Date
}

/**
 * The SQL of stored answers, which are kept for so many `hours`: afterwards the key can be used again. Scopes are hashes of
 * {@link scopeOf}.
 */
const makeTable = Effect.map(Effect.all([Database, Retention]), ([sql, { storedAnswers: hours }]) => ({
  /** Locks the scopes that no other transaction holds, until the transaction ends. Returns the lock keys that it got. */
  lock: Effect.fnUntraced(function* (scopes: ReadonlyArray<Buffer>) {
    const rows = yield* orDie(sql<{ key: string; free: boolean }>`
      select key::text, pg_try_advisory_xact_lock(key) as free
      from unnest(${scopes.map((scope) => scope.readBigInt64BE(0))}::bigint[]) as wanted (key)`)
    return new Set(rows.flatMap(({ free, key }) => (free ? [key] : [])))
  }),

  /** The stored answers of these teams by scope, in hexadecimal digits, those included that have expired. */
  read: Effect.fnUntraced(function* (teamIds: ReadonlyArray<string>, scopes: ReadonlyArray<Buffer>) {
    const rows = yield* orDie(sql<StoredAnswer & { readonly scope: Uint8Array }>`
      select scope, body_hash as "bodyHash", answer as sealed, created_at as "createdAt" from idempotency_keys
      where team_id = any(${teamIds}::uuid[]) and scope = any(${scopes}::bytea[])`)
    return new Map<string, StoredAnswer>(rows.map((row) => [Buffer.from(row.scope).toString("hex"), row]))
  }),

  /** Whether an answer can be given at this time. */
  isKept: ({ createdAt }: StoredAnswer, now: Date) => now.getTime() - createdAt.getTime() < hours * 3_600_000,

  write: Effect.fnUntraced(function* (
    answers: ReadonlyArray<{ readonly request: KeyedRequest; readonly scope: Buffer; readonly sealed: Uint8Array }>,
    now: Date
  ) {
    yield* orDie(sql`
      insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
      select * from unnest(
        ${answers.map(({ request }) => request.actor.teamId)}::uuid[], ${answers.map(({ scope }) => scope)}::bytea[],
        ${answers.map(({ request }) => bodyHashOf(request))}::bytea[], ${answers.map(({ sealed }) => sealed)}::bytea[],
        ${answers.map(() => now)}::timestamptz[]
      )
      on conflict (scope) do update
      set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`)
  }),

  purge: Effect.fn("Idempotency.purge")(function* (limit: number) {
    const now = yield* Time.now
    const isExpired = sql`created_at <= ${now}::timestamptz - make_interval(hours => ${hours}::int)`
    return yield* TeamParts.runParts("Purging stored answers", (failed) =>
      Effect.map(
        orDie(sql<{ scope: Uint8Array; team_id: string }>`
          select scope, team_id from idempotency_keys
          where ${isExpired} and team_id <> all(${failed}::uuid[]) order by created_at limit ${limit}`),
        (expired) =>
          TeamParts.byTeam(
            expired,
            ({ team_id }) => team_id,
            // Checked again: a key that has expired may be used for another request.
            (teamId, some) =>
              Effect.map(
                orDie(sql`
                  delete from idempotency_keys
                  where team_id = ${teamId} and scope = any(${some.map(({ scope }) => scope)}::bytea[]) and ${isExpired}
                  returning scope`),
                (purged) => purged.length
              )
          )
      )
    )
  }),

  countByPrefix: Effect.gen(function* () {
    const now = yield* Time.now
    return yield* inEach(
      sql,
      orDie(sql<{ prefix: Uint8Array; count: number }>`
      select substring(answer for 5) as prefix, count(*)::int as count
      from idempotency_keys
      where created_at > ${now}::timestamptz - make_interval(hours => ${hours}::int) group by 1`)
    )
  }).pipe(Effect.withSpan("Idempotency.countByPrefix"))
}))

type Refusal = IdempotencyInProgress | IdempotencyKeyReused

const inProgress = new IdempotencyInProgress({
  detail: "The first request with this key is still running. Repeat this one in a moment."
})
const reused = new IdempotencyKeyReused({
  detail: "An earlier request used this key with another body. Use a new key for a new request."
})

const make = Effect.gen(function* () {
  const table = yield* makeTable
  const box = (yield* SecretBox).for("idempotency answers")

  /** The answer to a repeated request; undefined if there was no earlier request with its key. */
  const knownAnswer = Effect.fnUntraced(function* (request: KeyedRequest, scope: Buffer, stored?: StoredAnswer) {
    if (stored === undefined) return undefined
    if (!bodyHashOf(request).equals(stored.bodyHash)) return Result.fail(reused)
    const answer = yield* box.open(stored.sealed, scope.toString("hex"))
    return Result.succeed<IdempotentResult<unknown>>({ value: JSON.parse(fromStored(answer)), replayed: true })
  })

  /** What a transaction found out about these requests: which lock keys it got, and the stored answers. */
  interface Found {
    readonly scopes: ReadonlyArray<Buffer | undefined>
    readonly free: ReadonlySet<string>
    readonly stored: ReadonlyMap<string, StoredAnswer>
  }

  const claim = Effect.fnUntraced(function* (
    requests: ReadonlyArray<KeyedRequest>,
    { free, scopes, stored }: Found,
    now: Date
  ): Effect.fn.Return<ClaimedKeys> {
    const known = new Map<number, Result.Result<IdempotentResult<unknown>, Refusal>>()
    const fresh: Array<number> = []
    for (const [index, request] of requests.entries()) {
      const scope = scopes[index]
      if (scope === undefined) {
        fresh.push(index)
        continue
      }
      const found = stored.get(scope.toString("hex"))
      const before = found !== undefined && table.isKept(found, now) ? found : undefined
      // Of two requests with the same key in one transaction, the second is rejected as still in progress.
      const isFirst = scopes.findIndex((other) => other?.equals(scope)) === index
      const isInProgress = (!isFirst && before === undefined) || !free.has(String(scope.readBigInt64BE(0)))
      const answer = isInProgress ? Result.fail(inProgress) : yield* knownAnswer(request, scope, before)
      if (answer === undefined) fresh.push(index)
      else known.set(index, answer)
    }

    const answer = <A, E>(outcomes: ReadonlyArray<Result.Result<A, E>>) =>
      Effect.gen(function* () {
        const toStore: Array<Parameters<typeof table.write>[0][number]> = []
        const outcomeByIndex = new Map<number, Result.Result<A, E>>()
        for (const [position, index] of fresh.entries()) {
          const [outcome, request, scope] = [outcomes[position], requests[index], scopes[index]]
          if (outcome === undefined || request === undefined) {
            return yield* Effect.die(new Error("a create has no outcome"))
          }
          outcomeByIndex.set(index, outcome)
          if (scope !== undefined && Result.isSuccess(outcome)) {
            const sealed = yield* box.seal(toStored(JSON.stringify(outcome.success)), scope.toString("hex"))
            toStore.push({ request, scope, sealed })
          }
        }
        if (toStore.length > 0) yield* table.write(toStore, now)
        return requests.flatMap((_, index): ReadonlyArray<Result.Result<IdempotentResult<A>, E | Refusal>> => {
          const outcome = outcomeByIndex.get(index)
          if (outcome !== undefined) return [Result.map(outcome, (value) => ({ value, replayed: false }))]
          const answer = known.get(index)
          return answer === undefined ? [] : [answer as Result.Result<IdempotentResult<A>, Refusal>]
        })
      })

    return { fresh, answer }
  })

  const lock = Effect.fnUntraced(function* (requests: ReadonlyArray<KeyedRequest>) {
    const scopes = requests.map(scopeOf)
    const keyed = scopes.filter((scope) => scope !== undefined)
    const teamIds = [...new Set(requests.map(({ actor }) => actor.teamId))]
    // Read after the lock: whoever had it may have stored an answer.
    const [free, stored] =
      keyed.length === 0
        ? [new Set<string>(), new Map<string, StoredAnswer>()]
        : yield* Transaction.together(table.lock(keyed), table.read(teamIds, keyed))
    const claimAt = (now: Date) => claim(requests, { scopes, free, stored }, now)

    const once = Effect.fnUntraced(function* <A, E, R>(now: Date, create: Effect.Effect<A, E, R>) {
      const keys = yield* claimAt(now)
      const outcomes = keys.fresh.length === 0 ? [] : [Result.succeed(yield* create)]
      const [answer] = yield* keys.answer<A, never>(outcomes)
      return yield* Effect.fromResult(answer ?? Result.fail(inProgress))
    })

    return { claim: claimAt, once } satisfies LockedKeys
  })

  return Idempotency.of({ lock, purge: table.purge, countByPrefix: table.countByPrefix })
})

/** Makes creates safe to repeat. */
export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Locks the keys of requests in a transaction and looks up their answers, in a number of statements that does not depend on how many
     * there are, and before the transaction has a time.
     */
    readonly lock: (requests: ReadonlyArray<KeyedRequest>) => Effect.Effect<LockedKeys>
    /** Deletes at most `limit` expired answers, and returns how many it deleted. */
    readonly purge: (limit: number) => Effect.Effect<number>
    /** Counts the stored answers by the five bytes that tell their key (`SecretBox.sealedUnder`). */
    readonly countByPrefix: Effect.Effect<ReadonlyArray<{ readonly prefix: Uint8Array; readonly count: number }>>
  }
>()("core/usecase/Idempotency") {
  static readonly layer = Layer.effect(Idempotency, make)
}
