/** Tasks as an agent does them: how many calls they take, and how many tokens of answers. `docs/agents.md` has the table. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readFileSync } from "node:fs"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import * as Agent from "../support/Agent.ts"
import { reach } from "../support/milestones.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { anOffer } from "./calls/offers.ts"

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly etag: string }

const day = 86_400_000

/** The start of this week in UTC: Monday at midnight. */
const thisMonday = () => {
  const midnight = Math.floor(Date.now() / day) * day
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * day
}

/** Lets a prospect have got into the data room at a time. */
const enter = Effect.fnUntraced(function* (project: string, prospect: string, at: number) {
  const sql = yield* Database
  yield* reach(project, prospect, "room_access_granted")
  const rows = yield* sql<{ readonly id: string }>`
    update actions set occurred_at = ${new Date(at)}
    where event = 'prospect.room_access_granted' and id in (
      select action_id from action_subjects where subject_id = ${Id.toUuid("prospect", prospect) ?? ""})
    returning id`
  yield* sql`
    update action_subjects set occurred_at = ${new Date(at)} where action_id = any(${rows.map(({ id }) => id)}::uuid[])`
}, Effect.orDie)

/**
 * A team with deals under way. In the first, two of four investors were in the data room, a call and an e-mail are due today, and the team
 * received an offer itself. In the second, two of four got into the data room last week, one earlier and one today.
 */
const deal = Effect.gen(function* () {
  const { request } = yield* TestService
  const { token, userId } = yield* Tenant.make({ broker: "active", investor: "active" })
  const post = (path: string, json: unknown) =>
    Effect.map(request<Row>("POST", `/api/v1${path}`, { token, json }), ({ body, text }) => {
      assert.isString(body.id, text)
      return body
    })
  const company = yield* post("/network/companies", {
    name: "Rossi Immobiliare",
    domain: "rossi.example",
    country: "IT"
  })
  const project = yield* post("/projects", { name: "Quartier am Park" })
  const property = yield* post("/properties", {
    name: "Hall 4",
    country: "DE",
    locality: "Munich",
    coordinates: { latitude: 48.14, longitude: 11.57 },
    categories: ["logistics"]
  })
  const mandate = yield* post("/mandates", { name: "Halls in Bavaria", categories: ["logistics"], location: "Munich" })
  const prospectsOf = Effect.fnUntraced(function* (projectId: string, names: ReadonlyArray<string>) {
    const ids: Array<string> = []
    for (const name of names) {
      const contact = yield* post("/network/contacts", {
        firstName: name,
        lastName: "Berg",
        email: `${name}@berg.example`
      })
      ids.push((yield* post(`/projects/${projectId}/prospects`, { contactId: contact.id })).id)
    }
    return ids
  })
  const prospects = yield* prospectsOf(project.id, ["Anna", "Ben", "Carla", "David"])
  for (const id of prospects.slice(0, 2)) yield* Effect.orDie(reach(project.id, id, "room_access_granted"))
  for (const [index, type] of ["email", "call"].entries()) {
    yield* post(`/projects/${project.id}/prospects/${prospects[index + 2]}/tasks`, { type, dueDate: "today" })
  }
  const second = yield* post("/projects", { name: "Nordhafen" })
  const visitors = yield* prospectsOf(second.id, ["Eva", "Finn", "Gina", "Hugo"])
  const monday = thisMonday()
  const times = [monday - 1, monday - 7 * day, monday - 7 * day - 1, monday]
  for (const [index, id] of visitors.entries()) yield* enter(second.id, id, times[index] ?? 0)
  return {
    agent: yield* Agent.make(token),
    mandate: mandate.id,
    offer: yield* anOffer({ userId }),
    second: second.id,
    lastWeek: visitors.slice(0, 2),
    company: company.id,
    project: project.id,
    property: property.id,
    prospects,
    userId
  }
})

type Deal = Effect.Success<typeof deal>

/** Calls a tool, and returns what it answers; a refusal is part of some tasks. */
type Use = (tool: string, args?: Readonly<Record<string, unknown>>) => Effect.Effect<Agent.Answer, never, TestService>

/** A task in the words of a person, with the calls and the tokens that it may take. */
interface Task {
  readonly task: string
  readonly calls: number
  readonly tokens: number
  readonly solve: (use: Use, made: Deal) => Effect.Effect<void, never, TestService>
}

const rows = (answer: Agent.Answer, name: string) => answer[name] as ReadonlyArray<Row>

const tasks: ReadonlyArray<Task> = [
  {
    task: "Who am I, and what may I do here?",
    calls: 1,
    tokens: 360,
    solve: Effect.fnUntraced(function* (use) {
      assert.deepStrictEqual((yield* use("get_me"))["capabilities"], { broker: "active", investor: "active" })
    })
  },
  {
    task: "What is the domain of Rossi?",
    calls: 1,
    tokens: 100,
    solve: Effect.fnUntraced(function* (use) {
      const [found] = rows(yield* use("list_companies", { query: "rossi" }), "companies")
      assert.strictEqual(found?.["domain"], "rossi.example")
    })
  },
  {
    task: "Add Maria Rossi of rossi.example, unless we have her.",
    calls: 2,
    tokens: 300,
    solve: Effect.fnUntraced(function* (use) {
      const missing = yield* use("get_contact", { contact: "email=maria@rossi.example" })
      assert.strictEqual(missing.error.code, "not_found")
      const added = yield* use("create_contact", {
        firstName: "Maria",
        lastName: "Rossi",
        email: "maria@rossi.example",
        primaryCompany: "domain=rossi.example"
      })
      assert.isString(added.id)
    })
  },
  {
    task: "Anna's number is now +49 30 1234567; do not overwrite anybody's change.",
    calls: 2,
    tokens: 400,
    solve: Effect.fnUntraced(function* (use) {
      const { etag, id } = yield* use("get_contact", { contact: "email=anna@berg.example" })
      const { etag: next } = yield* use("update_contact", { contact: id, phone: "+49 30 1234567", etag })
      assert.notStrictEqual(next, etag)
    })
  },
  {
    task: "What would be lost if we deleted Ben?",
    calls: 1,
    tokens: 260,
    solve: Effect.fnUntraced(function* (use) {
      const { affected_projects: affected, preview } = yield* use("delete_contact", {
        contact: "email=ben@berg.example",
        preview: true
      })
      assert.isAtLeast(preview?.affectedCount ?? 0, 2)
      assert.lengthOf(affected as ReadonlyArray<unknown>, 1)
    })
  },
  {
    task: "Enter an office building of 12,000 m² in Leipzig.",
    calls: 1,
    tokens: 180,
    solve: Effect.fnUntraced(function* (use) {
      const args = {
        name: "Court",
        country: "DE",
        locality: "Leipzig",
        categories: ["office"],
        lettableAreaSqm: 12_000
      }
      assert.isString((yield* use("create_property", args)).id)
    })
  },
  {
    task: "Ben looks for logistics near Leipzig: keep that.",
    calls: 1,
    tokens: 400,
    solve: Effect.fnUntraced(function* (use) {
      const kept = yield* use("create_mandate", {
        name: "Logistics",
        contact: "email=ben@berg.example",
        categories: ["logistics"],
        location: "Leipzig"
      })
      assert.isString(kept.id)
    })
  },
  {
    task: "Who looks for something in Munich?",
    calls: 1,
    tokens: 120,
    solve: Effect.fnUntraced(function* (use, { mandate }) {
      const found = rows(yield* use("search_mandates", { location: "Munich" }), "mandates")
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [mandate]
      )
    })
  },
  {
    task: "Whom does Hall 4 fit?",
    calls: 1,
    tokens: 100,
    solve: Effect.fnUntraced(function* (use, { mandate, property }) {
      const found = rows(yield* use("match_property", { property }), "mandates")
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        [mandate]
      )
    })
  },
  {
    task: "Classify everyone who was in the data room as bidders, and plan calls in two weeks.",
    calls: 4,
    tokens: 780,
    solve: Effect.fnUntraced(function* (use, { project }) {
      const found = rows(yield* use("list_prospects", { project, stage: "data_room" }), "prospects")
      assert.lengthOf(found, 2)
      yield* use("classify_prospects", { project, prospects: found.map(({ id }) => id), classification: "bidder" })
      for (const { id } of found) {
        const planned = yield* use("add_prospect_task", { prospect: id, type: "call", dueDate: "14d" })
        assert.isString(planned.id)
      }
    })
  },
  {
    task: "Classify everyone who got into the data room last week as bidders, and plan calls.",
    calls: 4,
    tokens: 1500,
    solve: Effect.fnUntraced(function* (use, { lastWeek, second }) {
      const monday = thisMonday()
      const happened = rows(yield* use("list_activities", { projectRef: second, type: "audit" }), "activities")
      const entered = happened.filter(({ event, occurredUtc }) => {
        const at = Date.parse(String(occurredUtc))
        return event === "prospect.room_access_granted" && at >= monday - 7 * day && at < monday
      })
      const found = entered.map(({ subjectId }) => String(subjectId))
      assert.deepStrictEqual(found, lastWeek)
      const { classified } = yield* use("classify_prospects", {
        project: second,
        prospects: found,
        classification: "bidder"
      })
      assert.lengthOf(classified as ReadonlyArray<unknown>, 2)
      for (const prospect of found) {
        assert.isString((yield* use("add_prospect_task", { prospect, type: "call", dueDate: "14d" })).id)
      }
    })
  },
  {
    task: "Carla said maybe, on the phone: record it.",
    calls: 3,
    tokens: 540,
    solve: Effect.fnUntraced(function* (use, { project, prospects }) {
      const listed = rows(yield* use("list_prospects", { project, interest: "none" }), "prospects")
      const carla = listed.find(({ id }) => id === prospects[2])
      assert.isDefined(carla)
      yield* use("set_prospect_interest", { prospect: prospects[2], interest: "maybe" })
      yield* use("log_activity", { projectRef: project, prospectRef: prospects[2], message: "Called: maybe." })
    })
  },
  {
    task: "David has bid by letter: correct his stage.",
    calls: 1,
    tokens: 120,
    solve: Effect.fnUntraced(function* (use, { prospects }) {
      const { stage } = yield* use("override_prospect_stage", {
        prospect: prospects[3],
        stage: "bid",
        reason: "Bid by letter"
      })
      assert.strictEqual(stage, "bid")
    })
  },
  {
    task: "Which calls are due this week? The first one is done.",
    calls: 2,
    tokens: 600,
    solve: Effect.fnUntraced(function* (use, { prospects }) {
      const due = rows(yield* use("list_prospects", { taskDue: "this_week" }), "prospects")
      const tasks = due.map(({ nextTask }) => nextTask as Row)
      assert.deepStrictEqual(
        tasks.map((task) => task["type"]),
        ["email", "call"]
      )
      const done = yield* use("complete_prospect_task", { task: tasks[1]?.id })
      assert.deepStrictEqual([done["status"], done["prospectId"]], ["completed", prospects[3]])
    })
  },
  {
    task: "What happened on the project?",
    calls: 1,
    tokens: 2320,
    solve: Effect.fnUntraced(function* (use, { project }) {
      assert.isNotEmpty(rows(yield* use("list_activities", { projectRef: project }), "activities"))
    })
  },
  {
    task: "Have we received offers that nobody has answered?",
    calls: 1,
    tokens: 200,
    solve: Effect.fnUntraced(function* (use, { offer }) {
      const waiting = rows(yield* use("list_offers", { filter: "unanswered" }), "offers")
      assert.deepStrictEqual(
        waiting.map(({ id }) => id),
        [offer]
      )
    })
  }
]

layer(TestService.layer, { excludeTestServices: true })("An agent", (it) => {
  it.effect("does the tasks of a broker in few calls with short answers", () =>
    Effect.gen(function* () {
      const made = yield* deal
      const used: Array<readonly [string, number, number]> = []
      for (const { solve, task } of tasks) {
        let [calls, tokens] = [0, 0]
        const use: Use = (tool, args) =>
          Effect.map(made.agent.call(tool, args), ({ structured, text }) => {
            calls++
            tokens += encode(text).length
            const code = (structured as Partial<Agent.Answer>).error?.code
            assert.isTrue(code === undefined || code === "not_found", `${task} ${tool}: ${text}`)
            return structured
          })
        yield* solve(use, made)
        used.push([task, calls, tokens])
      }
      assert.deepStrictEqual(
        used.map(([task, calls]) => [task, calls]),
        tasks.map(({ calls, task }) => [task, calls])
      )
      for (const [index, [task, , tokens]] of used.entries()) {
        const most = tasks[index]?.tokens ?? 0
        assert.isAtMost(tokens, most, task)
        // A bound that is far too high would say nothing.
        assert.isAbove(tokens, (most * 2) / 3, task)
      }
    })
  )

  it("finds the same figures in the documents", () => {
    const document = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8")
    for (const { calls, task, tokens } of tasks) assert.include(document, `| ${task} | ${calls} | ${tokens} |`)
  })
})
