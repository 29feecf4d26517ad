/** Mistakes that agents make: each refusal says what to do instead, so that the next call succeeds. `docs/agents.md` has the table. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { TestService } from "../support/TestService.ts"
import { aCompany } from "./calls/companies.ts"
import { aContact } from "./calls/contacts.ts"
import { aMandate } from "./calls/mandates.ts"
import { anOffer } from "./calls/offers.ts"
import { aProspect } from "./calls/prospects.ts"
import { aRoom } from "./calls/rooms.ts"
import { aWorld } from "./world.ts"

const fixture = Effect.gen(function* () {
  const world = yield* aWorld
  const company = yield* aCompany(world)
  const contact = yield* aContact(world)
  const { project, prospect } = yield* aProspect(world)
  yield* world.rest("POST", "/api/v1/network/companies", {
    json: { name: "Rossi", country: "IT", domain: "rossi.example" }
  })
  for (const name of ["Berg A", "Berg B"]) {
    yield* world.rest("POST", "/api/v1/network/companies?force=true", { json: { name, domain: "berg.example" } })
  }
  const externalRefs = [{ namespace: "crm", externalId: "both" }]
  yield* world.rest("POST", "/api/v1/network/companies", { json: { name: "Berg C", externalRefs } })
  yield* world.rest("POST", "/api/v1/network/contacts", { json: { firstName: "Berg C", externalRefs } })
  const { structured } = yield* world.agent.call("list_companies", { limit: 1 })
  const { structured: note } = yield* world.agent.call("log_activity", { networkRef: contact, message: "Called" })
  return {
    agent: world.agent,
    company,
    contact,
    cursor: structured.nextCursor,
    mandate: yield* aMandate(world),
    note,
    offer: yield* anOffer(world),
    project,
    prospect,
    ...(yield* Effect.map(aRoom(world), ({ room }) => ({ room })))
  }
})

type Fixture = Effect.Success<typeof fixture>

/** A mistake, the tool with its arguments, the code of the refusal, and what its texts must name. */
type Mistake = readonly [
  mistake: string,
  tool: string,
  args: (made: Fixture) => Readonly<Record<string, unknown>>,
  code: string,
  named: RegExp
]

const mistakes: ReadonlyArray<Mistake> = [
  ["a name for a company", "get_company", () => ({ company: "Rossi" }), "invalid_request", /domain=NAME/],
  ["a bare domain", "get_company", () => ({ company: "rossi.example" }), "invalid_request", /domain=NAME/],
  ["a bare e-mail address", "get_contact", () => ({ contact: "anna@example.com" }), "invalid_request", /email=ADDRESS/],
  [
    "the id of a contact for a company",
    "get_company",
    ({ contact }) => ({ company: contact }),
    "not_found",
    /id of a contact/
  ],
  [
    "the id of a prospect for a project",
    "list_prospects",
    ({ prospect }) => ({ project: prospect }),
    "not_found",
    /id of a prospect/
  ],
  ["an unknown domain", "get_company", () => ({ company: "domain=unknown.example" }), "not_found", /list_companies/],
  [
    "an unknown e-mail address",
    "get_contact",
    () => ({ contact: "email=nobody@example.com" }),
    "not_found",
    /list_contacts/
  ],
  ["an unknown external reference", "get_contact", () => ({ contact: "ext=hubspot:1" }), "not_found", /list_contacts/],
  [
    "an external reference without its namespace",
    "get_contact",
    () => ({ contact: "ext=8812" }),
    "invalid_request",
    /ext=NAMESPACE:ID/
  ],
  [
    "an id that was made up",
    "get_prospect",
    () => ({ prospect: "prospect_01kb3n7x2ferwt5z8q4j6m9d0c" }),
    "not_found",
    /list_prospects/
  ],
  [
    "a domain that two companies have",
    "get_company",
    () => ({ company: "domain=berg.example" }),
    "ambiguous_reference",
    /get_company/
  ],
  [
    "the beginning of an id",
    "get_contact",
    () => ({ contact: "contact_8812" }),
    "not_found",
    /There is no contact with this id/
  ],
  [
    "an external reference of two kinds of records",
    "log_activity",
    () => ({ networkRef: "ext=crm:both", message: "Called" }),
    "ambiguous_reference",
    /contact: get_contact, company: get_company/
  ],
  [
    "another name for an argument",
    "get_company",
    ({ company }) => ({ companyId: company }),
    "invalid_request",
    /Did you mean \\"company\\"/
  ],
  [
    "snake case",
    "update_contact",
    ({ contact }) => ({ contact, first_name: "Anna" }),
    "invalid_request",
    /Did you mean \\"firstName\\"/
  ],
  ["no argument at all", "get_contact", () => ({}), "invalid_request", /contact: Is required/],
  ["a word for a number", "list_contacts", () => ({ limit: "ten" }), "invalid_request", /limit: Must be a number/],
  ["a limit beyond the limit", "list_contacts", () => ({ limit: 1000 }), "invalid_request", /between 1 and 100/],
  ["an unknown format", "list_contacts", () => ({ format: "full" }), "invalid_request", /one of: concise, detailed/],
  ["a cursor that was made up", "list_contacts", () => ({ cursor: "page2" }), "invalid_cursor", /without cursor/],
  [
    "a cursor with other filters",
    "list_companies",
    ({ cursor }) => ({ cursor, tags: ["x"] }),
    "invalid_cursor",
    /without cursor/
  ],
  [
    "a text for a list",
    "update_contact",
    ({ contact }) => ({ contact, tags: "logistics" }),
    "invalid_request",
    /tags: Must be an array/
  ],
  [
    "a country by its name",
    "create_company",
    () => ({ name: "Neri", country: "Italy" }),
    "invalid_request",
    /alpha-2 code in upper case, such as DE/
  ],
  [
    "an e-mail address that is none",
    "create_contact",
    () => ({ email: "anna" }),
    "invalid_request",
    /such as anna@example.com/
  ],
  [
    "a contact without a name",
    "create_contact",
    () => ({ phone: "+39 02 5550199" }),
    "invalid_request",
    /One of email, firstName and lastName is needed/
  ],
  [
    "a company that exists",
    "create_company",
    () => ({ name: "Rossi 2", domain: "rossi.example" }),
    "duplicate",
    /call again with force true/
  ],
  [
    "an old etag",
    "update_contact",
    ({ contact }) => ({ contact, phone: "+49 30 1", etag: '"v0"' }),
    "precondition_failed",
    /currentEtag/
  ],
  [
    "an etag without its quotes",
    "update_contact",
    ({ contact }) => ({ contact, phone: "+49 30 1", etag: "v1" }),
    "invalid_request",
    /ETags with their quotes/
  ],
  [
    "an idempotency key with spaces",
    "create_company",
    () => ({ name: "Verdi", idempotencyKey: "a b" }),
    "invalid_request",
    /1 to 255 visible characters/
  ],
  [
    "an unknown stage",
    "list_prospects",
    ({ project }) => ({ project, stage: "offer" }),
    "invalid_request",
    /one of: not_contacted, teaser, im, data_room, bid/
  ],
  [
    "an unknown interest",
    "list_prospects",
    ({ project }) => ({ project, interest: "high" }),
    "invalid_request",
    /one of: interested, maybe, not_interested, none/
  ],
  [
    "an unknown category of properties",
    "create_property",
    () => ({ name: "Quartier", categories: ["offices"] }),
    "invalid_request",
    /Did you mean \\"office\\"/
  ],
  [
    "a tag of properties in words",
    "list_properties",
    () => ({ tags: ["Value add"] }),
    "invalid_request",
    /Did you mean \\"value_add\\"/
  ],
  [
    "a note on two records at once",
    "log_activity",
    ({ contact, project }) => ({ networkRef: contact, projectRef: project, message: "Called" }),
    "invalid_request",
    /Name one record/
  ],
  [
    "a note on an offer",
    "log_activity",
    ({ offer }) => ({ offerRef: offer, message: "Looks good" }),
    "timeline_read_only",
    /A broker logs notes on/
  ],
  [
    "a note by a record that is not its own",
    "update_activity",
    ({ note, project }) => ({ projectRef: project, activity: note.id, action: "archive", etag: note.etag }),
    "not_found",
    /on its own record only/
  ],
  [
    "a note changed without its etag",
    "update_activity",
    ({ contact, note }) => ({ networkRef: contact, activity: note.id, action: "archive" }),
    "invalid_request",
    /etag: Is required/
  ],
  [
    "a place named in two ways",
    "create_mandate",
    () => ({ name: "Halls", location: "Munich", near: { latitude: 48, longitude: 11 }, radius: 5_000 }),
    "invalid_request",
    /Name a place in one way/
  ],
  [
    "a name that several places have",
    "search_mandates",
    () => ({ location: "Neustadt" }),
    "invalid_request",
    /send a candidate's spelling/
  ],
  [
    "one end of a range",
    "update_mandate",
    ({ mandate }) => ({ mandate, lettableAreaMax: 5_000 }),
    "invalid_request",
    /Send both ends of a range/
  ],
  ["an external reference for an offer", "get_offer", () => ({ offer: "ext=crm:1" }), "not_found", /list_offers/],
  [
    "an unknown filter of offers",
    "list_offers",
    () => ({ filter: "open" }),
    "invalid_request",
    /one of: all, active, ongoing/
  ],
  ["the id of a project for a room", "get_room", ({ project }) => ({ room: project }), "not_found", /id of a project/],
  [
    "a person by name",
    "list_questions",
    ({ room }) => ({ room, assigneeRef: "Anna" }),
    "invalid_request",
    /the id of a user/
  ],
  [
    "a due date in words",
    "add_prospect_task",
    ({ prospect }) => ({ prospect, type: "call", dueDate: "next week" }),
    "invalid_request",
    /today, tomorrow, a number of days such as 7d/
  ],
  [
    "the id of a prospect for a task",
    "complete_prospect_task",
    ({ prospect }) => ({ task: prospect }),
    "not_found",
    /id of a prospect/
  ],
  [
    "a classification in words",
    "classify_prospects",
    ({ project, prospect }) => ({ project, prospects: [prospect], classification: "Likely bidder" }),
    "invalid_request",
    /the characters a to z, 0 to 9 and _/
  ],
  [
    "more prospects than a call takes",
    "classify_prospects",
    ({ project, prospect }) => ({ project, prospects: Array(101).fill(prospect), classification: "bidder" }),
    "invalid_request",
    /at most 100 references/
  ],
  [
    "an addition of nobody",
    "add_prospects",
    ({ project }) => ({ project }),
    "invalid_request",
    /Send contacts, companies or both/
  ]
]

layer(TestService.layer, { excludeTestServices: true })("Mistakes of agents", (it) => {
  it.effect("are refused with what to do instead, and quote nothing that is stored", () =>
    Effect.gen(function* () {
      const made = yield* fixture
      const seen: Array<string> = []
      for (const [mistake, tool, args, code, named] of mistakes) {
        const { isError, structured, text } = yield* made.agent.call(tool, args(made))
        const shown = `${mistake}: ${text}`
        assert.isTrue(isError, shown)
        assert.strictEqual(structured.error.code, code, shown)
        assert.match(text, named, shown)
        assert.match(structured.error.detail, /^[A-Za-z]/, shown)
        assert.isString(structured.error.hint, shown)
        assert.notMatch(text, /Berg [ABC]|\bRossi\b(?! 2)/, shown)
        assert.isAtMost(text.length, 2_000, shown)
        seen.push(mistake)
      }
      assert.isAtLeast(seen.length, 45)
    })
  )

  it("are in the documents, each with what its refusal names", () => {
    const document = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8")
    for (const [mistake, tool, , code, named] of mistakes) {
      const names = named.source.replaceAll("\\\\", "")
      assert.include(document, `| ${mistake} | \`${tool}\` | \`${code}\` | \`${names}\` |`)
    }
  })
})
