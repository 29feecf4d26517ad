import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import { describe, expect, test } from "vitest"
import {
  answerOf,
  blank,
  fieldsOf,
  maxProjects,
  normalize,
  type ProjectFields,
  type ProjectRecord,
  type ProjectState,
  rejectionOf,
  stateOf,
  statusOf,
  toChangeRecord,
  toRecord,
  transitions,
  writeContextOf
} from "../../../src/deals/projects/rules.ts"
import { withOwner } from "../../../src/identity/teams/rules.ts"

const uuid = "019ac000-0000-7000-8000-000000000001"
const id = "project_01kb000000e008000000000001"
const at = "2026-11-21T09:00:00.000Z"

const audit = (deletedUtc: string | null) => ({
  createdUtc: at,
  updatedUtc: at,
  etag: '"v1"',
  changeType: "updated",
  changeOrigin: "api",
  deletedUtc
})

const record = (fields: Partial<ProjectFields>, deletedUtc: string | null = null): ProjectRecord =>
  toRecord(id, { ...blank, name: "Tal", ...fields }, audit(deletedUtc))

const times = fc.record({
  publishedUtc: fc.constantFrom(null, at),
  communicatedUtc: fc.constantFrom(null, at),
  roomOpenedUtc: fc.constantFrom(null, at),
  closedUtc: fc.constantFrom(null, at)
})

describe("The status of a project", () => {
  test("is closed once it was closed, open once an investor could have seen it, and draft before", () => {
    fc.assert(
      fc.property(times, (fields) => {
        const { closedUtc, ...seen } = fields
        const expected =
          closedUtc !== null ? "closed" : Object.values(seen).every((time) => time === null) ? "draft" : "open"
        expect(statusOf(fields)).toBe(expected)
        expect(record(fields).status).toBe(expected)
      })
    )
  })

  test("is null on a tombstone, which only has its references and audit members", () => {
    const externalRefs = [{ namespace: "crm", externalId: "1" }]
    const whole = { ...blank, name: "Tal", isPortfolio: true, ownerId: "user_x", communicatedUtc: at, externalRefs }
    const { changeOrigin, changeType, createdUtc, deletedUtc, etag, propertyIds, updatedUtc, ...rest } = answerOf(
      toRecord(id, whole, audit(at))
    )
    expect([changeOrigin, changeType, createdUtc, deletedUtc, etag, updatedUtc, propertyIds]).toStrictEqual([
      "api",
      "updated",
      at,
      at,
      '"v1"',
      at,
      []
    ])
    const { externalRefs: refs, id: same, ...members } = rest
    expect([same, refs]).toStrictEqual([id, externalRefs])
    expect(new Set(Object.values(members))).toStrictEqual(new Set([null]))
  })
})

describe("The lifecycle", () => {
  test("has a state for each combination of its inputs", () => {
    fc.assert(
      fc.property(times, fc.boolean(), fc.boolean(), (fields, hasRoomAccess, isDeleted) => {
        const { closedUtc, communicatedUtc } = fields
        const state = stateOf({ closedUtc, communicatedUtc, deletedUtc: isDeleted ? at : null }, hasRoomAccess)
        const shared = communicatedUtc !== null || hasRoomAccess
        const expected: ProjectState = isDeleted
          ? "deleted"
          : closedUtc === null
            ? shared
              ? "shared"
              : "draft"
            : shared
              ? "closed_shared"
              : "closed"
        expect(state).toBe(expected)
      })
    )
  })

  const table: ReadonlyArray<readonly [ProjectState, string, string, string, string]> = [
    // state, close, reopen, delete, restore
    ["draft", "closed", "draft", "deleted", "refused"],
    ["shared", "closed_shared", "shared", "refused", "refused"],
    ["closed", "closed", "draft", "deleted", "refused"],
    ["closed_shared", "closed_shared", "shared", "refused", "refused"],
    ["deleted", "missing", "missing", "missing", "as_before"]
  ]

  test.each(table)(
    "of a project that is %s: close %s, reopen %s, delete %s, restore %s",
    (state, close, reopen, remove, restore) => {
      expect(transitions[state]).toStrictEqual({ close, reopen, delete: remove, restore })
    }
  )

  test("has these states and no others", () => {
    expect(Object.keys(transitions)).toStrictEqual(table.map(([state]) => state))
  })
})

describe("The exclusivity", () => {
  const values = [undefined, null, "exclusive", "other"] as const
  const named = (member: string, value: string | null | undefined) => (value === undefined ? {} : { [member]: value })

  for (const exclusivity of values) {
    for (const mandate of values) {
      test(`sent as ${String(exclusivity)}, and as mandate ${String(mandate)}`, () => {
        const sent = { name: "Tal", ...named("exclusivity", exclusivity), ...named("mandate", mandate) }
        const both = typeof exclusivity === "string" && typeof mandate === "string"
        const refusal = rejectionOf(sent)
        expect(refusal?.code).toBe(both ? "validation_failed" : undefined)
        if (both) return
        const value = exclusivity ?? mandate
        const isSent = exclusivity !== undefined || mandate !== undefined
        expect(fieldsOf(sent)).toStrictEqual(isSent ? { name: "Tal", exclusivity: value ?? null } : { name: "Tal" })
      })
    }
  }

  test("is ignored unless an object was sent", () => {
    for (const value of [null, 1, "mandate", [], [{ mandate: "other", exclusivity: "other" }]]) {
      expect(rejectionOf(value)).toBeUndefined()
    }
  })
})

describe("The owner", () => {
  test("is the caller for me, if the caller is a user, also in the items of a batch", () => {
    const owner = { name: "Tal", ownerId: "me" }
    expect(withOwner(owner, uuid)).toStrictEqual({ name: "Tal", ownerId: "user_01kb000000e008000000000001" })
    expect(withOwner(owner, null)).toStrictEqual(owner)
    expect(withOwner({ items: [owner, {}, 1] }, uuid)).toStrictEqual({ items: [withOwner(owner, uuid), {}, 1] })
    for (const value of [{ ownerId: null }, { ownerId: "user_x" }, {}, null, ["me"], "me"]) {
      expect(withOwner(value, uuid)).toStrictEqual(value)
    }
  })

  test("must exist when it changes, as must linked properties, each on a limited number of projects", () => {
    const projects = Array.from({ length: maxProjects }, (_, index) => `project_${index}`)
    const { faultsOf } = writeContextOf(
      new Set(["user_a"]),
      new Map([
        ["a", []],
        ["full", projects],
        ["own", [...projects.slice(1), Id.fromUuid("project", uuid)]]
      ])
    )
    const faults = (fields: Partial<ProjectFields>, changed: ReadonlyArray<keyof ProjectFields>) =>
      faultsOf({ fields: { ...blank, ...fields }, changed, uuid, force: false }).map(
        ({ code, pointer }) => `${pointer} ${code}`
      )
    expect(faults({ ownerId: "user_a" }, ["ownerId"])).toStrictEqual([])
    expect(faults({ ownerId: null }, ["ownerId"])).toStrictEqual([])
    expect(faults({ ownerId: "user_b" }, ["name"])).toStrictEqual([])
    expect(faults({ propertyIds: ["b"] }, ["name"])).toStrictEqual([])
    expect(
      faults({ ownerId: "user_b", propertyIds: ["a", "b", "full", "own"] }, ["ownerId", "propertyIds"])
    ).toStrictEqual(["/ownerId invalid_reference", "/propertyIds/1 invalid_reference", "/propertyIds/2 too_many"])
  })
})

describe("The number of properties", () => {
  const linked: ProjectFields = { ...blank, propertyIds: ["a", "b"], propertyCount: 2 }

  test("follows the linked properties, each of which counts once", () => {
    expect(normalize({ propertyIds: ["a", "b", "a"] }, blank)).toMatchObject({
      propertyIds: ["a", "b"],
      propertyCount: 2
    })
    expect(normalize({ propertyIds: [] }, linked)).toMatchObject({ propertyIds: [], propertyCount: 0 })
    expect(normalize({ propertyIds: [] }, blank)).toStrictEqual({ propertyIds: [] })
  })

  test("stays as somebody wrote it, and follows again after it was cleared", () => {
    const written: ProjectFields = { ...linked, ...normalize({ propertyCount: 9 }, linked) }
    expect(written).toMatchObject({ propertyCount: 9, propertyCountWritten: true })
    expect(normalize({ propertyIds: ["a"] }, written)).not.toHaveProperty("propertyCount")
    const cleared: ProjectFields = { ...written, ...normalize({ propertyCount: null }, written) }
    expect(cleared).toMatchObject({ propertyCount: null, propertyCountWritten: false })
    expect(normalize({ propertyIds: ["a"] }, cleared)).toMatchObject({ propertyCount: 1 })
  })

  test("does not count as written when it is sent back as it was read", () => {
    const { propertyCount, propertyIds } = linked
    expect(normalize({ propertyCount, propertyIds }, linked)).toStrictEqual({ propertyCount, propertyIds })
    expect(normalize({ propertyCount, propertyIds: ["a"] }, linked)).toMatchObject({ propertyCount: 1 })
  })
})

describe("The change record of a project", () => {
  const recordOf = (fields: Partial<ProjectFields>, changed: ReadonlyArray<keyof ProjectFields>) => {
    const { event, subjects, timeline } = toChangeRecord("updated", record(fields), uuid, changed)
    return { extras: event?.extras, subjects, timeline }
  }

  test("names the changed fields, the exclusivity by both its names", () => {
    const names: ReadonlyArray<readonly [keyof ProjectFields, ReadonlyArray<string> | null]> = [
      ["name", ["name"]],
      ["description", ["description"]],
      ["isPortfolio", ["is_portfolio"]],
      ["propertyCount", ["property_count"]],
      ["propertyIds", ["property_ids"]],
      ["exclusivity", ["mandate", "exclusivity"]],
      ["ownerId", ["owner_id"]],
      ["publishedUtc", ["published_at"]],
      ["communicatedUtc", ["communicated_at"]],
      ["externalRefs", ["external_refs"]]
    ]
    for (const [member, expected] of names) {
      expect(recordOf({}, [member]).extras, member).toStrictEqual({ changed_fields: expected })
    }
    expect(recordOf({}, ["description", "name", "exclusivity"]).extras).toStrictEqual({
      changed_fields: ["description", "name", "mandate", "exclusivity"]
    })
  })

  test("has an action for closing and reopening", () => {
    expect(recordOf({ closedUtc: at }, ["closedUtc"])).toStrictEqual({
      extras: { changed_fields: ["closed_at"], action: { type: "closed" } },
      subjects: [{ type: "project", id: uuid }],
      timeline: { event: "project.closed", details: { kind: "audit" } }
    })
    expect(recordOf({}, ["closedUtc"])).toMatchObject({
      extras: { changed_fields: ["closed_at"], action: { type: "reopened" } },
      timeline: { event: "project.reopened" }
    })
  })

  test("has a timeline event for the first teaser, and a changed status for the first room access", () => {
    expect(recordOf({ communicatedUtc: at }, ["communicatedUtc"]).timeline).toStrictEqual({
      event: "project.communicated",
      details: { kind: "audit" }
    })
    expect(recordOf({ name: "Tal" }, ["name", "ownerId"]).timeline).toStrictEqual({
      event: "project.updated",
      details: { kind: "audit", changedFields: ["name", "ownerId"] }
    })
    expect(recordOf({ roomOpenedUtc: at }, ["roomOpenedUtc"])).toStrictEqual({
      extras: { changed_fields: ["status"] },
      subjects: [{ type: "project", id: uuid }],
      timeline: { event: "project.updated", details: { kind: "audit", changedFields: ["status"] } }
    })
  })

  test("has the references of deleted projects only", () => {
    const project = record({ externalRefs: [{ namespace: "crm", externalId: "1" }] })
    for (const change of ["created", "restored", "deleted"] as const) {
      expect(toChangeRecord(change, project, uuid, [])).toStrictEqual({
        change,
        resource: { type: "project", id: uuid },
        subjects: [{ type: "project", id: uuid }],
        timeline: { event: `project.${change}`, details: { kind: "audit" } },
        event: {
          type: `project.${change}`,
          extras: change === "deleted" ? { external_refs: [{ namespace: "crm", id: "1" }] } : {}
        }
      })
    }
  })
})
