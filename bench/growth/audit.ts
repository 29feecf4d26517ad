/** `audit`: what it costs a create that the service knows who calls, from where and by what, for the audit log. See bench/README.md. */
import * as Service from "../Service.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import { Effect } from "effect"
import { actAs } from "../../src/core/auth/CurrentActor.ts"
import { CurrentAuditContext, ofRequest } from "../../src/core/auth/AuditContext.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { type Line, type Measurement, ratioOf } from "../Measurement.ts"
import { median } from "../Report.ts"

/** Creates take at most so much longer with it. */
const most = 1.03

const run = Effect.fnUntraced(function* ({ quick }: { readonly quick: boolean }) {
  const { creates, rounds } = quick ? { creates: 20, rounds: 3 } : { creates: 100, rounds: 31 }
  const { services } = yield* Service.inProcess
  return yield* Effect.gen(function* () {
    const contacts = yield* Contacts
    const actor = Tenant.actorOf(yield* Tenant.make())
    const create = Effect.suspend(() =>
      contacts.create(
        UseCaseRequest.make({ operation: "contacts", query: {}, body: { firstName: "Anna", lastName: "Berg" } })
      )
    ).pipe(actAs(actor))
    const known = Effect.suspend(() =>
      Effect.provideService(
        create,
        CurrentAuditContext,
        ofRequest("req_bench", () => "192.0.2.1")
      )
    )
    const timed = <A, E, R>(one: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const begun = performance.now()
        for (let index = 0; index < creates; index++) yield* one
        return (performance.now() - begun) / creates
      })
    yield* timed(create)
    const [plain, audited]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < rounds; round++) {
      // In turns, the other way round each time.
      const first = round % 2 === 0
      if (first) plain.push(yield* timed(create))
      audited.push(yield* timed(known))
      if (!first) plain.push(yield* timed(create))
    }
    const line: Line = {
      name: "audit",
      work: "creating a contact with what the audit log is to know of the caller",
      beside: "without",
      ours: `${median(audited).toFixed(3)} ms`,
      theirs: `${median(plain).toFixed(3)} ms`,
      ratio: ratioOf(audited, plain),
      target: { most }
    }
    return { lines: [line] }
  }).pipe(Effect.provide(services))
})

/** The measurement. */
export const audit: Measurement = {
  name: "audit",
  summary: "What the audit log costs a create",
  run
}
