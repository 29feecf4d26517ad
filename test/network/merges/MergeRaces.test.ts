/** Merges that meet other changes of the same records, on a server where they run at the same time. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { filePart, formOf, sending } from "../../content/files/client.ts"
import { faultsOf } from "../../support/faults.ts"
import { untilBlocked } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"
import { make, type TimelineRow } from "./fixture.ts"

const kinds = ["contacts", "companies"] as const

const rounds = Array.from({ length: 5 }, (_, index) => index)

const together = { concurrency: "unbounded" } as const

layer(TestService.layer, { excludeTestServices: true })("Merges at the same moment", (it) => {
  for (const kind of kinds) {
    const fixture = Effect.map(make(), (client) => ({
      ...client,
      one: kind === "contacts" ? client.contact : client.company,
      merge: kind === "contacts" ? client.mergeContacts : client.mergeCompanies,
      records: client[kind]
    }))
    const path = (id: string) => `/api/v1/network/${kind}/${id}`
    const link = (client: Effect.Success<typeof fixture>, id: string, other: string) =>
      kind === "contacts" ? client.link(id, other) : client.link(other, id)
    const other = (client: Effect.Success<typeof fixture>): Effect.Effect<{ readonly id: string }> =>
      kind === "contacts" ? client.company() : client.contact()

    it.effect(`in opposite directions have one winner, and report the survivor to the other one: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        for (const _ of rounds) {
          const [{ id: a }, { id: b }, { id: x }, { id: y }] = [
            yield* client.one(),
            yield* client.one(),
            yield* other(client),
            yield* other(client)
          ]
          const links = [yield* link(client, a, x), yield* link(client, b, y), yield* link(client, b, x)]
          const replies = yield* Effect.all([client.merge(a, [b]), client.merge(b, [a])], together)
          assert.deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 409], replies[0].text)
          const [winner, loser] = replies[0].status === 200 ? [a, b] : [b, a]
          const lost = replies.find(({ status }) => status === 409)
          assert.deepInclude(lost?.body as object, { code: "merged", mergedInto: winner })
          const read = yield* client.request("GET", path(loser), { token: client.token })
          assert.deepStrictEqual([read.status, read.headers.get("location")], [301, path(winner)])
          const member = kind === "contacts" ? "contact_id" : "company_id"
          const remaining = yield* client.linksOf(`?${member}=${winner}`)
          assert.lengthOf(remaining, 2)
          for (const { id } of remaining)
            assert.include(
              links.map((one) => one.id),
              id
            )
          assert.lengthOf(yield* client.linksOf(`?${member}=${loser}`), 0)
        }
      })
    )

    it.effect(`of one record into two others have one winner: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        for (const _ of rounds) {
          const [{ id: a }, { id: b }, { id: c }] = [yield* client.one(), yield* client.one(), yield* client.one()]
          const replies = yield* Effect.all([client.merge(a, [c]), client.merge(b, [c])], together)
          assert.deepStrictEqual(replies.map(({ status }) => status).toSorted(), [200, 400])
          const lost = replies.find(({ status }) => status === 400)
          assert.deepStrictEqual(lost === undefined ? [] : faultsOf(lost), ["body /from/0 invalid_reference"])
        }
      })
    )

    it.effect(`of one pair, sent twice, are both answered, and made once: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        const [{ id: a }, { id: b }] = [yield* client.one(), yield* client.one()]
        const before = yield* client.countEvents
        const replies = yield* Effect.all(
          rounds.map(() => client.merge(a, [b])),
          together
        )
        for (const { body, status } of replies) assert.deepStrictEqual([status, body.etag], [200, '"v2"'])
        assert.strictEqual((yield* client.countEvents) - before, 2)
      })
    )

    it.effect(`in a chain redirect to the last record: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        for (const _ of rounds) {
          const [{ id: a }, { id: b }, { id: c }] = [yield* client.one(), yield* client.one(), yield* client.one()]
          const [up, down] = yield* Effect.all([client.merge(a, [b]), client.merge(b, [c])], together)
          assert.strictEqual(up.status, 200, up.text)
          const read = yield* client.request("GET", path(c), { token: client.token })
          if (down.status === 200) assert.deepStrictEqual([read.status, read.headers.get("location")], [301, path(a)])
          else {
            assert.deepInclude(down.body as object, { code: "merged", mergedInto: a })
            assert.strictEqual(read.status, 200)
          }
        }
      })
    )

    it.effect(`lose nothing that others add concurrently, and reject what comes too late: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        const { request, token } = client
        for (const round of rounds) {
          const [{ id: a }, { id: b }] = [yield* client.one(), yield* client.one()]
          const far = yield* Effect.forEach([0, 1, 2, 3], () => other(client))
          const [first, , , last] = far.map(({ id }) => id)
          const old = yield* link(client, b, first ?? "")
          const linking = (id: string | undefined) =>
            client.links.create(kind === "contacts" ? { contactId: b, companyId: id } : { contactId: id, companyId: b })
          const refs = { externalRefs: [{ namespace: "crm", externalId: `${kind} ${round}` }] }
          const note = (message: string) => request("POST", `${path(b)}/notes`, { token, json: { message } })
          const merge = client.merge(a, [b])
          const others = Effect.all(
            [
              client.records.patch(b, refs),
              client.records.patch(a, { tags: ["x"] }),
              linking(last),
              client.links.patch(old.id, { jobTitle: "New" }),
              note("One"),
              note("Two"),
              request("POST", `${path(b)}/files`, { token, ...sending(formOf(filePart("Terms"))) })
            ],
            together
          )
          // Now the one, now the others are sent first.
          const [merged, [patchB, patchA, newLink, oldLink, note1, note2, upload]] =
            round % 2 === 0
              ? yield* Effect.all([merge, others], together)
              : yield* Effect.map(
                  Effect.all([others, merge], together),
                  ([replies, reply]) => [reply, replies] as const
                )
          assert.strictEqual(merged.status, 200, merged.text)
          assert.strictEqual(patchA.status, 200, patchA.text)
          assert.strictEqual(oldLink.status, 200, oldLink.text)
          for (const reply of [patchB, note1, note2, upload]) {
            assert.include([200, 201, 409], reply.status, reply.text)
            if (reply.status === 409) assert.deepInclude(reply.body as object, { code: "merged", mergedInto: a })
          }
          assert.include([201, 400], newLink.status, newLink.text)
          const after = (yield* client.records.get(a)).body
          assert.deepStrictEqual(after.tags, ["x"])
          assert.deepStrictEqual(after.externalRefs, patchB.status === 200 ? refs.externalRefs : [])
          assert.strictEqual((yield* client.linkNow(old.id)).jobTitle, "New")
          const member = kind === "contacts" ? "contact_id" : "company_id"
          const linked = (yield* client.linksOf(`?${member}=${a}`)).map(({ id }) => id)
          assert.deepStrictEqual(linked, newLink.status === 201 ? [old.id, newLink.body.id] : [old.id])
          assert.lengthOf(yield* client.linksOf(`?${member}=${b}`), 0)
          const notes = yield* client.timeline(kind, a, "?type=notes")
          const written = [note1, note2].flatMap(({ body, status }) => (status === 201 ? [body["id"]] : []))
          assert.sameMembers(
            notes.map((row: TimelineRow) => row.id),
            written as Array<string>
          )
          const files = yield* request<{ readonly data: ReadonlyArray<unknown> }>("GET", `${path(a)}/files`, {
            token
          })
          assert.lengthOf(files.body.data, upload.status === 201 ? 1 : 0)
        }
      })
    )

    it.effect(`concurrent with batches leave one record: ${kind}`, () =>
      Effect.gen(function* () {
        for (const round of rounds) {
          const client = yield* fixture
          const refs = [{ namespace: "crm", externalId: "1" }]
          const [{ id: a }, { id: b }] = [yield* client.one(), yield* client.one({ externalRefs: refs })]
          const merge = client.merge(a, [b])
          const batches = Effect.all(
            [
              client.records.upsert([{ externalRefs: refs, tags: ["x"] }]),
              client.records.upsert([{ id: b, tags: ["y"] }]),
              client.records.batchGet([a, b])
            ],
            together
          )
          const [merged, [byRef, byId]] =
            round % 2 === 0
              ? yield* Effect.all([merge, batches], together)
              : yield* Effect.map(
                  Effect.all([batches, merge], together),
                  ([replies, reply]) => [reply, replies] as const
                )
          assert.strictEqual(merged.status, 200, merged.text)
          assert.strictEqual(byRef.body.results[0]?.status, "updated", byRef.text)
          const [receipt] = byId.body.results
          if (receipt?.status !== "updated")
            assert.deepInclude(receipt?.problem, { code: "merged", mergedInto: a } as never)
          const [left, ...others] = (yield* client.records.list()).body.data
          assert.deepStrictEqual([left?.id, left?.externalRefs, others], [a, refs, []])
          if (byRef.body.results[0]?.id === a) assert.deepStrictEqual(left?.tags, ["x"])
        }
      })
    )

    it.effect(`and concurrent deletions leave no orphans: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        for (const round of rounds) {
          const [{ id: a }, { id: b }, { id: x }] = [yield* client.one(), yield* client.one(), yield* other(client)]
          const { id } = yield* link(client, b, x)
          const remove = round % 4 < 2 ? client.records.delete(b) : client.records.batchDelete([b])
          const [merged, removed] =
            round % 2 === 0
              ? yield* Effect.all([client.merge(a, [b]), remove], together)
              : yield* Effect.map(
                  Effect.all([remove, client.merge(a, [b])], together),
                  ([one, two]) => [two, one] as const
                )
          assert.include([200, 400], merged.status, merged.text)
          if (merged.status === 400) assert.deepStrictEqual(faultsOf(merged), ["body /from/0 invalid_reference"])
          else assert.include(removed.text, '"merged"')
          assert.strictEqual((yield* client.links.get(id)).status, merged.status === 200 ? 200 : 404)
          assert.strictEqual((yield* client.records.get(a)).status, 200)
        }
      })
    )

    it.effect(`move references that a record got while the merge waited for its lock: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        const sql = yield* Database
        const [{ id: a }, { id: b }] = [yield* client.one(), yield* client.one()]
        const type = kind === "contacts" ? ("contact" as const) : ("company" as const)
        const uuid = Id.toUuid(type, b) ?? ""
        const merging = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update ${sql.literal(kind)} set version = 2 where id = ${uuid}`
            const running = yield* Effect.forkDetach(client.merge(a, [b]))
            yield* untilBlocked(1)
            yield* sql`
            insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
            values (${client.teamId}, ${type}, 'crm', '1', ${uuid}, 0)`
            return running
          })
        )
        const reply = yield* Fiber.join(merging)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(reply.body.externalRefs, [{ namespace: "crm", externalId: "1" }])
        assert.strictEqual((yield* client.records.list("?external_ref=crm:1")).body.data[0]?.id, a)
      })
    )

    it.effect(`answer 409 when If-Match names a version that is outdated under the lock: ${kind}`, () =>
      Effect.gen(function* () {
        const client = yield* fixture
        const sql = yield* Database
        const [{ etag, id: a }, { id: b }] = [yield* client.one(), yield* client.one()]
        const type = kind === "contacts" ? ("contact" as const) : ("company" as const)
        const running = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update ${sql.literal(kind)} set version = 2 where id = ${Id.toUuid(type, a) ?? ""}`
            const both = yield* Effect.forkDetach(
              Effect.all(
                [client.merge(a, [b], { "if-match": etag }), client.merge(a, [b], { "if-match": "*" })],
                together
              )
            )
            yield* untilBlocked(2)
            return both
          })
        )
        const [named, any] = yield* Fiber.join(running)
        assert.deepInclude(named.body as object, { status: 409, code: "concurrency_conflict" })
        // The other merge may have committed by now.
        assert.include(['"v2"', '"v3"'], (named.body as { readonly currentEtag?: unknown }).currentEtag)
        assert.deepStrictEqual([any.status, any.body.etag], [200, '"v3"'])
      })
    )
  }

  it.effect(
    "and deletions leave no project with a seller who is gone, also one that names the contact at that moment",
    () =>
      Effect.gen(function* () {
        const client = yield* make()
        const { request, token } = client
        const sql = yield* Database
        const write = (method: string, path: string, json: unknown) =>
          request<{ readonly id: string; readonly sellerContactId: string | null }>(method, path, { token, json })
        const race = Effect.fnUntraced(function* (end: "delete" | "merge", isNew: boolean, isNamedFirst: boolean) {
          const [{ id: gone }, { id: survivor }] = [yield* client.contact(), yield* client.contact()]
          const { id } = (yield* write("POST", "/api/v1/projects", { name: "Tal" })).body
          const naming = isNew
            ? write("POST", "/api/v1/projects", { name: "Tal", sellerContactId: gone })
            : write("PATCH", `/api/v1/projects/${id}`, { sellerContactId: gone })
          const ending =
            end === "merge"
              ? Effect.map(client.mergeContacts(survivor, [gone]), ({ status }) => status === 200)
              : Effect.map(client.contacts.delete(gone), ({ status }) => status === 204)
          const [named, ended] = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select id from contacts where id = ${Id.toUuid("contact", gone) ?? ""} for update`
              const first = yield* Effect.forkDetach(isNamedFirst ? naming : ending)
              yield* untilBlocked(1)
              const second = yield* Effect.forkDetach(isNamedFirst ? ending : naming)
              yield* untilBlocked(2)
              return (isNamedFirst ? [first, second] : [second, first]) as [
                Fiber.Fiber<Effect.Success<typeof naming>>,
                Fiber.Fiber<boolean>
              ]
            })
          )
          assert.isTrue(yield* Fiber.join(ended))
          const reply = yield* Fiber.join(named)
          if (!isNamedFirst) return assert.deepStrictEqual(faultsOf(reply), ["body /sellerContactId invalid_reference"])
          const { body } = yield* write("GET", `/api/v1/projects/${reply.body.id}`, undefined)
          return assert.strictEqual(body.sellerContactId, end === "merge" ? survivor : null)
        })
        for (const isNamedFirst of [true, false]) {
          for (const isNew of [true, false]) yield* race("merge", isNew, isNamedFirst)
          yield* race("delete", false, isNamedFirst)
        }
      })
  )

  it.effect("of contacts and of their companies both succeed", () =>
    Effect.gen(function* () {
      const client = yield* make()
      for (const _ of rounds) {
        const [x, y] = [yield* client.company(), yield* client.company()]
        const [a, b] = [
          yield* client.contact({ primaryCompanyId: y.id }),
          yield* client.contact({ primaryCompanyId: y.id })
        ]
        const one = yield* client.link(a.id, x.id)
        for (const [contact, company] of [
          [a, y],
          [b, x],
          [b, y]
        ] as const)
          yield* client.link(contact.id, company.id)
        const replies = yield* Effect.all(
          [
            client.mergeContacts(a.id, [b.id]),
            client.mergeCompanies(x.id, [y.id]),
            client.contacts.patch(a.id, { tags: ["x"] }),
            client.companies.patch(x.id, { tags: ["x"] })
          ],
          together
        )
        assert.deepStrictEqual(
          replies.map(({ status }) => status),
          [200, 200, 200, 200]
        )
        assert.deepInclude(yield* client.contactNow(a.id), { primaryCompanyId: x.id, tags: ["x"] })
        assert.deepStrictEqual(
          (yield* client.linksOf(`?contact_id=${a.id}`)).map(({ id }) => id),
          [one.id]
        )
        assert.lengthOf(yield* client.linksOf(`?company_id=${x.id}`), 1)
      }
    })
  )
})
