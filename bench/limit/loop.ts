/**
 * The process of the loops: runs the two statements of a read without HTTP, which is the limit of the driver and Postgres. It
 * gets its commands over IPC (limit.ts).
 */
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import pg from "pg"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import * as statements from "../peer/statements.ts"

/** Its input. */
export interface Work {
  readonly url: string
  readonly teamId: string
  readonly tokens: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
  /** The number of concurrent loops. */
  readonly loops: number
}

/** The duration, and the driver. */
export interface Order {
  readonly driver: "pg" | "own"
  readonly seconds: number
}

const limit = 1_000_000

const work = JSON.parse(process.argv[2] ?? "{}") as Work
const hashes = work.tokens.map((token) => createHash("sha256").update(token).digest())
const uuids = work.ids.map((id) => Id.toUuid("contact", id) ?? "")

const any = <A>(values: ReadonlyArray<A>): A => values[Math.floor(Math.random() * values.length)] as A

const pool = new pg.Pool({ connectionString: work.url, max: 10 })

const throughPg = async (until: number): Promise<number> => {
  let done = 0
  const loop = async () => {
    while (performance.now() < until) {
      await pool.query({ ...statements.authenticate, values: [any(hashes), new Date().toISOString(), limit, limit] })
      const { rowCount } = await pool.query({ ...statements.findContact, values: [work.teamId, any(uuids)] })
      if (rowCount !== 1) throw new Error("a contact was not found")
      done++
    }
  }
  await Promise.all(Array.from({ length: work.loops }, loop))
  return done
}

const throughOurs = (until: number) =>
  Effect.gen(function* () {
    const sql = yield* Database
    let done = 0
    const step = Effect.gen(function* () {
      yield* sql.unsafe(statements.authenticate.text, [any(hashes), new Date(), limit, limit])
      const rows = yield* sql.unsafe(statements.findContact.text, [work.teamId, any(uuids)])
      if (rows.length !== 1) return yield* Effect.die(new Error("a contact was not found"))
      done++
    })
    const loop = Effect.whileLoop({ while: () => performance.now() < until, body: () => step, step: () => {} })
    yield* Effect.all(
      Array.from({ length: work.loops }, () => loop),
      { concurrency: "unbounded", discard: true }
    )
    return done
  })

const program = Effect.gen(function* () {
  const context = yield* Effect.context<Database>()
  process.on("message", ({ driver, seconds }: Order) => {
    const began = performance.now()
    const until = began + seconds * 1000
    const running = driver === "pg" ? throughPg(until) : Effect.runPromiseWith(context)(throughOurs(until))
    running.then(
      (done) => process.send?.({ rate: done / ((performance.now() - began) / 1000) }),
      (error: unknown) => process.send?.({ fault: String(error) })
    )
  })
  process.send?.({ ready: true })
  return yield* Effect.never
})

process.once("disconnect", () => process.exit())
Effect.runFork(
  program.pipe(
    Effect.provide(Database.layer({ url: Redacted.make(work.url), applicationName: "property-network bench" }))
  )
)
