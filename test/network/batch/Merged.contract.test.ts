import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("A batch with a merged record", (it) => {
  it.effect("is reported, and the survivor is found by its references", () =>
    Effect.gen(function* () {
      for (const collection of ["contacts", "companies"] as const) {
        const tenant = yield* RecordsClient.make()
        const { request, token } = tenant
        const records: Pick<typeof tenant.contacts, "batchDelete" | "batchGet" | "upsert"> = tenant[
          collection
        ] as typeof tenant.contacts
        const name = collection === "contacts" ? "firstName" : "name"
        const made = (yield* records.upsert(
          ["Berg", "Tal"].map((one) => ({
            [name]: one,
            externalRefs: [{ namespace: "crm", externalId: one }]
          }))
        )).body.results.map(({ id }) => id ?? "")
        const [into = "", from = ""] = made
        const merged = yield* request("POST", `${RecordsClient.pathOf(collection)}/${into}/merge`, {
          token,
          json: { from: [from] }
        })
        assert.strictEqual(merged.status, 200, merged.text)
        const got = (yield* records.batchGet([from, into])).body.results
        assert.deepStrictEqual(
          got.map(({ status }) => status),
          ["missing", "found"]
        )
        const deleted = (yield* records.batchDelete([from])).body.results
        assert.deepStrictEqual(
          deleted.map(({ status }) => status),
          ["failed"]
        )
        const upserted = (yield* records.upsert([
          { id: from, tags: ["a"] },
          { tags: ["a"], externalRefs: [{ namespace: "crm", externalId: "Tal" }] }
        ])).body.results
        assert.deepStrictEqual(
          upserted.map(({ id, status }) => `${status} ${id}`),
          [`failed ${from}`, `updated ${into}`]
        )
        for (const { problem } of [got[0], deleted[0], upserted[0]].flatMap((one) => one ?? [])) {
          assert.deepInclude(problem, { code: "merged", status: 409, mergedInto: into })
          assert.match(problem?.type ?? "", /^http.*\/help\/merged$/)
        }
      }
    })
  )
})
