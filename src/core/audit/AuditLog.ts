/**
 * The audit log (docs/behaviour/audit-log.md): who did what, from where, with which outcome. Use-cases that have authorized their caller
 * record what they do in the transaction that does it, and refusals after what was refused is rolled back.
 */
import type { FaultCode } from "../fields/FaultCode.ts"
import * as Id from "../Id.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { type AuditContext, CurrentAuditContext } from "../auth/AuditContext.ts"
import { type Actor, administrator, CurrentActor, onlyOperator, operatorOf } from "../auth/CurrentActor.ts"
import {
  actionNames,
  actionsOf,
  isNotable,
  type ActorKind,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  type AuditOutcome,
  type AuditTarget,
  type CountedAction,
  outcomes
} from "./AuditEntry.ts"
import { AuditEvents } from "./OperatorEvents.ts"
import { AuditEntriesRepo, type CountedEvent, type EntriesQuery, type StoredEntry } from "./AuditEntriesRepo.ts"
import { Context, Effect, Layer, Option, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { bodyFault } from "../usecase/Input.ts"
import { canonicalEmail } from "../fields/InternetAddress.ts"
import { Database } from "../../platform/db/Database.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import { now } from "../../platform/Time.ts"
import { Retention } from "../../platform/Retention.ts"

/** What is recorded. The caller, the client, the token, the address and the request are those of the running fiber. */
export interface Recorded {
  readonly action: AuditAction
  readonly target?: AuditTarget | null
  readonly outcome?: AuditOutcome
  readonly details?: AuditDetails
  /** The team (UUID) that it concerns, null for the installation; by default that of the actor. */
  readonly teamId?: string | null
  /** The user (UUID) who acted, where there is neither an actor nor a context that knows them. */
  readonly userId?: string
}

const who = (
  actor: Actor | undefined,
  context: AuditContext,
  recorded: Recorded
): { readonly actorKind: ActorKind; readonly actorId: string | null } => {
  // In whose name ever a command acts: the operator runs it.
  if (context.systemUser !== null) return { actorKind: "operator", actorId: null }
  const clientId = actor === undefined ? context.clientId : actor.clientId
  // An operator in the console acts as the installation's, and is the person of the session.
  const isPerson = actor === undefined || (actor.userId === null && clientId === null && actor.origin === "app")
  const userId = recorded.userId ?? (isPerson ? context.userId : actor.userId)
  if (userId !== null)
    return { actorKind: clientId !== null && context.grantId === null ? "bot" : "user", actorId: userId }
  if (actor !== undefined) return { actorKind: actor.origin === "app" ? "operator" : "system", actorId: null }
  return { actorKind: context.requestId === null ? "system" : "anonymous", actorId: null }
}

const noTeam = operatorOf().teamId

/** What the fiber says of an event. */
const eventOf = (recorded: Recorded) =>
  Effect.map(Effect.all([Effect.serviceOption(CurrentActor), CurrentAuditContext]), ([found, context]) => {
    const actor = Option.getOrUndefined(found)
    const ofActor = actor === undefined ? context.teamId : actor.teamId === noTeam ? null : actor.teamId
    const onBehalfOf = context.systemUser === null ? undefined : Id.fromUuidOrNull("user", actor?.userId ?? null)
    return {
      context,
      event: {
        ...who(actor, context, recorded),
        teamId: recorded.teamId === undefined ? ofActor : recorded.teamId,
        clientId: actor?.clientId ?? context.clientId,
        grantId: context.grantId,
        tokenId: context.tokenId,
        address: context.address,
        action: recorded.action,
        targetType: recorded.target?.type ?? null,
        targetId: recorded.target?.id ?? null,
        outcome: recorded.outcome ?? "success",
        details: {
          ...recorded.details,
          ...(onBehalfOf === undefined || onBehalfOf === null ? {} : { onBehalfOf })
        }
      }
    }
  })

const hourMillis = 3_600_000

/** The most kinds of events that wait to be counted: of more, the addresses are left out. */
const maxPending = 1000

// Counts what callers can repeat as they like: one statement at a time writes all that has come meanwhile, so that a flood of refused
// requests takes one connection, and nobody waits for it.
const makeCounter = Effect.fnUntraced(function* (
  write: (events: ReadonlyArray<CountedEvent>) => Effect.Effect<void>
): Effect.fn.Return<(event: CountedEvent) => Effect.Effect<void>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const services = yield* Effect.context<never>()
  const pending = new Map<string, CountedEvent>()
  let isWriting = false
  const drain: Effect.Effect<void> = Effect.suspend(() => {
    const taken = [...pending.values()]
    pending.clear()
    return taken.length === 0 ? Effect.void : Effect.andThen(write(taken), drain)
  })
  const drained = drain.pipe(
    Effect.catchCause((cause) => Effect.logWarning("Refused requests could not be counted.", cause)),
    Effect.ensuring(
      Effect.sync(() => {
        isWriting = false
      })
    ),
    // It belongs to no request: neither its transaction nor its time is theirs.
    Effect.setContext(services)
  )
  yield* Effect.addFinalizer(() => Effect.suspend(() => (pending.size === 0 ? Effect.void : drained)))
  return (event) =>
    Effect.suspend(() => {
      const key = pending.size < maxPending || pending.has(event.key) ? event.key : `${event.action} ${event.outcome}`
      const known = pending.get(key)
      pending.set(
        key,
        known === undefined
          ? key === event.key
            ? event
            : { ...event, key: hashOf([key, hourOf(event.firstAt)]), address: null }
          : { ...known, count: known.count + 1, lastAt: event.lastAt }
      )
      if (isWriting) return Effect.void
      isWriting = true
      return Effect.asVoid(Effect.forkIn(drained, scope))
    })
})

const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMillis)

const hashOf = (parts: ReadonlyArray<unknown>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/** Which entries are asked for, by public ids; a user also by their e-mail address. */
export interface AuditQuery {
  readonly since?: Date
  readonly until?: Date
  readonly team?: string
  readonly client?: string
  readonly user?: string
  /** An action, or the beginning of several with `.*`. */
  readonly action?: string
  readonly outcome?: string
  /** The id of the entry after which the list goes on. */
  readonly after?: string
}

/** The formats of an export, each with its media type. */
export const exportFormats = { ndjson: "application/x-ndjson", json: "application/json" } as const

const pageSize = 500

const fault = (pointer: string, code: FaultCode, detail: string) =>
  InvalidRequest.of([bodyFault(pointer, code, detail)])

const idOf = (type: "client" | "team", id: string | undefined) => {
  if (id === undefined) return Effect.undefined
  const uuid = Id.toUuid(type, id)
  return uuid === undefined
    ? Effect.fail(fault(`/${type}`, "invalid_reference", `This is no id of a ${type}.`))
    : Effect.succeed(uuid)
}

const outcomeOf = (text: string | undefined) => {
  const outcome = outcomes.find((one) => one === text)
  return text === undefined || outcome !== undefined
    ? Effect.succeed(outcome)
    : Effect.fail(fault("/outcome", "unknown_outcome", `Must be one of ${outcomes.join(", ")}.`))
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* AuditEntriesRepo
  const random = yield* SecureRandom.SecureRandom
  const days = (yield* Retention).audit
  const announce = yield* AuditEvents
  const counter = yield* makeCounter(repo.count)

  /** Records in the running transaction, or in one of its own; returns the entry. */
  const record = Effect.fn("AuditLog.record")(function* (recorded: Recorded) {
    const { context, event } = yield* eventOf(recorded)
    const at = yield* now
    const entry: StoredEntry = {
      ...event,
      id: yield* random.uuidV7(),
      at,
      systemUid: context.systemUser?.uid ?? null,
      systemUser: context.systemUser?.name ?? null,
      sessionId: context.sessionId,
      command: context.command,
      requestId: context.requestId
    }
    yield* repo.insert(entry, new Date(at.getTime() + days * 86_400_000))
    if (isNotable(entry.action)) yield* announce(entry)
    return entry
  })

  /** Runs an effect in one transaction with what `recordedOf` makes of its result; undefined records nothing. */
  const recording =
    <A>(recordedOf: (result: A) => Recorded | undefined) =>
    <E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.tap(self, (result) => {
        const recorded = recordedOf(result)
        return recorded === undefined ? Effect.void : record(recorded)
      }).pipe(Transaction.run, Effect.provideService(Database, sql))

  /** Counts an event: those of a caller and an hour are one entry. Nobody waits for it, and it fails for nobody. */
  const count = Effect.fnUntraced(function* (recorded: Recorded & { readonly action: CountedAction }) {
    const { event } = yield* eventOf(recorded)
    const at = yield* now
    yield* counter({
      ...event,
      key: hashOf([hourOf(at), event]),
      id: yield* random.uuidV7(),
      firstAt: at,
      lastAt: at,
      count: 1
    })
  })

  const queryOf = Effect.fnUntraced(function* (asked: AuditQuery) {
    const actions = asked.action === undefined ? undefined : actionsOf(asked.action)
    if (actions?.length === 0) {
      return yield* fault(
        "/action",
        "unknown_action",
        `There is no such action. Actions are ${actionNames.join(", ")}; client.* stands for all that begin with client.`
      )
    }
    const uuid =
      asked.user === undefined
        ? undefined
        : (Id.toUuid("user", asked.user) ?? (yield* repo.findPerson(canonicalEmail(asked.user) ?? asked.user)))
    if (asked.user !== undefined && uuid === undefined) {
      return yield* fault("/user", "invalid_reference", "There is no user with this id or e-mail address.")
    }
    const client = yield* idOf("client", asked.client)
    const after = asked.after === undefined ? undefined : Id.toUuid("audit", asked.after)
    if (asked.after !== undefined && after === undefined) {
      return yield* fault("/after", "invalid_reference", "This is no id of an entry.")
    }
    const [before] = [after, asked.until === undefined ? undefined : Id.minUuidOf(asked.until)]
      .filter((id) => id !== undefined)
      .sort()
    const query: EntriesQuery = {
      from: asked.since === undefined ? undefined : Id.minUuidOf(asked.since),
      before,
      teamId: yield* idOf("team", asked.team),
      client: client === undefined ? undefined : { uuid: client, id: Id.fromUuid("client", client) },
      user: uuid === undefined ? undefined : { uuid, id: Id.fromUuid("user", uuid) },
      actions,
      outcome: yield* outcomeOf(asked.outcome)
    }
    return query
  })

  const toEntries = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredEntry>) {
    const named = ({ actorId, clientId, targetId, targetType }: StoredEntry) => {
      const target = targetOf(targetType, targetId)
      return [actorId, clientId, target].filter((id) => id !== null && id !== undefined)
    }
    const names = yield* repo.names([...new Set(stored.flatMap(named))])
    return stored.map((entry) => toEntry(entry, names))
  })

  /** The entries that a query asks for, the latest first, a page at a time. */
  const pages = (query: EntriesQuery, limit: number) =>
    Stream.paginate({ query, left: limit }, ({ left, query }) =>
      Effect.gen(function* () {
        const size = Math.min(left, pageSize)
        const stored = yield* repo.list(query, size)
        const last = stored.at(-1)
        const rest = left - stored.length
        const next =
          last === undefined || stored.length < size || rest <= 0
            ? Option.none<{ readonly query: EntriesQuery; readonly left: number }>()
            : Option.some({ query: { ...query, before: last.id }, left: rest })
        return [yield* toEntries(stored), next] as const
      })
    )

  const queryOfTeam = Effect.fnUntraced(function* (asked: Omit<AuditQuery, "team">) {
    const { teamId } = yield* administrator
    return { ...(yield* queryOf(asked)), teamId }
  })

  /** At most `limit` entries of the actor's team, the latest first. For its administrators. */
  const list = Effect.fn("AuditLog.list")(function* (asked: Omit<AuditQuery, "team">, limit: number) {
    return yield* Stream.runCollect(pages(yield* queryOfTeam(asked), limit))
  })

  /** The entries of all teams and of the installation, the latest first, as a stream. For the operator only. */
  const listAll = Effect.fn("AuditLog.listAll")(function* (asked: AuditQuery, limit: number) {
    yield* onlyOperator
    return pages(yield* queryOf(asked), limit)
  })

  const exported = (query: EntriesQuery, format: keyof typeof exportFormats) =>
    Effect.as(
      record({ action: "audit.exported", teamId: query.teamId ?? null, details: { format } }),
      exportOf(pages(query, Infinity), format)
    )

  /** All entries of the actor's team that are asked for, as a file. For its administrators. */
  const exportTeam = Effect.fn("AuditLog.exportTeam")(function* (
    asked: Omit<AuditQuery, "team">,
    format: keyof typeof exportFormats
  ) {
    return yield* exported(yield* queryOfTeam(asked), format)
  })

  /** All entries that are asked for, of all teams and of the installation, as a file. For the operator only. */
  const exportAll = Effect.fn("AuditLog.exportAll")(function* (asked: AuditQuery, format: keyof typeof exportFormats) {
    yield* onlyOperator
    return yield* exported(yield* queryOf(asked), format)
  })

  /** Makes entries of what was counted in the hours before this one, at most `limit`; returns how many. */
  const closeHours = Effect.fn("AuditLog.closeHours")(function* (limit: number) {
    const at = yield* now
    return yield* repo.closeCounts(new Date(hourOf(at) * hourMillis), days, limit)
  })

  /** Deletes entries whose retention has ended, at most `limit`; returns how many. */
  const purge = Effect.fn("AuditLog.purge")(function* (limit: number) {
    return yield* repo.purge(yield* now, limit)
  })

  return { record, recording, count, list, listAll, exportTeam, exportAll, closeHours, purge }
})

/** The audit log. */
export class AuditLog extends Context.Service<AuditLog, Effect.Success<typeof make>>()("core/audit/AuditLog") {
  static readonly layer = Layer.effect(AuditLog, make).pipe(Layer.provide(AuditEntriesRepo.layer))
}

// How entries are shown.

/** The lines of a file with these entries. */
const exportOf = (entries: Stream.Stream<AuditEntry>, format: keyof typeof exportFormats): Stream.Stream<string> => {
  const texts = Stream.map(entries, (entry) => JSON.stringify(entry))
  if (format === "ndjson") return Stream.map(texts, (text) => `${text}\n`)
  return Stream.intersperseAffixes(texts, { start: "[", middle: ",\n", end: "]\n" })
}

const prefixesOfNamed = new Map<string | null, Id.Prefix>([
  ["app", "client"],
  ["client", "client"],
  ["team", "team"],
  ["user", "user"]
])

/** The UUID of a target that has a name. */
const targetOf = (type: string | null, id: string | null): string | undefined => {
  const prefix = prefixesOfNamed.get(type)
  return prefix === undefined || id === null ? undefined : Id.toUuid(prefix, id)
}

const toEntry = (stored: StoredEntry, names: ReadonlyMap<string, string>): AuditEntry => {
  const { actorId, actorKind, clientId, targetId, targetType } = stored
  const nameOf = (uuid: string | null | undefined) => names.get(uuid ?? "") ?? null
  return {
    id: Id.fromUuid("audit", stored.id),
    at: stored.at.toISOString(),
    teamId: Id.fromUuidOrNull("team", stored.teamId),
    actor:
      actorKind === "operator"
        ? { kind: actorKind, id: stored.systemUid === null ? null : String(stored.systemUid), name: stored.systemUser }
        : { kind: actorKind, id: Id.fromUuidOrNull("user", actorId), name: nameOf(actorId) },
    via: {
      client: clientId === null ? null : { id: Id.fromUuid("client", clientId), name: nameOf(clientId) },
      grant: stored.grantId,
      token: Id.fromUuidOrNull("token", stored.tokenId),
      command: stored.command,
      session: stored.sessionId
    },
    address: stored.address,
    action: stored.action,
    target:
      targetType === null
        ? null
        : {
            type: targetType,
            id: targetId,
            name: nameOf(targetOf(targetType, targetId))
          },
    outcome: stored.outcome,
    requestId: stored.requestId,
    details: stored.details
  }
}
