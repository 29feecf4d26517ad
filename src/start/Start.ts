/** The use-cases of the start page and of the palette (docs/behaviour/console.md#start). */
import * as Id from "../core/Id.ts"
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../core/auth/CurrentActor.ts"
import { Offers } from "../deals/offers/Offers.ts"
import { Today } from "../deals/today/Today.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { now, today as currentDay } from "../platform/Time.ts"
import { StartRepo } from "./StartRepo.ts"

/** The most that is counted of anything: where there are more, how many says no more to a person. */
export const maxCounted = 999

/** The longest text that the palette looks for, and the most words of it. */
const bound = { length: 200, words: 10 } as const

/** How many open projects the start page shows. */
const shownProjects = 6

/** How many records of each type the palette shows. */
const perType = 4

/** A record that the palette found. */
export interface Found {
  readonly type: "company" | "contact" | "project"
  readonly id: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly about: string | null
}

const make = Effect.gen(function* () {
  const repo = yield* StartRepo
  const contacts = yield* Contacts
  const companies = yield* Companies
  const [offers, today] = [yield* Offers, yield* Today]

  /** What waits for the caller in their team, what is new to them, and for brokers its latest open projects: a few statements. */
  const waiting = Effect.fn("Start.waiting")(function* () {
    const { broker, investor, membership, teamId, userId } = yield* authorize("none")
    if (userId === null) return undefined
    const counts = yield* repo.waiting(
      { teamId, userId },
      { most: maxCounted + 1, now: yield* now, today: yield* currentDay }
    )
    const isBroker = broker === "active" && membership === "active"
    const open = isBroker ? yield* repo.openProjects(teamId, shownProjects) : []
    const answers = isBroker ? yield* today.newAnswers() : 0
    const isInvestor = investor === "active" && membership === "active"
    const answered = isInvestor ? (yield* offers.newAnswers()).length : 0
    return {
      ...counts,
      answers,
      answered,
      projects: open.map(({ id, name }) => ({ id: Id.fromUuid("project", id), name: name ?? "" }))
    }
  })

  /**
   * Contacts, companies and projects by what a person types: at most four of each, in one statement each. Nothing for who may not read the
   * network.
   */
  const find = Effect.fn("Start.find")(function* (typed: string) {
    const { broker, membership, teamId } = yield* authorize("none")
    const words = typed
      .slice(0, bound.length)
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, bound.words)
    if (words.length === 0 || broker !== "active" || membership !== "active") return []
    const request = UseCaseRequest.make({
      operation: "find",
      query: {},
      body: { query: words.join(" "), page_size: perType }
    })
    const [people, firms, projects] = yield* Effect.all([
      contacts.search(request),
      companies.search(request),
      repo.projectsNamed(teamId, words, perType)
    ])
    return [
      ...projects.map(({ id, name }): Found => ({
        type: "project",
        id: Id.fromUuid("project", id),
        name: name ?? "",
        about: null
      })),
      ...people.data.map(({ email, id, name }): Found => ({
        type: "contact",
        id,
        name: name ?? email ?? id,
        about: name === null ? null : email
      })),
      ...firms.data.map(({ domain, id, name }): Found => ({
        type: "company",
        id,
        name: name ?? domain ?? id,
        about: domain
      }))
    ]
  })

  return { waiting, find }
})

/** How much waits for a person in a team. */
export type Waiting = NonNullable<Effect.Success<ReturnType<Effect.Success<typeof make>["waiting"]>>>

/** What a person sees first, and what they find by name. Who may read what, the use-cases of the records decide. */
export class Start extends Context.Service<Start, Effect.Success<typeof make>>()("start/Start") {
  static readonly layer = Layer.effect(Start, make).pipe(
    Layer.provide([Companies.layer, Contacts.layer, Offers.layer, StartRepo.layer, Today.layer])
  )
}
