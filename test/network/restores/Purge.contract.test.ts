import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DeletedRecords } from "../../../src/core/records/DeletedRecords.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Retention, standardPeriods } from "../../../src/platform/Retention.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { make, paths, refusal } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("The purge of deleted content", (it) => {
  it.effect(
    "removes after 30 days what records held, their notes' text and what deletions changed; tombstones stay",
    () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { purge } = yield* DeletedRecords
        const team = yield* make()
        const [old, young] = [yield* team.contact({ lastName: "Berg" }), yield* team.contact({ lastName: "Tal" })]
        const project = yield* team.project({ sellerContactId: old.id })
        const company = yield* team.company()
        yield* team.link(old.id, company.id)
        for (const { id } of [old, young]) {
          yield* team.post(`${paths.contact}/${id}/notes`, { message: "Prefers mornings" })
          yield* team.remove("contact", id)
        }
        const inCell = inTeam(team.teamId)
        yield* inCell(
          sql`
          update deleted_records set deleted_at = ${new Date(Date.now() - 31 * 86_400_000)}
          where team_id = ${team.teamId} and fields ->> 'lastName' is distinct from 'Tal'`
        )
        const kept = Effect.all({
          records: sql`select type, fields ->> 'lastName' as name from deleted_records where team_id = ${team.teamId}`,
          effects: sql`select type from deletion_effects where team_id = ${team.teamId}`,
          notes: sql`select details ->> 'message' as text from actions where team_id = ${team.teamId} and type = 'note' order by number`
        })
        assert.deepInclude(yield* inCell(kept), { effects: [{ type: "project" }] })
        // Other teams of the run have nothing so old.
        while ((yield* purge(1)) > 0);
        assert.deepStrictEqual(yield* kept, {
          records: [{ type: "contact", name: "Tal" }],
          effects: [],
          notes: [{ text: null }, { text: "Prefers mornings" }]
        })
        assert.deepStrictEqual(refusal(yield* team.tryRestore("contact", old.id)), [404, "not_found"])
        yield* untilSettled("contacts")
        const tombstones = yield* team.list(`${paths.contact}?include_deleted=true`)
        assert.sameMembers(
          tombstones.map(({ id }) => id),
          [old.id, young.id]
        )
        assert.strictEqual((yield* team.get(`/api/v1/projects/${project.id}`))["sellerContactId"], null)
        assert.deepStrictEqual((yield* team.restore("contact", young.id)).notRestored, [])
        const [note] = yield* team.list(`${paths.contact}/${young.id}/notes`)
        assert.deepInclude(note?.["details"] as object, { message: "Prefers mornings" })
      })
  )
})

const keptForNoTime = Layer.succeed(Retention, { ...standardPeriods, deletedContent: 0 })

layer(TestService.layerWith(keptForNoTime), { excludeTestServices: true })("A retention of no days", (it) => {
  it.effect("lets nobody restore anything, and the next purge removes it", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { purge } = yield* DeletedRecords
      const team = yield* make()
      const contact = yield* team.contact()
      yield* team.remove("contact", contact.id)
      assert.deepStrictEqual(refusal(yield* team.tryRestore("contact", contact.id)), [404, "not_found"])
      const inCell = inTeam(team.teamId)
      while ((yield* inCell(purge(1000))) > 0);
      assert.deepStrictEqual(yield* inCell(sql`select id from deleted_records where team_id = ${team.teamId}`), [])
    })
  )
})
