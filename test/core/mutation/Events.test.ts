/** The vocabulary of events and the names of changed fields, as they are published. */
import fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { auditFields } from "../../../src/core/mutation/Audit.ts"
import {
  changedFieldNames,
  eventTypes,
  patternsOf,
  recordEventTypes,
  resourceOf,
  typesOf,
  wildcards
} from "../../../src/core/mutation/Event.ts"
import { eventsOf } from "../../../src/core/mutation/ChangeRecord.ts"
import { summaryOf } from "../../../src/core/mutation/SampleEvent.ts"
import { Mandate } from "../../../src/market/mandates/Mandate.ts"
import { Company } from "../../../src/network/companies/Company.ts"
import { Contact } from "../../../src/network/contacts/Contact.ts"
import { Link } from "../../../src/network/links/Link.ts"
import { Offer } from "../../../src/deals/offers/Offer.ts"
import { Project } from "../../../src/deals/projects/Project.ts"
import { Property } from "../../../src/market/properties/Property.ts"
import { Prospect } from "../../../src/deals/prospects/Prospect.ts"
import { TaskPatch } from "../../../src/deals/prospects/tasks/Task.ts"
import { QuestionPatch } from "../../../src/deals/rooms/questions/Question.ts"
import { TeaserPatch } from "../../../src/deals/teasers/Teaser.ts"

const docs = readFileSync(new URL("../../../docs/behaviour/webhooks.md", import.meta.url), "utf8")

const quoted = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``)

describe("The vocabulary of events", () => {
  it("is published in the documentation", () => {
    for (const type of eventTypes) assert.include(docs, `| \`${type}\` | ${summaryOf(type)} |`)
  })

  it("is what wildcards stand for, each type once and in its order", () => {
    assert.deepStrictEqual(typesOf(["*"]), [...eventTypes])
    fc.assert(
      fc.property(fc.subarray([...eventTypes, ...wildcards]), (patterns) => {
        const types = typesOf(patterns)
        for (const type of eventTypes) {
          const isMeant =
            patterns.includes(type) || patterns.includes("*") || patterns.includes(`${resourceOf(type)}.*` as const)
          assert.strictEqual(types.includes(type), isMeant, type)
          assert.lengthOf(patternsOf(type), 3)
        }
        assert.deepStrictEqual([...new Set(types)], types)
      })
    )
  })

  it("adds the name of a timeline row to the event of a record, and none that is the type of a record", () => {
    for (const type of eventTypes) {
      const events = eventsOf({
        change: "updated",
        resource: { type: "prospect", id: "019ab000-0000-7000-8000-000000000000" },
        subjects: [{ type: "prospect", id: "019ab000-0000-7000-8000-000000000000" }],
        timeline: { event: type, details: { kind: "audit", message: "private" } },
        event: { type: "prospect.updated", extras: { changed_fields: null } }
      })
      const isOfRecord = recordEventTypes.some((recordType) => recordType === type)
      assert.deepStrictEqual(
        events.map((event) => event.type),
        isOfRecord ? ["prospect.updated"] : ["prospect.updated", type]
      )
      assert.notInclude(JSON.stringify(events), "private")
    }
  })
})

describe("An event of a timeline row", () => {
  it("has the names of the members that changed of a task or question, and none of its texts", () => {
    const eventOf = (event: "prospect.task_updated" | "room.question_updated", details: object) =>
      eventsOf({
        change: "updated",
        resource: { type: "room", id: "019ab000-0000-7000-8000-000000000000" },
        subjects: [{ type: "room", id: "019ab000-0000-7000-8000-000000000000" }],
        timeline: { event, details: { kind: "audit", message: "private", ...details } }
      })
    const taskId = "task_01kb3n7x2ferwt5z8q4j6m9d0c"
    assert.deepStrictEqual(eventOf("prospect.task_updated", { taskId, changedFields: ["dueDate"] }), [
      { type: "prospect.task_updated", extras: { changed_fields: ["due_date"], task_id: taskId } }
    ])
    const questionId = "question_01kb3n7x2ferwt5z8q4j6m9d0c"
    assert.deepStrictEqual(eventOf("room.question_updated", { questionId, changedFields: ["priority", "assignee"] }), [
      { type: "room.question_updated", extras: { changed_fields: ["priority", "assignee"] } }
    ])
  })
})

describe("The names of changed fields", () => {
  const schemas = {
    contact: Contact,
    company: Company,
    link: Link,
    property: Property,
    mandate: Mandate,
    project: Project,
    prospect: Prospect,
    teaser: TeaserPatch,
    offer: Offer,
    task: TaskPatch,
    question: QuestionPatch
  }

  it("include every member of a record, and no others", () => {
    for (const [resource, names] of Object.entries(changedFieldNames)) {
      const members = Object.keys(schemas[resource as keyof typeof schemas].fields).filter(
        (member) => member !== "id" && member !== "mergedInto" && !(member in auditFields)
      )
      const ofUpdates = Object.keys(names).filter((member) => member !== "createdUtc" && member !== "deletedUtc")
      assert.sameMembers(ofUpdates, members, resource)
    }
  })

  it("contain those that clients have known from the first version", () => {
    const listed = {
      contact: "email first_name last_name phone primary_language primary_company_id tags strategy profile_picture",
      company: "name country homepage_url domain tags strategy profile_picture",
      link: "job_title",
      project: "name is_portfolio property_count published_at communicated_at closed_at deleted_at mandate exclusivity",
      prospect: "created_at deleted_at external_refs project_tags"
    }
    for (const [resource, names] of Object.entries(listed)) {
      const known = Object.values(changedFieldNames[resource as keyof typeof listed]).flat()
      assert.includeMembers<string>(known, names.split(" "))
    }
  })

  it("are published in the documentation", () => {
    for (const [resource, members] of Object.entries(changedFieldNames)) {
      const row = Object.entries(members).map(([member, names]) => `\`${member}\`: ${quoted(names).join(" and ")}`)
      assert.include(docs, `| ${resource} | ${row.join("; ")} |`)
    }
  })
})
