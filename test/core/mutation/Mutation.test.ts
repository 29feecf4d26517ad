import * as Mutation from "../../../src/core/mutation/Mutation.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { type Actor, CurrentActor } from "../../../src/core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../../src/core/mutation/Changes.ts"
import { Quotas } from "../../../src/core/quotas/Quotas.ts"
import { Idempotency } from "../../../src/core/usecase/Idempotency.ts"
import { all, bodyFault } from "../../../src/core/usecase/Input.ts"
import type { Tags } from "../../../src/core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, InvalidRequest, MalformedJson, NotFound } from "../../../src/core/usecase/Problem.ts"

const actor: Actor = {
  userId: "u",
  teamId: "t",
  clientId: null,
  role: "member",
  membership: "active",
  broker: "active",
  investor: null,
  scopes: [],
  origin: "api"
}

// Runs `write` without a database: the steps below keep what they write in variables.
const services = Layer.mergeAll(
  Layer.succeed(
    Changes,
    Changes.of({
      commit: (by, write) => write({ actor: by, at: new Date(0) } as unknown as Change, undefined as never)
    })
  ),
  Layer.succeed(Idempotency, Idempotency.of({} as never)),
  Layer.succeed(Quotas, Quotas.of({} as never)),
  Layer.succeed(CurrentActor, actor)
)

/** A counter with a version, which other writers change `conflicts` times just before ours does. */
const counter = (conflicts: number) => {
  const seen: Array<string> = []
  let [left, stored] = [conflicts, { version: 1, value: 10 }]
  const add = (amount: number, ifMatch?: Tags, { isDeleted } = { isDeleted: false }) =>
    Effect.gen(function* () {
      const { change } = yield* Mutation.make
      return yield* change({
        request: UseCaseRequest.make({ operation: "add", query: {}, ...(ifMatch === undefined ? {} : { ifMatch }) }),
        authorize: "broker",
        load: () =>
          isDeleted && stored.version > 1
            ? Effect.fail(new NotFound({ detail: "" }))
            : Effect.sync(() => (seen.push("load"), stored)),
        etagOf: ({ version }) => `"v${version}"`,
        decide: ({ loaded }) => Effect.sync(() => (seen.push("decide"), amount === 0 ? null : loaded.value + amount)),
        commit: (_, { decision, loaded }) =>
          Effect.suspend(() => {
            seen.push("commit")
            if (left-- > 0) stored = { version: stored.version + 1, value: stored.value + 100 }
            if (stored.version !== loaded.version) return Effect.fail(ConcurrencyConflict.of("contact"))
            stored = { version: loaded.version + 1, value: decision }
            return Effect.succeed(stored)
          }),
        answer: ({ committed, loaded }) => Effect.sync(() => (seen.push("answer"), (committed ?? loaded).value))
      })
    }).pipe(Effect.provide(services))
  return { add, seen }
}

it.effect("runs the steps in their order", () =>
  Effect.gen(function* () {
    const { add, seen } = counter(0)
    expect(yield* add(1)).toBe(11)
    expect(seen).toEqual(["load", "decide", "commit", "answer"])
  })
)

it.effect("commits nothing when nothing changes", () =>
  Effect.gen(function* () {
    const { add, seen } = counter(0)
    expect(yield* add(0)).toBe(10)
    expect(seen).toEqual(["load", "decide", "answer"])
  })
)

it.effect("starts over when another writer came first and the client named no version", () =>
  Effect.gen(function* () {
    expect(yield* counter(1).add(1)).toBe(111)
    expect(yield* counter(4).add(1, "*")).toBe(411)
    expect(yield* Effect.flip(counter(5).add(1))).toBeInstanceOf(ConcurrencyConflict)
  })
)

it.effect("fails with the conflict when the client named a version", () =>
  Effect.gen(function* () {
    const { add } = counter(1)
    expect(yield* Effect.flip(add(1, ['"v1"']))).toBeInstanceOf(ConcurrencyConflict)
  })
)

it.effect("tells in the conflict the ETag of the change that came first, or that the resource is gone", () =>
  Effect.gen(function* () {
    expect(yield* Effect.flip(counter(1).add(1, ['"v1"']))).toMatchObject({ currentEtag: '"v2"' })
    expect(yield* Effect.flip(counter(5).add(1))).toMatchObject({ currentEtag: '"v6"' })
    const deleted = counter(1)
    expect(yield* Effect.flip(deleted.add(1, ['"v1"'], { isDeleted: true }))).toMatchObject({ currentEtag: null })
  })
)

it.effect("rejects in the order of the steps", () =>
  Effect.gen(function* () {
    const { change } = yield* Mutation.make
    const attempt = (options: {
      readonly exists: boolean
      readonly isJson: boolean
      readonly etag: string
      readonly broker: Actor["broker"]
    }) =>
      change({
        request: { ifMatch: Effect.succeed<Tags>([options.etag]) },
        authorize: "broker",
        load: () => (options.exists ? Effect.succeed("stored") : Effect.fail(new NotFound({ detail: "" }))),
        body: options.isJson ? Effect.succeed({}) : Effect.fail(new MalformedJson({ detail: "" })),
        etagOf: () => `"v1"`,
        decide: () =>
          Effect.as(
            all(Effect.fail(InvalidRequest.of([bodyFault("", "wrong_type", "Must be an object.")]))),
            "decision"
          ),
        commit: () => Effect.void,
        answer: () => Effect.void
      }).pipe(
        Effect.flip,
        Effect.map((error) => error._tag),
        Effect.provideService(CurrentActor, { ...actor, broker: options.broker })
      )
    const wrong = { exists: false, isJson: false, etag: `"v0"`, broker: null }
    expect(yield* attempt(wrong)).toBe("CapabilityRequired")
    expect(yield* attempt({ ...wrong, broker: "active" })).toBe("NotFound")
    expect(yield* attempt({ ...wrong, broker: "active", exists: true })).toBe("MalformedJson")
    expect(yield* attempt({ ...wrong, broker: "active", exists: true, isJson: true })).toBe("PreconditionFailed")
    const valid = { ...wrong, broker: "active" as const, exists: true, isJson: true, etag: `"v1"` }
    expect(yield* attempt(valid)).toBe("InvalidRequest")
  }).pipe(Effect.provide(services))
)
