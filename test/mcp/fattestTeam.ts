/** A team all of whose records are as long as they may be, and the calls whose answers have most of them. */
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import * as OffersClient from "../deals/offers/OffersClient.ts"
import { upload } from "../deals/rooms/fixture.ts"
import type * as Agent from "../support/Agent.ts"
import { aRoom, ask } from "./calls/rooms.ts"
import { fat, fatRefs, fattestBody, many, outline } from "./fattest.ts"
import { aWorld } from "./world.ts"

type Input = { readonly [member: string]: unknown }

const url = `https://example.com/${"x".repeat(2_028)}`
const label = "l".repeat(63)
const domain = `${label}.${label}.${label}.example`

const aFatTeam = Effect.gen(function* () {
  const sql = yield* Database
  const world = yield* aWorld
  /** What REST makes of a body. */
  const post = (path: string, json: unknown) =>
    Effect.map(world.rest<Agent.Answer>("POST", `/api/v1${path}`, { json }), ({ body, text }) => {
      if (typeof body.id !== "string") throw new Error(`POST ${path}: ${text.slice(0, 1_000)}`)
      return body.id
    })
  /** The ids of records that a batch makes, at most 100 of each call. */
  const batch = (path: string, count: number, json: (index: number) => Input) =>
    Effect.map(
      Effect.forEach(
        many(Math.ceil(count / 100), (at) => at * 100),
        (from) =>
          world.rest<{ readonly results: ReadonlyArray<{ readonly id: string }> }>("POST", `/api/v1${path}`, {
            json: { items: many(Math.min(100, count - from), (index) => json(from + index)) }
          })
      ),
      (answers) => answers.flatMap(({ body }) => body.results.map(({ id }) => id))
    )
  return { ...world, sql, post, batch }
})

type Team = Effect.Success<typeof aFatTeam>

/** Teams of the user, with as many members as answers of REST list, and long profiles. */
const teams = Effect.fnUntraced(function* ({ sql, userId }: Team) {
  for (const index of many(40, (at) => at)) {
    const rows = yield* sql<{ readonly id: string }>`
      insert into teams (id, name, plan, created_at, description, strategy, legal_name, homepage_url, vat_number)
      values (gen_random_uuid(), ${fat(200, index)}, 'plus', now(), ${fat(20_000)}, ${fat(20_000)}, ${fat(200)}, ${url},
        ${fat(200)})
      returning id`
    const id = rows[0]?.id ?? ""
    yield* sql`
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      values (${id}, ${userId}, 'member', 'active', false, now(), 'berg')`
    if (index >= 3) continue
    yield* sql`
      with person as (
        insert into users (id, email, name, created_at)
        select gen_random_uuid(), ${fat(20, `${id}-`)} || number || '@example.com', ${fat(200)}, now()
        from generate_series(1, 60) as number
        returning id
      )
      insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
      select ${id}, id, 'member', 'active', true, now(), 'berg' from person`
  }
}, Effect.orDie)

/** An offer that the user received: the teaser of a property with all that teasers show. */
const offer = Effect.fnUntraced(function* ({ sql, userId }: Team) {
  yield* Effect.orDie(sql`update users set email_confirmed = true where id = ${userId}`)
  const seller = yield* OffersClient.broker()
  const id = yield* seller.property(fattestBody("PropertyCreate", "externalRefs", "ownerId"))
  yield* seller.ask("PATCH", `/api/v1/projects/${seller.projectId}`, { propertyIds: [id] })
  yield* seller.patch(seller.projectId, { title: fat(200), options: { tenants: "named", location: "address" } })
  yield* seller.prospectFor(`${userId}@example.com`)
  const { communicated } = yield* Effect.orDie(seller.communicate())
  return communicated[0]?.offerIds[0] ?? ""
})

/** A room with documents, members and a question. */
const room = Effect.fnUntraced(function* (team: Team) {
  const made = yield* aRoom(team)
  const folders = many(10, () => "f".repeat(200)).join("/")
  yield* Effect.orDie(
    Effect.forEach(
      many(20, (index) => index),
      (index) => upload(team, made.room, "1", `${folders}/${index}.txt`)
    )
  )
  const question = yield* ask(team, { room: made.room, prospect: made.prospect, text: fat(4_000) })
  const path = `/api/v1/projects/${made.project}/rooms/${made.room}/questions/${question}/draft-answer`
  yield* team.rest("PUT", path, { json: { text: fat(20_000) } })
  return { roomProject: made.project, room: made.room, question }
})

/** A team all of whose records are as long as they may be. */
export const fatTeam = Effect.gen(function* () {
  const team = yield* aFatTeam
  const { batch, post } = team
  yield* teams(team)
  const person = (index: number): Input => ({
    ...fattestBody("ContactCreate", "primaryCompanyId"),
    email: `${"a".repeat(60)}${String(index).padStart(4, "0")}@${domain}`,
    primaryLanguage: "de",
    linkedInUrl: url,
    profilePictureUrl: url,
    externalRefs: fatRefs()
  })
  const companyBody = (): Input => ({
    ...fattestBody("CompanyCreate"),
    homepageUrl: url,
    domain,
    linkedInUrl: url,
    profilePictureUrl: url,
    externalRefs: fatRefs()
  })
  const propertyBody = (): Input => ({
    ...fattestBody("PropertyCreate"),
    coordinates: { latitude: 48, longitude: 11 },
    externalRefs: fatRefs()
  })
  const mandateBody = (positions: number): Input => ({
    ...fattestBody("MandateCreate", "investor", "negativeTags", "near", "radius", "location"),
    validUntilUtc: "2099-12-31T23:00:00.000Z",
    geography: outline(positions),
    externalRefs: fatRefs()
  })
  const projectBody = (propertyIds: ReadonlyArray<string>): Input => ({
    ...fattestBody("ProjectCreate", "mandate", "sellerContactId"),
    propertyIds,
    externalRefs: fatRefs()
  })
  const contact = yield* post("/network/contacts?force=true", person(0))
  yield* post("/network/contacts?force=true", person(1))
  const company = yield* post("/network/companies?force=true", companyBody())
  yield* post("/network/companies?force=true", companyBody())
  const property = yield* post("/properties", propertyBody())
  yield* post("/properties", propertyBody())
  const mandates = yield* Effect.forEach([700, 720, 740, 5_000], (positions) =>
    post("/mandates", mandateBody(positions))
  )
  const sold = yield* batch("/properties/batch/upsert", 1_000, (index) => ({ name: `Hall ${index}` }))
  const projects = yield* Effect.forEach([sold, sold], (propertyIds) => post("/projects", projectBody(propertyIds)))
  const project = projects[0] ?? ""
  const others = yield* Effect.forEach(
    many(60, (index) => index),
    (index) => post("/projects", { name: fat(200, index), propertyIds: [property] })
  )
  const added = {
    contactId: contact,
    classification: "x".repeat(64),
    projectTags: fattestBody("ContactCreate")["tags"]
  }
  const prospects = yield* Effect.forEach([project, ...others], (on) =>
    post(`/projects/${on}/prospects`, { ...added, externalRefs: fatRefs() })
  )
  const people = yield* batch("/network/contacts/batch/upsert", 100, (index) => ({
    firstName: fat(200),
    email: `${index}@berg.example`
  }))
  for (const _ of many(4, () => 0)) yield* post(`/network/contacts/${contact}/notes`, { message: fat(20_000) })
  return {
    ...team,
    ...(yield* room(team)),
    offer: yield* offer(team),
    contact,
    company,
    property,
    mandates,
    project,
    prospect: prospects[0] ?? "",
    sold,
    people,
    user: Id.fromUuid("user", team.userId)
  }
})

type FatTeam = Effect.Success<typeof fatTeam>

const again = { strategy: fat(19_999) }

/** The arguments of the calls; a list is read in both formats, and a write is previewed. */
export const fatCalls: { readonly [tool: string]: (made: FatTeam) => Input } = {
  get_me: () => ({}),
  list_contacts: () => ({}),
  get_contact: ({ contact }) => ({ contact }),
  create_contact: () => ({
    ...again,
    firstName: fat(200),
    lastName: fat(200),
    linkedInUrl: url,
    tags: fattestBody("ContactCreate")["tags"],
    externalRefs: fatRefs().map(({ externalId, namespace }) => `${namespace}:${externalId}`)
  }),
  update_contact: ({ contact }) => ({ contact, ...again }),
  delete_contact: ({ contact }) => ({ contact }),
  list_companies: () => ({}),
  get_company: ({ company }) => ({ company }),
  create_company: () => ({ name: fat(200), ...again }),
  update_company: ({ company }) => ({ company, ...again }),
  delete_company: ({ company }) => ({ company }),
  list_projects: () => ({}),
  get_project: ({ project }) => ({ project }),
  create_project: ({ sold }) => ({ name: fat(200), description: fat(20_000), properties: sold }),
  update_project: ({ project }) => ({ project, description: fat(19_999) }),
  list_properties: () => ({}),
  get_property: ({ property }) => ({ property }),
  create_property: () => ({ name: fat(200), description: fat(20_000) }),
  update_property: ({ property }) => ({ property, description: fat(19_999) }),
  list_prospects: () => ({}),
  get_prospect: ({ prospect }) => ({ prospect }),
  add_prospects: ({ people, project }) => ({ project, contacts: people }),
  update_prospect: ({ prospect }) => ({ prospect, addProjectTags: [], tags: [fat(64)] }),
  classify_prospects: ({ people, project, prospect }) => ({
    project,
    prospects: [prospect, ...people.slice(1).map((id) => id.replace("contact", "prospect"))],
    classification: "y".repeat(64),
    note: fat(20_000)
  }),
  set_prospect_interest: ({ prospect }) => ({ prospect, interest: "not_interested" }),
  override_prospect_stage: ({ prospect }) => ({ prospect, stage: "im", reason: fat(20_000) }),
  add_prospect_task: ({ prospect }) => ({ prospect, type: "call", dueDate: "7d", note: fat(20_000) }),
  list_mandates: () => ({}),
  search_mandates: () => ({ near: { latitude: 48, longitude: 11 }, radius: 1_000 }),
  get_mandate: ({ mandates }) => ({ mandate: mandates[1] }),
  create_mandate: () => ({ name: fat(200), description: fat(20_000), location: "Munich" }),
  update_mandate: ({ mandates }) => ({ mandate: mandates[1], location: "Munich" }),
  delete_mandate: ({ mandates }) => ({ mandate: mandates[0] }),
  match_property: ({ property }) => ({ property, minScore: 0 }),
  match_mandate: ({ mandates }) => ({ mandate: mandates[0], minScore: 0 }),
  list_offers: () => ({}),
  get_offer: ({ offer }) => ({ offer }),
  list_activities: ({ contact }) => ({ networkRef: contact }),
  log_activity: ({ contact }) => ({ networkRef: contact, message: fat(20_000) }),
  list_rooms: ({ roomProject }) => ({ project: roomProject }),
  get_room: ({ room }) => ({ room }),
  list_questions: ({ room }) => ({ room }),
  get_question: ({ question }) => ({ question }),
  draft_answer: ({ question }) => ({ question, text: fat(19_999) }),
  update_question: ({ question }) => ({ question, priority: "urgent" })
}
