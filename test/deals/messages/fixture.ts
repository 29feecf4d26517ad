/** A broker and investors to whom a project is offered. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as prospects from "../prospects/fixture.ts"
import * as Tenant from "../../support/Tenant.ts"
import { Effect } from "effect"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { orDie } from "../../../src/platform/db/DatabaseUnavailable.ts"
import { OfferArrivals, OfferLifecycle } from "../../../src/deals/lifecycle/OfferLifecycle.ts"
import { runToEnd } from "../../support/Admin.ts"

/** A caller of use-cases with a team of their own. */
export interface Person {
  readonly teamId: string
  readonly userId: string
  readonly email: string
  readonly token: string
}

/** Runs a use-case as a person with both capabilities, or those that are given. */
export const as = <A, E, R>(
  person: Person,
  useCase: Effect.Effect<A, E, R>,
  { broker = "active", investor = "active" }: Pick<Tenant.TenantOptions, "broker" | "investor"> = {}
) => actAs({ ...Tenant.actorOf(person), broker, investor, origin: "app" as const })(useCase)

/** Runs a command in the name of a person, and returns its answer or refusal. */
export const move = <Answer = Record<string, unknown>>(person: Pick<Person, "email">, ...args: ReadonlyArray<string>) =>
  moveIn<Answer>(undefined, person, ...args)

/** As {@link move}, with these settings. */
export const moveIn = <Answer = Record<string, unknown>>(
  env: Readonly<Record<string, string>> | undefined,
  person: Pick<Person, "email">,
  ...args: ReadonlyArray<string>
) =>
  Effect.map(runToEnd([...args, "--as", person.email, "--json"], env), ({ err, ok, out }) => {
    const [answer = ""] = out.split("\n").slice(-1)
    return {
      ok,
      err,
      out,
      answer: JSON.parse(answer) as Answer & { readonly error: { readonly code: string; readonly detail: string } }
    }
  })

/** A person with the `investor` capability alone, and a confirmed address. */
export const investor = Effect.gen(function* () {
  const sql = yield* Database
  const person = yield* Tenant.make({ broker: null, investor: "active" })
  yield* orDie(sql`update users set email_confirmed = true where id = ${person.userId}`)
  return person
})

/** Accepts an offer. */
export const accept = (person: Person, offer: string) =>
  Effect.flatMap(OfferLifecycle, (answers) =>
    as(person, answers.accept(offer, UseCaseRequest.make({ operation: "accept", query: {}, body: {} })))
  )

/** A broker with a project, and what turns investors into those who accepted. */
export const make = Effect.fn("messages.fixture")(function* () {
  const broker = yield* prospects.make()
  const sql = yield* Database
  const { commit } = yield* Changes
  const { invite } = yield* OfferArrivals
  const actor = Tenant.actorOf(broker)
  const projectUuid = Id.toUuid("project", broker.projectId) ?? ""

  /** Invites the people with these addresses, whom a prospect stands for. Returns their offers in the same order. */
  const offered = Effect.fnUntraced(function* (prospectId: string, people: ReadonlyArray<Person>) {
    const prospectUuid = Id.toUuid("prospect", prospectId) ?? ""
    yield* commit(actor, (change) => invite(change, { projectUuid, prospectUuids: [prospectUuid] }))
    return yield* Effect.forEach(people, ({ teamId }) =>
      Effect.map(
        inTeam(teamId)(
          orDie(sql<{ readonly id: string }>`
            select id from offers where team_id = ${teamId} and prospect_id = ${prospectUuid}`)
        ),
        ([offer]) => Id.fromUuid("offer", offer?.id ?? "")
      )
    )
  })

  /** A new prospect, and the offer of an investor who has the address of its contact. */
  const offeredTo = Effect.fnUntraced(function* (person: Person) {
    const { id } = yield* broker.prospect({ contactId: (yield* broker.contact({ email: person.email })).id })
    const [offer = ""] = yield* offered(id, [person])
    return { id, offer }
  })

  /** As `offeredTo`, of an investor who accepts. */
  const acceptedBy = Effect.fnUntraced(function* (person: Person) {
    const made = yield* offeredTo(person)
    yield* accept(person, made.offer)
    return made
  })

  return { ...broker, offered, offeredTo, acceptedBy }
})
