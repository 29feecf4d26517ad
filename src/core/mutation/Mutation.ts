/**
 * The pipeline of every mutation: authorize → load → read the body → check `If-Match` → decide → commit → answer. Its order is that of
 * the refusals (docs/behaviour/http.md#order-of-refusals): 401 and 403, 404, a body that cannot be read (400, 413, 415), 412, a body
 * that is not valid (400), 409.
 *
 *     const mutation = yield* Mutation.make
 *
 *     const rename = (id: string, request: UseCaseRequest) =>
 *       mutation.change({
 *         request,
 *         authorize: "broker",
 *         load: (actor) => byId("task", id, (uuid) => repo.find(actor.teamId, uuid)),
 *         body: request.body,
 *         etagOf: (task) => task.etag,
 *         decide: ({ body, loaded }) =>
 *           Effect.map(all(request.query, decodePatch(body, loaded)), ([, { name }]) =>
 *             name === loaded.name ? null : { name }
 *           ),
 *         lock: (change, { loaded }) => repo.lock(change.actor.teamId, loaded.uuid),
 *         commit: (change, { decision, loaded }) => repo.update(change, loaded, decision.name),
 *         answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded)
 *       })
 *
 *     const create = (request: UseCaseRequest) =>
 *       mutation.create({
 *         request,
 *         authorize: "broker",
 *         decide: ({ body }) =>
 *           Effect.map(all(request.query, decode(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
 *         commit: (creation) => mutation.once(creation, (change) => repo.insert(change, creation.decision.input))
 *       })
 *
 * With a version in `If-Match`, a client gets a conflict when another writer comes first, with the ETag of that change.
 * Without one, or with `*`, the pipeline starts over on the newer state, up to 4 times.
 *
 * Steps are arrow functions, because TypeScript infers no parameter types for generator functions. Each step has a type
 * parameter for its errors, because TypeScript infers no union of the errors of several steps.
 */
import { type BodyError, check, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { Effect } from "effect"
import { type Actor, authorize, type CurrentActor, type Need } from "../auth/CurrentActor.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { Idempotency, type KeyedRequest, type LockedKeys } from "../usecase/Idempotency.ts"
import { ConcurrencyConflict, PreconditionFailed } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import { type Change, Changes } from "./Changes.ts"

/** A step of the pipeline. It can call whatever requires the caller. */
type Step<A, E> = Effect.Effect<A, E, CurrentActor>

type AuthorizeError = Effect.Error<ReturnType<typeof authorize>>

/** The state when a change is decided. */
export interface Deciding<Loaded, Body> {
  readonly actor: Actor
  readonly loaded: Loaded
  readonly body: Body
}

/** The state in the transaction. `pinned`: the change applies to the version that was loaded, and to no later one. */
export interface Locking<Loaded> {
  readonly loaded: Loaded
  readonly pinned: boolean
}

/** The state when a change is committed. */
export interface Committing<Loaded, Decision> extends Locking<Loaded> {
  readonly decision: Decision
}

/** The steps of a change of an existing resource, in their order. */
export interface ChangeSteps<Loaded, Body, Decision, Committed, Answer, ELoad, EBody, EDecide, ECommit> {
  readonly request: Pick<UseCaseRequest, "ifMatch">
  /** The role or capability that the caller needs (401, 403). */
  readonly authorize: Need
  /** Loads the resource (404). */
  readonly load: (actor: Actor) => Step<Loaded, ELoad>
  /** Reads the body (400, 413, 415); left out for operations without one. */
  readonly body?: Step<Body, EBody>
  /** The ETag that `If-Match` is compared with (412). */
  readonly etagOf: (loaded: Loaded) => string
  /** Whether `If-Match: *` means the version that was loaded, instead of any version. */
  readonly pinWildcard?: boolean
  /** Validates the input (400) and decides what to write (409); null if there is nothing to write. */
  readonly decide: (state: Deciding<Loaded, Body>) => Step<Decision | null, EDecide>
  /**
   * Locks the resource in the transaction and returns its latest state, on which `decide` runs again. Fails when it was deleted, or when
   * the change is `pinned` and the version is another one. Without this step, `commit` gets the state that was loaded.
   */
  readonly lock?: (change: Change, state: Locking<Loaded>) => Step<Loaded, ConcurrencyConflict>
  /** Writes in the transaction; fails with `ConcurrencyConflict` when another writer came first. */
  readonly commit: (change: Change, state: Committing<Loaded, Decision>) => Step<Committed, ECommit>
  /** Makes the answer, inside the transaction if there is one; `committed` is undefined if there was nothing to write. */
  readonly answer: (state: {
    readonly loaded: Loaded
    readonly committed: Committed | undefined
  }) => Step<Answer, never>
}

/** A decision on a create: at least its idempotency key, if there is one. */
interface Keyed {
  readonly key: string | undefined
}

/** A decided create, for `once` and group commits. */
export interface Creation<Loaded, Decision> extends KeyedRequest {
  readonly actor: Actor
  readonly loaded: Loaded
  readonly decision: Decision
}

/** The steps of a create, in their order. */
export interface CreateSteps<Loaded, Decision, Answer, ELoad, EDecide, ECommit> {
  readonly request: Pick<UseCaseRequest, "operation" | "body">
  /** The role or capability that the caller needs (401, 403). */
  readonly authorize: Need
  /** Loads the resource that the new one will belong to (404). */
  readonly load?: (actor: Actor) => Step<Loaded, ELoad>
  /** Validates the input, including the idempotency key (400). */
  readonly decide: (state: Deciding<Loaded, UnvalidatedJson>) => Step<Decision, EDecide>
  /** Commits and answers, by `once` or a group commit. */
  readonly commit: (creation: Creation<Loaded, Decision>) => Step<Answer, ECommit>
}

// Marks a conflict of a client that named no version: starting over resolves it.
class Retryable {
  readonly error: ConcurrencyConflict
  constructor(error: ConcurrencyConflict) {
    this.error = error
  }
}

const maxRetries = 4

/** Retries writes that name no version up to 4 times when another writer comes first; the fifth conflict is a defect. */
export const retryOnConflict = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, ConcurrencyConflict>, R> =>
  self.pipe(
    Effect.retry({ times: maxRetries, while: (error) => error instanceof ConcurrencyConflict }),
    Effect.catchIf((error) => error instanceof ConcurrencyConflict, Effect.die)
  ) as Effect.Effect<A, Exclude<E, ConcurrencyConflict>, R>

/** The pipeline. */
export const make = Effect.gen(function* () {
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const quotas = yield* Quotas

  /** Changes an existing resource. */
  const change = <Loaded, Decision, Committed, Answer, ELoad, EDecide, ECommit, Body = undefined, EBody = never>(
    steps: ChangeSteps<Loaded, Body, Decision, Committed, Answer, ELoad, EBody, EDecide, ECommit>
  ) =>
    Effect.gen(function* () {
      const actor = yield* authorize(steps.authorize)
      const loaded = yield* steps.load(actor)
      const body = (steps.body === undefined ? undefined : yield* steps.body) as Body
      const tags = yield* steps.request.ifMatch
      yield* check(steps.etagOf(loaded), tags)
      const decision = yield* steps.decide({ actor, loaded, body })
      if (decision === null) return yield* steps.answer({ loaded, committed: undefined })
      const pinned = tags !== undefined && (tags !== "*" || steps.pinWildcard === true)
      const commit = (change: Change) =>
        Effect.gen(function* () {
          if (steps.lock === undefined) {
            const committed = yield* steps.commit(change, { loaded, decision, pinned })
            return yield* steps.answer({ loaded, committed })
          }
          const latest = yield* steps.lock(change, { loaded, pinned })
          const decidedAgain = yield* steps.decide({ actor, loaded: latest, body })
          const committed =
            decidedAgain === null
              ? undefined
              : yield* steps.commit(change, { loaded: latest, decision: decidedAgain, pinned })
          return yield* steps.answer({ loaded: latest, committed })
        })
      return yield* Effect.mapError(changes.commit(actor, commit), (error) =>
        error instanceof ConcurrencyConflict && !pinned ? new Retryable(error) : error
      )
    }).pipe(
      Effect.retry({ times: maxRetries, while: (error) => error instanceof Retryable }),
      Effect.mapError((error) => (error instanceof Retryable ? error.error : error)),
      // The transaction is over: what is loaded now is the change that came first, or a later one.
      Effect.catchIf(
        (error) => error instanceof ConcurrencyConflict,
        ({ detail }) =>
          authorize(steps.authorize).pipe(
            Effect.flatMap(steps.load),
            Effect.map(steps.etagOf),
            Effect.orElseSucceed(() => null),
            Effect.flatMap((currentEtag) => Effect.fail(new ConcurrencyConflict({ detail, currentEtag })))
          )
      )
    )

  /** As `change`, for operations without `If-Match`: the fifth conflict is a defect. */
  const changeLatest = <Loaded, Decision, Committed, Answer, ELoad, EDecide, ECommit, Body = undefined, EBody = never>(
    steps: Omit<
      ChangeSteps<Loaded, Body, Decision, Committed, Answer, ELoad, EBody, EDecide, ECommit>,
      "request" | "etagOf" | "pinWildcard"
    >
  ) =>
    Effect.catchIf(
      change({ ...steps, request: { ifMatch: Effect.undefined }, etagOf: () => "" }),
      (error) => error instanceof ConcurrencyConflict || error instanceof PreconditionFailed,
      Effect.die
    ) as Step<Answer, AuthorizeError | ELoad | EBody | EDecide | Exclude<ECommit, ConcurrencyConflict>>

  /** Creates a resource. */
  const create = <Decision extends Keyed, Answer, EDecide, ECommit, Loaded = undefined, ELoad = never>(
    steps: CreateSteps<Loaded, Decision, Answer, ELoad, EDecide, ECommit>
  ): Step<Answer, AuthorizeError | BodyError | ELoad | EDecide | ECommit> =>
    Effect.gen(function* () {
      const { request } = steps
      const actor = yield* authorize(steps.authorize)
      const loaded = (steps.load === undefined ? undefined : yield* steps.load(actor)) as Loaded
      const body = yield* request.body
      const decision = yield* steps.decide({ actor, loaded, body })
      const { operation } = request
      return yield* steps.commit({ actor, operation, key: decision.key, body: body.sent, loaded, decision })
    })

  const onceWith = <A, E, R>(
    change: Change,
    locked: LockedKeys,
    key: KeyedRequest["key"],
    write: Effect.Effect<A, E, R>
  ) =>
    locked.once(
      change.at,
      Effect.tap(write, () =>
        key === undefined ? Effect.void : quotas.require(change.actor.teamId, "stored_answer_bytes")
      )
    )

  /** Writes in a running change, unless a request with this idempotency key was answered before: then it returns the same answer. */
  const onceIn = <A, E, R>(
    change: Change,
    request: Pick<KeyedRequest, "body" | "key" | "operation">,
    write: Effect.Effect<A, E, R>
  ) =>
    Effect.flatMap(idempotency.lock([{ ...request, actor: change.actor }]), (locked) =>
      onceWith(change, locked, request.key, write)
    )

  /**
   * Commits a create, unless a request with its idempotency key was answered before: then it returns the same answer. Retries `write`
   * when another writer comes first. Stored answers use a quota.
   */
  const once = <A, E, R>(
    request: KeyedRequest & { readonly actor: Actor },
    write: (change: Change) => Effect.Effect<A, E, R>
  ) =>
    retryOnConflict(
      changes.commit(
        request.actor,
        (change, locked) => onceWith(change, locked, request.key, write(change)),
        idempotency.lock([request])
      )
    )

  return { change, changeLatest, create, once, onceIn }
})
