/** `affected` in the report of a dry run, including changes by cascades. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { describe, test } from "vitest"
import { addAffected } from "../../src/core/mutation/ChangeRecord.ts"
import { fixture } from "../deals/prospects/cascades/fixture.ts"
import { TestService } from "../support/TestService.ts"

const dry = { prefer: "dry-run" }

interface Report {
  readonly wouldAnswer: number
  readonly affected: ReadonlyArray<{ readonly type: string; readonly id: string; readonly change: string }>
}

/** A tenant, and the `affected` of its dry runs as `change id`. */
const rehearsals = Effect.gen(function* () {
  const made = yield* fixture()
  return {
    ...made,
    affectedBy: (method: string, path: string, json?: unknown) =>
      Effect.map(made.ask(method, path, json, dry), (reply) => {
        assert.strictEqual(reply.status, 200, reply.text)
        const { affected } = reply.body as object as Report
        for (const { id, type } of affected)
          if (type !== "act") assert.isTrue(id.startsWith(`${type}_`), `${type} ${id}`)
        return affected.map(({ change, id }) => `${change} ${id}`)
      })
  }
})

/** The ETag of a prospect, which changes with the prospect. */
const changedBy = Effect.fnUntraced(function* <
  A extends { readonly now: Effect.Effect<{ readonly etag: string }, never, R> },
  R
>(prospects: ReadonlyArray<A>, write: Effect.Effect<unknown, never, R>) {
  const before = yield* Effect.forEach(prospects, ({ now }) => now)
  yield* write
  const after = yield* Effect.forEach(prospects, ({ now }) => now)
  return prospects.filter((_, index) => before[index]?.etag !== after[index]?.etag)
})

layer(TestService.layer, { excludeTestServices: true })("The report of a dry run", (it) => {
  it.effect("lists each resource once, whatever the number of its changes", () =>
    Effect.gen(function* () {
      const { affectedBy, prospect, prospects } = yield* rehearsals
      const { id } = yield* prospect()
      const patch = { classification: "bidder", projectTags: ["first"], owner: "me" }
      assert.deepStrictEqual(yield* affectedBy("PATCH", `${prospects.path}/${id}`, patch), [`updated ${id}`])
      const other = yield* prospect()
      const classify = { prospectIds: [other.id, id], classification: "bidder" }
      assert.deepStrictEqual(yield* affectedBy("POST", `${prospects.path}/classify`, classify), [
        `updated ${other.id}`,
        `updated ${id}`
      ])
    })
  )

  it.effect("lists the prospects that are restored with their project, including removed ones", () =>
    Effect.gen(function* () {
      const { affectedBy, contact, contacts, deleteProject, on, project } = yield* rehearsals
      const id = yield* project()
      const [kept, gone] = [yield* contact(), yield* contact()]
      const places = [yield* on(id, { contactId: kept.id }), yield* on(id, { contactId: gone.id })]
      yield* deleteProject(id)
      yield* contacts.delete(gone.id)
      assert.sameMembers(
        [...(yield* affectedBy("POST", `/api/v1/projects/${id}/restore`))],
        [`restored ${id}`, ...places.map((place) => `restored ${place.id}`)]
      )
    })
  )

  it.effect("lists the prospects that copy a changed contact or company", () =>
    Effect.gen(function* () {
      const { affectedBy, companies, company, contact, contacts, on, project } = yield* rehearsals
      const person = yield* contact()
      const firm = yield* company()
      const [a, b] = [yield* project(), yield* project()]
      const places = [yield* on(a, { contactId: person.id }), yield* on(b, { contactId: person.id })]
      const place = yield* on(a, { companyId: firm.id })
      yield* contact()
      const renamed = yield* affectedBy("PATCH", `/api/v1/network/contacts/${person.id}`, {
        firstName: "Mia",
        tags: ["core"]
      })
      assert.deepStrictEqual(renamed, [`updated ${person.id}`, ...places.map(({ id }) => `updated ${id}`).sort()])
      const called = yield* affectedBy("PATCH", `/api/v1/network/contacts/${person.id}`, { phone: "+41 44 000 00 00" })
      assert.deepStrictEqual(called, [`updated ${person.id}`])
      const moved = yield* affectedBy("PATCH", `/api/v1/network/companies/${firm.id}`, { country: "IT" })
      assert.deepStrictEqual(moved, [`updated ${firm.id}`, `updated ${place.id}`])
      assert.deepStrictEqual(yield* changedBy(places, contacts.patch(person.id, { firstName: "Mia" })), places)
      assert.deepStrictEqual(yield* changedBy(places, contacts.patch(person.id, { phone: "1" })), [])
      assert.deepStrictEqual(yield* changedBy([place], companies.patch(firm.id, { country: "IT" })), [place])
    })
  )

  it.effect("lists the prospects that a merge moves to the surviving record", () =>
    Effect.gen(function* () {
      const { affectedBy, contact, merge, on, project } = yield* rehearsals
      const [maria, double] = [yield* contact({ firstName: "Maria" }), yield* contact({ firstName: "M." })]
      const [a, b, c] = [yield* project(), yield* project(), yield* project()]
      const moved = yield* on(a, { contactId: double.id })
      const own = yield* on(b, { contactId: maria.id })
      const dropped = yield* on(b, { contactId: double.id, projectTags: ["first"] })
      const aside = yield* on(c, { contactId: maria.id })
      const affected = yield* affectedBy("POST", `/api/v1/network/contacts/${maria.id}/merge`, { from: [double.id] })
      assert.deepStrictEqual(affected.slice(0, 2), [`updated ${maria.id}`, `deleted ${double.id}`])
      assert.sameMembers(affected.slice(2), [`updated ${moved.id}`, `updated ${own.id}`, `deleted ${dropped.id}`])
      const changed = yield* changedBy([moved, own, aside], merge("contacts", maria.id, [double.id]))
      assert.deepStrictEqual(changed, [moved, own])
    })
  )

  it.effect("lists the prospect whose number of notes changes", () =>
    Effect.gen(function* () {
      const { affectedBy, ask, prospect, prospects } = yield* rehearsals
      const { id } = yield* prospect()
      const notes = `${prospects.path}/${id}/notes`
      const [note, counted, ...rest] = yield* affectedBy("POST", notes, { message: "Called" })
      assert.match(note ?? "", /^created act_/)
      assert.deepStrictEqual([counted, rest], [`updated ${id}`, []])
      const made = yield* prospects.note(id, { message: "Called" })
      const revise = Effect.fnUntraced(function* (json: unknown) {
        const reply = yield* ask("PATCH", `${notes}/${String(made.body["id"])}`, json, { ...dry, "if-match": "*" })
        return (reply.body as object as Report).affected.map(({ change, type }) => `${change} ${type}`)
      })
      assert.deepStrictEqual(yield* revise({ action: "archive" }), ["updated act", "updated prospect"])
      assert.deepStrictEqual(yield* revise({ action: "supersede", supersede: { message: "Wrote" } }), [
        "updated act",
        "created act"
      ])
    })
  )
})

describe("Several changes of one resource", () => {
  test("are reported as the strongest change, at the position of the first", () => {
    const one = (change: "created" | "updated" | "deleted" | "restored", id: "task_1" | "task_2" = "task_1") =>
      ({ type: "task", id, change }) as const
    const stronger = ["created", "deleted", "restored", "updated"] as const
    for (const [index, strong] of stronger.entries()) {
      for (const weak of stronger.slice(index)) {
        for (const both of [
          [one(strong), one("updated", "task_2"), one(weak)],
          [one(weak), one("updated", "task_2"), one(strong)]
        ]) {
          const expected = [one(strong), one("updated", "task_2")]
          assert.deepStrictEqual(addAffected([], both), expected)
          assert.deepStrictEqual(addAffected(both.slice(0, 1), both.slice(1)), expected)
        }
      }
    }
  })
})
