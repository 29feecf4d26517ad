/** Rows of `admin import` that name a deleted record by its id: docs/behaviour/imports-and-exports.md#deleted-records. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { make, paths } from "../network/restores/fixture.ts"
import { runToEnd } from "../support/Admin.ts"
import { TestService } from "../support/TestService.ts"

interface ReceiptLine {
  readonly status?: string
  readonly id: string | null
  readonly problem?: { readonly code: string; readonly detail: string }
}

layer(TestService.layer, { excludeTestServices: true })("A row with the id of a deleted record", (it) => {
  it.effect("says so, and restores it with --restore before its values are written", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-restore-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const team = yield* make()
      const company = yield* team.company()
      const contact = yield* team.contact({ lastName: "Berg", phone: "+49 30 1" })
      const link = yield* team.link(contact.id, company.id)
      const taken = yield* team.contact({ firstName: "Bo", email: `${team.teamId}@example.com` })
      for (const { id } of [contact, taken]) yield* team.remove("contact", id)
      yield* team.contact({ firstName: "Bo", email: `${team.teamId}@example.com` })
      const file = join(folder, "contacts.csv")
      yield* Effect.promise(() =>
        writeFile(file, `id,phone\n${contact.id},+49 30 2\n${taken.id},+49 30 3\n${company.id},+49 30 4\n`)
      )
      const importing = Effect.fnUntraced(function* (...options: ReadonlyArray<string>) {
        const { err, ok } = yield* runToEnd(["import", "contacts", file, "--team", team.team, "--restart", ...options])
        assert.isFalse(ok, err)
        const receipts = options.includes("--dry-run") ? "dry-run" : "receipts"
        const text = yield* Effect.promise(() => readFile(`${file}.${receipts}.ndjson`, "utf8"))
        return text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as ReceiptLine)
          .filter(({ status }) => status !== undefined)
      })
      const outcomes = (lines: ReadonlyArray<ReceiptLine>) =>
        lines.map(({ problem, status }) => problem?.code ?? status)

      const refused = yield* importing()
      assert.deepStrictEqual(outcomes(refused), ["deleted", "deleted", "not_found"])
      assert.match(
        refused[0]?.problem?.detail ?? "",
        /^The contact was deleted on \d{4}-\d\d-\d\d, and can be restored: with --restore/
      )
      assert.strictEqual(refused[0]?.id, contact.id)
      const rehearsed = yield* importing("--restore", "--dry-run")
      assert.deepStrictEqual(outcomes(rehearsed), ["updated", "duplicate", "not_found"])
      assert.strictEqual(yield* team.status(`${paths.contact}/${contact.id}`), 404)

      const count = yield* team.countEvents
      assert.deepStrictEqual(outcomes(yield* importing("--restore")), ["updated", "duplicate", "not_found"])
      assert.deepInclude(yield* team.read("contact", contact.id), { lastName: "Berg", phone: "+49 30 2" })
      assert.sameMembers(yield* team.eventsSince(count), [
        `contact.restored ${contact.id}`,
        `link.restored ${link.id} contact.restored`,
        `contact.updated ${contact.id}`
      ])
      assert.deepStrictEqual(outcomes(yield* importing("--restore")), ["unchanged", "duplicate", "not_found"])
      assert.deepStrictEqual(outcomes(yield* importing("--restore", "--on-duplicate", "create")), [
        "unchanged",
        "updated",
        "not_found"
      ])
    })
  )
})
