/**
 * `Idempotency-Key` (decisions §2): a repeated create gets the first answer again. The answer is kept in the same
 * transaction as the resource, so a crash at any point gives one resource.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import type { Actor } from "../auth/CurrentActor.ts"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import type { Input, Json } from "./Input.ts"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidRequest } from "./Problem.ts"

/** How long an answer is kept: the key is free again after this. */
const keptFor = "24 hours"

const bare = /^[\x21-\x7e]{1,255}$/
const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** The key of the header: bare or as a quoted structured string, which name the same key. */
export const parseKey = (header: string | undefined): Input<string | undefined> => {
  if (header === undefined) return Effect.succeed(undefined)
  const text = header.trim()
  const inner = quoted.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, "$1") ?? text
  return bare.test(inner)
    ? Effect.succeed(inner)
    : Effect.fail(InvalidRequest.of([{
      in: "header",
      pointer: "/Idempotency-Key",
      code: "malformed_key",
      detail: "Must be 1 to 255 visible characters, bare or in double quotes."
    }]))
}

/** A text that is the same for the same JSON value: members in one order, numbers as JavaScript writes them. */
export const canonical = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonical(item)).join(",")}]`
  return `{${
    Object.entries(value)
      .sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, item]: [string, Json]) => `${JSON.stringify(key)}:${canonical(item)}`)
      .join(",")
  }}`
}

/** One keyed request. */
export interface KeyedRequest {
  readonly actor: Actor
  /** Method and path. */
  readonly operation: string
  /** Undefined when the caller sent none: then every request is a new one. */
  readonly key: string | undefined
  readonly body: Json
  readonly now: Date
}

/** The value of a create: made now, or the first one again. */
export interface Once<A> {
  readonly value: A
  readonly replayed: boolean
}

const sha256 = (...parts: ReadonlyArray<string>) => createHash("sha256").update(JSON.stringify(parts)).digest()

/** Makes creates repeatable. */
export class Idempotency extends Context.Service<Idempotency, {
  /** Runs `create` unless this request was answered before. Must be called inside the transaction of the change. */
  readonly once: <A, E, R>(
    request: KeyedRequest,
    create: Effect.Effect<A, E, R>
  ) => Effect.Effect<Once<A>, E | IdempotencyInProgress | IdempotencyKeyReused, R>
  /** Removes the answers whose keys are free again, at most `limit`; answers how many. */
  readonly purge: (limit: number) => Effect.Effect<number>
}>()("http/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function*() {
      const sql = yield* Database
      const box = yield* SecretBox

      const once = Effect.fnUntraced(function*<A, E, R>(request: KeyedRequest, create: Effect.Effect<A, E, R>) {
        const { actor, key } = request
        if (key === undefined) return { value: yield* create, replayed: false }
        const scope = sha256(actor.teamId, actor.userId ?? "", request.operation, key)
        const bodyHash = sha256(canonical(request.body))
        // The lock lasts as long as the transaction, so what is found under it is final.
        const [lock] = yield* orDie(
          sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${scope.readBigInt64BE(0)}) as free`
        )
        if (lock?.free !== true) {
          return yield* new IdempotencyInProgress({
            detail: "The first request with this key has not been answered yet. Repeat this one in a moment."
          })
        }
        const [kept] = yield* orDie(
          sql<{ body_hash: Uint8Array; answer: Uint8Array }>`
            select body_hash, answer from idempotency_keys
            where scope = ${scope} and created_at > ${request.now}::timestamptz - ${keptFor}::interval`
        )
        if (kept !== undefined) {
          if (!bodyHash.equals(kept.body_hash)) {
            return yield* new IdempotencyKeyReused({
              detail: "This key belongs to a request with another body. Use a new key for a new request."
            })
          }
          const answer = yield* box.open(kept.answer, scope.toString("hex"))
          return { value: JSON.parse(answer) as A, replayed: true }
        }
        const value = yield* create
        const answer = yield* box.seal(JSON.stringify(value), scope.toString("hex"))
        yield* orDie(sql`
          insert into idempotency_keys (team_id, scope, body_hash, answer, created_at)
          values (${actor.teamId}, ${scope}, ${bodyHash}, ${answer}, ${request.now})
          on conflict (scope) do update
          set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at`)
        return { value, replayed: false }
      })

      const purge = Effect.fn("Idempotency.purge")(function*(limit: number) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const purged = yield* orDie(sql`
          delete from idempotency_keys where scope in (
            select scope from idempotency_keys where created_at <= ${now}::timestamptz - ${keptFor}::interval
            order by created_at limit ${limit}
          ) and created_at <= ${now}::timestamptz - ${keptFor}::interval
          returning scope`)
        return purged.length
      })

      return Idempotency.of({ once, purge })
    })
  )
}
