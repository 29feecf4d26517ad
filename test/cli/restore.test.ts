/** The command `restore`: docs/command-line.md#restore-what-was-deleted. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { RestoreSummary } from "../../src/network/restores/Restores.ts"
import { make, paths } from "../network/restores/fixture.ts"
import { runToEnd } from "../support/Admin.ts"
import { TestService } from "../support/TestService.ts"

const run = (...args: ReadonlyArray<string>) => runToEnd(["restore", ...args])

const answerOf = Effect.fnUntraced(function* <A = RestoreSummary>(...args: ReadonlyArray<string>) {
  const { err, ok, out } = yield* run(...args, "--json")
  assert.isTrue(ok, err)
  return JSON.parse(out) as A
})

layer(TestService.layer, { excludeTestServices: true })("restore", (it) => {
  it.effect(
    "brings back all that a user has deleted, contacts and companies first, and says what did not come back",
    () =>
      Effect.gen(function* () {
        const team = yield* make()
        const company = yield* team.company()
        const externalRefs = [{ namespace: "crm", externalId: team.teamId }]
        const contact = yield* team.contact({ primaryCompanyId: company.id, externalRefs })
        const link = yield* team.link(contact.id, company.id)
        const [property, mandate] = [
          yield* team.record("property"),
          yield* team.record("mandate", { investor: { companyId: company.id } })
        ]
        const [earlier, kept] = [yield* team.contact({ email: `${team.teamId}@example.com` }), yield* team.contact()]
        const single = yield* team.link(kept.id, (yield* team.company({ name: "Tal AB" })).id)
        yield* team.remove("contact", earlier.id)
        yield* team.remove("link", single.id)
        yield* team.remove("mandate", mandate.id)
        yield* team.remove("contact", contact.id)
        yield* team.remove("company", company.id)
        yield* team.remove("property", property.id)
        const holder = yield* team.contact({ externalRefs })
        const another = yield* team.contact({ email: `${team.teamId}@example.com` })
        const flags = ["--deleted-by", team.email, "--since", "1h", "--team", team.team]

        assert.deepStrictEqual(yield* answerOf<object>(...flags, "--dry-run"), {
          dryRun: true,
          teamId: team.team,
          records: [
            { type: "contact", deleted: 2 },
            { type: "company", deleted: 1 },
            { type: "property", deleted: 1 },
            { type: "mandate", deleted: 1 },
            { type: "link", deleted: 1 }
          ]
        })
        assert.strictEqual(yield* team.status(`${paths.contact}/${contact.id}`), 404)

        const done = yield* answerOf(...flags)
        assert.deepStrictEqual(done, {
          teamId: team.team,
          records: [
            { type: "contact", deleted: 2, restored: 1 },
            { type: "company", deleted: 1, restored: 1 },
            { type: "property", deleted: 1, restored: 1 },
            { type: "mandate", deleted: 1, restored: 1 },
            { type: "link", deleted: 1, restored: 1 }
          ],
          notRestored: [
            {
              type: "contact",
              namespace: null,
              externalId: null,
              id: earlier.id,
              code: "duplicate",
              holderId: another.id
            },
            {
              type: "contact",
              ...externalRefs[0]!,
              id: contact.id,
              code: "external_reference_taken",
              holderId: holder.id
            }
          ]
        })
        assert.strictEqual((yield* team.read("contact", contact.id))["primaryCompanyId"], company.id)
        assert.strictEqual((yield* team.read("link", link.id))["changeType"], "restored")
        assert.strictEqual((yield* team.read("mandate", mandate.id))["changeOrigin"], "app")
        const rest = yield* run(...flags, "--force")
        assert.isTrue(rest.ok, rest.err)
        assert.match(rest.out, /^TYPE +DELETED +RESTORED\ncontact +1 +1$/)
        assert.match(rest.err, /Restored 1 of 1: contact/)
        assert.deepStrictEqual((yield* answerOf(...flags)).records, [])
        assert.match((yield* run(...flags)).out, /There is nothing to restore/)
      })
  )

  it.effect("bounds what it restores by who, when and what it was", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const team = yield* make()
      const client = randomUUID()
      const contacts = yield* Effect.forEach([1, 2, 3], () => team.contact())
      const company = yield* team.company()
      for (const { id } of contacts) yield* team.remove("contact", id)
      yield* team.remove("company", company.id)
      const [first, second, third] = contacts.map(({ id }) => Id.toUuid("contact", id) ?? "")
      yield* inTeam(team.teamId)(
        Effect.orDie(sql`
          update deleted_records set client_id = ${client}, user_id = null,
            deleted_at = case when id = ${second!}::uuid then deleted_at - interval '2 hours' else deleted_at end
          where team_id = ${team.teamId} and id <> ${first!}`)
      )
      const flags = ["--deleted-by", Id.fromUuid("client", client), "--team", team.team]
      const restored = (...given: ReadonlyArray<string>) =>
        Effect.map(answerOf(...flags, ...given), ({ records }) =>
          records.map(({ restored, type }) => `${type} ${restored}`)
        )
      assert.deepStrictEqual(yield* restored("--since", "3h", "--until", "1h"), ["contact 1"])
      assert.deepStrictEqual(yield* restored("--since", "1h", "--type", "contact"), ["contact 1"])
      assert.strictEqual(yield* team.status(`${paths.contact}/${Id.fromUuid("contact", third!)}`), 200)
      assert.deepStrictEqual(yield* restored("--since", "1h"), ["company 1"])
      assert.strictEqual(yield* team.status(`${paths.contact}/${Id.fromUuid("contact", first!)}`), 404)
      assert.deepStrictEqual(
        (yield* answerOf("--deleted-by", team.user, "--since", "1h", "--team", team.team)).records,
        [{ type: "contact", deleted: 1, restored: 1 }]
      )
      const unknown = yield* run("--deleted-by", "nobody@example.com", "--since", "1h", "--team", team.team)
      assert.isFalse(unknown.ok)
      assert.include(unknown.err, "There is no user")
    })
  )
})
