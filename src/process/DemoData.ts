/**
 * Fills the database of a first start, while the service runs, through the use-cases that everybody calls. Each create has an idempotency
 * key of its own: a fill that was cut off begins again at the next start, and makes nothing twice.
 */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Effect, Stream } from "effect"
import { actAs, type Actor, asOperator } from "../core/auth/CurrentActor.ts"
import type { Json } from "../core/usecase/Input.ts"
import { Notes } from "../content/notes/Notes.ts"
import { AccessLifecycle } from "../deals/lifecycle/AccessLifecycle.ts"
import { OfferLifecycle } from "../deals/lifecycle/OfferLifecycle.ts"
import { ProjectLifecycle } from "../deals/lifecycle/ProjectLifecycle.ts"
import { Messages } from "../deals/messages/Messages.ts"
import { Offers } from "../deals/offers/Offers.ts"
import { Projects } from "../deals/projects/Projects.ts"
import { ProspectBatches } from "../deals/prospects/ProspectBatches.ts"
import { ProspectChanges } from "../deals/prospects/ProspectChanges.ts"
import { Tasks } from "../deals/prospects/tasks/Tasks.ts"
import { Documents } from "../deals/rooms/Documents.ts"
import { Questions } from "../deals/rooms/questions/Questions.ts"
import { Rooms } from "../deals/rooms/Rooms.ts"
import { Teasers } from "../deals/teasers/Teasers.ts"
import { Clients } from "../identity/clients/Clients.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { Mandates } from "../market/mandates/Mandates.ts"
import { Properties } from "../market/properties/Properties.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { Links } from "../network/links/Links.ts"
import { BaseUrl } from "../platform/Config.ts"
import { Inbox } from "../webhooks/inbox/Inbox.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import * as records from "./demoRecords.ts"

/** A request of the fill. Its key is that of the create, in the name of who makes it. */
const request = (key: string, body: Json = {}) =>
  UseCaseRequest.make({ operation: `demo ${key}`, query: {}, body, idempotencyKey: `demo-${key}` })

/** A step that changes what exists: where an earlier start has taken it, it is refused, and that is as good. */
const settled = Effect.ignore({ log: "Debug" })

const valueOf = <A>({ value }: { readonly value: A }) => value

/** Runs what a person does in one of their teams, by their e-mail address. */
const as =
  (email: string, team?: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const { actorOf } = yield* Users
      const actor: Actor = { ...(yield* asOperator(actorOf(email, team))), origin: "system" }
      return yield* actAs(actor)(self)
    })

const others = {
  colleague: { name: "Jonas Keller", email: "jonas.keller@demo-brokers.example" },
  broker: { name: "Maud Verhoeven", email: "maud@grachtmakelaars.example" },
  investor: { name: "Anna Berg", email: "anna.berg@nordkapital.example" },
  analyst: { name: "Henrik Petersen", email: "henrik.petersen@nordkapital.example" }
} as const

/** The other teams and people, unless they exist. */
const createTeams = Effect.fnUntraced(
  function* (demoTeam: string, demoEmail: string) {
    const teams = yield* Teams
    const users = yield* Users
    const existing = yield* Effect.option(users.resolve(others.investor.email))
    if (existing._tag === "Some") return
    const brokers = yield* teams.create({ name: "Gracht Makelaars", plan: "plus" })
    const investors = yield* teams.create({ name: "Nordkapital Invest", plan: "plus" })
    const { analyst, broker, colleague, investor } = others
    yield* users.create({ ...colleague, teamId: demoTeam, role: "member", broker: "active" })
    yield* users.create({ ...broker, teamId: brokers.id, role: "admin", broker: "active" })
    yield* users.create({ ...analyst, teamId: investors.id, role: "member", investor: "active" })
    yield* teams.invite({ email: demoEmail, teamId: investors.id, role: "admin" })
    yield* teams.accept({ email: demoEmail, teamId: investors.id })
    yield* users.create({ ...investor, teamId: investors.id, role: "admin", investor: "active", broker: "pending" })
  },
  // In one transaction: if the process is killed, the next start finds none of them.
  (self) => asOperator(Transaction.run(self))
)

/** The network: companies, people, and who works where. */
const createNetwork = Effect.gen(function* () {
  const [companies, contacts, links] = [yield* Companies, yield* Contacts, yield* Links]
  const idsOf = ({ value }: { readonly value: { readonly results: ReadonlyArray<{ readonly id: string | null }> } }) =>
    value.results.map(({ id }) => id ?? "")
  const companyIds = idsOf(
    yield* companies.batchUpsert(
      request("companies", {
        items: records.companies.map(({ country, domain, name, strategy, tags }) => ({
          name,
          domain,
          country,
          tags,
          homepageUrl: `https://${domain}/`,
          ...(strategy === undefined ? {} : { strategy })
        }))
      })
    )
  )
  const contactIds = idsOf(
    yield* contacts.batchUpsert(
      request("contacts", {
        items: records.people.map(({ company, jobTitle: _, ...person }) => ({
          ...person,
          primaryCompanyId: companyIds[company] ?? ""
        }))
      })
    )
  )
  yield* links.batchUpsert(
    request("links", {
      items: records.people.map(({ company, jobTitle }, index) => ({
        contactId: contactIds[index] ?? "",
        companyId: companyIds[company] ?? "",
        jobTitle
      }))
    })
  )
  return { companyIds, contactIds }
})

type Network = Effect.Success<typeof createNetwork>

/** What is for sale, what is sought, and the projects with their lists. */
const createMarket = Effect.fnUntraced(function* ({ companyIds, contactIds }: Network) {
  const [properties, mandates, projects] = [yield* Properties, yield* Mandates, yield* Projects]
  const batches = yield* ProspectBatches
  const propertyIds = yield* Effect.forEach(records.buildings, ({ project: _, ...building }, index) =>
    Effect.map(properties.create(request(`property-${index}`, building)), ({ value }) => value.id)
  )
  yield* Effect.forEach(records.mandates, ({ company, ...mandate }, index) =>
    mandates.create(request(`mandate-${index}`, { ...mandate, investor: { companyId: companyIds[company] ?? "" } }))
  )
  let next = 0
  const listed: Array<{ readonly id: string; readonly prospects: ReadonlyArray<string> }> = []
  for (const { exclusivity, investors, key, name } of records.projects) {
    const project = valueOf(
      yield* projects.create(
        request(`project-${key}`, {
          name,
          exclusivity,
          ownerId: "me",
          propertyIds: propertyIds.filter((_, index) => records.buildings[index]?.project === key)
        })
      )
    )
    const items = Array.from({ length: investors }, (_, index) => ({
      contactId: contactIds[(next + index) % contactIds.length] ?? "",
      projectTags: [index < investors / 2 ? "first-round" : "second-round"]
    }))
    next += investors
    const added = valueOf(yield* batches.addBatch(project.id, request(`prospects-${key}`, { items })))
    listed.push({ id: project.id, prospects: added.results.map(({ id }) => id ?? "") })
  }
  return listed
})

/** A teaser that investors see, with the modes that it needs to be published. */
const publish = Effect.fnUntraced(function* (projectId: string, title: string) {
  const teasers = yield* Teasers
  yield* settled(
    teasers.patch(
      { type: "project", id: projectId },
      request(`teaser-${projectId}`, { title, options: { location: "country", categories: "shown", price: "range" } })
    )
  )
  yield* settled(teasers.move(projectId, "publish"))
})

// By stage.
const classifications = ["not_contacted", "contacted", "interested", "interested", "bidder"] as const
const stages = ["not_contacted", "teaser", "im", "data_room", "bid"] as const
const interests = ["interested", "maybe", "not_interested", null] as const

/** What the brokers have done with the investors on a list: each stage, classification and interest, tasks, notes, calls. */
const workOn = Effect.fnUntraced(function* (key: string, projectId: string, prospects: ReadonlyArray<string>) {
  const [changes, tasks, notes, messages] = [yield* ProspectChanges, yield* Tasks, yield* Notes, yield* Messages]
  const dueDates = ["2026-01-15", "today", "tomorrow", "5d", "21d"]
  for (const [index, id] of prospects.entries()) {
    const [stage, interest] = [stages[index % stages.length], interests[index % interests.length]]
    yield* settled(
      changes.patch(
        projectId,
        id,
        request(`patch-${id}`, {
          classification: classifications[index % classifications.length] ?? "contacted",
          ...(stage === "not_contacted" ? {} : { stage, stageReason: "Agreed by phone." }),
          ...(interest === null || interest === undefined ? {} : { interest })
        })
      )
    )
    if (index % 3 === 0) {
      const task = valueOf(
        yield* tasks.create(
          projectId,
          id,
          request(`task-${key}-${index}`, {
            type: ["call", "meeting", "email"][index % 3] ?? "call",
            dueDate: dueDates[(index / 3) % dueDates.length] ?? "7d",
            assignee: "me",
            note: records.notes[index % records.notes.length] ?? ""
          })
        )
      )
      if (index % 9 === 6)
        yield* settled(tasks.move(projectId, id, task.id, "complete", request(`done-${key}-${index}`)))
    }
    if (index % 4 === 1) {
      const message = records.notes[index % records.notes.length] ?? ""
      yield* notes.prospect.create({ projectId, id }, request(`note-${key}-${index}`, { message }))
    }
    if (index % 7 === 2) yield* messages.logCall(id, request(`call-${key}-${index}`, { note: "Reached by phone." }))
  }
})

/** A room with documents, who may read them, and questions. */
const openRoom = Effect.fnUntraced(function* (projectId: string, prospects: ReadonlyArray<string>) {
  const [rooms, documents, access] = [yield* Rooms, yield* Documents, yield* AccessLifecycle]
  const questions = yield* Questions
  const room = valueOf(yield* rooms.open(projectId, request("room", { name: "Due diligence" })))
  for (const [index, [path, text]] of records.documents.entries()) {
    yield* documents.upload(room.id, {
      ...request(`document-${index}`),
      path,
      file: Effect.succeed({
        filename: path.split("/").at(-1) ?? path,
        contentType: path.endsWith(".csv") ? "text/csv" : "text/plain",
        content: Stream.succeed(new TextEncoder().encode(text))
      })
    })
  }
  const readers = prospects.slice(0, 4)
  yield* settled(access.grant(room.id, request("access", { prospectIds: readers })))
  for (const [index, { answer, text }] of records.questions.entries()) {
    const prospectId = readers[index % readers.length] ?? ""
    const asked = valueOf(yield* questions.askFor(room.id, request(`question-${index}`, { text, prospectId })))
    if (answer !== null) {
      yield* settled(questions.answer(asked.id, request(`answer-${index}`, { text: answer, audience: "all" })))
    }
  }
  return room.id
})

/** The investors have an offer of the demo brokers, and accept it. */
const acceptFirst = Effect.gen(function* () {
  const { list } = yield* Offers
  const { accept } = yield* OfferLifecycle
  const { data } = yield* list(UseCaseRequest.make({ operation: "demo offers", query: {} }))
  yield* Effect.forEach(data.slice(-1), ({ id }) => settled(accept(id, request(`accept-${id}`))))
})

/** What the demo brokers have. */
const fillBrokers = Effect.gen(function* () {
  const network = yield* createNetwork
  yield* Effect.forEach([0, 3, 9], (index) =>
    Effect.flatMap(Notes, (notes) =>
      notes.contact.create(
        { id: network.contactIds[index] ?? "" },
        request(`contact-note-${index}`, { message: records.notes[index % records.notes.length] ?? "" })
      )
    )
  )
  const [harbour, logistics, living] = yield* createMarket(network)
  if (harbour === undefined || logistics === undefined || living === undefined) return
  const { communicate } = yield* OfferLifecycle
  const { receiveBid, shareMemorandum } = yield* ProspectChanges
  const { send } = yield* Messages
  yield* publish(harbour.id, "Offices on the water")
  yield* publish(logistics.id, "Logistics in northern Germany")
  yield* settled(
    communicate(
      harbour.id,
      request("communicate-harbour", { prospectIds: harbour.prospects.slice(0, -4), expires: "30d" })
    )
  )
  for (const [key, { id, prospects }] of Object.entries({ harbour, logistics, living }))
    yield* workOn(key, id, prospects)
  yield* openRoom(harbour.id, harbour.prospects)
  const [first = "", second = ""] = harbour.prospects
  yield* as(others.investor.email)(acceptFirst)
  yield* settled(shareMemorandum(first, request("memorandum")))
  yield* settled(receiveBid(second, request("bid", { amount: 49_500_000, currency: "EUR" })))
  yield* settled(send(first, request("message", { text: "The rent roll of October is in the room." })))
})

/** What the other brokers offer to the demo user, in every state of an offer. */
const fillOtherBrokers = Effect.fnUntraced(function* (demoEmail: string) {
  const [contacts, properties, projects] = [yield* Contacts, yield* Properties, yield* Projects]
  const [batches, rooms] = [yield* ProspectBatches, yield* Rooms]
  const { communicate } = yield* OfferLifecycle
  const { grant } = yield* AccessLifecycle
  const { close } = yield* ProjectLifecycle
  const contact = valueOf(
    yield* contacts.create(request("demo-contact", { firstName: "Demo", lastName: "Broker", email: demoEmail }))
  )
  for (const [index, { becomes, building, category, locality, name, title }] of records.otherProjects.entries()) {
    const property = valueOf(
      yield* properties.create(
        request(`other-property-${index}`, {
          name: building,
          country: "NL",
          locality,
          categories: [category],
          pricing: { askingPrice: { value: 8_500_000 + 2_250_000 * index, currency: "EUR" } }
        })
      )
    )
    const project = valueOf(
      yield* projects.create(
        request(`other-project-${index}`, { name, exclusivity: "exclusive", ownerId: "me", propertyIds: [property.id] })
      )
    )
    const prospect = valueOf(
      yield* batches.add(project.id, request(`other-prospect-${index}`, { contactId: contact.id }))
    )
    if (becomes === "invited") {
      const room = valueOf(yield* rooms.open(project.id, request("other-room", { name: "First look" })))
      yield* settled(grant(room.id, request("other-access", { prospectIds: [prospect.id] })))
      continue
    }
    yield* publish(project.id, title)
    const expires = becomes === "expired" ? "1s" : "30d"
    yield* settled(communicate(project.id, request(`other-communicate-${index}`, { all: true, expires })))
    if (becomes === "closed") yield* settled(close(project.id, request("other-close")))
  }
})

/** The answers of the demo user to what the other brokers offer. */
const answerOffers = Effect.gen(function* () {
  const { list } = yield* Offers
  const { accept, reject, remove } = yield* OfferLifecycle
  const { data } = yield* list(UseCaseRequest.make({ operation: "demo offers", query: {} }))
  const move = { accepted: accept, rejected: reject, removed: remove }
  for (const { id, teaser } of data) {
    const becomes = records.otherProjects.find(({ title }) => title === teaser?.title)?.becomes
    if (becomes !== "accepted" && becomes !== "rejected" && becomes !== "removed") continue
    const body = becomes === "rejected" ? { reason: "Too small for us." } : {}
    yield* settled(move[becomes](id, request(`answer-${id}`, body)))
  }
})

/** What programs of the demo team receive: one, that of the other brokers, takes all; nobody is at the address of another; one is paused. */
const createWebhooks = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const { open } = yield* Inbox
  const { data } = yield* webhooks.list(UseCaseRequest.make({ operation: "demo webhooks", query: {} }))
  if (data.length > 0) return
  const { url } = yield* as(others.broker.email)(open(yield* BaseUrl))
  const create = (key: string, body: Json) => Effect.map(webhooks.create(request(key, body)), valueOf)
  yield* create("webhook-crm", { name: "CRM sync", url, events: ["project.*", "offer.*", "prospect.created"] })
  yield* create("webhook-failing", {
    name: "Warehouse (wrong address)",
    url: new URL("/nobody-is-here", url).href,
    events: ["teaser.communicated"]
  })
  const paused = yield* create("webhook-paused", {
    name: "Newsletter (paused)",
    url: new URL("/newsletter", url).href,
    events: ["contact.*", "company.*"]
  })
  yield* settled(webhooks.patch(paused.id, request("webhook-pause", { status: "paused" })))
}).pipe(Transaction.run)

/** Programs of the demo team. */
const createPrograms = Effect.fnUntraced(function* (demoTeam: string) {
  const clients = yield* Clients
  if ((yield* clients.list(demoTeam)).length > 0) return
  yield* clients.create({ name: "CRM sync", botName: "CRM sync", teamId: demoTeam })
}, asOperator)

/** Makes all of it, for the demo user and their team (its public id). */
export const createAll = Effect.fn("DemoData.createAll")(function* (demo: {
  readonly email: string
  readonly teamId: string
}) {
  yield* createTeams(demo.teamId, demo.email)
  const asDemo = as(demo.email, demo.teamId)
  // Where the service is no trial, it has no inbox, and sends nothing to this machine.
  yield* settled(asDemo(createWebhooks))
  yield* createPrograms(demo.teamId)
  yield* asDemo(fillBrokers)
  yield* as(others.broker.email)(fillOtherBrokers(demo.email))
  yield* asDemo(answerOffers)
})
